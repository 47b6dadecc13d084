"""Strata: values or combinations of values that are equally busy, counted instead of listed."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.document.popularity import HotSet, Latest, Popularity, Uniform, Weights, Zipf
from estimator.results.arrays import Floats, Ints, distinct

from .grown import Earlier, Ranks, rank_share

ALONE = 16
"""So many of the busiest values are strata of their own…"""
STRATA_MOST = 96
"""…and combinations are merged above so many, on a logarithmic grid of their shares."""
OWNED_MOST = 20
"""Values and owners are merged to about so many strata before each is seen with each."""
_STEPS = 10.0
"""Rank blocks for each factor of ten in rank."""


@dataclass(frozen=True, eq=False)
class Strata:
    """Combinations of field values in strata, below the values that are bound.

    A stratum holds `count` combinations below each of the `bound_count[bound]` bound values that it belongs to.
    Nothing is bound where `bound_count` is `[1]`.
    """

    count: Floats
    """(strata,) combinations below one bound value. [combinations]"""
    share: Floats
    """(laws, strata) share of a law's events that one combination takes. [1]"""
    bound: Ints
    """(strata,) which bound value a stratum is below."""
    bound_count: Floats
    """(bounds,) equally busy bound values. [values]"""

    @property
    def total_count(self) -> Floats:
        """Combinations of each stratum below all bound values: (strata,). [combinations]"""
        return self.count * self.bound_count[self.bound]

    @property
    def count_by_bound(self) -> Floats:
        """Combinations of each stratum below each bound value: (strata, bounds). [combinations]"""
        counts = np.zeros((len(self.count), len(self.bound_count)))
        counts[np.arange(len(self.count)), self.bound] = self.count
        return counts

    def bound_share(self) -> Floats:
        """Share of events of one bound value, by law: (laws, bounds). [1]"""
        return np.array(
            [np.bincount(self.bound, row * self.count, minlength=len(self.bound_count)) for row in self.share]
        )


def flat(count: Floats, share: Floats) -> Strata:
    """Return strata below nothing bound."""
    return Strata(count, share, np.zeros(len(count), dtype=np.int64), np.ones(1))


def each_bound(strata: Strata) -> Strata:
    """Return the same combinations, each of them bound."""
    many = len(strata.count)
    return Strata(np.ones(many), strata.share, np.arange(many), strata.total_count)


def popularity_strata(laws: Sequence[Popularity | Earlier | Ranks], values: float) -> Strata:
    """Return the values of one field in strata.

    Parameters
    ----------
    laws
        One for each kind of event; all list the values in one order, the busiest first.
    values : float > 0
        Values in use. [values]

    Returns
    -------
    Strata
        Ranks 1 to 16 alone, then blocks of ranks that widen geometrically; shares of blocks are exact.
    """
    if all(isinstance(law, Uniform) for law in laws):
        return flat(np.array([values]), np.full((len(laws), 1), 1.0 / values))
    edges = _rank_edges(laws, values)
    count = np.diff(edges, prepend=0.0)
    whole = np.maximum(np.round(edges), 1.0)  # shares are of whole ranks: a part of a value is the last one's
    most = max(float(whole[-1]), 1.0)
    share = np.array([np.diff(rank_share(law, whole, most), prepend=0.0) / count for law in laws])
    share[[isinstance(law, Uniform) for law in laws]] = 1.0 / values  # exact without whole ranks
    return flat(count, share)


def _rank_edges(laws: Sequence[Popularity | Earlier | Ranks], values: float) -> Floats:
    """Return the upper ranks of blocks, ascending, the last of them `values`."""
    last = max(values, 1e-300)
    skewed = any(isinstance(law, Zipf | Latest | Earlier) for law in laws)
    edges = [np.arange(1.0, (min(ALONE, math.floor(last)) if skewed else 0) + 1)]
    if last > ALONE and skewed:
        blocks = max(int(_STEPS * math.log10(last / ALONE)), 1) + 1
        edges.append(np.round(np.geomspace(ALONE, last, blocks + 1)))
    for law in laws:
        if isinstance(law, HotSet):
            edges.append(np.array([np.clip(np.round(law.value_share * np.round(last)), 1, max(np.round(last), 1))]))
        if isinstance(law, Weights):
            edges.append(np.arange(1.0, min(len(law.weights), last) + 1))
    ranks = distinct(np.concatenate(edges))
    ranks = ranks[(ranks > 0) & (ranks < last - 0.5)]  # a last block of half a value would round to none
    return np.append(ranks, last)


