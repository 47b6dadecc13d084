"""Rows that go: under prefixes that are dropped, such as of a tenant that leaves, and of loads that have ended."""

import numpy as np
import pytest

from designer.document.load import load
from estimator.results import TableGrowth
from tests.contexts import estimate

TENANTS, PER_DAY, LEAVING_PER_DAY = 200, 20_000, 0.5

DESIGN = f"""
format: 1
name: Tenants that leave
start: 2027-01-01
horizon: 1y
fields:
  tenant: distinct={TENANTS}, popularity=uniform
  event_id: uuid
activities:
  An action: {PER_DAY}/d
  A tenant leaves: {LEAVING_PER_DAY}/d
tables:
  audit:
    key: '{{tenant}}#{{time}}#{{event_id}}'
    writes:
      - An action
      - A tenant leaves, mode=delete_prefix, selected_by=[tenant]
    families:
      a:
        gc: GC
        columns:
          e: json(700B, 8kB)
"""


def _grown(gc: str, leaves: str = "") -> TableGrowth:
    text = DESIGN.replace("GC", gc).replace("selected_by=[tenant]", f"selected_by=[tenant]{leaves}")
    made = estimate(load(text, name="tenants.yaml")).tables["audit"].growth
    assert made is not None
    return made


def _drawn(kept_days: float) -> float:
    """Return the rows that are left after a year, in the mean of drawings of when each tenant left last."""
    random, days, left = np.random.default_rng(7), 365.0, []
    for _ in range(400):
        times = random.uniform(0, days, random.poisson(LEAVING_PER_DAY * days))
        last = np.zeros(TENANTS)
        np.maximum.at(last, random.integers(0, TENANTS, times.size), times)
        left.append((days - np.maximum(last, days - kept_days)).sum() * PER_DAY / TENANTS)
    return float(np.mean(left))


@pytest.mark.parametrize(("gc", "kept_days"), [("max_versions(1)", 365.0), ("max_age(90d)", 93.5)])
def test_all_rows_of_who_leaves_go(gc: str, kept_days: float) -> None:
    """Each tenant leaves every 400 days in the mean. Only one row a drop was taken off: 7.3 million stayed."""
    assert float(_grown(gc).rows[-1]) == pytest.approx(_drawn(kept_days), rel=0.02)


def test_a_prefix_holds_less_of_a_table_whose_tenants_become_more() -> None:
    """Each drop took a two-hundredth of all rows, also when there were ten times as many tenants."""
    random, new_per_day, left = np.random.default_rng(8), 5, []
    for _ in range(60):
        rows = np.zeros(TENANTS + 365 * new_per_day)
        for day in range(365):
            there = TENANTS + day * new_per_day
            rows[:there] += PER_DAY / there
            rows[random.integers(0, there, random.poisson(LEAVING_PER_DAY))] = 0
        left.append(rows.sum())
    text = DESIGN.replace("popularity=uniform", f"popularity=uniform, growth={new_per_day}/d")
    made = estimate(load(text.replace("GC", "max_versions(1)"), name="tenants.yaml")).tables["audit"].growth
    assert made is not None

    assert float(made.rows[-1]) == pytest.approx(float(np.mean(left)), rel=0.02)


def test_their_bytes_go_as_well() -> None:
    left, every = _grown("max_versions(1)"), _grown("max_versions(1)", ", rows_per_event=1")

    assert float(left.live_bytes / left.rows[-1]) == pytest.approx(float(every.live_bytes / every.rows[-1]), rel=0.01)


def test_a_stated_number_of_rows_is_what_a_drop_deletes() -> None:
    assert float(_grown("max_versions(1)", ", rows_per_event=1000").rows[-1]) == pytest.approx(
        365.25 * (PER_DAY - 1000 * LEAVING_PER_DAY), rel=0.01
    )


