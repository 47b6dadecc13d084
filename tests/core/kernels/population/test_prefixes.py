"""Rows below a prefix, as requests meet them."""

from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from designer.document.popularity import Uniform
from estimator.kernels.population.prefixes import Below, rows_below
from estimator.kernels.population.salts import salts_met

from .events import UNIFORM, clocks, design, draw_zipf, field, of, time, zipf


def below(spec: Spec, *bound: str, **more: Any) -> Below:
    kind = spec.tables[0].row_kinds[0]
    return rows_below(spec, kind.segments, clocks(spec), bound, **{"kept_days": 1e9, **more})


def test_a_request_meets_the_children_of_one_owner() -> None:
    for many in (60_000, 70_000):
        fields = [field("customer", many, popularity=UNIFORM), field("order", 2 * many, belongs_to="customer")]
        assert below(design(fields, [of("customer"), of("order")], per_day=1e8), "at-customer").mean_met == (
            pytest.approx(2 / (1 - np.exp(-2)), rel=1e-3)  # nobody asks for a customer without orders
        )


def test_a_busy_value_has_the_same_crowd_with_a_time_and_with_an_id() -> None:
    star = field("user", 10_000_000, popularity={"kind": "weights", "weights": [30], "rest": 70})
    timed = design([star], [of("user"), time("millisecond")], per_day=1e6)
    named = design([star, field("post", 10**12, popularity=UNIFORM)], [of("user"), of("post")], per_day=1e6)
    met = [below(spec, "at-user", kept_days=90).mean_met for spec in (timed, named)]
    assert met == pytest.approx([0.3 * 0.3 * 90e6] * 2, rel=0.01)


def test_a_game_has_no_more_rows_than_moves() -> None:
    for law in (UNIFORM, {"kind": "latest"}):
        game = field("game", 10_000, growth_per_day=86_400, popularity=law)
        move = field("move", 200, unique_within="game", popularity=UNIFORM)
        found = below(design([game, move], [of("game"), of("move")], per_day=200 * 86_400), "at-game")
        assert 50 < found.mean_met < found.largest <= 200


@pytest.mark.parametrize("life", [{"lifetime_days": 0.02}, {}])
def test_a_ride_has_its_own_points_with_and_without_a_lifetime(life: dict[str, float]) -> None:
    ride = field("ride", 8_640, growth_per_day=432_000, popularity=UNIFORM, **life)
    spec = design([ride], [of("ride"), time("millisecond")], per_day=1_000 * 432_000)
    assert below(spec, "at-ride").mean_met == pytest.approx(1_000, rel=0.01)


@pytest.mark.parametrize("law", [UNIFORM, zipf(0.5)])
def test_who_asks_for_each_owner_as_often_meets_the_mean_one(law: dict[str, Any]) -> None:
    big = {"law": {"kind": "weights", "weights": [40], "rest": 60}}
    fields = [field("tenant", 80), field("person", 100_000, popularity=law, belongs_to="tenant", fan_out=big)]
    spec = design(fields, [of("tenant"), of("person"), time("millisecond")], per_day=1e6)
    asked = below(spec, "at-tenant", kept_days=10, asked={"tenant": Uniform()})
    drawn = below(spec, "at-tenant", kept_days=10)
    assert asked.mean_met == pytest.approx(1e7 / 80, rel=0.01)
    assert drawn.mean_met == pytest.approx(1e7 * (0.4**2 + 0.6**2 / 79), rel=0.01)


def test_a_stated_child_decides_what_lies_below_its_owner() -> None:
    alone = design([field("word", 10_000, popularity=zipf(1.2))], [of("word"), time("second")], per_day=1e6)
    owned = design(
        [field("tag", 20), field("word", 10_000, popularity=zipf(1.2), belongs_to="tag")],
        [of("word"), time("second")], per_day=1e6,
    )  # fmt: skip
    first, second = below(alone, "at-word"), below(owned, "at-word")
    assert first.largest == pytest.approx(second.largest)
    assert first.mean_met == pytest.approx(second.mean_met)


def test_requests_that_ask_evenly_meet_the_mean_row_count() -> None:
    spec = design([field("user", 1_000, popularity=zipf(0.99))], [of("user"), time("second")], per_day=20_000)
    as_written, evenly = (
        below(spec, "at-user", kept_days=30),
        below(spec, "at-user", kept_days=30, asked={"user": Uniform()}),
    )
    assert evenly.mean_met == pytest.approx(600, rel=0.01)
    rng = np.random.default_rng(1)
    user = draw_zipf(rng, 0.99, 1_000, 600_000)
    counts = np.bincount(user)
    assert as_written.mean_met == pytest.approx((counts.astype(float) ** 2).sum() / 600_000, rel=0.03)


def test_a_prefix_of_a_stepping_bucket_has_a_row_for_each() -> None:
    number = {
        "id": "number", "name": "number", "kind": "integer", "distinct": 100_000, "growth_per_day": 100_000,
        "lifetime_days": 1, "assigned": "sequential", "popularity": UNIFORM, "unique_within": "log",
    }  # fmt: skip
    bucket = {"id": "bucket", "kind": "derived", "field": "number", "how": {"kind": "bucket", "size": 100_000}}
    spec = design([field("log", 1), number], [of("log"), bucket], per_day=100_000)
    assert below(spec, "at-log").mean_met == pytest.approx(366, rel=0.01)


