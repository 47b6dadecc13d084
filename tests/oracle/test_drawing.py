"""The oracle itself, where arithmetic says what must come: its own definitions, without the estimator."""

import math
from typing import Any

import numpy as np
import pytest

from designer.document.activity import Activity
from designer.document.family import Intersection, MaxAge, MaxVersions, Union
from designer.document.load import from_data
from designer.document.popularity import HotSet, Latest, Uniform, Weights, Zipf

from .drawing import Drawing, draw
from .events import Clock
from .storage import cells_left
from .world import World, ranks_of

MONTH_DAYS = 365.25 / 12
SEEDS = range(6)


def spec_of(
    fields: list[dict[str, Any]], key: list[Any], *, rate_per_day: float = 40.0, mode: str = "overwrite",
    activity: dict[str, Any] | None = None, table: dict[str, Any] | None = None, **more: Any,
):  # fmt: skip
    """A design of one row kind; a part of the key is a field, or `time` with a resolution: `time day`."""
    parts = [
        name if isinstance(name, dict)
        else {"id": f"k{place}", "kind": "time", "resolution": name.split()[1], "unit": "s"} if name.startswith("time")
        else {"id": f"k{place}", "kind": "field", "field": name, "after": "#"}
        for place, name in enumerate(key)
    ]  # fmt: skip
    acts_by_itself = (activity or {}).get("arrival", {}).get("kind") == "every"
    rate = {} if acts_by_itself else {"rate_per_second": rate_per_day / 86_400}
    family = {"id": "f", "name": "f", "columns": [{"id": "c", "qualifier": "q", "value": {"typical_bytes": 100}}]}
    rows = {"id": "rows", "key": parts, "writes": [{"id": "w", "activity": "act", "mode": mode}]} | more
    return from_data({
        "start": "2026-04-01", "horizon_months": 1, "fields": fields,
        "activities": [{"id": "act"} | rate | (activity or {})],
        "tables": [{"id": "t", "row_kinds": [rows], "families": [family | (table or {})]}],
    })  # fmt: skip


def text(name: str, distinct: int, **more: Any) -> dict[str, Any]:
    """A field of texts that are all as long, evenly drawn."""
    values = {"kind": "pattern", "text": name[0] + "{n:05}"}
    return {
        "id": name,
        "name": name,
        "kind": "string",
        "values": values,
        "distinct": distinct,
        "popularity": {"kind": "uniform"},
    } | more


def counter(**more: Any) -> dict[str, Any]:
    return {"id": "number", "name": "number", "kind": "integer", "values": {"kind": "range", "min": 0, "max": 10**6},
            "distinct": 1, "assigned": "sequential"} | more  # fmt: skip


def drawings(spec, plans=None) -> list[Drawing]:
    return [draw(spec, seed, plans or {}) for seed in SEEDS]


def mean(values: list[float]) -> tuple[float, float]:
    return float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(len(values)))


def assert_near(values: list[float], expected: float) -> None:
    middle, error = mean(values)
    assert abs(middle - expected) <= 4 * error + 1e-9, f"{middle} ± {error}, expected {expected}"


EVENTS = 40.0 * MONTH_DAYS


def test_even_users_leave_rows_as_balls_leave_full_urns() -> None:
    found = drawings(spec_of([text("user", 600)], ["user"]))

    assert_near([drawing.rows for drawing in found], 600 * -math.expm1(-EVENTS / 600))
    assert_near([drawing.cells for drawing in found], EVENTS)


def test_a_row_for_each_user_and_day() -> None:
    found = drawings(spec_of([text("user", 50)], ["user", "time day"]))
    per_day = 40.0 / 50

    whole, part = 30, MONTH_DAYS - 30
    assert_near([d.rows for d in found], 50 * (whole * -math.expm1(-per_day) + -math.expm1(-per_day * part)))


def test_bytes_are_those_of_the_cells_written() -> None:
    drawing = draw(spec_of([text("user", 50)], ["user"]), 1, {})

    assert drawing.bytes == drawing.cells * (len("u00001#") + len("f") + len("q") + 100 + 8 + 12)
    assert sum(drawing.row_bytes) == drawing.bytes