def test_rows_that_are_written_again_come_back() -> None:
    """Each of 200 rows is written once in ten days and dropped once in 400: of forty-one that would be, forty are."""
    text = (
        DESIGN.replace("{tenant}#{time}#{event_id}", "{tenant}")
        .replace("20000/d", "20/d")
        .replace("GC", "max_versions(1)")
    )
    made = estimate(load(text.replace("{TENANTS}", "200"), name="tenants.yaml")).tables["audit"].growth
    assert made is not None

    assert float(made.rows[-1]) == pytest.approx(200 * 40 / 41, rel=0.01)


def test_a_load_that_ended_longer_ago_than_its_rows_are_kept_leaves_nothing() -> None:
    """The times of no rows were 0 ÷ 0, and the keys between ranges what a machine makes of that."""
    text = DESIGN.replace(f"{PER_DAY}/d", f"{PER_DAY}/d, ends_on=2027-06-01").replace("GC", "max_age(30d)")
    part = estimate(load(text, name="ended.yaml")).tables["audit"]
    assert part.growth is not None
    assert part.traffic is not None

    assert (part.growth.rows[-1], part.growth.rows[3] > 0) == (0, True)
    assert all(np.isfinite(part.traffic.heat.stored_share))
    assert len(set(part.traffic.heat.bounds)) > 100


PURGED = """
format: 1
name: Orders and a purge
start: 2026-12-01
horizon: 3
fields:
  user: distinct=1000, popularity=uniform
  order: distinct=1
activities:
  An order: ORDERS
  A purge: PURGE
tables:
  orders:
    key: KEY
    writes:
      - An order, mode=MODE
      - A purge, mode=delete_row
    families:
      o:
        gc: max_age(400d)
        columns:
          p: random(1kB)
"""
MONTH_DAYS = 365.25 / 12
FOREVER = "'{user}#{time}#{order}'"


def _rows(orders: str, purge: str, *, key: str = FOREVER, mode: str = "append_row") -> list[float]:
    """Return the rows after each month."""
    text = PURGED.replace("ORDERS", orders).replace("PURGE", purge).replace("KEY", key).replace("MODE", mode)
    made = estimate(load(text, name="orders.yaml")).tables["orders"].growth
    assert made is not None
    return list(made.rows[1:])


def test_what_a_purge_deleted_stays_deleted_once_it_has_ended() -> None:
    """It deletes 90 a day for the 30 days of December: 2,700 less than all orders, in each month that follows.

    By chance 90 / (100 - 90) of its deletions found no order in the first days.
    """
    rows = _rows("100/d", "90/d, ends_on=2026-12-31")

    assert rows == pytest.approx([100 * MONTH_DAYS * month - 90 * 30 + 9 for month in (1, 2, 3)], abs=9.5)
    assert rows[0] > 343.75 + 7
    assert rows[2] - rows[1] == pytest.approx(100 * MONTH_DAYS, abs=1)


def test_a_purge_goes_on_after_the_last_order() -> None:
    """Of 3,000 orders in 30 days are deleted 10 a day: 304.375 by the end of each month."""
    rows = _rows("100/d, ends_on=2026-12-31", "10/d")

    assert rows == pytest.approx([100 * 30 - 10 * MONTH_DAYS * month for month in (1, 2, 3)], rel=1e-6)


def test_what_was_deleted_where_nothing_was_left_is_not_taken_off_what_comes_later() -> None:
    """Of 10 orders a day none is left of 20 deletions, until a day of 1,010: 20 go on it, and 10 more than come a day.

    It is the day 20: 1,010 − 20 − 10 × (MONTH_DAYS − 21) are left after the month, and 304.375 less after the next, but
    for half a day, by which a month's end may meet a named day sooner.
    """
    rows = _rows("10/d, peak_days=[(sale, 2026-12-21, 101)]", "20/d")

    left = 1010 - 20 - 10 * (MONTH_DAYS - 21)
    assert rows == pytest.approx([left, left - 10 * MONTH_DAYS, left - 20 * MONTH_DAYS], abs=10 / 2)


