"""Popularities against published and independently computed tables: Zipf sums and shares, balls in bins.

H(10^10, 0.99): YCSB's ZETAN (github.com/brianfrankcooper/YCSB, ScrambledZipfianGenerator, read 2026-11-20). The tables
of sums, shares and maxima: computed in high precision and by exact enumeration, 2026-11-20.
"""

import math

import numpy as np
import pytest

from designer.document.known_shares import is_topped
from designer.document.popularity import HotSet, Latest, Uniform, Weights, Zipf
from estimator.kernels.keys import EventDistribution, TimeDistribution, compile_pattern, prefix_shares
from estimator.kernels.keys.values.popularity import draw, largest_share, share, top_share
from estimator.kernels.keys.values.shuffle import STORED_MOST, Shuffle
from estimator.kernels.keys.values.zeta import zipf_sum
from tests.cases import cases
from tests.core.kernels.keys.chi2 import chi2_p_value
from tests.core.kernels.keys.designs import design

SUMS = {
    0.7: (23.703191, 50.052177, 102.631025, 207.540758, 416.863422, 834.517090),
    0.9: (10.523507, 15.688876, 22.192678, 30.380605, 40.688610, 53.665620),
    0.99: (7.728953, 10.224361, 12.778338, 15.391850, 18.066243, 20.802930),
    1.0: (7.485471, 9.787606, 12.090146, 14.392727, 16.695311, 18.997896),
    1.1: (5.572827, 6.603397, 7.422172, 8.072562, 8.589186, 8.999555),
    1.2: (4.335765, 4.799144, 5.091583, 5.276104, 5.392529, 5.465988),
    1.5: (2.549146, 2.592376, 2.606051, 2.610375, 2.611743, 2.612175),
}
"""H(n, s) for n = 10^3 … 10^8."""

TOP = {
    10**3: (38.247, 68.503, 100.000, 38.247, 68.503, 77.893),
    10**4: (28.912, 51.784, 75.594, 51.784, 75.594, 82.880),
    10**5: (23.134, 41.434, 60.485, 60.485, 80.013, 85.981),
    10**6: (19.206, 34.399, 50.215, 66.427, 83.020, 88.091),
    10**7: (16.363, 29.306, 42.781, 70.730, 85.197, 89.617),
    10**8: (14.210, 25.451, 37.153, 73.989, 86.845, 90.773),
}
"""Percent of the top 10, 100, 1,000, 1 %, 10 %, 20 % of n values, Zipf 0.99."""

FRACTIONS = {
    0.7: (11.42, 24.12, 49.45, 61.19), 0.8: (20.68, 36.24, 60.91, 70.85), 0.9: (34.64, 51.64, 73.05, 80.52),
    0.99: (50.21, 66.43, 83.02, 88.09), 1.0: (52.01, 68.00, 84.00, 88.82), 1.1: (69.03, 81.80, 91.94, 94.57),
    1.2: (82.18, 90.96, 96.50, 97.73), 1.5: (97.65, 99.31, 99.83, 99.91),
}  # fmt: skip
"""Percent of the hottest 0.1, 1, 10, 20 % of 10^6 values."""

MAXIMA = {(1_000, 10): 115.664, (10_000, 100): 125.959, (100_000, 100): 1_080.20, (1_000, 1_000): 5.514}
"""Balls, bins: the mean of the fullest bin, exactly."""

LAWS = [
    Uniform(), Zipf(theta=0.9), Zipf(theta=1.0), Latest(theta=1.2), HotSet(value_share=0.1, traffic_share=0.7),
    HotSet(value_share=1.0, traffic_share=0.5), Weights(weights=(5, 0, 2), rest=3), Weights(weights=(1,)),
    Zipf(theta=0.9, busiest=(0.4, 0.3)), Zipf(theta=1.0, busiest=(1.0,)),
]  # fmt: skip


@pytest.mark.parametrize("s", SUMS)
def test_zipf_sums_are_those_of_the_table(s):
    np.testing.assert_allclose(zipf_sum([10**k for k in range(3, 9)], s), SUMS[s], atol=6e-7)


def test_the_sum_over_ten_billion_is_ycsbs_constant():
    assert float(zipf_sum(10**10, 0.99)) == pytest.approx(26.46902820178302, abs=2e-9)


@pytest.mark.parametrize("s", [0.5, 0.99, 1.0, 2.0])
def test_zipf_sums_are_sums(s):
    terms = np.arange(1, 2001, dtype=float) ** -s

    np.testing.assert_allclose(zipf_sum(np.arange(2001), s), np.concatenate(([0], np.cumsum(terms))), rtol=1e-13)


@cases("off", [1e-15, 1e-12, 1e-9, 1e-6, 1e-3])
@cases("sign", [-1, 1])
def test_zipf_sums_near_one_are_sums(off, sign):
    s = 1 + sign * off
    exact = math.fsum(i**-s for i in range(1, 10**5 + 1))

    assert float(zipf_sum(10**5, s)) == pytest.approx(exact, rel=1e-13)


