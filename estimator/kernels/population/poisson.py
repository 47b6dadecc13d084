"""Counts of independent events: probabilities, means under a cap, quantiles of mixtures. Vectorised, NumPy alone."""

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from estimator.results.arrays import Flags, Floats

EXACT_CAP = 16
"""Caps up to this are summed exactly, larger ones by the normal law (within 0.5 % of the mean there)."""


def normal_cdf(z: Floats) -> Floats:
    """P(Z ≤ z) of the standard normal law, within 1.5e-7.

    References
    ----------
    Abramowitz and Stegun, 7.1.26.
    """
    x = np.abs(z) / math.sqrt(2)
    t = 1 / (1 + 0.3275911 * x)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    tail = 0.5 * poly * np.exp(-x * x)
    return np.where(z > 0, 1 - tail, tail)


def poisson_cdf(count: Floats, mean: Floats) -> Floats:
    """P(N ≤ count) for N ~ Poisson(mean), within 0.0013; exact up to a count of 3.

    Parameters
    ----------
    count, mean : float64, broadcast
        `count` is rounded down; below 0 the result is 0. [events]

    References
    ----------
    Wilson and Hilferty 1931, through the gamma law.
    """
    k = np.floor(count)
    many = k > 3
    if not np.all(many):
        few = np.minimum(mean, 700.0)  # exp(-708) is the least normal double
        p = np.exp(-few) * (1 + (k >= 1) * few * (1 + (k >= 2) * few / 2 * (1 + (k >= 3) * few / 3)))
        if not np.any(many):
            return np.where(k < 0, 0.0, p)
    s = np.maximum(k, 0) + 1
    # N ≤ k just where a gamma variable of shape k + 1 is above the mean.
    z = (np.cbrt(mean / s) - (1 - 1 / (9 * s))) * 3 * np.sqrt(s)
    by_normal_law = normal_cdf(-z)
    return by_normal_law if np.all(many) else np.where(k < 0, 0.0, np.where(many, by_normal_law, p))


def poisson_share(count: Floats, mean: Floats) -> Floats:
    """P(N = count) for N ~ Poisson(mean); `count` is whole and broadcast, few different ones. [events]"""
    factorials = np.vectorize(math.lgamma, otypes=[np.float64])(count + 1)
    chance = np.exp(count * np.log(np.maximum(mean, 1e-300)) - mean - factorials)
    return np.asarray(np.where((mean > 0) | (count > 0), chance, 1.0))


def spread_shares(most: int, mean: Floats, size: int, part: float) -> Floats:
    """P(N = 0 … most) of events that come in bursts of `size`, each event of them with the chance `part`.

    Parameters
    ----------
    mean : float64, shape (…)
        [events]

    Returns
    -------
    float64, shape (most + 1, …)

    References
    ----------
    Panjer 1981: n P(n) = μ Σ j f(j) P(n - j), for μ bursts of f(j) events each.
    """
    alone = np.array([math.comb(size, j) * part**j * (1 - part) ** (size - j) for j in range(size + 1)])
    bursts = np.minimum(mean / (size * part), 700.0)
    shares = np.zeros((most + 1, *np.shape(mean)))
    shares[0] = np.exp(-bursts * (1 - alone[0]))
    for number in range(1, most + 1):
        for j in range(1, min(size, number) + 1):
            shares[number] += bursts * (j * alone[j] / number) * shares[number - j]
    return shares


def capped_mean(mean: Floats, cap: float) -> Floats:
    """E min(N, cap) for N ~ Poisson(mean): how many of the newest `cap` versions there are.

    >>> float(capped_mean(np.array(1.0), 1).round(4))     # 1 - 1/e
    0.6321
    >>> float(capped_mean(np.array(1e6), 3))
    3.0
    """
    if math.isinf(cap):
        return mean
    if cap <= 0:
        return np.zeros_like(mean)
    if cap <= EXACT_CAP:
        # The sum of P(N > j) over all j below the cap.
        bounded = np.minimum(mean, 700.0)
        term, below = np.exp(-bounded), np.exp(-bounded)
        total: Floats = -np.expm1(-bounded)
        for j in range(1, int(cap)):
            term = term * bounded / j
            below = below + term
            total = total + np.maximum(1 - below, 0.0)
        return np.minimum(total, mean)
    sd = np.sqrt(np.maximum(mean, 1e-300))
    z = np.clip((cap - mean) / sd, -38.0, 38.0)  # beyond, the density is 0 in a double
    density = np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
    return np.clip(cap - ((cap - mean) * normal_cdf(z) + sd * density), 0.0, np.minimum(mean, cap))