def test_a_new_value_for_every_event_makes_a_row_of_each() -> None:
    for drawing in drawings(spec_of([text("user", 5), counter()], ["user", "number"], mode="append_row")):
        assert drawing.rows == drawing.cells
        assert drawing.lost_share == 0


def test_a_counter_within_each_user_has_as_many_numbers_as_the_user_has_events() -> None:
    numbers = counter(unique_within="user")
    spec = spec_of([text("user", 5), numbers], ["user", "number"], mode="append_row")

    for drawing in drawings(spec):
        assert drawing.rows == drawing.cells
        assert drawing.lost_share == 0


def test_numbers_that_come_slower_than_events_are_shared_evenly() -> None:
    """98 numbers a day for 100 events a day: 2 % of the events share one."""
    spec = spec_of([counter(growth_per_day=98.0)], ["number"], rate_per_day=100, mode="append_row")

    for drawing in drawings(spec):
        assert drawing.rows == pytest.approx(0.98 * drawing.cells, abs=1)
        assert drawing.lost_share == pytest.approx(0.02, abs=0.005)


def test_a_bucket_of_numbers_divides_the_rows() -> None:
    bucket = {"id": "b", "kind": "derived", "field": "number", "how": {"kind": "bucket", "size": 10}}
    for drawing in drawings(spec_of([counter()], [bucket])):
        assert drawing.rows == math.floor(drawing.cells / 10) + 1


def test_two_orders_of_each_even_customer() -> None:
    """Small: 120 orders of 60 customers, each order written many times over."""
    fields = [text("customer", 60), text("order", 120, belongs_to="customer", popularity=None)]
    found = drawings(spec_of(fields, ["customer", "order"], rate_per_day=100))

    assert all(118 <= drawing.rows <= 120 for drawing in found)


def test_an_owner_hides_no_popularity_that_is_stated_for_its_values() -> None:
    half = {"kind": "weights", "weights": [0.5], "rest": 0.5}
    alone = spec_of([text("value", 100, popularity=half)], ["value"])
    owned = spec_of([text("tag", 5, popularity=None), text("value", 100, popularity=half, belongs_to="tag")], ["value"])

    for spec in (alone, owned):
        assert_near([drawing.largest_bytes / drawing.bytes for drawing in drawings(spec)], 0.5)


def test_a_value_unique_within_its_parent_is_another_under_each() -> None:
    """200 moves of each of 10 games, written until all are there."""
    fields = [text("game", 10), text("move", 20, unique_within="game")]
    found = drawings(spec_of(fields, ["game", "move"], rate_per_day=300))

    assert [drawing.rows for drawing in found] == [200.0] * len(found)


def test_the_newest_of_few_new_values_are_the_busiest() -> None:
    fields = [text("game", 5, growth_per_day=2, assigned="sequential", popularity={"kind": "latest", "theta": 3})]
    found = drawings(spec_of(fields, ["game"], rate_per_day=60))

    newest = 1 / sum(rank**-3 for rank in range(1, 40))
    # each is the newest for half a day, so that it gets about as many events as one has in half a day
    assert_near([np.median(drawing.row_bytes) / (drawing.bytes / drawing.cells) for drawing in found], 30.0)
    assert newest > 0.8


def test_a_request_knows_the_values_of_its_own_moment() -> None:
    """The newest has been in use for a quarter of a day, in the mean, and has had all events of that time."""
    newest = {"kind": "latest", "theta": 5}
    fields = [text("game", 3, growth_per_day=2, assigned="sequential", popularity=newest)]
    reads = [{"id": "moves", "binds": [{"field": "game"}]}]
    spec = spec_of(fields, ["game", "time millisecond"], rate_per_day=6, reads=reads)
    found = [draw(spec, seed, {"moves": (("k0",), "k1")}, requests=1) for seed in range(240)]

    assert_near([drawing.answers["moves"][0].rows_scanned for drawing in found], 1.495)  # 0.964 of all are the newest's


