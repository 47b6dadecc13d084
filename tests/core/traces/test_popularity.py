"""Access distributions that are known, drawn and found again."""

import math
from dataclasses import replace

import numpy as np
import pytest

from designer.document.popularity import Uniform, Weights, Zipf
from estimator.traces.byte_columns import ByteColumn, Hashes
from estimator.traces.popularity import fit_popularity
from estimator.traces.report import describe_popularity
from estimator.traces.value_counts import ValueCounter, distinct_in_any

VALUES = 20_000


def hashes_of(values: list[bytes]) -> Hashes:
    return ByteColumn.from_cells(values).hashes()


def draw(shares: np.ndarray, requests: int, *, seed: int = 1, limit_bytes: int = 10**12) -> ValueCounter:
    """Count so many requests for values with these shares; names do not tell how popular a value is."""
    random = np.random.default_rng(seed)
    counter = ValueCounter(limit_bytes=limit_bytes)
    for _ in range(10):
        counts = random.multinomial(requests // 10, shares / shares.sum())
        names = np.repeat(np.arange(shares.size), counts)
        random.shuffle(names)
        counter.add(hashes_of([b"%d" % (name * 7919 % 1_000_003) for name in names.tolist()]))
    return counter


def zipf(theta: float, values: int = VALUES) -> np.ndarray:
    shares: np.ndarray = np.arange(1.0, values + 1) ** -theta
    return shares


@pytest.mark.parametrize("theta", [0.3, 0.6, 0.99, 1.3])
@pytest.mark.parametrize("requests", [60_000, 300_000])
def test_a_zipf_distribution_is_found_with_its_values(theta: float, requests: int) -> None:
    fit = fit_popularity(draw(zipf(theta), requests))
    assert fit is not None
    assert isinstance(fit.popularity, Zipf)
    assert fit.popularity.theta == pytest.approx(theta, abs=0.03)
    assert fit.distinct == pytest.approx(VALUES, rel=0.12), "most values came, some did not by chance"
    assert fit.error_share < 0.01


@pytest.mark.parametrize("requests", [10_000, 100_000])
def test_even_values_are_even_however_seldom_they_come(requests: int) -> None:
    fit = fit_popularity(draw(zipf(0), requests))
    assert fit is not None
    assert fit.popularity == Uniform()
    assert fit.distinct == pytest.approx(VALUES, rel=0.05)


@pytest.mark.parametrize(
    "busy", [(0.1,), (0.05, 0.04), (0.1, 0.05, 0.05), (0.06, 0.05, 0.04, 0.02), (0.03, 0.03, 0.02, 0.02, 0.02)]
)
def test_busy_values_beside_an_even_rest_are_found(busy: tuple[float, ...]) -> None:
    shares = np.concatenate([busy, np.full(VALUES, (1 - sum(busy)) / VALUES)])
    fit = fit_popularity(draw(shares, 100_000))
    assert fit is not None
    assert isinstance(fit.popularity, Weights)
    assert fit.popularity.weights == pytest.approx(busy, rel=0.1)
    assert fit.popularity.rest == pytest.approx(1 - sum(busy), rel=0.02)


@pytest.mark.parametrize("requests", [20_000, 200_000])
@pytest.mark.parametrize(
    ("theta", "busy"), [(0.7, (0.2,)), (0.99, (0.5,)), (0.99, (0.2, 0.1)), (1.2, (0.3, 0.2, 0.1)), (0.8, (0.15,))]
)
def test_busy_values_above_a_zipf_distribution_are_found(theta: float, busy: tuple[float, ...], requests: int) -> None:
    others = zipf(theta) / zipf(theta).sum() * (1 - sum(busy))

    fit = fit_popularity(draw(np.concatenate([others, busy]), requests))

    assert fit is not None
    assert isinstance(fit.popularity, Zipf)
    assert fit.popularity.busiest == pytest.approx(busy, rel=0.06)
    assert fit.popularity.theta == pytest.approx(theta, abs=0.03)
    assert fit.distinct == pytest.approx(VALUES, rel=0.15)
    assert not fit.is_poor


@pytest.mark.parametrize(("theta", "share"), [(0.99, 0.03), (0.99, 0.06), (1.2, 0.09), (1.2, 0.15), (0.8, 0.025)])
def test_a_celebrity_below_the_first_of_the_others_is_told_beside_their_law(theta: float, share: float) -> None:
    others = zipf(theta) / zipf(theta).sum() * (1 - share)
    assert share < others[0]

    fit = fit_popularity(draw(np.concatenate([others, [share]]), 300_000))

    assert fit is not None
    assert fit.apart == pytest.approx((share,), rel=0.05)
    assert fit.apart_law is not None
    assert fit.apart_law.theta == pytest.approx(theta, abs=0.02)
    assert share - others[9] > fit.told_from, "what is said to be told is told"


def test_two_celebrities_below_the_first_of_the_others_are_told() -> None:
    others = zipf(1.1) / zipf(1.1).sum() * 0.85

    fit = fit_popularity(draw(np.concatenate([others, [0.09, 0.06]]), 300_000))

    assert fit is not None
    assert fit.apart == pytest.approx((0.09, 0.06), rel=0.05)


@pytest.mark.parametrize("theta", [0.3, 0.6, 0.99, 1.3])
@pytest.mark.parametrize("requests", [5_000, 60_000, 300_000])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_value_of_a_zipf_distribution_is_taken_for_a_celebrity(theta: float, requests: int, seed: int) -> None:
    fit = fit_popularity(draw(zipf(theta), requests, seed=seed))
    assert fit is not None
    assert fit.apart == ()
    assert not getattr(fit.popularity, "busiest", ())
    assert not isinstance(fit.popularity, Weights)


@pytest.mark.parametrize(("requests", "share"), [(20_000, 0.01), (5_000, 0.02), (50_000, 0.004)])
def test_a_value_far_beyond_chance_is_told_beside_an_even_rest_however_small_its_share(
    requests: int, share: float
) -> None:
    fit = fit_popularity(draw(np.concatenate([np.full(VALUES, (1 - share) / VALUES), [share]]), requests))
    assert fit is not None
    assert isinstance(fit.popularity, Weights)
    assert fit.popularity.weights == pytest.approx((share,), rel=0.2)


def test_of_few_requests_it_is_said_from_where_on_a_celebrity_would_be_told() -> None:
    few, many = (fit_popularity(draw(zipf(0.99), requests)) for requests in (20_000, 1_000_000))
    assert few is not None
    assert many is not None
    assert "less than 2.8\u00a0% more than the tenth busiest may be no part of it" in describe_popularity(few)
    assert "tenth busiest" not in describe_popularity(many)
    celebrity = fit_popularity(draw(np.concatenate([zipf(0.99) * 0.94 / zipf(0.99).sum(), [0.06]]), 300_000))
    assert celebrity is not None
    assert "Apart from the others’ skew (Zipf, θ 0.99): values with 6" in describe_popularity(celebrity)


def test_few_requests_get_no_poor_fit_where_a_better_one_is_known() -> None:
    others = zipf(0.9, 3_000) / zipf(0.9, 3_000).sum() * 0.75

    fits = [fit_popularity(draw(np.concatenate([others, [0.25]]), 1_200, seed=seed)) for seed in range(1, 9)]

    assert [fit.error_share for fit in fits if fit is None or fit.is_poor] == []  # type: ignore[union-attr]


def test_a_distribution_that_is_none_of_these_says_how_far_off_its_fit_is() -> None:
    shares = np.concatenate([np.full(400, 0.8 / 400), np.full(VALUES, 0.2 / VALUES)])
    fit = fit_popularity(draw(shares, 100_000))
    assert fit is not None
    assert fit.error_share > 0.02
    assert not replace(fit, error_share=0.06, requests=300).is_poor, "chance alone makes as much of 300 requests"
    assert replace(fit, error_share=0.06, requests=30_000).is_poor


def test_nothing_is_said_of_few_requests_or_of_values_that_come_once() -> None:
    assert fit_popularity(draw(zipf(1), 150)) is None
    counter = ValueCounter()
    counter.add(hashes_of([b"%d" % n for n in range(5_000)]))
    assert fit_popularity(counter) is None


@pytest.mark.parametrize("theta", [0.0, 0.99])
def test_a_bounded_count_tells_nearly_the_same(theta: float) -> None:
    exact, bounded = (draw(zipf(theta), 200_000, limit_bytes=limit) for limit in (10**12, 200_000))
    assert bounded.counts()[0].size <= bounded.limit <= 4_200
    assert bounded.total == exact.total
    assert bounded.distinct == pytest.approx(exact.distinct, rel=0.1)
    ((value, count),), ((expected, true_count),) = (each.busiest(1) for each in (bounded, exact))
    if theta:
        assert value == expected
        assert count == pytest.approx(true_count, rel=0.02)
    one, other = fit_popularity(bounded), fit_popularity(exact)
    assert one is not None
    assert other is not None
    assert type(one.popularity) is type(other.popularity)
    assert one.distinct == pytest.approx(other.distinct, rel=0.15)


@pytest.mark.parametrize("limits", [(10**12, 10**12), (200_000, 10**12), (200_000, 400_000)])
def test_values_are_counted_once_however_many_counters_have_them(limits: tuple[int, int]) -> None:
    reads, writes = (ValueCounter(limit_bytes=limit) for limit in limits)
    for begin in range(0, 100_000, 1_000):
        values = hashes_of([b"%06d" % (n * 7_919 % 100_000) for n in range(begin, begin + 1_000)])
        (writes if begin % 3_000 else reads).add(values)
        reads.add(values[:250])
    seen = distinct_in_any((reads, writes)).seen
    is_exact = reads.sample_share == writes.sample_share == 1
    assert seen == pytest.approx(100_000, rel=0 if is_exact else 0.06)
    assert max(reads.distinct, writes.distinct) < 80_000


@pytest.mark.parametrize(("values", "requests"), [(700, 500), (20_000, 10_000), (5_000, 5_000)])
def test_unseen_values_and_the_share_of_new_ones_are_what_more_requests_bring(values: int, requests: int) -> None:
    found = distinct_in_any([draw(zipf(0, values), requests)])
    assert found.seen < 0.9 * values
    assert found.seen + found.unseen == pytest.approx(values, rel=0.1)
    assert 1 - found.covered_share == pytest.approx(math.exp(-requests / values), rel=0.1), "as Poisson's law has it"


def test_a_poor_fit_tells_no_values_beyond_those_that_came() -> None:
    shares = np.concatenate([np.full(30, 0.6 / 30), np.full(5_000, 0.4 / 5_000)])
    counter = draw(shares, 60_000)
    fit = fit_popularity(counter)
    assert fit is not None
    assert fit.is_poor
    assert fit.distinct == counter.counts()[0].size <= 5_030