def product(first: Strata, second: Strata) -> Strata:
    """Return the combinations of two independent parts, merged where they are many."""
    ones, twos = len(first.count), len(second.count)
    bounds = len(second.bound_count)
    count = np.outer(first.count, second.count).ravel()
    share = (first.share[:, :, None] * second.share[:, None, :]).reshape(len(first.share), ones * twos)
    bound = (first.bound[:, None] * bounds + second.bound[None, :]).ravel()
    return merge(Strata(count, share, bound, np.outer(first.bound_count, second.bound_count).ravel()))


def merge(strata: Strata, most: int = STRATA_MOST) -> Strata:
    """Return fewer strata of nearly equal shares; counts and count × share are kept exactly."""
    merged = strata if len(strata.bound_count) <= most else _merge_bounds(strata, most)
    if len(merged.count) <= most * min(len(merged.bound_count), 16):
        return merged
    label = merged.bound * (2 * most) + _bins(merged.share, most)
    return _gather(merged, label, merged.bound, merged.bound_count, np.ones(len(merged.count)))


def _merge_bounds(strata: Strata, most: int) -> Strata:
    """Return strata with fewer bound values: those of nearly equal shares and equal counts below become alike."""
    label = _bins(strata.bound_share(), most)
    kinds, place = np.unique(label, return_inverse=True)
    bound_count = np.bincount(place, strata.bound_count, minlength=len(kinds)).astype(np.float64)
    # Counts are below one bound value: the mean of those that become alike.
    weight = (strata.bound_count / bound_count[place])[strata.bound]
    bound = place[strata.bound]
    return _gather(strata, bound * (2 * most) + _bins(strata.share, most), bound, bound_count, weight)


def _gather(strata: Strata, label: Ints, bound: Ints, bound_count: Floats, weight: Floats) -> Strata:
    kinds, first, place = np.unique(label, return_index=True, return_inverse=True)
    count = np.bincount(place, strata.count * weight, minlength=len(kinds)).astype(np.float64)
    share = np.array([np.bincount(place, strata.count * weight * row, minlength=len(kinds)) for row in strata.share])
    share = np.divide(share, count, out=np.zeros_like(share), where=count > 0)
    return Strata(count, share, bound[first], bound_count)


def _bins(share: Floats, most: int) -> Ints:
    """Return the place of each on a logarithmic grid of the shares, the busiest ones alone: below 2 × `most`."""
    key = share.max(axis=0)  # by the law in which they are busiest
    order = np.argsort(-key, kind="stable")
    places = np.empty(len(key), dtype=np.int64)
    places[order[:ALONE]] = np.arange(min(ALONE, len(key)))
    rest = order[ALONE:]
    least = float(key[rest].min(where=key[rest] > 0, initial=math.inf))  # what takes nothing widens no bin
    logs = np.log(np.maximum(key[rest], least if math.isfinite(least) else 1.0))
    if len(rest):
        span = max(float(logs.max() - logs.min()), 1e-12)  # all alike: one bin
        places[rest] = ALONE + np.minimum(((logs.max() - logs) / span * (most - ALONE)).astype(np.int64), most - 1)
    return places


def expand(strata: Strata, below: float | Floats, *, bind: bool = False) -> Strata:
    """Return the values that stand evenly below each combination.

    Parameters
    ----------
    below : float or float64, shape (strata,)
        Values below one combination. [values]
    bind
        Each of the values is bound; else what was bound stays.
    """
    many = np.broadcast_to(np.asarray(below, dtype=np.float64), strata.count.shape)
    grown = Strata(strata.count * many, strata.share / many, strata.bound, strata.bound_count)
    return each_bound(grown) if bind else grown