def test_rows_that_are_written_again_come_back_after_a_purge() -> None:
    """Of 1,000 rows each is written, and deleted, every ten days in the mean.

    In balance half of them are there, as a part e^(−0.2·t) is to come. Once the purge has ended, what is missing is
    e^(−0.1·t) of what was missing then.
    """
    going = _rows("100/d", "100/d", key="'{user}'", mode="overwrite")
    ended = _rows("100/d", "100/d, ends_on=2026-12-16", key="'{user}'", mode="overwrite")

    half = [500 * (1 - np.exp(-0.2 * MONTH_DAYS * month)) for month in (1, 2, 3)]
    missing = 1000 - 500 * (1 - np.exp(-0.2 * 15))
    assert going == pytest.approx(half, rel=1e-3)
    assert ended == pytest.approx([1000 - missing * np.exp(-0.1 * (MONTH_DAYS * m - 15)) for m in (1, 2, 3)], rel=1e-3)


@pytest.mark.parametrize(
    ("mode", "columns", "per_day"),
    [("delete_cell", 1, 10), ("delete_family", 1, 10), ("delete_cell", 2, 100), ("delete_family", 2, 10)],
)
def test_a_row_whose_only_cell_was_deleted_is_none(mode: str, columns: int, per_day: int) -> None:
    """Of 100 orders a day 90 lose their only cell, or one of two: a day adds 10 rows, or 100.

    Where it adds 10, by chance 90 / 10 deletions found no order in the first days. A family goes with all of its
    columns, also where the deletion names one of them.
    """
    text = PURGED.replace("ORDERS", "100/d").replace("PURGE", "90/d").replace("KEY", FOREVER)
    text = text.replace("MODE", "append_row").replace("delete_row", f"{mode}, columns=[p]")
    text += "          q: random(1kB)\n" * (columns - 1)
    made = estimate(load(text, name="orders.yaml")).tables["orders"].growth
    assert made is not None

    by_chance = 9 if per_day == 10 else 0
    assert list(made.rows[1:]) == pytest.approx(
        [per_day * MONTH_DAYS * month + by_chance for month in (1, 2, 3)], rel=1e-6
    )


@pytest.mark.parametrize("mode", ["delete_row", "delete_cell"])
def test_a_deletion_takes_all_versions_and_the_next_ones_stay(mode: str) -> None:
    """Each of 1,000 users is written ten times a day and deleted once: 10 / 1 cells have come since, in the mean.

    A row is there if its last event is a write: 10 of 11. Live cells were 10 of 11 of all that were ever written.
    """
    text = PURGED.replace("ORDERS", "10000/d").replace("PURGE", "1000/d").replace("KEY", "'{user}'")
    text = text.replace("MODE", "new_cell").replace("mode=delete_row", f"mode={mode}").replace("max_age(400d)", "never")
    purged, every = (
        estimate(load(each, name="users.yaml")).tables["orders"].growth
        for each in (text, text.replace(f"      - A purge, mode={mode}\n", ""))
    )
    assert purged is not None
    assert every is not None

    assert purged.rows[-1] == pytest.approx(1000 * 10 / 11, rel=1e-3)
    assert purged.live_bytes / every.live_bytes == pytest.approx(10_000 / (10_000 * 3 * MONTH_DAYS), rel=3e-3)


def test_who_is_written_most_is_deleted_most() -> None:
    """Users of any popularity are written as often as deleted: of those that had an event the last is a write of half.

    500 users have 9 of 10 events: all had some. A deletion of each user alike left more of the busy ones.
    """
    text = PURGED.replace("popularity=uniform", "popularity=hot_set(50%, 90%)").replace("MODE", "overwrite")
    text = text.replace("ORDERS", "10000/d").replace("PURGE", "10000/d").replace("KEY", "'{user}'")
    made = estimate(load(text, name="users.yaml")).tables["orders"].growth
    assert made is not None

    assert made.rows[-1] == pytest.approx(500, rel=1e-3)


