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
    """Of the values that have not been there from the start."""
    staying: float = 0.0
    """So many of the first ranks have the values that they always had."""


@dataclass(frozen=True)
class Ranks:
    """Events of a popularity on some ranks alone."""

    now: Popularity | Earlier
    before: float
    """So many ranks come before them."""
    last: float = math.inf


def rank_share(law: Popularity | Earlier | Ranks, ranks: Floats, values: float) -> Floats:
    """Return the share of events on the values up to each rank, in whole numbers: (ranks,); all as if they were there.

    Of an earlier day it is the mean over all orders in which the values may have come.
    """
    if isinstance(law, Ranks):
        first = min(law.before, values)
        upto = rank_share(law.now, np.clip(ranks, first, law.last), values)
        return np.asarray(upto - rank_share(law.now, np.array([first]), values))
    if not isinstance(law, Earlier):
        return top_share(law, ranks, values)
    behind, staying = max(values - law.staying, 1.0), law.staying
    there = max(round(behind * law.part), 1)

    def until(others: Floats) -> Floats:
        """Return the share of those that stay, with so many of the others that were there."""
        return top_share(law.now, staying + np.minimum(others, there), staying + there)

    ranks = np.asarray(ranks, dtype=np.float64)
    of_others = np.maximum(ranks - staying, 0.0)
    before = of_others * there / behind
    low = np.floor(before)
    share = until(low)
    share = share + (before - low) * (until(low + 1) - share)
    exact = of_others <= EXACT_RANKS
    sums = until(np.arange(EXACT_RANKS + 1.0))
    chance = _chances_before(round(behind), there)
    share[exact] = np.append(sums[0], chance @ sums)[of_others[exact].astype(np.int64)]
    stays = ranks <= staying
    share[stays] = top_share(law.now, ranks[stays], staying + there)
    return np.asarray(share)


@lru_cache(maxsize=64)
def _chances_before(values: int, there: int) -> Floats:
    """Return how likely so many of the first values were there, `there` of all: (ranks from 1, numbers from 0)."""
    most = min(values, EXACT_RANKS)
    # Logarithms of factorials.
    sums = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, max(min(values, FEW_VALUES), most) + 1)))))

    def choices(of: Ints, some: Ints) -> Floats:
        able = (some >= 0) & (some <= of)
        of, some = np.where(able, of, 0), np.where(able, some, 0)
        return np.where(able, sums[of] - sums[some] - sums[of - some], -np.inf)

    rank, number = np.broadcast_arrays(np.arange(1, most + 1)[:, None], np.arange(EXACT_RANKS + 1)[None, :])
    if values > FEW_VALUES:
        part = there / values
        return np.asarray(np.exp(choices(rank, number)) * part**number * (1 - part) ** np.maximum(rank - number, 0))
    logs = choices(rank, number) + choices(values - rank, there - number)  # the hypergeometric law
    return np.asarray(np.exp(logs - choices(np.array(values), np.array(there))))


def earlier_parts(first: float) -> tuple[float, ...]:
    """Return the parts by which days are told apart, descending, where the first day had a part of the values."""
    if first >= LEAST_PART:
        return ()
    steps = min(math.ceil(math.log(1 / first) / math.log(PART_STEP)), PARTS_MOST)
    return tuple(first ** (step / steps) for step in range(1, steps + 1))


@dataclass(frozen=True, eq=False)
class GrownLaws:
    """Choice of the strata's laws that draw events while values come: on earlier days, and of those that stay."""

    in_use: Callable[[Floats], Floats]
    """Values of the field on some days ÷ those at the end, without those that stay."""
    parts: Floats
    """(laws,) ascending, the last of them 1."""
    laws: tuple[int, ...]
    staying: int | None = None
    """The law of values that stay in their ranks from the start, where the others leave these out."""
    of_existing: bool = False
    """Of values that were there; else in the mean over all that are there now."""

    def by_law(self, events: Floats, first: Floats, last: Floats, *, laws: int) -> Floats:
        """Return so many events between days by the law that draws them: (windows, laws)."""
        days = first[:, None] + POINTS * (last - first)[:, None]
        part = self.in_use(days) @ WEIGHTS
        # Between two laws each draws a part, by the logarithm of the values that there were.
        near = [np.interp(np.log(part), np.log(self.parts), one) for one in np.eye(len(self.parts))]
        found = np.zeros((len(events), laws))
        # A law's share of a value is the mean with and without it: of one that was there it is more by 1 ÷ part.
        found[:, self.laws] = np.stack(near, axis=1) * (events / (part if self.of_existing else 1.0))[:, None]
        if self.staying is not None:
            found[:, self.staying] = events  # all: that law takes only the shares of those that stay
        return found


def laws_of_staying(grown: Iterable[GrownLaws | None], laws: int) -> Flags:
    """Return which of so many laws draw values that stay in their ranks from the start, while others come: (laws,)."""
    return np.isin(
        np.arange(laws), [grown_laws.staying for grown_laws in grown if grown_laws and grown_laws.staying is not None]
    )
