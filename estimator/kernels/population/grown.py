"""A popularity by rank while its field grows: values that come take random ranks among those that are there.

Those that a weight is stated for are there from the start, and none that comes takes its rank.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from designer.document.popularity import Popularity
from estimator.kernels.keys.values.popularity import top_share
from estimator.results.arrays import Flags, Floats, Ints

from .turnover import POINTS, WEIGHTS

LEAST_PART = 0.85
"""A field that had at least so large a part of its values was as it is."""
PARTS_MOST, PART_STEP = 4, 1.7
"""Earlier days are told apart by the part of the values that there were: so many at most, by such a factor."""
EXACT_RANKS = 64
"""Up to this rank it is seen how many of the values before it were there by chance; behind it, in the mean…"""
FEW_VALUES = 4_096
"""…and of more values than these, each by itself."""


@dataclass(frozen=True)
class Earlier:
    """A popularity on a day when only a part of the values was there, by the ranks that they have now."""

    now: Popularity
    part: float


@dataclass(frozen=True)
class Ranks:
    """Events of a popularity on some ranks alone."""

    now: Popularity
    before: float
    """So many ranks come before them."""
    last: float = math.inf


def rank_share(law: Popularity | Earlier | Ranks, ranks: Floats, values: float) -> Floats:
    """Return the share of events on the values up to each rank, in whole numbers: (ranks,); all as if they were there.

    Of an earlier day it is the mean over all orders in which the values may have come.
    """
    if isinstance(law, Ranks):
        upto = top_share(law.now, np.clip(ranks, min(law.before, values), law.last), values)
        return np.asarray(upto - top_share(law.now, np.array([min(law.before, values)]), values))
    if not isinstance(law, Earlier):
        return top_share(law, ranks, values)
    there = max(round(values * law.part), 1)
    before = ranks * there / values
    low = np.floor(before)
    share = top_share(law.now, low, there)
    share = share + (before - low) * (top_share(law.now, np.minimum(low + 1, there), there) - share)
    exact = ranks <= EXACT_RANKS
    chance = _chances_before(round(values), there)
    sums = top_share(law.now, np.minimum(np.arange(EXACT_RANKS + 1), there), there)
    share[exact] = (chance @ sums)[ranks[exact].astype(np.int64) - 1]
    return np.asarray(share)


@lru_cache(maxsize=64)
def _chances_before(values: int, there: int) -> Floats:
    """Return how likely so many of the first values were there, `there` of all: (ranks from 1, numbers from 0)."""
    most = min(values, EXACT_RANKS)
    sums = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, max(min(values, FEW_VALUES), most) + 1)))))

    def choices(of: Ints, some: Ints) -> Floats:
        able = (some >= 0) & (some <= of)
        of, some = np.where(able, of, 0), np.where(able, some, 0)
        return np.where(able, sums[of] - sums[some] - sums[of - some], -np.inf)

    rank, number = np.broadcast_arrays(np.arange(1, most + 1)[:, None], np.arange(EXACT_RANKS + 1)[None, :])
    if values > FEW_VALUES:
        part = there / values
        return np.asarray(np.exp(choices(rank, number)) * part**number * (1 - part) ** np.maximum(rank - number, 0))
    logs = choices(rank, number) + choices(values - rank, there - number)
    return np.asarray(np.exp(logs - choices(np.array(values), np.array(there))))


def earlier_parts(first: float) -> tuple[float, ...]:
    """Return the parts by which days are told apart, descending, where the first day had a part of the values."""
    if first >= LEAST_PART:
        return ()
    steps = min(math.ceil(math.log(1 / first) / math.log(PART_STEP)), PARTS_MOST)
    return tuple(first ** (step / steps) for step in range(1, steps + 1))


@dataclass(frozen=True)
class StayingLaws:
    """Choice of the strata's laws where some values stay in their ranks from the start: those of the others, of these.

    Which of them draws an event does not change with time.
    """

    laws: tuple[int, int]

    def weights(self, first: Floats, last: Floats) -> Floats:
        """Return by how much each law draws the events between days: (windows, laws)."""
        return np.ones((len(last), 2))


@dataclass(frozen=True, eq=False)
class GrownLaws:
    """Choice of the strata's laws that draw events on earlier days."""

    in_use: Callable[[Floats], Floats]
    """Values of the field on some days ÷ those at the end."""
    parts: Floats
    """(laws,) ascending, the last of them 1."""
    laws: tuple[int, ...]
    of_existing: bool = False
    """Of values that were there; else in the mean over all that are there now."""

    def weights(self, first: Floats, last: Floats) -> Floats:
        """Return by how much each law draws the events between days: (windows, laws)."""
        days = first[:, None] + POINTS * (last - first)[:, None]
        part = self.in_use(days) @ WEIGHTS
        near = [np.interp(np.log(part), np.log(self.parts), one) for one in np.eye(len(self.parts))]
        return np.stack(near, axis=1) / (part[:, None] if self.of_existing else 1.0)


def laws_of_staying(grown: Iterable[GrownLaws | StayingLaws | None], laws: int) -> Flags:
    """Return which of so many laws draw values that stay in their ranks from the start, while others come: (laws,)."""
    return np.isin(np.arange(laws), [each.laws[1] for each in grown if isinstance(each, StayingLaws)])
