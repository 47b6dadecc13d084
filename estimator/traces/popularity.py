"""The access distribution that fits the counts: even or Zipf, or a few busy values beside an even or a Zipf rest.

Values that come seldom look skewed if they are ranked by what was counted, so nothing here is fitted to ranks of seldom
values. For Zipf two figures without that bias are met: how often two requests are for the same value, and how many
values came at all. What the fit predicts is then compared with what was counted.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from designer.document.popularity import Popularity, Uniform, Weights, Zipf
from estimator.results.arrays import Floats

from .value_counts import ValueCounter

EVEN_THETA = 0.05
"""Less skew than this is none."""
THETA_MAX = 5.0
HEADS = (1, 10, 100, 1_000)
"""The share of so many busiest values is compared."""
FEW_HEADS = tuple(range(1, 11))
"""So many busy values are tried beside an even rest."""
POOR_ERROR = 0.05
NEAR_ERROR = 0.01
"""Nothing more intricate is tried where a fit is so near."""
APART_RANKS, APART_MAX = 20, 3
"""Among so many busiest values, so many at most are looked for that are no part of the law of the others."""
OUTLYING = 2.0
"""The busiest value is an outlier with so many times its expected requests, and more than chance adds."""
STRAIGHT = 0.25
"""Without such a value, ranks and counts depart from a power law by at most this share of what they did with it."""
TOO_FEW = 200
"""Of fewer requests nothing is said."""
VALUES_MAX = 10**9
_EXACT = 10_000
"""Ranks of the Zipf distribution that are summed one by one; the rest is integrated."""
_STEPS = 24
"""Halvings of a range: θ is then right to 10⁻⁶, a number of values to 10⁻⁵."""
_CERTAIN = 40.0
"""A value with so many expected requests comes: e^-40 is nothing beside 1 in a float."""
_CHANCE = 200_000
"""Busiest values whose counts are drawn to see what chance adds."""


@dataclass(frozen=True)
class PopularityFit:
    """An access distribution, the number of values that it is of, and how well it predicts what was counted."""

    popularity: Popularity
    distinct: int
    """Values in use, those that happened not to come among them."""
    error_share: float
    """Largest difference between the predicted and the counted share of the busiest 1, 10, 100 or 1,000 values."""
    busiest_share: float
    """Share of the requests for the busiest value."""
    requests: int
    newest_half: int | None = None
    """So many of the newest values have half of the requests, where age decides."""
    came: int = 0
    """Values that came, as far as they were counted one by one; 0 where they are told by a sample."""
    has_outlier: bool = False
    """True if the busiest value came far more often than this distribution and chance make it."""
    apart: tuple[float, ...] = ()
    """Shares of busy values that are no part of the law of the others, `apart_law`, but not above its first."""
    apart_law: Zipf | None = None

    @property
    def told_from(self) -> float:
        """Share of the requests by which a busy value must exceed the tenth to be told from the law of the others."""
        return 2 * _noise(self.requests)

    @property
    def is_estimate(self) -> bool:
        """True if the number of values is more than what was counted."""
        return self.distinct != self.came

    @property
    def is_poor(self) -> bool:
        """True if the error is large, and larger than chance makes it for so few requests."""
        return self.error_share >= max(POOR_ERROR, 2 / math.sqrt(self.requests))


@dataclass(frozen=True)
class _Counts:
    """Counts of the values in falling order, each with how many values it stands for."""

    counts: Floats
    weights: Floats
    total: float
    distinct: float

    @property
    def same_share(self) -> float:
        """Chance that two requests are for the same value, without the bias of chance counts."""
        # Σ c (c − 1) / (N (N − 1)) estimates Σ p² without bias. Σ (c / N)² would add 1 / N: values that came once
        # would look like pairs.
        pairs = float((self.weights * self.counts * (self.counts - 1)).sum())
        return pairs / (self.total * (self.total - 1))

    def head_share(self, number: int) -> float:
        """Share of the requests for so many busiest values."""
        ranks = np.minimum(self.weights.cumsum(), number)
        return float((np.diff(ranks, prepend=0.0) * self.counts).sum() / self.total)


def fit_popularity(counter: ValueCounter) -> PopularityFit | None:
    """Return the distribution that fits best; None if there are too few requests, or nearly each has a new value."""
    counts = _counts_of(counter)
    if counts.total < TOO_FEW or counts.distinct < 2 or counts.distinct > 0.9 * counts.total:
        return None
    # A share has a standard deviation √(p (1 − p) / N) of at most 1 / (2 √N), so this is four of them. Within that
    # noise the first fit is taken, and simpler ones come first.
    noise, usable = _noise(counts.total), list[PopularityFit]()
    for fit in _simple_fits(counts):
        usable += [fit] if fit is not None else []
        if _is_settled(usable, noise):
            break
    for number in FEW_HEADS:
        near, chosen = min(fit.error_share for fit in usable) <= max(noise, NEAR_ERROR), _simplest(usable, noise)
        if near and not chosen.is_poor and not chosen.has_outlier:
            break
        # Each takes as long as all of the simpler ones, so they are tried only where none of those is near.
        usable += [fit for fit in [_celebrity_fit(counts, number)] if fit is not None]
    chosen = _with_apart(counts, _simplest(usable, noise), noise)
    return replace(chosen, distinct=round(counts.distinct)) if chosen.is_poor else chosen  # it explains no others


def _simple_fits(counts: _Counts) -> Iterator[PopularityFit | None]:
    """Yield fits in order of how much each has to tell: Zipf as much as one busy value."""
    first, *more = FEW_HEADS
    yield _even_fit(counts)
    yield _busy_fit(counts, first)
    yield _zipf_fit(counts)
    yield from (_busy_fit(counts, number) for number in more)


def _is_settled(fits: Sequence[PopularityFit], noise: float) -> bool:
    """Return whether the same of these is the simplest, however near a further one comes."""
    if not any(fit.error_share <= noise for fit in fits):
        return False
    chosen = _simplest(fits, noise)
    is_last = chosen == _simplest([fit for fit in fits if fit.error_share <= noise], noise)
    return is_last and not chosen.is_poor and not chosen.has_outlier


def _noise(requests: float) -> float:
    return 2 / math.sqrt(requests)


def _simplest(fits: Sequence[PopularityFit], noise: float) -> PopularityFit:
    """Return the first fit that is as near as the best, within the noise, but not poor or with an outlier if avoidable.

    The noise is that of a share of one half. Of a small share it is less: a value with a hundredth of 20,000 requests
    is no chance beside thousands of even ones.
    """
    best = min(fit.error_share for fit in fits)
    near = [fit for fit in fits if fit.error_share <= best + noise]
    return min(near, key=lambda fit: (fit.is_poor, fit.has_outlier))  # the first of equals


def _counts_of(counter: ValueCounter) -> _Counts:
    numbers, is_sample = counter.weighted_counts()
    order = np.lexsort((is_sample, numbers))[::-1]
    weights = np.where(is_sample, 1 / counter.sample_share, 1.0)
    return _Counts(numbers[order].astype(np.float64), weights[order], float(counter.total), counter.distinct)


def _even_fit(counts: _Counts) -> PopularityFit:
    values = _values_behind(counts, _expected_of_even(counts.total))
    return _with_error(counts, Uniform(), values, np.full(min(values, _CHANCE), 1 / values))


def _busy_fit(counts: _Counts, number: int) -> PopularityFit | None:
    """Return the fit of a few busy values, beside an even rest."""
    if counts.distinct < 4 * number or (counts.weights[:number] > 1).any():
        return None
    busy, rest, others = _without_busiest(counts, number)
    if rest <= 0:
        return None
    values = _values_behind(others, _expected_of_even(others.total))
    # The last of the busy values must stand out from the rest, or it is one of the rest that chance made busy.
    if busy[-1] < 4 * rest / values:
        return None
    shares = np.concatenate([busy, np.full(min(values, _CHANCE), rest / values)])
    popularity = Weights(weights=tuple(float(f"{share:.3g}") for share in busy), rest=float(f"{rest:.3g}"))
    return _with_error(counts, popularity, values + number, shares)


def _without_busiest(counts: _Counts, number: int) -> tuple[Floats, float, _Counts]:
    """Return the shares of so many busiest values, the share of all others together, and the counts of these."""
    busy = counts.counts[:number] / counts.total
    rest = 1 - float(busy.sum())
    return (
        busy,
        rest,
        _Counts(counts.counts[number:], counts.weights[number:], counts.total * rest, counts.distinct - number),
    )


def _celebrity_fit(counts: _Counts, number: int) -> PopularityFit | None:
    """Return the fit of a few values that stand above the Zipf distribution of the others."""
    if counts.distinct < 4 * number or (counts.weights[:number] > 1).any():
        return None
    busy, rest, others = _without_busiest(counts, number)
    fit = _zipf_fit(others) if others.total >= TOO_FEW else None
    if fit is None or not isinstance(fit.popularity, Zipf):
        return None
    behind, theta = fit.distinct, fit.popularity.theta
    shares = rest * _zipf(behind, theta)[0][0] * np.arange(1, min(behind, _CHANCE) + 1, dtype=np.float64) ** -theta
    # A value that is not above the first of the law is a part of it.
    if busy[-1] < shares[0]:
        return None
    popularity = Zipf(theta=theta, busiest=tuple(float(f"{share:.3g}") for share in busy))
    return _with_error(counts, popularity, behind + number, np.concatenate([busy, shares]))


def _with_apart(counts: _Counts, chosen: PopularityFit, noise: float) -> PopularityFit:
    """Return the fit with the values that are no part of the law of the others, though they are not above its first.

    A distribution of a design has no place for them, so it stays, with its error.
    """
    if chosen.error_share <= noise or not isinstance(chosen.popularity, Zipf):
        return chosen
    places, bend = list[int](), _bend_without(counts, ())
    for _ in range(APART_MAX if math.isfinite(bend) else 0):
        # The one without which the others are nearest to a power law.
        bends = {place: _bend_without(counts, (*places, place)) for place in range(APART_RANKS) if place not in places}
        places.append(min(bends, key=bends.__getitem__))
        if bends[places[-1]] > STRAIGHT * bend:
            continue
        others = _zipf_fit(_without(counts, places))
        if others is None or not isinstance(others.popularity, Zipf):
            return chosen
        theta, apart = others.popularity.theta, counts.counts[places] / counts.total
        ranks = np.arange(1, min(others.distinct, _CHANCE) + 1, dtype=np.float64)
        shares = (1 - float(apart.sum())) * _zipf(others.distinct, theta)[0][0] * ranks**-theta
        together = _with_error(counts, others.popularity, others.distinct, np.concatenate([apart, shares]))
        if together.error_share <= min(max(noise, NEAR_ERROR / 2), chosen.error_share - noise / 2):
            apart_shares = tuple(float(f"{share:.3g}") for share in np.sort(apart)[::-1])
            return replace(chosen, apart=apart_shares, apart_law=others.popularity)
    return chosen


def _bend_without(counts: _Counts, places: Sequence[int]) -> float:
    """Return how far the busiest values but these are from a power law; ∞ where they are too few, or a sample."""
    first = [n for n in range(APART_RANKS + len(places)) if n not in places]
    is_exact = counts.counts.size >= APART_RANKS + APART_MAX and (counts.weights[first] == 1).all()
    return _bend(counts.counts[first]) if is_exact else math.inf


def _bend(ordered: Floats) -> float:
    """Return how far counts in falling order are from a straight line over their ranks, on logarithmic scales."""
    ranks, logs = np.log(np.arange(1.0, ordered.size + 1)), np.log(ordered)
    # Chance moves the logarithm of a count c by 1 / √c, so each is weighted by its count.
    line = np.polynomial.Polynomial.fit(ranks, logs, 1, w=np.sqrt(ordered))
    return float((ordered * (logs - line(ranks)) ** 2).sum())


def _without(counts: _Counts, places: Sequence[int]) -> _Counts:
    """Return the counts of all values but these."""
    others = np.delete(counts.counts, places)
    total = counts.total - float(counts.counts[list(places)].sum())
    return _Counts(others, np.delete(counts.weights, places), total, counts.distinct - len(places))


def _zipf_fit(counts: _Counts) -> PopularityFit | None:
    """Return the Zipf fit: θ and the number of values that explain both figures."""
    low, high = 0.0, THETA_MAX
    values = 0
    for _ in range(_STEPS):
        theta = (low + high) / 2
        values = _values_behind(counts, _expected_of_zipf(theta, counts.total))
        shares, sizes = _zipf(values, theta)
        # Σ p² grows with θ, so bisection finds the θ whose chance of equal pairs is the counted one.
        if float((sizes * shares**2).sum()) < counts.same_share:
            low = theta
        else:
            high = theta
    if high < EVEN_THETA or low > THETA_MAX - 0.01:
        return None
    theta = float(f"{(low + high) / 2:.3g}")
    shares, _ = _zipf(values, theta)
    ranks = np.arange(1, min(values, _CHANCE) + 1, dtype=np.float64)
    return _with_error(counts, Zipf(theta=theta), values, shares[0] * ranks**-theta)


def _zipf(size: float, theta: float) -> tuple[Floats, Floats]:
    """Return shares of values and how many values have about that share, the busiest first.

    Shape: 1 for each of the first ranks, then one for each group of ranks, of which the middle stands for all.
    """
    exact = int(min(size, _EXACT))
    shares, sizes = _first_weights(theta)[:exact], np.ones(exact)
    if size > exact:
        middles, group_sizes = _groups(exact, size)
        shares, sizes = np.concatenate([shares, middles**-theta]), np.concatenate([sizes, group_sizes])
    return shares / float((shares * sizes).sum()), sizes


@lru_cache(maxsize=1)
def _first_weights(theta: float) -> Floats:
    """Return i^-θ of the ranks that are summed one by one: for one θ, many numbers of values are tried."""
    return np.arange(1, _EXACT + 1, dtype=np.float64) ** -theta


@lru_cache(maxsize=256)
def _groups(exact: int, size: float) -> tuple[Floats, Floats]:
    """Return the middle rank of each group behind the first ranks, and its number of ranks: each θ tries the same."""
    edges = np.geomspace(exact + 0.5, size + 0.5, 400)
    # The geometric middle of a group of ranks, as a power law is straight on a logarithmic scale.
    return np.sqrt(edges[1:] * edges[:-1]), np.diff(edges)


def _values_behind(counts: _Counts, expected_distinct: Callable[[float], float]) -> int:
    """Return how many values there must be for as many to have come: some never did by chance."""
    low, high = counts.distinct, float(VALUES_MAX)
    if expected_distinct(high) <= counts.distinct:
        return VALUES_MAX
    for _ in range(_STEPS):
        # Geometric bisection: the number of values can be anything between what came and 10^9.
        middle = math.sqrt(low * high)
        if expected_distinct(middle) < counts.distinct:
            low = middle
        else:
            high = middle
    return max(round(high), round(counts.distinct))


def _expected_of_even(requests: float) -> Callable[[float], float]:
    """Return the function from a number of even values to how many of them come in so many requests."""
    # A value with share p comes at least once with probability 1 − e^(−N p). For N p near 0, `expm1` keeps the digits
    # that 1 − exp would lose.
    return lambda size: -size * math.expm1(-requests / size)


def _expected_of_zipf(theta: float, requests: float) -> Callable[[float], float]:
    """Return the function from a number of values to how many of them come in so many requests."""
    first = _first_weights(theta)
    sums, rising = first.cumsum(), -first

    def expected_distinct(size: float) -> float:
        exact = int(min(size, _EXACT))
        total = float(sums[exact - 1])
        weights, sizes = None, None
        if size > exact:
            middles, sizes = _groups(exact, size)
            weights = middles**-theta
            total += float(weights @ sizes)
        scale = requests / total
        # Of a rank with so many requests it is certain that it comes: only the others need the exponential function.
        certain = min(int(np.searchsorted(rising, -_CERTAIN / scale)), exact)
        came = certain - float(np.expm1(-scale * first[certain:exact]).sum())
        return came if weights is None else came - float(np.expm1(-scale * weights) @ sizes)

    return expected_distinct


def _with_error(counts: _Counts, popularity: Popularity, values: int, shares: Floats) -> PopularityFit:
    """Return the fit with its error: of the busiest values' shares, allowing for what chance adds to them."""
    chance, most = _chance_counts(shares, counts.total), max(HEADS)
    busiest = np.sort(np.partition(chance, -most)[-most:] if chance.size > most else chance)[::-1]
    errors = (
        abs(float(busiest[:number].sum() / counts.total) - counts.head_share(number))
        for number in HEADS
        if number <= counts.counts.size
    )
    error = max(errors, default=0.0)
    came = 0 if (counts.weights > 1).any() else round(counts.distinct)
    return PopularityFit(
        popularity, values, error, counts.head_share(1), round(counts.total), came=came,
        has_outlier=bool(counts.counts[0] > OUTLYING * busiest[0] + 6 * math.sqrt(busiest[0])),
    )  # fmt: skip


def _chance_counts(shares: Floats, requests: float) -> Floats:
    """Return counts as they come by chance: of equal shares the largest are above the mean."""
    return np.random.default_rng(1).poisson(shares * requests).astype(np.float64)
