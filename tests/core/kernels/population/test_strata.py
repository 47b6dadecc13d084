"""Strata: what is counted instead of listed adds up, however parts are put together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.document.popularity import HotSet, Latest, Popularity, Uniform, Weights, Zipf
from estimator.kernels.keys.values.popularity import share
from estimator.kernels.population.grown import Earlier, rank_share
from estimator.kernels.population.strata import (
    Strata,
    assign,
    each_bound,
    expand,
    group,
    merge,
    popularity_strata,
    product,
)
from estimator.kernels.population.turnover import Turnover

laws = st.one_of(
    st.just(Uniform()),
    st.floats(0.01, 2.5).map(lambda theta: Zipf(theta=theta)),
    st.floats(0.3, 1.5).map(lambda theta: Latest(theta=theta)),
    st.builds(HotSet, value_share=st.floats(0.001, 0.9), traffic_share=st.floats(0.1, 0.99)),
    st.builds(
        lambda weights, rest: Weights(weights=tuple(weights), rest=rest),
        st.lists(st.floats(0.1, 50), min_size=1, max_size=20),
        st.floats(0.1, 100),
    ),
)
numbers = st.one_of(st.integers(1, 40), st.integers(1, 10**9)).map(float)


def held(strata: Strata) -> tuple[float, float]:
    """Return all combinations, and all events."""
    return float(strata.total_count.sum()), float((strata.total_count * strata.share[0]).sum())


@given(laws, numbers)
def test_values_of_a_field_share_all_of_its_events(law: Popularity, values: float) -> None:
    assert held(popularity_strata([law], values)) == pytest.approx((values, 1.0), rel=1e-9)


@given(laws, numbers, laws, numbers)
def test_products_keep_counts_and_events(one: Popularity, ones: float, other: Popularity, others: float) -> None:
    first, second = popularity_strata([one], ones), popularity_strata([other], others)
    assert held(product(first, second)) == pytest.approx((ones * others, 1.0), rel=1e-9)
    assert held(product(each_bound(first), second)) == pytest.approx((ones * others, 1.0), rel=1e-9)
    assert held(merge(product(each_bound(first), each_bound(second)), most=32)) == pytest.approx(
        (ones * others, 1.0), rel=1e-9
    )


@given(laws, numbers, st.floats(0, 1))
def test_groups_keep_events_and_hide_no_busy_value(law: Popularity, values: float, part: float) -> None:
    strata, groups = popularity_strata([law], values), max(round(values**part), 1)
    whole, nested = group(strata, groups, bind=False), group(strata, groups, bind=True)
    assert held(whole) == pytest.approx((groups, 1.0), rel=1e-9)
    assert held(nested) == pytest.approx((values, 1.0), rel=1e-9)
    assert float(nested.bound_count.sum()) == pytest.approx(groups)
    assert whole.share.max() >= strata.share.max() * (1 - 1e-9)
    assert nested.bound_share().max() == pytest.approx(whole.share.max())


@given(laws, laws, numbers, numbers, st.floats(0.01, 1))
def test_owners_get_the_events_of_the_values_that_drew_them(
    law: Popularity, fan_out: Popularity, values: float, owners: float, stays: float
) -> None:
    drawn = popularity_strata([fan_out, law, law], owners)
    owned = assign(popularity_strata([law, law], values), drawn, stays, asked=[1])
    assert float(owned.total_count @ owned.share[1]) == pytest.approx(1.0, rel=1e-9)
    assert held(owned)[1] == pytest.approx(1.0, rel=1e-9)
    assert float(owned.bound_count.sum()) <= owners * (1 + 1e-9)


def test_whoever_draws_a_value_meets_those_that_chance_put_beside_it() -> None:
    """Of 100 even values 99 are beside the one that is drawn, each below one of 10 owners."""
    owned = assign(popularity_strata([Uniform()], 100.0), popularity_strata([Uniform()], 10.0))
    below = np.bincount(owned.bound, owned.count)
    assert float((owned.bound_count * owned.bound_share()[0]) @ below) == pytest.approx(1 + 99 / 10)


@given(laws, numbers, st.floats(1, 1000))
def test_children_of_every_value_share_its_events_evenly(law: Popularity, values: float, below: float) -> None:
    strata = expand(popularity_strata([law], values), below)
    assert held(strata) == pytest.approx((values * below, 1.0), rel=1e-9)


def test_the_busiest_values_stand_alone_and_blocks_are_fine() -> None:
    strata = popularity_strata([Zipf(theta=0.99)], 1e9)
    assert (strata.count[:16] == 1).all()
    assert strata.share[0, 0] / strata.share[0, 15] == pytest.approx(16**0.99)
    assert len(strata.count) < 120


def test_combinations_that_take_nothing_leave_the_others_apart() -> None:
    count, share = np.array([1.0] * 60 + [0.0]), np.array([*np.geomspace(0.5, 0.001, 60), 0.0])
    merged = merge(Strata(count, share[None, :], np.zeros(61, dtype=np.int64), np.ones(1)), 40)
    assert len(merged.count) > 16 + 15
    assert merged.share[0] @ merged.count == pytest.approx(share.sum())


def test_values_that_came_by_chance_had_ranks_as_in_any_order_of_coming():
    rng, values, there = np.random.default_rng(5), 20, 9
    ranks = np.arange(1.0, values + 1)
    found = rank_share(Earlier(Zipf(theta=1.4), there / values), ranks, float(values))

    weights = np.concatenate(([0.0], np.cumsum(np.arange(1, there + 1.0) ** -1.4)))
    orders = np.argsort(rng.random((4_000, values)), axis=1) < there
    drawn = (weights / weights[-1])[np.cumsum(orders, axis=1)]
    error = drawn.std(axis=0) / np.sqrt(len(drawn))
    assert np.all(np.abs(found - drawn.mean(axis=0)) <= 4 * error + 1e-9)


@pytest.mark.parametrize("values", [30.0, 5_000.0, 1e9])
def test_all_events_of_an_earlier_day_are_on_the_values_of_now(values):
    strata = popularity_strata([Zipf(theta=0.99), Earlier(Zipf(theta=0.99), 0.3)], values)

    assert strata.share @ strata.count == pytest.approx([1.0, 1.0])
    assert strata.share[1, 0] == pytest.approx(0.3 * share(Zipf(theta=0.99), 1, round(0.3 * values)), rel=1e-6)


def test_of_the_newest_of_very_many_values_all_are_drawn_some_part_of_the_time() -> None:
    """Next to 10¹⁸ newer values, ten thousand old ones are told apart by no number: their shares were 0 ÷ 0."""
    steady = Turnover(
        np.ones_like, np.ones_like, latest=Latest(theta=0.99), latest_values=1e4, latest_born=1e17, latest_life_days=10
    )

    found = steady.of_latest(5.0, 1.0, before=0.1)

    assert all(np.isfinite(each).all() for each in found)
