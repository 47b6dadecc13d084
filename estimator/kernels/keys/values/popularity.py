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


def weight_sum(law: Popularity, k: ArrayLike, n: ArrayLike) -> Floats:
    """Unnormalised weight of the first k of n values in the law's own order.

    Parameters
    ----------
    law
        The popularity.
    k, n : integers, broadcast against each other, 0 ≤ k ≤ n

    Returns
    -------
    float64, the broadcast shape; `weight_sum(law, n, n)` is the total
    """
    firsts, all_ = np.broadcast_arrays(np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64))
    match law:
        case Uniform():
            return firsts.copy()
        case Zipf() | Latest():
            return zipf_sum(firsts, law.theta)
        case HotSet():
            return _hot_set_sum(law, firsts, all_)
        case Weights():
            return _weights_sum(law, firsts, all_)
        case _:
            assert_never(law)


def _hot_set_sum(law: HotSet, k: Floats, n: Floats) -> Floats:
    hot = np.clip(np.round(law.value_share * n), 1, n)
    cold = n - hot
    traffic = np.where(cold > 0, law.traffic_share, 1.0)
    inside = np.minimum(k, hot) / hot * traffic
    return np.asarray(inside + np.maximum(k - hot, 0) / np.maximum(cold, 1) * (1 - traffic))


def _weights_sum(law: Weights, k: Floats, n: Floats) -> Floats:
    listed = np.concatenate(([0.0], np.cumsum(law.weights)))
    most = float(len(law.weights))
    others = np.maximum(n - most, 0)
    each = np.divide(law.rest, others, out=np.zeros_like(others), where=others > 0)
    total = listed[np.minimum(n, most).astype(np.int64)] + each * others
    sums = listed[np.minimum(k, most).astype(np.int64)] + each * np.maximum(k - most, 0)
    return np.asarray(np.where(total > 0, sums, k))  # all weights zero: every value alike


def top_share(law: Popularity, k: ArrayLike, n: ArrayLike) -> Floats:
    """Exact share of traffic of the first k of n values (for weights: of the k first listed). Shape broadcast."""
    return np.asarray(weight_sum(law, k, n) / weight_sum(law, n, n))


def share(law: Popularity, rank: ArrayLike, n: ArrayLike) -> Floats:
    """Exact share of traffic of the value with a rank (1 is the first). Shape broadcast.

    Examples
    --------
    >>> share(Zipf(theta=1), [1, 2], 2).round(4).tolist()
    [0.6667, 0.3333]
    """
    ranks = np.asarray(rank, dtype=np.float64)
    if isinstance(law, Zipf | Latest):
        return np.asarray(ranks**-law.theta / zipf_sum(n, law.theta))
    return np.asarray((weight_sum(law, ranks, n) - weight_sum(law, ranks - 1, n)) / weight_sum(law, n, n))


def draw(rng: np.random.Generator, law: Popularity, n: int, size: int) -> Ints:
    """Ranks (from 1) of `size` independent draws: the inverse of `top_share` by bisection, for any n. int64 (size,)."""
    target = rng.random(size) * float(weight_sum(law, n, n))
    low, high = np.zeros(size, dtype=np.int64), np.full(size, n, dtype=np.int64)  # sum(low) <= target < sum(high)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        below = weight_sum(law, middle, n) <= target
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return high
