"""A table as it is stored: true keys in byte order, cells with what has expired, and the rows that reads go to."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from designer.document.load import from_data
from designer.examples import example
from designer.wording.formatting import format_value
from estimator.presentation.design_page import design_page
from estimator.presentation.sheet import Sheet
from estimator.presentation.sheet.stored.rows import _RowSampler
from estimator.presentation.sheet.stored.views import KindRows, SampleRow
from estimator.presentation.sheet.strips import Band, busiest_hour, group_starts
from estimator.results.heat import Heat
from tests.contexts import context


def stored_kinds(slug: str, table: str) -> tuple[KindRows, ...]:
    stored = Sheet(design_page(example(slug).spec, context())).table_rows(table)
    assert stored is not None
    return stored.kinds


def key_texts(row: SampleRow) -> tuple[str, ...]:
    return tuple(part.segment.text for part in row.key)


def test_rows_of_one_entity_stand_together_with_their_beginning_marked() -> None:
    (events,) = stored_kinds("karte", "events")

    together = [row for row in events.rows if row.rows_before is None][1:]

    assert [part.is_repeated for part in together[0].key] == [True, True, False]
    assert len({key_texts(row)[1] for row in together}) == 1
    times = [part.segment.at for row in together for part in row.key if part.segment.at]
    assert times == sorted(times, reverse=True)  # the key counts time down


def test_long_texts_keep_the_end_by_which_neighbours_differ() -> None:
    long_name = "device_of_the_customer_of_the_reseller"
    spec = from_data({
        "fields": [{"id": "d", "name": long_name, "distinct": 1000}],
        "activities": [{"id": "a", "rate_per_second": 100}],
        "tables": [{
            "id": "t", "families": [{"id": "f", "name": "f", "columns": [{"id": "c", "qualifier": "v"}]}],
            "row_kinds": [{"id": "k", "key": [{"id": "s", "kind": "field", "field": "d"}],
                           "writes": [{"id": "w", "activity": "a"}]}],
        }],
    })  # fmt: skip
    stored = Sheet(design_page(spec, context())).table_rows("t")
    assert stored is not None

    parts = [part for row in stored.kinds[0].rows for part in row.key if part.segment.text.startswith(long_name)]

    assert len(parts) > 2
    assert len({part.value for part in parts}) == len(parts), "38 characters are common, and 26 are shown"
    assert {part.title for part in parts} == {part.segment.text for part in parts}
    assert {len(str(part.value)) for part in parts} == {26}


def test_times_of_one_minute_in_neighbours_are_written_to_the_second() -> None:
    (metrics,) = stored_kinds("machine-metrics", "metrics")  # a machine is measured every 30 seconds

    together = [row for row in metrics.rows if row.rows_before is None][1:]
    assert {part.form for row in together for part in row.key if part.segment.at} == {"second"}
    texts = [format_value(part.form, part.value) for row in metrics.rows for part in row.key if part.segment.at]
    assert len(set(texts)) == len(texts)
    (events,) = stored_kinds("friends-rows", "friendships")
    assert {part.form for row in events.rows for part in row.key} == {"moment"}


@pytest.mark.parametrize("total", [100, 128, 300, 1_000, 1_024])
def test_a_row_has_the_load_of_the_key_range_that_it_lies_in(total: int) -> None:
    """The load of one key range of many shows at the rows in it, and at none of another group."""
    page = design_page(example("karte").spec, context())
    table = page.spec.tables[0]
    part = page.estimate.tables[table.id]
    heat = part.traffic.heat
    bounds = tuple(number.to_bytes(2, "big") for number in range(1, total))
    amounts = np.repeat(np.arange(1.0, total + 1)[:, None], heat.windows, axis=1)
    heat = Heat.from_arrays(bounds, heat.window_starts, heat.window_seconds, np.ones(total) / total, *(amounts,) * 4)
    hour = busiest_hour(page.spec, page.estimate)
    sampler = _RowSampler(page, table, table.row_kinds[0], Sheet(page).cards[0], hour)
    sampler.part = replace(part, traffic=replace(part.traffic, heat=heat))
    starts = group_starts(total, len(sampler._day_shares))

    for number in range(total):
        group = sampler._range_of(number.to_bytes(2, "big"))
        assert starts[group] <= number < [*starts, total][group + 1]


def test_the_distances_and_the_rows_shown_add_up_to_most_of_the_table() -> None:
    (users,) = stored_kinds("karte", "users")
    rows = design_page(example("karte").spec, context()).estimate.tables["users"].sizes["user-state"].rows

    between = sum(row.rows_before or 0 for row in users.rows)

    assert between == pytest.approx(rows * 0.82, rel=0.01)  # from the first place to the last


def test_a_row_says_how_many_of_its_cells_have_expired() -> None:
    (users,) = stored_kinds("karte", "users")
    (size,) = design_page(example("karte").spec, context()).estimate.tables["users"].sizes["user-state"].columns

    cell = users.rows[0].cells[0]

    assert cell.expired == round(size.cells_superseded)
    assert (len(cell.hatched), cell.uncounted, cell.more) == (12, cell.expired - 12, 0)
    assert cell.text.startswith("{")


def test_a_point_read_goes_to_one_row_and_a_prefix_to_its_neighbours() -> None:
    (kind,) = stored_kinds("iot-fleet", "latest")

    point, prefix = zip(*(row.marks for row in kind.rows), strict=True)

    assert [extent for extent, _ in point if extent] == ["only"]
    assert [extent for extent, _ in prefix if extent] == ["first", "inside", "inside", "last"]


def test_a_read_that_scans_the_table_is_marked_over_all_rows() -> None:
    (kind,) = stored_kinds("hash-only", "devices")

    extents = [row.marks[2] for row in kind.rows]

    assert extents[0] == ("first", True)
    assert extents[-1] == ("last", True)
    assert kind.rows[1].gap_marks[2] == ("inside", True)


@pytest.mark.parametrize(
    ("slug", "table"),
    [
        ("machine-metrics", "metrics"),  # oldest first: at the end of a machine
        ("machine-metrics-newest-first", "metrics"),
        ("few-write-fronts", "access-log"),  # a minute of a region
        ("timestamp-first", "metrics"),  # an hour of all
        ("table-per-customer", "readings-altostrat"),
    ],
)
def test_a_read_of_the_newest_rows_goes_to_the_newest_and_no_others(slug: str, table: str) -> None:
    (kind,) = stored_kinds(slug, table)

    touched = [row for row in kind.rows if row.marks[0][0]]

    assert len(touched) == 4
    times = [part.segment.at for row in touched for part in row.key if part.segment.at]
    assert all(str(time).startswith("2027-12-31 23:5") for time in times)  # the horizon ends with the year


def test_a_read_of_older_rows_or_of_the_other_end_does_not_go_to_the_rows_shown() -> None:
    spec = example("karte").spec
    events = spec.find("events")
    kind = events.row_kinds[0]
    newest, day = kind.reads
    oldest = newest.model_copy(update={"newest_rows": None, "row_limit": 5, "reverse": True})
    older = day.model_copy(update={"age_days": 10.0})
    kind = kind.model_copy(update={"reads": (newest, oldest.model_copy(update={"id": "oldest"}), older)})
    changed = events.model_copy(update={"row_kinds": (kind,)})
    spec = spec.model_copy(update={"tables": tuple(changed if t.id == "events" else t for t in spec.tables)})

    stored = Sheet(design_page(spec, context())).table_rows("events")

    assert stored is not None
    marks = zip(*(row.marks for row in stored.kinds[0].rows), strict=True)
    assert [any(extent for extent, _ in of_read) for of_read in marks] == [True, False, False]


def test_columns_of_numbers_are_read_as_numbers() -> None:
    (kind,) = stored_kinds("campus-cards", "purchases")

    assert all(text.isdecimal() for row in kind.rows for text in key_texts(row))


def test_a_read_of_a_parent_domain_goes_to_no_other_domain() -> None:
    (kind,) = stored_kinds("reversed-domains", "pages")

    hosts = {key_texts(row)[0] for row in kind.rows if row.marks[2][0]}

    assert len(hosts) == 1


@pytest.mark.parametrize("slug", ["iot-fleet", "friends-columns", "one-counter-row", "campus-cards", "campus-months"])
def test_each_table_has_rows_with_a_cell_in_each_column(slug: str) -> None:
    sheet = Sheet(design_page(example(slug).spec, context()))
    for table in sheet.spec.tables:
        stored = sheet.table_rows(table.id)
        assert stored is not None
        for kind in stored.kinds:
            assert kind.rows
            assert all(len(row.cells) == len(kind.columns) for row in kind.rows)
            assert all(one.key != other.key for one, other in pairwise(kind.rows))


def test_the_hottest_key_range_is_among_the_rows_where_one_stands_out() -> None:
    (hot,), (even,) = stored_kinds("timestamp-first", "metrics"), stored_kinds("karte", "users")

    (row,) = [row for row in hot.rows if row.is_hottest]

    assert row.load_share is not None
    assert row.load_share > 1  # one node takes all writes
    assert all((other.load_share or 0) < row.load_share for other in hot.rows if other is not row)
    assert not any(row.is_hottest for row in even.rows)


def test_a_row_shows_the_day_of_its_key_range_and_a_gap_the_busiest_range_in_it() -> None:
    (hot,) = stored_kinds("timestamp-first", "metrics")
    (row,) = [row for row in hot.rows if row.is_hottest]

    assert all(covered(row.day) == hot.windows for row in hot.rows)
    assert all(covered(row.day_before) == (hot.windows if row.rows_before else 0) for row in hot.rows)
    burning = [band for band in row.day if band.colour not in ("var(--heat-0)", "var(--heat-1)")]
    assert 0 < covered(burning) < hot.windows / 3  # of 128 ranges in a month, each is the front for six hours


def covered(bands: Iterable[Band]) -> int:
    return sum(int(run) for band in bands for run in re.findall(r"h(\d+)", band.path))


def test_without_a_rate_the_key_and_the_columns_are_shown_without_rows() -> None:
    spec = example("karte").spec
    activity = spec.activities[0].model_copy(update={"rate_per_second": None})
    unfed = spec.model_copy(update={"activities": (activity,)})

    stored = Sheet(design_page(unfed, context())).table_rows("events")

    assert stored is not None
    (kind,) = stored.kinds
    assert kind.rows == ()
    assert [column.chip.form for column in kind.keys] == ["hash(user_id)", "user_id", "time:rev"]
    assert stored.card.missing


def test_a_table_that_the_design_does_not_have_is_none() -> None:
    assert Sheet(design_page(example("karte").spec, context())).table_rows("nothing") is None