@pytest.mark.parametrize("n", TOP)
def test_top_shares_are_those_of_the_table(n):
    ranks = [10, 100, 1000, n // 100, n // 10, n // 5]

    np.testing.assert_allclose(100 * top_share(Zipf(theta=0.99), ranks, n), TOP[n], atol=6e-4)


@cases("s", FRACTIONS)
def test_shares_of_the_hottest_fractions_are_those_of_the_table(s):
    np.testing.assert_allclose(100 * top_share(Zipf(theta=s), [10**3, 10**4, 10**5, 2 * 10**5], 10**6), FRACTIONS[s],
                               atol=6e-3)  # fmt: skip


@cases("law", LAWS)
@cases("n", [1, 2, 3, 40, 1000])
def test_shares_add_to_one_and_draws_follow_them(law, n):
    shares = share(law, np.arange(1, n + 1), n)

    counts = np.bincount(draw(np.random.default_rng(n), law, n, 50_000), minlength=n + 1)[1:]

    assert shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(np.cumsum(shares), top_share(law, np.arange(1, n + 1), n), atol=1e-12)
    assert chi2_p_value(counts, shares) > 1e-4


@cases("law", [*LAWS, Weights(weights=(1, 3), rest=4)])
@cases("n", [1, 2, 3, 40, 1000])
def test_the_largest_share_is_that_of_the_busiest_value_wherever_it_is_listed(law, n):
    if isinstance(law, Zipf) and not is_topped(law, n):
        pytest.skip("a design cannot say this: others would be above the busiest")

    assert largest_share(law, n) == pytest.approx(share(law, np.arange(1, n + 1), n).max())


def test_draws_from_any_number_of_values_follow_the_law():
    ranks = draw(np.random.default_rng(3), Zipf(theta=0.99), 10**15, 40_000)

    expected = float(top_share(Zipf(theta=0.99), 1_000, 10**15))
    assert np.mean(ranks <= 1_000) == pytest.approx(expected, abs=4 * np.sqrt(expected / 40_000))


@pytest.mark.parametrize("n", [1, 2, 97, 65_536, STORED_MOST + 5, 10**15])
def test_ranks_are_shuffled_and_found_again(n):
    shuffle = Shuffle(n, 11)
    ranks = np.unique(np.linspace(0, n - 1, 5_000).astype(np.int64))

    numbers = shuffle.number(ranks)

    assert ((numbers >= 0) & (numbers < n)).all()
    assert len(np.unique(numbers)) == len(ranks)
    np.testing.assert_array_equal(shuffle.rank(numbers), ranks)


def key_of_hash(digits, distinct, popularity):
    user = {"id": "u", "distinct": distinct, "popularity": popularity}
    return compile_pattern(design([user], [{"kind": "hash", "fields": ["u"], "digits": digits}]), "k")


def test_a_hash_fills_as_many_buckets_as_balls_fill_bins():
    pattern = key_of_hash(3, 10_000, {"kind": "uniform"})

    filled = prefix_shares(pattern, pattern.steady_distribution(), 1).distinct_prefixes

    expected = 4096 * (1 - (1 - 1 / 4096) ** 10_000)
    spread = np.sqrt(4096 * np.exp(-10_000 / 4096) * (1 - np.exp(-10_000 / 4096)))
    assert filled == pytest.approx(expected, abs=4 * spread)


def test_the_fullest_bucket_of_a_hash_is_that_of_balls_in_bins():
    loads = [
        float(prefix_shares(p, p.steady_distribution(), 1).shares[0] * 4096)
        for p in (
            compile_pattern(
                design(
                    [{"id": f"u{n}", "distinct": 4096, "popularity": {"kind": "uniform"}}],
                    [{"kind": "hash", "fields": [f"u{n}"], "digits": 3}],
                ),
                "k",
            )
            for n in range(60)
        )
    ]

    assert np.mean(loads) == pytest.approx(6.248, abs=4 * 0.8 / np.sqrt(60))


@pytest.mark.parametrize(("balls", "bins"), MAXIMA)
def test_one_multinomial_draw_spreads_as_balls_in_bins(balls, bins):
    rng = np.random.default_rng(5)

    maxima = rng.multinomial(balls, np.full(bins, 1 / bins), size=3_000).max(axis=1)

    assert maxima.mean() == pytest.approx(MAXIMA[balls, bins], abs=4 * maxima.std() / np.sqrt(3_000))


def test_hashing_never_cools_the_hottest_key():
    pattern = key_of_hash(4, 1_000_000, {"kind": "zipf", "theta": 0.99})

    assert prefix_shares(pattern, pattern.steady_distribution(), 1).shares[0] >= 0.06497 - 1e-6


def test_shares_of_rows_are_the_popularity_of_their_values():
    pattern = compile_pattern(
        design([{"id": "u", "distinct": 1_000, "popularity": {"kind": "zipf", "theta": 0.99}}],
               [{"kind": "field", "field": "u"}]), "k")  # fmt: skip
    law = EventDistribution(TimeDistribution.windows(pattern.inputs.end_s - 60, pattern.inputs.end_s))

    found = prefix_shares(pattern, law, 1)

    assert found.shares[0] == pytest.approx(0.12938, abs=5e-6)
    np.testing.assert_allclose(found.shares[:100].sum(), 0.68503, atol=5e-6)


def test_every_value_is_met_when_as_many_are_drawn_as_a_coupon_collector_needs():
    n, runs = 40, 300
    expected = n * float(zipf_sum(n, 1.0))
    rng = np.random.default_rng(8)

    needed = []
    for _ in range(runs):
        drawn = draw(rng, Uniform(), n, 1_000)
        needed.append(1 + max(int(np.flatnonzero(drawn == value)[0]) for value in range(1, n + 1)))

    assert np.mean(needed) == pytest.approx(expected, abs=4 * np.std(needed) / np.sqrt(runs))