def clumped_mean(mean: Floats, cap: float, clump: float) -> Floats:
    """E min(N, cap) for N events of `mean` that come in clumps of so many. [events]"""
    if cap <= 0 or math.isinf(cap):
        return mean if cap > 0 else np.zeros_like(mean)
    if clump <= 1:
        return capped_mean(mean, max(round(cap), 1))
    whole, rest = divmod(cap, clump)
    few = capped_mean(mean / clump, whole)
    # From the last whole clump to the next one, in a straight line.
    return clump * few + rest * (capped_mean(mean / clump, whole + 1) - few) if rest else clump * few


def mean_with_certain(mean: Floats, cap: float, clump: float, certain: Floats) -> Floats:
    """Return expected events of at most `cap`, where some come for certain besides those by chance."""
    by_chance = clumped_mean(mean, cap, clump)
    if not np.any(certain):
        return by_chance
    with_one = np.minimum(np.ceil(certain), cap) + clumped_mean(mean, cap - 1, clump)
    return by_chance + np.minimum(certain, 1.0) * (with_one - by_chance)


def capped_rows(mean: Floats, chance: Floats, cap: float, *, clump: float = 1.0) -> Floats:
    """E min(N, cap) for N rows, each of which exists with about the same chance: a binomial law.

    Parameters
    ----------
    mean, chance : float64, broadcast
        A chance of 0 is Poisson's law; of 1, as many as the mean. [rows], [1]
    cap
        [rows]
    clump
        So many rows come together. [rows]
    """
    if math.isinf(cap) or cap <= 0:
        return mean if cap > 0 else np.zeros_like(mean)
    if clump > 1:
        whole, rest = divmod(cap, clump)
        few, more = (capped_rows(mean / clump, chance, whole + extra) for extra in (0, 1))
        return np.asarray(clump * few + rest * (more - few))
    mean, chance = np.broadcast_arrays(mean, chance)
    certain = chance > 1 - 1e-6
    if cap > EXACT_CAP:
        sd = np.sqrt(np.maximum(mean * (1 - chance), 1e-12))
        z = np.clip((cap - mean) / sd, -38.0, 38.0)
        density = np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
        total = np.asarray(cap - ((cap - mean) * normal_cdf(z) + sd * density))
    else:
        part = np.clip(chance, 1e-9, 0.999)  # 1 - part is divided by
        tries = mean / part
        term = np.exp(np.maximum(tries * np.log1p(-part), -700.0))
        below, total = term, 1 - term
        for number in range(1, int(cap)):
            term = term * np.maximum(tries - number + 1, 0.0) / number * part / (1 - part)
            below = below + term
            total = total + np.maximum(1 - below, 0.0)
    return np.clip(np.where(certain, np.minimum(mean, cap), total), 0.0, np.minimum(mean, cap))


def poisson_points(mean: Floats, chances: Floats) -> Floats:
    """Return whole numbers that stand for N ~ Poisson(mean), one at each of some chances: (chances, …mean).

    References
    ----------
    Wilson and Hilferty 1931, through the gamma law.
    """
    z = np.array([NormalDist().inv_cdf(chance) for chance in chances.tolist()])
    z = z.reshape(-1, *(1,) * np.ndim(mean))
    some = np.maximum(mean, 1e-9)
    points = np.floor(some * np.maximum(1 - 1 / (9 * some) + z / (3 * np.sqrt(some)), 0.0) ** 3 + 0.5)
    few = np.exp(-some) > chances.reshape(z.shape)  # the chance is within that of no event
    # Below a mean of 1, the cube may round to 0 where an event is the likelier.
    return np.where(few, 0.0, np.where(some < 1, np.maximum(points, 1.0), points))


def largest_count(mean: Floats, rows: Floats) -> Floats:
    """Return the approximate largest of `rows` Poisson counts.

    It is the quantile 1 - 1/(rows + 1) by Cornish and Fisher; for one row it is the median.
    """
    z = upper_quantile(1 / (np.clip(rows, 1.0, 1e15) + 1))
    count: Floats = np.maximum(mean + z * np.sqrt(mean) + (z * z - 1) / 6, mean)
    return count


