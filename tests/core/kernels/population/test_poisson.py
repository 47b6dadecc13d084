"""Poisson counts against exact sums."""

import math

import numpy as np
import pytest

from estimator.kernels.population.poisson import (
    capped_mean,
    capped_rows,
    largest_count,
    mixture_quantile,
    normal_cdf,
    poisson_cdf,
    weighted_quantile,
)
from tests.cases import cases


def exact_cdf(count, mean):
    return math.fsum(math.exp(i * math.log(mean) - mean - math.lgamma(i + 1)) for i in range(int(count) + 1))


@pytest.mark.parametrize("mean", [0.05, 0.7, 3.0, 12.0, 150.0])
def test_the_distribution_is_close_to_the_exact_sum(mean):
    counts = np.unique(np.floor(mean + np.array([-3, -2, -1, 0, 1, 2, 3]) * math.sqrt(mean)))
    counts = counts[counts >= 0]

    found = poisson_cdf(counts, np.full_like(counts, mean))

    assert found == pytest.approx([exact_cdf(k, mean) for k in counts], abs=0.001 if mean >= 5 else 0.006)


def test_normal_distribution_at_known_points():
    assert normal_cdf(np.array([-1.96, 0.0, 1.96])) == pytest.approx([0.0249979, 0.5, 0.9750021], abs=1e-6)


@cases("cap", [1, 3, 16, 40, 1000])
@cases("mean", [1e-6, 0.5, 3.0, 30.0, 900.0])
def test_a_capped_mean_is_the_sum_of_its_probabilities(mean, cap):
    top = int(mean + 12 * math.sqrt(mean) + 20)
    logs = [i * math.log(mean) - mean - math.lgamma(i + 1) for i in range(top)]
    exact = math.fsum(min(i, cap) * math.exp(p) for i, p in enumerate(logs))

    assert float(capped_mean(np.array(mean), cap)) == pytest.approx(exact, rel=0.005)


def test_quantiles_of_a_mixture_agree_with_drawn_rows():
    rng = np.random.default_rng(3)
    means, rows = np.array([[0.4, 6.0, 900.0]]), np.array([[4e5, 9e4, 1e4]])
    drawn = np.concatenate([rng.poisson(m, int(n)) for m, n in zip(means[0], rows[0], strict=True)])
    drawn = drawn[drawn > 0]

    for share in (0.5, 0.9, 0.99):
        assert mixture_quantile(share, means, rows)[0] == pytest.approx(np.quantile(drawn, share), rel=0.01, abs=0.1)


def test_without_rows_there_is_no_quantile():
    assert mixture_quantile(0.5, np.zeros((2, 3)), np.ones((2, 3))).tolist() == [0, 0]


def test_the_largest_of_many_counts_is_near_the_mean_of_drawn_maxima():
    rng = np.random.default_rng(5)
    drawn = rng.poisson(50.0, (300, 10_000)).max(axis=1).mean()

    assert largest_count(np.array([50.0]), np.array([10_000.0]))[0] == pytest.approx(drawn, rel=0.02)
    assert largest_count(np.array([50.0]), np.array([1.0]))[0] == pytest.approx(50, abs=0.5)


def test_a_weighted_quantile_counts_rows():
    values, rows = np.array([[5.0, 1.0, 9.0]]), np.array([[10.0, 80.0, 10.0]])

    assert weighted_quantile(0.5, values, rows)[0] == 1
    assert weighted_quantile(0.99, values, rows)[0] == 9


def test_rows_that_come_together_are_all_kept_without_a_bound_and_none_below_one():
    mean, chance = np.array([0.5, 30.0]), np.zeros(2)

    assert capped_rows(mean, chance, math.inf, clump=3.0).tolist() == mean.tolist()
    assert capped_rows(mean, chance, 0.0, clump=3.0).tolist() == [0.0, 0.0]