def test_a_request_for_a_key_meets_each_random_salt_that_has_a_row() -> None:
    salt = {"id": "salt", "kind": "salt", "modulo": 4}
    spec = design([field("user", 10, popularity=UNIFORM)], [salt, of("user"), time("day")], per_day=20)
    segments = spec.tables[0].row_kinds[0].segments
    others = 1 - np.exp(-2 / 4)  # two events a day and user, beside the one that is asked for
    met = salts_met(spec, segments, clocks(spec), kept_days=20.0)
    assert met == pytest.approx(1 + 3 * others, rel=0.01)
    assert salts_met(spec, segments[1:], clocks(spec), kept_days=20.0) == 1.0


def test_the_newest_rows_are_the_mean_of_what_each_value_has() -> None:
    spec = design([field("user", 100, popularity=zipf(0.99))], [of("user"), time("millisecond")], per_day=20)
    found = below(spec, "at-user", kept_days=5.0)
    rng, drawn = np.random.default_rng(6), []
    for _ in range(200):
        rows = np.bincount(draw_zipf(rng, 0.99, 100, rng.poisson(100)), minlength=100)
        drawn.append(np.minimum(rows[draw_zipf(rng, 0.99, 100, 50)], 3).mean())
    assert found.mean_of_first(3) == pytest.approx(np.mean(drawn), rel=0.03)
    assert found.mean_of_first(1e9) == pytest.approx(found.mean_met)


def test_rows_of_days_that_all_exist_are_as_many_as_the_days() -> None:
    spec = design([field("user", 2, popularity=UNIFORM)], [of("user"), time("day")], per_day=1_000)
    assert below(spec, "at-user", kept_days=4.0).mean_of_first(3) == pytest.approx(3.0)


def test_rows_of_regular_values_are_as_many_for_each_request() -> None:
    act = {"kind": "every", "field": "device", "seconds": 2 * 86_400}
    spec = design([field("device", 100)], [of("device"), time("day")], per_day=50, arrival=act)
    assert below(spec, "at-device", kept_days=9).mean_of_first(4) == pytest.approx(4)


def test_a_burst_of_new_ids_makes_its_rows_together() -> None:
    act = {"kind": "bursts", "size": 5}
    fields = [field("user", 100), field("message", 1, kind="integer", assigned="sequential")]
    spec = design(fields, [of("user"), of("message"), time("minute")], per_day=100, arrival=act)
    found = below(spec, "at-user", kept_days=10)
    assert found.mean_met == pytest.approx(10)
    assert found.mean_of_first(1) == pytest.approx(1 - np.exp(-2))  # a burst each five days


def test_of_one_row_of_each_value_the_mean_is_over_values() -> None:
    shares = {"kind": "weights", "weights": [90], "rest": 10}
    spec = design([field("user", 11, popularity=shares)], [of("user"), time("day")], per_day=10)
    asked = {"user": Uniform()}
    rows, cells = (below(spec, "at-user", kept_days=30, asked=asked, cap=cap) for cap in (1.0, np.inf))
    busy, quiet = 9.0, 0.1
    of_quiet = quiet / (1 - np.exp(-quiet))
    there = 1 - np.exp(-30 * quiet)
    expected = (busy / (1 - np.exp(-busy)) + 10 * there * of_quiet) / (1 + 10 * there)
    assert cells.mean_per_row(rows) == pytest.approx(expected, rel=0.02)


def test_a_channel_fills_rows_of_as_many_messages_as_their_bucket_has() -> None:
    number = field("number", 1, kind="integer", assigned="sequential", unique_within="channel")
    bucket = {
        "id": "at-number",
        "kind": "derived",
        "field": "number",
        "after": "#",
        "how": {"kind": "bucket", "size": 100},
    }
    spec = design([field("channel", 10), number], [of("channel"), bucket], per_day=1_000)
    rows = below(spec, "at-channel", kept_days=30)
    assert rows.mean_met == pytest.approx(30 * 100 / 100 + 1, rel=0.02)
    assert below(spec, "at-channel", kept_days=30, cap=10.0).mean_met == pytest.approx(10 * 30, rel=0.04)


def test_an_order_is_met_more_often_where_chance_gave_its_customer_few() -> None:
    fields = [field("customer", 1_000, popularity=UNIFORM), field("order", 3_000, belongs_to="customer")]
    spec = design(fields, [of("customer"), of("order")], per_day=10_000)
    rng = np.random.default_rng(5)
    owned = np.bincount(rng.integers(1_000, size=3_000), minlength=1_000)
    there = owned[owned > 0]
    events = 10_000 / len(there)
    drawn = (there * -np.expm1(-events / there)).mean()
    assert below(spec, "at-customer", kept_days=1).mean_met == pytest.approx(drawn, rel=0.02)
