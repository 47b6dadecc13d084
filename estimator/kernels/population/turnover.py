"""Births and ends of combinations of values, and the part of a window in which each is in use."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from designer.document.popularity import Latest
from estimator.kernels.keys.values.zeta import zipf_sum
from estimator.results.arrays import Flags, Floats, distinct

from .quadrature import gauss

EVER_DAYS = 1e12
PIECES = (0.25, 0.5, 0.75)
"""Where the part of a window since the start is cut…"""
CHANGED = 1.1
"""…in which combinations in use become more or fewer by such a factor."""
SHORT_LIFE_DAYS = 14.0
"""Windows of shorter lives are sampled more densely, as they meet single hours and days."""
DAYS_MOST = 128
"""A window in which values come is seen by its days, or so many parts…"""
RATES = (2.0, 4.0, 16.0)
PIECES_MOST = 12
"""…of which those in a row are one piece whose rates of events differ by less than such a factor, the first that leaves
so few pieces."""
AGES = 6
"""So many parts of a window are told apart at least, in which as many values are in use."""
_YOUNG = np.array([0.003, 0.01, 0.03, 0.1, 0.3, 1.0])
"""Values that come in one piece are told apart by their age."""
POINTS, WEIGHTS = (a / 2 for a in gauss(6))
POINTS = POINTS + 0.5
"""Where a function on 0…1 is taken for its integral, and how much each point weighs."""


@dataclass(frozen=True, eq=False)
class Turnover:
    """Change of the combinations in use over time."""

    in_use: Callable[[Floats], Floats]
    """Combinations in use on some days ÷ those that the strata count."""
    born: Callable[[Floats], Floats]
    """Combinations that begin to be in use a day ÷ those that the strata count. [1/day]"""
    life_days: float = math.inf
    latest: Latest | None = None
    """The newest values of one field are drawn most; the strata count that field's values once."""
    latest_values: float = 1.0
    """Values of that field. [values]"""
    latest_born: float = 0.0
    """Values of it that come a day. [1/day]"""
    latest_life_days: float = math.inf
    """How long each of them is in use. [day]"""
    written_at_birth: float = 0.0
    """New combinations a day each of which begins with an event of its own. [1/day]"""

    @cached_property
    def is_still(self) -> bool:
        """Nothing comes or goes."""
        days = np.array([-1e3, 0.0, 1.0, 1e3])
        return math.isinf(self.life_days) and self.latest is None and not self.born(days).any()

    def change_days(self) -> Floats:
        """Return days between which about as many combinations are in use, ascending from the start. [day]"""
        years = 4_000.0 * (np.arange(129) / 128) ** 2  # eleven years, closer where relatively more come
        lives = min(self.life_days, 1.0) * np.arange(33) / 32
        return np.concatenate(
            [years, lives, self.life_days * np.arange(33) / 32] if self.life_days < 4_000 else [years]
        )

    def shared_events(self, between: Callable[[Floats, Floats], Floats], begin_day: float) -> "SharedEvents":
        """Return the events that `between` counts, none before a day, shared by the combinations in use at a time."""
        edges = distinct(np.append(self.change_days(), min(begin_day, 0.0)))
        in_use = np.maximum(self.in_use((edges[1:] + edges[:-1]) / 2), 1e-300)
        upto = np.concatenate(([0.0], np.cumsum(between(edges[:-1], edges[1:]) / in_use)))
        return SharedEvents(between, edges, upto, in_use)

    def cohorts(self, first: float, last: float) -> tuple[Floats, Floats, Floats, Flags]:
        """Return combinations by when they began: how many ÷ the strata's, their part of the window, whether in it."""
        life = self.life_days
        if math.isinf(life):
            after = max(last, 0.0)
            # What came before the window and what comes in it are other pieces: no rule sees a step within one.
            edges = distinct(np.append(after * np.array([0.0, 0.1, 0.4, 1.0]), min(max(first, 0.0), after)))
            birth, weight = _nodes(edges)
            keys = np.concatenate([self.in_use(np.zeros(1)), self.born(birth) * weight])
            birth = np.concatenate([[-EVER_DAYS], birth])
        else:
            turns = [first - life, min(first, last - life), max(first, last - life), last]
            edges = distinct([*turns, min(max(0.0, turns[0]), last)])  # at the start values begin to come
            dense = life < SHORT_LIFE_DAYS and last - first > 2 * life
            birth, weight = _nodes(edges, middle=64 if dense else 0)
            keys = self.born(birth) * weight
        begin = np.maximum(birth, first)
        return keys, begin, np.maximum(np.minimum(birth + life, last), begin), birth >= first

    def of_latest(
        self,
        days: float,
        in_use: float,
        *,
        new: float | None = None,
        at_first: float | None = None,
        before: float = 0.0,
        pieces: tuple[Floats, Floats] | None = None,
        borders: Floats | None = None,
    ) -> tuple[Floats, Floats, Floats]:
        """Return values of the field whose newest are drawn most, over so many days.

        Each is drawn as often as its age says while younger ones come, until it is no longer in use.

        Parameters
        ----------
        days
            While values come. [day]
        new
            Values that come, where not as many as come in the end. [values]
        in_use, at_first
            Combinations in use at the end, and as they begin to come, ÷ those that the strata count; the latter unset:
            as many.
        before
            Share of the events that came before values did. [1]
        pieces : two of float64, shape (pieces + 1,) and (pieces,)
            Between how many new values which share of the events comes; unset: evenly. [values], [1]
        borders : float64, ascending from 0
            After how many new values more or fewer events come. [values]

        Returns
        -------
        three of float64, shape (classes,)
            Values of each class; the share of events of one; how often one is drawn at the end, relative.
        """
        theta = self.latest.theta if self.latest else 1.0
        there = max(self.latest_values * in_use, 1.0)
        most = self.latest_born * self.latest_life_days
        new = self.latest_born * days if new is None else new
        new = new if math.isfinite(most) else min(new, there)
        old = max(there - new, 0.0)
        if math.isfinite(most):
            old = there if at_first is None else max(self.latest_values * at_first, 1.0)
        edges = distinct(np.concatenate([np.arange(min(17.0, old + 1)), np.geomspace(1, max(old, 1.0), 64), [old]]))
        edges = edges[edges <= old]
        counts = np.diff(edges)
        still = np.diff(_zipf_until(edges, theta)) / counts
        if new < 1e-9:
            return counts, still / float((counts * still).sum()), still
        middle = (edges[1:] + edges[:-1]) / 2
        fresh = np.concatenate([[0.0], np.geomspace(new * 1e-4, new, 40)])
        if borders is not None and len(borders) > 2:
            young = new - borders[1:-1, None] + np.diff(borders[:-1])[:, None] * _YOUNG
            fresh = np.unique(np.concatenate([fresh, new - borders[1:-1], young.ravel()]))
        at = (fresh[1:] + fresh[:-1]) / 2
        keys = np.concatenate([counts, np.diff(fresh)])
        rank = np.concatenate([middle + new, at])
        begin = np.concatenate([middle, np.zeros(len(at))])
        last = np.full(len(rank), math.inf)
        if math.isfinite(most):
            last = np.concatenate([middle + most * (1 - middle / old), np.full(len(at), most)])
        new_values, part = pieces if pieces is not None else (np.array([0.0, new]), np.array([1 - before]))
        reached = np.clip(rank[:, None] - (new - np.minimum(new_values, new)), begin[:, None], last[:, None])
        weights = np.diff(_zipf_until(reached, theta), axis=1)
        share = weights @ (part / np.maximum(keys @ weights, 1e-300))
        share[: len(still)] += still * before / max(float((counts * still).sum()), 1e-300)
        # Divided by `keys`: among so many values, the ends of a span may be the same number.
        by_age = np.concatenate([np.diff(_zipf_until(bounds, theta)) for bounds in (edges + new, fresh)]) / keys
        now = np.where(rank < last, by_age, 0.0)
        return keys, share, now

    def latest_between(
        self,
        first: float,
        last: float,
        between: Callable[[Floats, Floats], Floats],
        within: tuple[float, float] | None = None,
    ) -> tuple[Floats, Floats, Floats]:
        """Return `of_latest` of a window, whose events `between` counts; shares are of the events `within` days of it.

        Before the start, on day 0, values come only in the place of others that die.
        """
        start = min(max(first, 0.0), last)
        come = first if math.isfinite(self.latest_life_days) else start
        since, until = (first, last) if within is None else (min(max(day, first), last) for day in within)
        days = np.linspace(np.ceil(come), np.floor(last), min(int(last - come), DAYS_MOST) + 1)
        steps = _steady(np.unique([come, start, last, *days[(days > come) & (days < last)]]), between)
        even = np.linspace(come, last, AGES + 1)[1:-1]  # of more values each is drawn less often
        edges = np.unique([*steps, *even, *(day for day in (since, until) if day > come)])
        events = between(edges[:-1], edges[1:]) * ((edges[:-1] >= since) & (edges[1:] <= until))
        earlier = float(between(np.array([min(since, come)]), np.array([min(until, come)]))[0])
        total = max(float(events.sum()) + earlier, 1e-300)
        then, at_start, now = self.in_use(np.array([come, start, last])).tolist()
        replaced = self.latest_values * at_start / self.latest_life_days
        born, borders = (
            self.latest_born * np.maximum(moments - start, 0.0) + replaced * (np.minimum(moments, start) - come)
            for moments in (edges, steps)
        )
        return self.of_latest(
            last - come, now, new=float(born[-1]), at_first=then, before=earlier / total,
            pieces=(born, events / total), borders=borders,
        )  # fmt: skip

    def pieces(self, first: float, last: float, bucket_days: float) -> list[float]:
        """Return the ends of a window, with the days between which about as many combinations are in use. [day]

        These are midnights, or ends of buckets of several days.
        """
        if self.is_still or self.latest is not None or not first < last:
            return [first, last]
        step, since = (bucket_days, first) if bucket_days > 1 else (1.0, 0.0)
        days = [since + step * math.floor((last * part - since) / step + 0.5 * (step > 1)) for part in (0.0, *PIECES)]
        days = [first, *sorted({day for day in days if first + step <= day <= last - step}), last]
        in_use = self.in_use(np.array(days))
        return days if in_use.max() > CHANGED * in_use.min() else [first, last]

    @property
    def all_stay(self) -> bool:
        """Return whether what is in use stays so for ever, and each as much as it was."""
        return self.latest is None and math.isinf(self.life_days)

    def stays(self, length: float, in_use: float) -> tuple[Floats, Floats]:
        """Return combinations in use within a bucket ÷ those of the strata, and what part of it they are in use."""
        life = self.life_days
        if self.latest is not None:
            return self.of_latest(length, in_use)[:2]
        if self.all_stay:
            return np.array([in_use]), np.ones(1)
        shorter = min(length, life)
        keys = np.concatenate([[abs(length - life) / life], 2 * shorter / life * WEIGHTS]) * in_use
        return keys, np.concatenate([[1.0], POINTS]) * (shorter / length)