def spread(strata: Strata, below: Floats, *, lives: float = 1.0, bind: bool = False) -> Strata:
    """Return the values below each combination where each value has drawn its owner by chance.

    Parameters
    ----------
    strata : Strata
        Owners, each of them bound or none.
    below : float64, shape (strata,)
        Values below one owner, in the mean. [values]
    lives
        So many values have followed each other in one place, each with an owner of its own. [values]
    bind
        Each of the values is bound; else what was bound stays.

    Notes
    -----
    An owner of k values, k being binomial, has them share its events evenly. One without values has no events: of k
    values that come one after the other it has none for a part of the time.
    """
    below = below * lives
    if not np.any(below < SPREAD_MOST):
        below = below / lives
        return expand(strata, below, bind=bind)
    owners, below = _merge_owners(strata, below)
    total = float(below @ owners.total_count)
    place, chance, many = (
        np.concatenate(column)
        for column in zip(*(_owned(i, mean, total) for i, mean in enumerate(below.tolist())), strict=True)
    )
    is_bound = len(owners.bound_count) > 1 or bool(np.all(owners.bound_count != 1))
    has_values = 1 - (1 - 1 / lives) ** many
    many = many / lives
    share = owners.share[:, place] * has_values / many
    own = np.arange(len(place))
    if is_bound:
        grown = Strata(owners.count[place] * many, share, own, owners.bound_count[owners.bound[place]] * chance)
    else:
        grown = flat(owners.count[place] * chance * many, share)
    # Events of owners without values go to the others.
    lost = (grown.share @ grown.total_count) / (owners.share @ owners.total_count)
    grown = Strata(grown.count, grown.share / lost[:, None], grown.bound, grown.bound_count)
    return each_bound(grown) if bind else grown


def _merge_owners(strata: Strata, below: Floats) -> tuple[Strata, Floats]:
    """Return so few owners that each can be seen with every number of values, and their mean numbers."""
    scale = 1e-9 * float(strata.share.max()) / float(below.max())  # carried along, and no reason to stay apart
    merged = merge(replace(strata, share=np.vstack([strata.share, below * scale])), OWNED_MOST)
    return replace(merged, share=merged.share[:-1]), merged.share[-1] / scale


SPREAD_MOST = 50.0
"""Owners of so many values have nearly as many each."""
_SPREAD_CLASSES = 5


def _owned(place: int, mean: float, total: float) -> tuple[Ints, Floats, Floats]:
    """Return how likely an owner has how many values, in few classes without that of none: place, chance, values."""
    if mean >= SPREAD_MOST or total <= 1 or mean >= total:
        return np.array([place]), np.ones(1), np.array([mean])
    # Hardly any owner has more than eight deviations above the mean.
    number = np.arange(1.0, min(math.ceil(mean + 8 * math.sqrt(mean) + 8), max(round(total), 1)) + 1)
    part = min(mean / max(round(total), 1), 1 - 1e-9)
    tries = mean / part
    # The binomial law from P(0) on, each by its ratio to the one before; logarithms, as P(0) may be below any double.
    steps = np.log(np.maximum(tries - number + 1, 1e-300)) - np.log(number) + math.log(part) - math.log1p(-part)
    chance = np.exp(tries * math.log1p(-part) + np.cumsum(steps))
    mass = np.cumsum(chance * number)
    # Each class has about the same part of all values.
    label = np.minimum(
        (_SPREAD_CLASSES * (mass - chance * number / 2) / mass[-1]).astype(np.int64), _SPREAD_CLASSES - 1
    )
    kinds, first = np.unique(label, return_index=True)
    chances = np.add.reduceat(chance, first)
    values = np.add.reduceat(chance * number, first) / chances * (mean / mass[-1])  # the classes keep the mean
    return np.full(len(kinds), place), chances, values