def test_values_come_and_go() -> None:
    """10 a day for 2 days each: 20 in use at any time, and 300 new ones in a month."""
    spec = spec_of([text("ride", 20, growth_per_day=10, lifetime_days=2)], ["ride"], rate_per_day=400)
    world = World(spec, np.random.default_rng(3))
    counts = []
    for day in np.arange(0, 30, 0.25):
        world.live_until(float(day))
        counts.append(world.populations["ride"].in_use)

    assert set(counts) <= {19, 20, 21}
    born = [-2 * (20 - place - 0.5) / 20 for place in range(20)] + [(place + 0.5) / 10 for place in range(304)]
    in_use = [min(day + 2, MONTH_DAYS) - max(day, 0) for day in born]
    assert_near([drawing.rows for drawing in drawings(spec)], sum(-math.expm1(-20 * days) for days in in_use))


def test_a_prefix_read_of_rides_meets_the_rows_of_a_ride_whether_it_is_over_or_not() -> None:
    """60 points a day over 5 new rides a day: about 12 a ride, as few rides reach beyond the month."""
    ride = text("ride", 10, growth_per_day=5, lifetime_days=2)
    reads = [{"id": "track", "binds": [{"field": "ride"}]}]
    spec = spec_of([ride], ["ride", "time second"], rate_per_day=60, reads=reads)
    found = drawings(spec, {"track": (("k0",), "k1")})

    per_ride = [np.mean([answer.rows_scanned for answer in d.answers["track"]]) for d in found]
    assert_near(per_ride, 60 * MONTH_DAYS / (10 + 5 * MONTH_DAYS))


def test_a_span_of_a_day_meets_two_days_rows() -> None:
    reads = [{"id": "day", "binds": [{"field": "user"}], "time": {"days": 1, "age_days": 3}}]
    spec = spec_of([text("user", 2)], ["user", "time day"], reads=reads)

    for drawing in drawings(spec, {"day": (("k0",), "k1")}):
        assert {answer.rows_scanned for answer in drawing.answers["day"]} == {2}


def test_a_part_of_a_day_straddles_midnight_as_often_as_it_is_long() -> None:
    reads = [{"id": "hours", "binds": [{"field": "user"}], "time": {"days": 0.25, "age_days": 3}}]
    spec = spec_of([text("user", 2)], ["user", "time day"], rate_per_day=20, reads=reads)
    found = [draw(spec, seed, {"hours": (("k0",), "k1")}, requests=1) for seed in range(120)]

    assert_near([drawing.answers["hours"][0].rows_scanned for drawing in found], 1.25)


def test_the_newest_of_reversed_times_are_met_first() -> None:
    reads = [{"id": "last", "binds": [{"field": "user"}], "newest_rows": 3}]
    spec = spec_of([text("user", 3)], [
        {"id": "k0", "kind": "field", "field": "user", "after": "#"}, {"id": "k1", "kind": "time", "reversed": True},
    ], reads=reads)  # fmt: skip
    for drawing in drawings(spec, {"last": (("k0",), "k1")}):
        for answer in drawing.answers["last"]:
            assert (answer.rows_scanned, answer.rows_returned, answer.cells_returned) == (3, 3, 3)


def test_every_value_acts_once_in_so_many_seconds() -> None:
    every = {"arrival": {"kind": "every", "field": "device", "seconds": 21_600}}
    for drawing in drawings(spec_of([text("device", 7)], ["device", "time day"], activity=every)):
        assert 7 * 30 <= drawing.rows <= 7 * 31  # a month ends at any hour
        assert abs(drawing.cells - 7 * 4 * MONTH_DAYS) <= 7 * 4 * 0.5 + 7


def test_events_of_a_burst_share_what_they_draw() -> None:
    burst = {"arrival": {"kind": "bursts", "size": 4}}
    spec = spec_of([text("user", 10_000)], ["user"], activity=burst, mode="append_row")

    assert_near([drawing.lost_share for drawing in drawings(spec)], 0.75 + 0.25 * 0.015)


