"""Keys, lost events and sizes of rows against events that are drawn one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designer.document import Spec
from estimator.kernels.population.counts import Counts, lost_per_day
from estimator.kernels.population.poisson import mixture_quantile
from estimator.kernels.population.population import population
from estimator.kernels.population.sizes import key_sizes
from tests.cases import cases

from .events import UNIFORM, clocks, count_distinct, design, draw_zipf, field, of, time, zipf

HOUR, DAY = 1 / 24, 1.0


def counts_of(spec: Spec) -> Counts:
    kind = spec.tables[0].row_kinds[0]
    return population(spec, kind.segments, kind.writes).counts(clocks(spec))


def rows(spec: Spec, days: float) -> float:
    """Return the rows that events of the first days make."""
    return float(counts_of(spec).distinct(np.zeros(1), np.array([days]))[0])


def test_skewed_users_in_hours_make_as_many_rows_as_drawn_events() -> None:
    spec = design([field("user", 20_000, popularity=zipf(0.99))], [of("user"), time("hour")], per_day=200_000)
    rng, drawn = np.random.default_rng(1), []
    for _ in range(4):
        user, hour = draw_zipf(rng, 0.99, 20_000, 200_000), rng.integers(0, 24, 200_000)
        drawn.append(count_distinct(user, hour))
    assert rows(spec, 1.0) == pytest.approx(np.mean(drawn), rel=0.004)


def test_sizes_of_rows_are_those_of_drawn_events() -> None:
    spec = design([field("user", 20_000, popularity=zipf(0.99))], [of("user"), time("hour")], per_day=400_000)
    rng = np.random.default_rng(2)
    key = draw_zipf(rng, 0.99, 20_000, 400_000) * 24 + rng.integers(0, 24, 400_000)
    sizes = np.unique(key, return_counts=True)[1]
    keys, events, largest = key_sizes(counts_of(spec), np.zeros(1), np.ones(1))
    median, p99 = (float(mixture_quantile(share, events, keys)[0]) for share in (0.5, 0.99))
    assert median == np.quantile(sizes, 0.5, method="higher")
    assert p99 == pytest.approx(np.quantile(sizes, 0.99), rel=0.05)
    assert float(largest[0]) == pytest.approx(sizes.max(), rel=0.03)


def test_values_that_come_and_go_make_as_many_rows_as_drawn_events() -> None:
    ride = field("ride", 2_000, growth_per_day=500, lifetime_days=4, popularity=UNIFORM)
    spec = design([ride], [of("ride")], per_day=3_000)
    rng, drawn = np.random.default_rng(3), []
    for _ in range(8):
        birth = np.sort(rng.uniform(-4, 10, 7_000))
        at = rng.uniform(0, 10, 30_000)
        low, high = np.searchsorted(birth, at - 4), np.searchsorted(birth, at)
        drawn.append(len(np.unique(low + (rng.random(30_000) * (high - low)).astype(int))))
    assert rows(spec, 10.0) == pytest.approx(np.mean(drawn), rel=0.004)


def test_values_that_only_come_are_met_the_more_the_older_they_are() -> None:
    user = field("user", 100, growth_per_day=1_000, popularity=UNIFORM)
    spec = design([user], [of("user")], per_day=1_500)
    rng, drawn = np.random.default_rng(4), []
    for _ in range(8):
        at = np.sort(rng.uniform(0, 20, 30_000))
        drawn.append(len(np.unique((rng.random(30_000) * (100 + 1_000 * at)).astype(int))))
    assert rows(spec, 20.0) == pytest.approx(np.mean(drawn), rel=0.01)


@pytest.mark.parametrize("theta", [0.7, 0.99, 1.3])
def test_of_the_newest_values_as_many_are_met_as_by_drawn_events(theta: float) -> None:
    game = field("game", 2_000, growth_per_day=500, popularity={"kind": "latest", "theta": theta})
    spec = design([game], [of("game")], per_day=2_000)
    rng, drawn = np.random.default_rng(5), []
    for _ in range(4):
        at = np.sort(rng.uniform(0, 10, 20_000))
        there = (2_000 + 500 * at).astype(int)
        weights = np.cumsum(np.arange(1, 7_001, dtype=np.float64) ** -theta)
        age = np.searchsorted(weights, rng.random(20_000) * weights[there - 1])
        drawn.append(len(np.unique(there - age)))
    assert rows(spec, 10.0) == pytest.approx(np.mean(drawn), rel=0.02)


def test_of_the_newest_values_that_die_as_many_are_met_as_by_drawn_events() -> None:
    game = field("game", 500, growth_per_day=100, lifetime_days=5, popularity={"kind": "latest", "theta": 0.99})
    spec = design([game], [of("game")], per_day=1_000)
    rng = np.random.default_rng(5)
    at = rng.uniform(0, 20, 20_000)
    weights = np.cumsum(np.arange(1, 501, dtype=np.float64) ** -0.99)
    age = np.searchsorted(weights, rng.random(20_000) * weights[-1])
    assert rows(spec, 20.0) == pytest.approx(len(np.unique((500 + 100 * at).astype(int) - age)), rel=0.02)


def test_devices_of_skewed_tenants_are_even_within_each() -> None:
    fields = [field("tenant", 500, popularity=zipf(0.9)), field("device", 25_000, belongs_to="tenant")]
    spec = design(fields, [of("tenant"), of("device"), time("hour")], per_day=100_000)
    rng = np.random.default_rng(6)
    tenant = draw_zipf(rng, 0.9, 500, 100_000)
    device = tenant * 50 + rng.integers(0, 50, 100_000)
    assert rows(spec, 1.0) == pytest.approx(count_distinct(device, rng.integers(0, 24, 100_000)), rel=0.01)


def test_a_hash_of_a_field_holds_the_busiest_of_its_values() -> None:
    spec = design(
        [field("user", 100_000, popularity=zipf(0.99))],
        [{"id": "hash", "kind": "hash", "fields": ["user"], "digits": 2}, time("second")],
        per_day=500_000,
    )
    rng = np.random.default_rng(7)
    texts = rng.integers(0, 256, 100_000)
    user, second = draw_zipf(rng, 0.99, 100_000, 500_000), rng.integers(0, 86_400, 500_000)
    assert rows(spec, 1.0) == pytest.approx(count_distinct(texts[user], second), rel=0.01)


def test_a_counter_short_of_its_rate_shares_only_what_it_is_short_of() -> None:
    number = {"id": "number", "name": "number", "kind": "integer", "distinct": 1_000_000, "assigned": "sequential"}
    short = design([{**number, "growth_per_day": 984_000}], [of("number")], per_day=1_000_000)
    enough = design([{**number, "growth_per_day": 1_000_000}], [of("number")], per_day=1_000_000)
    lost = [lost_per_day(counts_of(spec), 300.0) for spec in (short, enough)]
    assert lost == pytest.approx([16_000, 0], rel=0.03, abs=1)


def test_a_bucket_of_a_growing_number_is_left_behind_when_it_is_full() -> None:
    number = {
        "id": "number", "name": "number", "kind": "integer", "distinct": 100_000, "growth_per_day": 100_000,
        "lifetime_days": 1, "assigned": "sequential", "popularity": UNIFORM,
    }  # fmt: skip
    counts = []
    for size in (100_000, 5_000_000):
        bucket = {"id": "bucket", "kind": "derived", "field": "number", "how": {"kind": "bucket", "size": size}}
        counts.append(rows(design([number], [bucket], per_day=100_000), 365.0))
    assert counts == pytest.approx([366, 8.3], rel=0.01)


@cases("size, shared", [(1, 1), (1, 2), (20, 1), (20, 4), (200, 1)])
@cases("per_day", [12, 100])
def test_a_counter_and_an_hour_make_as_many_rows_as_drawn_events(size: int, shared: int, per_day: int) -> None:
    number = {
        "id": "number", "name": "number", "kind": "integer", "distinct": 1, "growth_per_day": per_day / shared,
        "assigned": "sequential",
    }  # fmt: skip
    bucket = {"id": "bucket", "kind": "derived", "field": "number", "how": {"kind": "bucket", "size": size}}
    key = [of("number") if size == 1 else bucket, time("hour")]
    at = np.sort(np.random.default_rng(9).uniform(0, 400, per_day * 400))
    drawn = count_distinct(np.arange(len(at)) // (shared * size), np.floor(at * 24))
    assert rows(design([number], key, per_day=per_day), 400.0) == pytest.approx(drawn, rel=0.03)


def test_a_bucket_of_a_time_is_a_time_bucket() -> None:
    fields = [field("host", 100, popularity=UNIFORM), {"id": "at", "name": "at", "kind": "timestamp"}]
    bucket = {"id": "bucket", "kind": "derived", "field": "at", "how": {"kind": "bucket", "size": 300_000}}
    assert rows(design(fields, [of("host"), bucket], per_day=10_000_000), 30.0) == pytest.approx(100 * 288 * 30)


def test_what_acts_at_even_intervals_misses_no_bucket() -> None:
    spec = design(
        [field("sensor", 1_000)], [of("sensor"), time("minute")], per_day=1_000 * 1_440,
        arrival={"kind": "every", "seconds": 60, "field": "sensor"},
    )  # fmt: skip
    assert rows(spec, 2.0) == pytest.approx(1_000 * 2 * 1_440)


def test_a_burst_is_one_row_where_it_shares_a_second() -> None:
    spec = design(
        [field("user", 1_000_000, popularity=UNIFORM)], [of("user"), time("second")], per_day=100_000,
        arrival={"kind": "bursts", "size": 10},
    )  # fmt: skip
    assert rows(spec, 1.0) == pytest.approx(10_000, rel=0.001)


# --- what holds of any design -------------------------------------------------------------------------------------

popularities = st.sampled_from(
    [
        UNIFORM,
        zipf(0.5),
        zipf(0.99),
        zipf(1.4),
        {"kind": "latest", "theta": 0.99},
        {"kind": "hot_set", "value_share": 0.1, "traffic_share": 0.9},
        {"kind": "weights", "weights": [30], "rest": 70},
    ]
)


@st.composite
def designs(draw: st.DrawFn) -> Spec:
    fields = [field("one", draw(st.integers(1, 10**6)), popularity=draw(popularities))]
    if draw(st.booleans()):
        fields[0]["growth_per_day"] = draw(st.floats(1, 10**5))
    if draw(st.booleans()):
        fields[0]["lifetime_days"] = draw(st.floats(0.01, 500))
    key = [of("one")]
    if draw(st.booleans()):
        relation = draw(st.sampled_from([{}, {"belongs_to": "one"}, {"unique_within": "one"}]))
        if draw(st.booleans()):
            relation["popularity"] = draw(popularities)
        fields.append(field("two", draw(st.integers(1, 10**6)), **relation))
        key.append(of("two"))
    if draw(st.booleans()):
        key.append(time(draw(st.sampled_from(["second", "hour", "day", "month"]))))
    if draw(st.booleans()):
        key.insert(0, {"id": "hash", "kind": "hash", "fields": ["one"], "digits": 2})
    arrival = draw(
        st.sampled_from(
            [None, {"kind": "bursts", "size": 7}, {"kind": "every", "seconds": 60, "field": fields[-1]["id"]}]
        )
    )
    return design(fields, key, per_day=draw(st.floats(1, 10**8)), **({"arrival": arrival} if arrival else {}))


@settings(max_examples=60)
@given(designs(), st.floats(0.1, 400))
def test_keys_are_no_more_than_events_and_grow_with_the_time(spec: Spec, days: float) -> None:
    counts = counts_of(spec)
    start, ends = np.zeros(2), np.array([days, 2 * days])
    once, thrice, events = (
        counts.count_capped_events(start, ends, 1),
        counts.count_capped_events(start, ends, 3),
        counts.count_named_keys(start, ends),
    )
    assert (once >= 0).all()
    assert (once <= thrice * (1 + 1e-6)).all()
    assert (thrice <= events * (1 + 1e-6)).all()
    assert once[0] <= once[1] * (1 + 1e-6)


@settings(max_examples=40)
@given(designs())
def test_sizes_hold_all_events(spec: Spec) -> None:
    counts = counts_of(spec)
    keys, events, largest = key_sizes(counts, np.zeros(1), np.array([90.0]))
    made = float(counts.count_named_keys(np.zeros(1), np.array([90.0]))[0])
    assert float((keys * events).sum()) == pytest.approx(made, rel=0.02)
    assert largest[0] >= 1


@pytest.mark.parametrize("theta", [0.01, 0.001])
def test_a_vanishing_skew_is_even(theta: float) -> None:
    even, skewed = (
        rows(design([field("user", 50_000, popularity=law)], [of("user"), time("day")], per_day=40_000), 10.0)
        for law in (UNIFORM, zipf(theta))
    )
    assert skewed == pytest.approx(even, rel=theta)


@pytest.mark.parametrize("cap", [1.0, 3.0, 100.0])
def test_many_windows_have_what_each_of_them_has(cap: float) -> None:
    counts = counts_of(design([field("user", 10**6, popularity=UNIFORM)], [of("user")], per_day=1e6))
    last = np.geomspace(1e-9, 3_000, 500)
    together = counts.count_capped_events(np.zeros(500), last, cap)[::3]
    alone = [counts.count_capped_events(np.zeros(1), day, cap)[0] for day in last[::3, None]]
    assert together == pytest.approx(alone, rel=0.005)


def test_nothing_jumps_where_values_are_many() -> None:
    found = []
    for many in (60_000, 65_535, 65_537, 70_000):
        fields = [field("customer", many, popularity=UNIFORM), field("order", 2 * many, belongs_to="customer")]
        found.append(rows(design(fields, [of("customer"), of("order")], per_day=1e8), 30.0) / many)
    assert found == pytest.approx([2.0] * 4, rel=1e-6)


@pytest.mark.parametrize("days", [0.02, 1, 30, 400])
def test_a_lifetime_never_adds_rows_to_a_time(days: float) -> None:
    """As many values in use at a time, of which each goes after some time: more values, no more rows of one."""
    ever = design([field("user", 1_000, popularity=UNIFORM)], [of("user"), time("hour")], per_day=50_000)
    some = design(
        [field("user", 1_000, popularity=UNIFORM, lifetime_days=days)], [of("user"), time("hour")], per_day=50_000
    )
    events = 50_000 * 30.0
    assert rows(ever, 30.0) <= rows(some, 30.0) * (1 + 1e-6) <= events


def test_each_of_a_few_random_salts_holds_a_busy_entity() -> None:
    salt = {"id": "salt", "kind": "salt", "modulo": 4}
    assert rows(design([field("user", 13, popularity=UNIFORM)], [salt, of("user")], per_day=1e5), 1.0) == 52


def test_writes_of_one_burst_draw_each_a_salt() -> None:
    salt, burst = {"id": "salt", "kind": "salt", "modulo": 4}, {"kind": "bursts", "size": 4}
    spec = design([field("user", 10**9, popularity=UNIFORM)], [salt, of("user")], per_day=400, arrival=burst)
    assert rows(spec, 1.0) == pytest.approx(100 * 4 * (1 - 0.75**4), rel=1e-3)


def test_what_a_device_says_at_even_intervals_is_one_of_its_rooms_each_time() -> None:
    fields = [field("device", 100, popularity=UNIFORM), field("room", 4, popularity=UNIFORM)]
    every = {"kind": "every", "field": "device", "seconds": 86_400 / 2}
    spec = design(fields, [of("device"), of("room")], per_day=200, arrival=every)
    assert rows(spec, 1.0) == pytest.approx(100 * 4 * (1 - 0.75**2))
    hourly = design(fields, [of("device"), of("room"), time("hour")], 200, arrival=every)
    assert lost_per_day(counts_of(hourly), 5.0) == pytest.approx(0.0)


def test_few_losses_in_fine_times_are_counted_exactly() -> None:
    spec = design([field("user", 1_000, popularity=UNIFORM)], [of("user"), time("second")], per_day=1e5)
    each = 1e5 / 86_400 / 1_000
    assert lost_per_day(counts_of(spec), 5.0) == pytest.approx(1_000 * 86_400 * each**2 / 2, rel=1e-3)


def test_new_children_of_an_owner_are_drawn_as_its_others() -> None:
    fields = [
        field("shop", 5, popularity=zipf(0.9)),
        field("visitor", 1_000, growth_per_day=50, belongs_to="shop", fan_out={"law": UNIFORM}),
    ]
    parts = population(
        spec := design(fields, [of("shop"), of("visitor")], per_day=100),
        spec.tables[0].row_kinds[0].segments,
        spec.tables[0].row_kinds[0].writes,
    )
    assert parts.turnover.written_at_birth == 0