def group(strata: Strata, groups: float, *, bind: bool) -> Strata:
    """Return what falls together into equally large groups: texts of a hash, buckets of numbers, owners of values.

    Parameters
    ----------
    strata : Strata
        Below nothing bound.
    groups : float
        How many groups there are. [groups]
    bind
        Groups are bound, with their members below them; else the groups themselves are returned.

    Returns
    -------
    Strata
        The busiest members are in groups of their own, as many as there are groups; the rest is even.
    """
    members = float(strata.count.sum())
    if groups >= members:
        return each_bound(strata) if bind else strata
    order = np.argsort(-strata.share.max(axis=0), kind="stable")
    count, share = strata.count[order], strata.share[:, order]
    before = np.concatenate(([0.0], np.cumsum(count)[:-1]))
    heads = np.clip(groups - before, 0.0, count)  # the busiest, one for each group
    rest = count - heads
    rest_share = (share * rest).sum(axis=1)
    per_group, chosen = (members - groups) / groups, heads > 0
    if not bind:
        return flat(heads[chosen], share[:, chosen] + (rest_share / groups)[:, None])
    bounds = int(chosen.sum())
    own = np.arange(bounds)
    with_rest = np.concatenate([np.ones(bounds), np.full(bounds, per_group)])
    mean = np.broadcast_to((rest_share / max(members - groups, 1e-300))[:, None], (len(share), bounds))
    shares = np.concatenate([share[:, chosen], mean], axis=1)
    return Strata(with_rest, shares, np.concatenate([own, own]), heads[chosen])


def assign(values: Strata, owners: Strata, stays: float | Floats = 1.0, asked: Collection[int] = ()) -> Strata:
    """Return values below their owners, which are bound: each value has drawn its owner by chance.

    Parameters
    ----------
    values, owners : Strata
        Below nothing bound; the first law of owners is the chance that a value has drawn one, then come those of
        `values`, of which the `asked` draw an owner themselves.
    stays : float or float64, shape (values.strata,)
        Events of the value itself ÷ those on its place, which others held before it: each of them had drawn an owner of
        its own. [1]

    Returns
    -------
    Strata
        An owner is told by one of its values and by how likely it was drawn; the others are what chance gives it.

    Notes
    -----
    Whoever draws a value meets its owner: a value of share p below an owner of chance q has q of all other values
    beside it. So that all owners get all events, there are n p q / (p + q (1 - p)) of them.
    """
    if owners.count.sum() <= 1:
        return flat(values.count, values.share)
    values, stays = _merge_values(values, stays)
    owners = merge(owners, max(OWNED_MOST**2 // len(values.count), OWNED_MOST))  # so many pairs of a value and an owner
    share, chance = values.share[0][:, None], owners.share[0]
    itself = stays[:, None] + (1 - stays[:, None]) * chance
    events = share * itself + chance * (1 - share)
    owner_count = values.count[:, None] * owners.count * share * chance / events
    # All but the one by which the owner is told.
    others = np.maximum(values.count - np.eye(len(values.count)), 0.0)[:, None, :] * chance[:, None]
    bounds, kinds = owner_count.size, len(values.count)
    own = np.arange(bounds)
    bound = np.concatenate([own, np.repeat(own, kinds)])
    count = np.concatenate([itself.ravel(), others.ravel()])
    shares = np.concatenate([np.repeat(values.share, len(chance), axis=1), np.tile(values.share, bounds)], axis=1)
    for law in asked:
        owner_share = owners.share[1 + law] * owners.count / owner_count.sum(axis=0)
        shares[law] = shares[0] * (owner_share / events).ravel()[bound]
    return merge(Strata(count, shares, bound, owner_count.ravel()))


def _merge_values(values: Strata, stays: float | Floats) -> tuple[Strata, Floats]:
    """Return so few values that each can be seen with each owner, and their events ÷ those on their places."""
    scale = 1e-9 / max(float(np.max(stays)), 1.0)  # carried along, and no reason to stay apart
    merged = merge(replace(values, share=np.vstack([values.share, values.share[0] * stays * scale])), OWNED_MOST)
    return replace(merged, share=merged.share[:-1]), merged.share[-1] / scale / np.maximum(merged.share[0], 1e-300)


_ROUNDS = 8  # what is capped in one may bring others above 1


def birth_chances(share: Floats, count: Floats, most: float) -> Floats:
    """Return chances in proportion to shares of events, so that `most` of all keys are taken: (strata,).

    None is above 1: what is beyond goes to the others.
    """
    chance = share * (most / max(float(share @ count), 1e-300))
    for _ in range(_ROUNDS):
        chance = np.minimum(chance, 1.0)
        rest = chance < 1
        remaining, there = most - float(count[~rest].sum()), float(chance[rest] @ count[rest])
        chance = np.where(rest, chance * (max(remaining, 0.0) / max(there, 1e-300)), chance)
    return np.asarray(np.minimum(chance, 1.0))