@pytest.mark.parametrize(
    ("profile", "share"),
    [
        ({"kind": "batch", "start_hour": 2, "hours": 2}, 1.0),
        ({"kind": "flat"}, 2 / 24),
        ({"kind": "week", "hours": [1.0 if hour % 24 in (2, 3) else 0.5 for hour in range(168)]}, 2 / 13),
    ],
)
def test_hours_have_the_share_that_a_shape_gives_them(profile: dict[str, Any], share: float) -> None:
    spec = spec_of([text("user", 5)], ["user"], activity={"profile": profile})
    clock = Clock(spec, spec.find("act"), 0.0, 28.0)

    inside = sum(clock.busy_hours(day + 4 / 24) - clock.busy_hours(day + 2 / 24) for day in range(28))
    assert inside / clock.busy_hours(28.0) == pytest.approx(share)
    assert clock.busy_hours(28.0) == pytest.approx(28 * 24)


def test_a_named_day_and_growth_multiply_the_rate() -> None:
    more = {"peak_days": [{"name": "sale", "date": "2026-04-20", "factor": 50}], "growth_per_month": 1.0}
    spec = spec_of([text("user", 5)], ["user"], activity=more)
    activity: Activity = spec.find("act")
    clock = Clock(spec, activity, -5.0, MONTH_DAYS)

    def a_day(day: float) -> float:
        return (clock.busy_hours(day + 1) - clock.busy_hours(day)) / 24

    assert a_day(-3) == pytest.approx(1.0)
    assert a_day(19) / a_day(18) == pytest.approx(50 * 2 ** (1 / MONTH_DAYS))
    assert a_day(29) / a_day(0) == pytest.approx(2 ** (29 / MONTH_DAYS))


@pytest.mark.parametrize(
    ("rule", "live", "uncollected"),
    [
        (MaxVersions(versions=1), 1, 5),
        (MaxAge(age_days=3), 3, 4),
        (Union(rules=(MaxVersions(versions=2), MaxAge(age_days=3))), 2, 4),
        (Intersection(rules=(MaxVersions(versions=1), MaxAge(age_days=3))), 3, 5),
        (None, 6, 6),
    ],
)
def test_a_collector_of_a_week_ago_has_left_what_was_not_expired_then(rule, live: int, uncollected: int) -> None:
    written = [1.0, 8.0, 17.0, 18.0, 19.0, 20.0]  # four of them in the last week

    assert cells_left(rule, written, 20.5, 0.0) == live
    assert cells_left(rule, written, 20.5, 7.0) == uncollected


def test_ranks_come_as_often_as_a_popularity_says() -> None:
    chances = (np.arange(20_000) + 0.5) / 20_000
    for law, share in (
        (Uniform(), 0.1),
        (Zipf(theta=1.0), 1 / sum(1 / rank for rank in range(1, 11))),
        (Latest(theta=1.0), 1 / sum(1 / rank for rank in range(1, 11))),
        (HotSet(value_share=0.2, traffic_share=0.8), 0.4),
        (Weights(weights=(6, 1), rest=3), 0.6),
    ):
        ranks = [ranks_of(law)(10, float(chance)) for chance in chances]
        assert min(ranks) == 0
        assert max(ranks) == 9
        assert ranks.count(0) / len(ranks) == pytest.approx(share, abs=2e-4)


def test_an_identity_keeps_its_rank_and_its_successor_takes_it() -> None:
    spec = spec_of(
        [text("user", 100, growth_per_day=50, lifetime_days=2, popularity={"kind": "zipf", "theta": 1})], ["user"]
    )
    population = World(spec, np.random.default_rng(1)).populations["user"]
    before = list(population.by_rank)
    population.live_until(1.0)

    still = set(population.by_rank)
    assert len(population.by_rank) == 100
    same = [old == new for old, new in zip(before, population.by_rank, strict=True) if old in still]
    assert sum(same) >= 49


def test_a_deleted_cell_of_a_full_row_makes_the_next_event_no_loss() -> None:
    """A user who acts once in 3 days, and rows that expire after one: nothing is ever lost."""
    every = {"arrival": {"kind": "every", "field": "user", "seconds": 3 * 86_400}}
    rule = {"gc": {"kind": "max_age", "age_days": 1}}
    for drawing in drawings(spec_of([text("user", 9)], ["user"], activity=every, table=rule, mode="append_row")):
        assert drawing.lost_share == 0
        assert drawing.live_rows <= 9