def upper_quantile(share: Floats) -> Floats:
    """Return the z that the standard normal law exceeds with this probability, at most 0.5; within 4.5e-4.

    References
    ----------
    Abramowitz and Stegun, 26.2.23.
    """
    t = np.sqrt(-2 * np.log(np.minimum(share, 0.5)))
    z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
    return np.asarray(np.maximum(z, 0.0))


def largest_of(means: Floats, rows: Floats) -> Floats:
    """Return the median of the largest of all rows of several classes, each a Poisson count.

    Parameters
    ----------
    means, rows : float64, shape (dates, classes)
        Expected events of a row, and rows of the class.

    Returns
    -------
    float64, shape (dates,)
        At least the largest mean of rows that there are with a probability of a half; 0 without any. [events]
    """
    there = _likely_there(means, (rows > 0) & (means > 0), rows)
    root = np.sqrt(np.where(there, means, 0.0))
    top = (root * root).max(axis=1, initial=0.0)
    count = np.where(there, largest_count(root * root, rows), 0.0).max(axis=1, initial=0.0)
    for _ in range(_LARGEST_ROUNDS):
        inside = np.maximum(1 + 2 / 3 * (count[:, None] - root * root + 1 / 6) / np.maximum(root * root, 1e-12), 0.0)
        share = upper_share(3 * root * (np.sqrt(inside) - 1))  # Cornish and Fisher, solved for z
        # -ln P(no row beyond): ln 2 at the median.
        beyond = -(np.where(there, rows, 0.0) * np.log1p(-np.minimum(share, 1 - 1e-12))).sum(axis=1)
        # By how much the logarithm of a tail falls a step: ln((n + 1) / μ); near the mean about 1 / √μ.
        steep = np.log(np.maximum((count + 1) / np.maximum(top, 1e-300), 1 + 1 / np.maximum(np.sqrt(top), 1.0)))
        # A step of Newton's method: the logarithm of what is beyond falls by `steep` with each event.
        count = np.maximum(count + np.log(np.maximum(beyond, 1e-300) / math.log(2)) / np.maximum(steep, 1e-12), top)
    few = (top > 0) & (top <= FEW_EVENTS)
    if np.any(few):
        count[few] = _largest_of_few(means[few], np.where(there[few], rows[few], 0.0))
    return np.where(there.any(axis=1), count, 0.0)


def _likely_there(means: Floats, there: Flags, rows: Floats) -> Flags:
    """Return the classes of which, with those of more events, there is a row with a probability of a half."""
    order = np.argsort(-np.where(there, means, 0.0), axis=1, kind="stable")
    upto = np.cumsum(np.take_along_axis(np.where(there, rows, 0.0), order, axis=1), axis=1)
    likely = np.empty_like(there)
    # Of ln 2 rows in the mean there is one with a probability of a half.
    np.put_along_axis(likely, order, upto >= math.log(2), axis=1)
    return np.asarray(np.where(likely.any(axis=1, keepdims=True), there & likely, there))


_LARGEST_ROUNDS = 4
FEW_EVENTS = 5.0
"""Where no row has more than so many events in the mean, the largest is found number by number."""
_NUMBERS = np.arange(1.0, 61.0)  # with a mean of 5, sixty are reached by none of 1e40 rows
_FACTORIALS = np.array([math.lgamma(number + 1) for number in _NUMBERS])


def _largest_of_few(means: Floats, rows: Floats) -> Floats:
    """Return the most that the largest row reaches with a probability of a half."""
    mean = np.maximum(means, 1e-300)
    largest = np.zeros(len(means))
    for place, number in enumerate(_NUMBERS):  # P(N ≥ n) = P(N = n) · (1 + μ/(n+1) + μ²/(n+1)(n+2) + …)
        ratio = mean / (number + 1)
        more = 1 + ratio * (1 + mean / (number + 2) * (1 + mean / (number + 3) * (1 + mean / (number + 4))))
        share = np.where(number > mean, np.exp(number * np.log(mean) - mean - _FACTORIALS[place]) * more, 1.0)
        beyond = -(rows * np.log1p(-np.minimum(share, 1 - 1e-12))).sum(axis=1)
        largest[beyond >= math.log(2)] = number
        if not np.any(beyond >= math.log(2)):
            break
    return largest


def upper_share(z: Floats) -> Floats:
    """P(Z > z) of the standard normal law, its relative error below 1.2e-7.

    References
    ----------
    Press et al., Numerical Recipes, erfcc.
    """
    x = np.abs(z) / math.sqrt(2)
    t = 1 / (1 + 0.5 * x)
    poly = -0.82215223 + t * 0.17087277
    for factor in (1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368):
        poly = factor + t * poly
    half = 0.5 * t * np.exp(-x * x - 1.26551223 + t * poly)
    return np.where(z >= 0, half, 1 - half)


