"""Popularity of a field's values: for each distribution an exact share beside its draw.

Distributions are by rank (uniform, zipf, hot set), by age (latest: rank 1 is the newest) and by number
(weights: rank is the number in the field's list, from 1). Ranks start at 1.
"""

from typing import assert_never

import numpy as np
from numpy.typing import ArrayLike

from designer.document.popularity import HotSet, Latest, Popularity, Uniform, Weights, Zipf
from estimator.results.arrays import Floats, Ints

from .zeta import zipf_sum


def weight_sum(popularity: Popularity, k: ArrayLike, n: ArrayLike) -> Floats:
    """Unnormalised weight of the first k of n values in the law's own order.

    Parameters
    ----------
    popularity
    k, n : integers, broadcast against each other, 0 ≤ k ≤ n

    Returns
    -------
    float64, the broadcast shape; `weight_sum(popularity, n, n)` is the total
    """
    firsts, all_ = np.broadcast_arrays(np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64))
    match popularity:
        case Uniform():
            return firsts.copy()
        case Zipf() if popularity.busiest:
            return _busiest_sum(popularity, firsts, all_)
        case Zipf() | Latest():
            return zipf_sum(firsts, popularity.theta)
        case HotSet():
            return _hot_set_sum(popularity, firsts, all_)
        case Weights():
            return _weights_sum(popularity, firsts, all_)
        case _:
            assert_never(popularity)


def _busiest_sum(popularity: Zipf, k: Floats, n: Floats) -> Floats:
    top_sums, most = np.concatenate(([0.0], np.cumsum(popularity.busiest))), float(len(popularity.busiest))
    others = zipf_sum(np.maximum(n - most, 0), popularity.theta)
    behind = zipf_sum(np.maximum(k - most, 0), popularity.theta)
    rest = np.divide((1 - top_sums[-1]) * behind, others, out=np.zeros_like(others), where=others > 0)
    return np.asarray(top_sums[np.minimum(k, most).astype(np.int64)] + rest)


def rank_weight(popularity: Zipf | Latest, rank: ArrayLike, n: ArrayLike) -> Floats:
    """Unnormalised weight of the value with a rank (1 is the first) among n. Shape broadcast.

    Directly, because H(k) − H(k − 1) loses all digits for high ranks: 1e-9 beside sums near 20.
    """
    ranks = np.asarray(rank, dtype=np.float64)
    busiest = popularity.busiest if isinstance(popularity, Zipf) else ()
    weight = np.maximum(ranks - len(busiest), 1.0) ** -popularity.theta
    if not busiest:
        return np.asarray(weight)
    others = zipf_sum(np.maximum(np.asarray(n, dtype=np.float64) - len(busiest), 1), popularity.theta)
    own = np.asarray(busiest)[np.clip(ranks, 1, len(busiest)).astype(np.int64) - 1]
    return np.asarray(np.where(ranks <= len(busiest), own, (1 - sum(busiest)) * weight / others))


def _hot_set_sum(popularity: HotSet, k: Floats, n: Floats) -> Floats:
    # At least one value is hot: 1 % of 20 values would be none, and their traffic would vanish.
    hot = np.clip(np.round(popularity.value_share * n), 1, n)
    cold = n - hot
    # If all values are hot, they have all traffic.
    traffic = np.where(cold > 0, popularity.traffic_share, 1.0)
    inside = np.minimum(k, hot) / hot * traffic
    return np.asarray(inside + np.maximum(k - hot, 0) / np.maximum(cold, 1) * (1 - traffic))


def _weights_sum(popularity: Weights, k: Floats, n: Floats) -> Floats:
    top_sums = np.concatenate(([0.0], np.cumsum(popularity.weights)))
    most = float(len(popularity.weights))
    others = np.maximum(n - most, 0)
    other_weight = np.divide(popularity.rest, others, out=np.zeros_like(others), where=others > 0)
    total = top_sums[np.minimum(n, most).astype(np.int64)] + other_weight * others
    sums = top_sums[np.minimum(k, most).astype(np.int64)] + other_weight * np.maximum(k - most, 0)
    return np.asarray(np.where(total > 0, sums, k))  # all weights zero: every value alike


def top_share(popularity: Popularity, k: ArrayLike, n: ArrayLike) -> Floats:
    """Exact share of traffic of the first k of n values (for weights: of the k first listed). Shape broadcast."""
    return np.asarray(weight_sum(popularity, k, n) / weight_sum(popularity, n, n))


def share(popularity: Popularity, rank: ArrayLike, n: ArrayLike) -> Floats:
    """Exact share of traffic of the value with a rank (1 is the first). Shape broadcast.

    Examples
    --------
    >>> share(Zipf(theta=1), [1, 2], 2).round(4).tolist()
    [0.6667, 0.3333]
    """
    ranks = np.asarray(rank, dtype=np.float64)
    if isinstance(popularity, Zipf | Latest):
        return np.asarray(rank_weight(popularity, ranks, n) / weight_sum(popularity, n, n))
    return np.asarray(
        (weight_sum(popularity, ranks, n) - weight_sum(popularity, ranks - 1, n)) / weight_sum(popularity, n, n)
    )


def largest_share(popularity: Popularity, n: float) -> float:
    """Return the exact share of traffic of the busiest of n values, wherever a list of weights has it.

    Examples
    --------
    >>> largest_share(Weights(weights=(1, 3), rest=4), 10)
    0.375
    """
    listed = np.arange(1, min(len(popularity.weights), n) + 1) if isinstance(popularity, Weights) else np.ones(1)
    behind = [len(listed) + 1] if len(listed) < n and isinstance(popularity, Weights) else []
    return float(share(popularity, np.append(listed, behind), n).max())


def draw(rng: np.random.Generator, popularity: Popularity, n: int, size: int) -> Ints:
    """Ranks (from 1) of `size` independent draws: the inverse of `top_share` by bisection, for any n. int64 (size,)."""
    target = rng.random(size) * float(weight_sum(popularity, n, n))
    low, high = np.zeros(size, dtype=np.int64), np.full(size, n, dtype=np.int64)  # sum(low) <= target < sum(high)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        below = weight_sum(popularity, middle, n) <= target
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high