@dataclass(frozen=True, eq=False)
class SharedEvents:
    """Events, each ÷ combinations in use as it comes."""

    between: Callable[[Floats, Floats], Floats]
    edges: Floats
    """(edges,) days between which as many combinations are in use. [day]"""
    upto: Floats
    """(edges,) from the first of them. [events]"""
    in_use: Floats
    """(edges - 1,) combinations ÷ those that the strata count."""

    def until(self, days: Floats) -> Floats:
        """Return those until some days: (days,). [events]"""
        place = np.clip(np.searchsorted(self.edges, days, side="right") - 1, 0, len(self.in_use) - 1)
        since = self.between(self.edges[place], np.maximum(days, self.edges[place]))
        return np.asarray(self.upto[place] + since / self.in_use[place])


def _steady(days: Floats, between: Callable[[Floats, Floats], Floats]) -> Floats:
    """Return those of some days, ascending, between which events come at about one rate."""
    rates = between(days[:-1], days[1:]) / np.maximum(np.diff(days), 1e-12)
    for factor in RATES:
        cuts, least, most = [0], math.inf, 0.0
        for place, rate in enumerate(rates.tolist()):
            least, most = min(least, rate), max(most, rate)
            if most > factor * least:
                cuts.append(place)
                least = most = rate
        if len(cuts) <= PIECES_MOST:
            return days[[*cuts, -1]]
    return days[[0, -1]]


STILL = Turnover(in_use=np.ones_like, born=np.zeros_like)


def _nodes(edges: Floats, *, middle: int = 0) -> tuple[Floats, Floats]:
    """Return points and weights of an integral over pieces; the widest piece may have `middle` even points."""
    points, weights = [], []
    widest = int(np.argmax(np.diff(edges))) if len(edges) > 1 else 0
    for place, (low, high) in enumerate(itertools.pairwise(edges.tolist())):
        even = middle and place == widest
        at, part = ((np.arange(middle) + 0.5) / middle, np.full(middle, 1 / middle)) if even else (POINTS, WEIGHTS)
        points.append(low + (high - low) * at)
        weights.append((high - low) * part)
    if not points:
        return np.zeros(0), np.zeros(0)
    return np.concatenate(points), np.concatenate(weights)


def _zipf_until(ranks: Floats, theta: float) -> Floats:
    """Zipf weights of the first so many values, the last of them in part."""
    whole = np.floor(ranks)
    return np.asarray(zipf_sum(whole, theta) + (ranks - whole) * (whole + 1) ** -theta)