def poisson_quantile(mean: float, share: float) -> float:
    """Return the events at a quantile of keys that have so many in the mean. [events]

    >>> poisson_quantile(3.0, 0.5), poisson_quantile(3.0, 0.99), poisson_quantile(0.5, 0.5)
    (3.0, 8.0, 0.0)
    """
    # Beyond, three deviations are less than 0.3 % of the mean.
    if mean > 1e6:
        return mean
    # Ten deviations: beyond any quantile that is asked for.
    counts = np.arange(math.ceil(mean + 10 * math.sqrt(mean) + 20), dtype=np.float64)
    return float(np.searchsorted(poisson_cdf(counts, np.full_like(counts, mean)), share))


def mixture_quantile(share: float, means: Floats, rows: Floats) -> Floats:
    """Events in the row at this quantile, over rows that have any: a mixture of Poisson laws.

    Parameters
    ----------
    share
        0.5 is the median. [0…1]
    means : float64, shape (dates, classes)
        Expected events of a row in each class. [events]
    rows : float64, shape (dates, classes)
        Rows that a class could have. [rows]

    Returns
    -------
    float64, shape (dates,)
        Whole numbers below 1,000, within 0.1 % above; 0 where there is no row. [events]
    """
    empty = np.exp(-np.minimum(means, 700.0))
    there = rows * (1 - empty)
    target = share * there.sum(axis=1)

    def is_reached(count: Floats) -> Flags:
        below: Floats = (rows * np.maximum(poisson_cdf(count[:, None], means) - empty, 0.0)).sum(axis=1)
        return np.asarray(below >= target * (1 - 1e-12), dtype=np.bool_)

    top = means.max(axis=1, initial=0.0)
    quantile = whole_quantile(is_reached, top + 10 * np.sqrt(top) + 10)
    return np.where(target > 0, np.maximum(quantile, 1.0), 0.0)


def whole_quantile(is_reached: Callable[[Floats], Flags], most: Floats) -> Floats:
    """Return the least whole number at which a sum is reached: (dates,); up to 1,000, within 0.1 % above.

    Parameters
    ----------
    is_reached
        Whether it is, at a number for each date; false below 0.
    most : float64, shape (dates,)
        Where it is for certain.
    """
    low, high = np.full(len(most), -1.0), np.ceil(most)
    for _ in range(64):
        # Halve logarithms while the interval is wide: counts span many powers of ten.
        middle = np.where(high - low > 2, np.floor(np.sqrt(np.maximum(low, 1) * high)), np.floor((low + high) / 2))
        middle = np.clip(middle, low + 1, np.maximum(high - 1, low + 1))
        open_ = (high - low > 1) & ((high < 1_000) | (high > low * 1.001))
        if not open_.any():
            break
        ok = is_reached(middle)
        high = np.where(open_ & ok, middle, high)
        low = np.where(open_ & ~ok, middle, low)
    return high


def weighted_quantile(share: float, values: Floats, rows: Floats) -> Floats:
    """Return the quantile where each class has one value: float64, shape (dates,) from (dates, classes)."""
    order = np.argsort(values, axis=1)
    sums = np.cumsum(np.take_along_axis(rows, order, axis=1), axis=1)
    place = (sums < share * sums[:, -1:]).sum(axis=1)
    place = np.minimum(place, values.shape[1] - 1)
    return np.take_along_axis(values, np.take_along_axis(order, place[:, None], axis=1), axis=1)[:, 0]


_HALVINGS = 40  # down to 1e-12


def run_part(size: int, events_per_key: float) -> float:
    """Return the chance of a key at which `size` events leave `events_per_key` on each key that has any."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        part = (low + high) / 2
        low, high = (part, high) if size * part < events_per_key * (1 - (1 - part) ** size) else (low, part)
    return high


def share_of_others(means: Floats) -> Floats:
    """Return by how much fewer others an event of a value has where values are drawn first, of those that have any. [1]

    Of N ~ Poisson(μ) events, a random one of all has μ beside it. One of a value that has any has E(N - 1 | N > 0).
    """
    means = np.asarray(np.maximum(means, 1e-6))
    return np.asarray((means / -np.expm1(-means) - 1) / means)