JOBS = """
format: 1
name: Jobs
start: 2026-12-01
horizon: 1
fields:
  job: uuid
activities:
  A job: 1k/s
tables:
  jobs:
    key: '{job}'
    compressed_share: 1
    change_stream: 7d
    writes:
      - A job, mode=append_row
      - A job, mode=delete_row
    families:
      o:
        columns:
          p: random(10kB)
instance:
  clusters:
    us: us-central1, us-central1-a
"""


def test_a_deletion_is_a_few_bytes_of_a_change_stream() -> None:
    """A cell is 36 of key, 1 of family, 1 of qualifier, 8 of time, 10,000 of value and 12 more, its deletion 57.

    86.4 million of 10,058 + 57 bytes are 813.916 GiB a day, 1.5 times as much for 7 days at $0.17 are $1,452.84.
    """
    made = estimate(load(JOBS, name="jobs.yaml"))
    assert made.bill is not None
    stream = next(line for line in made.bill.lines if line.item == "change_stream")

    assert float(stream.quantity) == pytest.approx(86.4e6 * (10_058 + 57) / 2**30 * 1.5 * 7, rel=1e-5)
    assert stream.cost is not None
    assert float(stream.cost) == pytest.approx(1_452.84, abs=0.01)


HISTORY = """
format: 1
name: A year of readings
start: 2026-12-01
horizon: 1
fields:
  device: distinct=1000, popularity=uniform
activities:
  History: 10k/s, arrival=backfill(365d)
tables:
  readings:
    key: '{device}#{time}'
    compressed_share: 1
    infrequent_access: 60d
    writes:
      - History
    families:
      o:
        gc: max_age(90d)
        columns:
          p: json(200B), timestamp=event
"""


def test_most_of_a_history_with_its_own_timestamps_is_too_old_when_it_is_written() -> None:
    """A cell of a year, written a days ago, is younger than 90 days with a chance of (90 − a) / 365.

    Of a month of 30.4375 days are live (90 × 30.4375 − 30.4375² / 2) / 365 = 6.236 days' writes. Stored are 3.5 days'
    writes, and of the 26.9375 before them (90 × 26.9375 − 26.9375² / 2) / 365 = 5.648 days': 9.148. Of these, as old as
    60 to 90 days when they were compacted: 26.9375 × 30 / 365 = 2.214.
    """
    growth = estimate(load(HISTORY, name="history.yaml")).tables["readings"].growth
    assert growth is not None
    assert growth.infrequent_bytes is not None

    day = 864e6
    cell_bytes = growth.logical_bytes[-1] / growth.rows[-1]
    assert growth.rows[-1] == pytest.approx(9.148 * day, rel=0.01)
    assert growth.live_bytes == pytest.approx(6.236 * day * cell_bytes, rel=0.01)
    assert growth.infrequent_bytes[-1] == pytest.approx(2.214 * day * cell_bytes, rel=0.02)


@pytest.mark.parametrize(
    "text",
    [
        HISTORY.replace(", timestamp=event", ""),
        HISTORY.replace("History: 10k/s, arrival=backfill(365d)", "History: 10k/s"),
    ],
)
def test_what_the_server_stamps_and_what_happens_now_is_new_when_it_is_written(text: str) -> None:
    growth = estimate(load(text, name="history.yaml")).tables["readings"].growth
    assert growth is not None
    assert growth.infrequent_bytes is not None

    assert growth.rows[-1] == pytest.approx(MONTH_DAYS * 864e6)
    assert growth.infrequent_bytes[-1] == 0


def test_no_event_is_lost_to_another_whose_cells_are_gone() -> None:
    """Cells that were 10 days old when they were written, of which 5 are kept: half of them were said to be lost."""
    text = HISTORY.replace("- History", "- History, timestamp_ahead=-10d").replace("max_age(90d)", "max_age(5d)")
    text = text.replace(", arrival=backfill(365d)", "").replace("infrequent_access: 60d", "infrequent_access: 30d")
    growth = estimate(load(text, name="history.yaml")).tables["readings"].growth
    assert growth is not None

    assert [shares.lost_share for shares in growth.entities.values()] == [0]
    assert growth.rows[-1] == pytest.approx(3.5 * 864e6)
