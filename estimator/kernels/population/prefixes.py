"""What lies below a prefix of a key: rows below the values that requests give."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.document import Spec
from designer.document.key import SaltSegment, Segment
from designer.document.popularity import Popularity
from estimator.results.arrays import Floats

from .counts import Counts
from .events import EventClock
from .key_parts import KeyParts, horizon_days
from .poisson import capped_rows
from .population import Population
from .told_apart import random_salts, tell_apart
from .turnover import EVER_DAYS, STILL, Turnover


@dataclass(frozen=True, eq=False)
class Below:
    """Rows below the bound values of a prefix, in classes."""

    rows: Floats
    """(classes,) expected rows below one combination of bound values. [rows]"""
    count: Floats
    """(classes,) combinations that could be asked for. [combinations]"""
    asked: Floats
    """(classes,) share of requests for the class. [1]"""
    chance: Floats
    """(classes,) that a key of the rows has been written, in their mean. [1]"""
    clump: float = 1.0
    """So many of the rows come together, in one burst. [rows]"""

    @property
    def mean_met(self) -> float:
        """Rows below the values of a request, in the mean over requests. [rows]"""
        return float(self.rows @ self.asked)

    def mean_of_first(self, most: float, *, part: float = 1.0) -> float:
        """Return the rows of which a request takes the first `most`, where it meets a part of those below. [rows]"""
        return float(capped_rows(self.rows * part, self.chance, most, clump=self.clump) @ self.asked)

    def mean_per_row(self, rows: "Below") -> float:
        """Return what is below one row, such as cells, where a request draws values first and then one of their rows.

        Values that have no row are not asked for.
        """
        if len(rows.rows) != len(self.rows):
            return self.mean_met / rows.mean_met if rows.mean_met > 0 else 0.0
        weight = rows.asked * capped_rows(rows.rows, rows.chance, 1.0, clump=rows.clump)
        each = np.divide(self.rows, rows.rows, out=np.zeros_like(self.rows), where=rows.rows > 0)
        return float((each @ weight) / weight.sum()) if weight.any() else 0.0

    @property
    def largest(self) -> float:
        """Rows below the busiest combination. [rows]"""
        return float(self.rows.max(initial=0.0))


def rows_below(
    spec: Spec,
    segments: Sequence[Segment],
    clocks: Mapping[str, EventClock],
    bound: Collection[str],
    *,
    kept_days: float,
    cap: float = 1.0,
    asked: Mapping[str, Popularity] | None = None,
    texts: Mapping[str, float] | None = None,
    day: float | None = None,
) -> Below:
    """Return the rows at the end of the horizon, or on another day, below the values of some segments.

    Parameters
    ----------
    segments
        Of the key.
    clocks : mapping of write id to EventClock
        Of the writes that make rows.
    bound : collection of segment ids
        Those whose values a request gives.
    kept_days
        How long a row stays after its last event. [day]
    cap
        So many events of each key count: 1 counts rows, more the versions that a policy keeps. [events]
    asked : mapping of field id to Popularity
        How requests draw fields, where that is stated; else they are for what is stored, as writes draw it.

    Returns
    -------
    Below
    """
    told = tell_apart(spec, segments, bound=bound, texts=texts)
    writes = tuple(spec.find(write) for write in clocks)
    day = horizon_days(spec) if day is None else day
    stored_days = min([kept_days, *(day - clock.begin_day for clock in clocks.values())])
    parts = KeyParts(spec, told, writes, asked=dict(asked) if asked else None, stored_days=stored_days)
    inner = [field for field in told.fields if field not in told.bound]
    strata = parts.strata
    if not clocks:  # nothing is written: each combination is taken to have its rows
        below_each = np.bincount(strata.bound, strata.count, minlength=len(strata.bound_count)).astype(np.float64)
        weight = strata.bound_count * strata.bound_share()[-1 if asked else 0]
        return Below(below_each, strata.bound_count, weight, np.ones(len(weight)))
    turnover = parts.turnover(told.bound, numbers=False)
    keys = Population(strata, parts.laws(), turnover)
    first, last = np.array([day - min(kept_days, 1e12)]), np.array([day])
    whole = keys.counts(clocks)
    first = np.maximum(first, whole.begin_day)
    cohorts = _cohorts(whole, turnover, float(first[0]), float(last[0]))
    below = replace(
        keys, turnover=_without_births(parts.turnover(inner), turnover), bucket_days=parts.bucket_days,
        cut=parts.cut, every_event=parts.every_event, own_numbers=parts.own_numbers,
    ).counts(clocks)  # fmt: skip
    rows, chance = below.below(cohorts.begin, cohorts.end, cohorts.scale, cap)
    count = cohorts.keys[:, None] * strata.bound_count
    law = -1 if asked else 0
    weight = count * strata.bound_share()[law] * cohorts.drawn[:, None]
    if (gone := cohorts.end < last[0] - 1e-9).any():  # what is stated is of values in use; else those with rows, too
        there = np.ones(rows.shape)
        there[gone] = 0.0 if asked else capped_rows(rows[gone], chance[gone], 1.0, clump=parts.rows_per_burst)
        weight, rows = weight * there, np.divide(rows, there, out=rows.copy(), where=there > 1e-12)
    total = float(weight.sum())
    weight = weight / total if total > 0 else np.full(weight.shape, 1 / max(weight.size, 1))
    return Below(rows.ravel(), count.ravel(), weight.ravel(), chance.ravel(), parts.rows_per_burst)


def salts_met(
    spec: Spec,
    segments: Sequence[Segment],
    clocks: Mapping[str, EventClock],
    *,
    kept_days: float,
    asked: Mapping[str, Popularity] | None = None,
    texts: Mapping[str, float] | None = None,
) -> float:
    """Return in how many salts that writes draw anew a request for one whole key meets rows; 1 without such salts.

    Parameters
    ----------
    As those of `rows_below`.
    """
    salts = random_salts(segments)
    if salts <= 1 or not clocks:
        return salts
    shown = [segment for segment in segments if not (isinstance(segment, SaltSegment) and not segment.fields)]
    writes = tuple(spec.find(write) for write in clocks)
    parts = KeyParts(spec, tell_apart(spec, shown, texts=texts), writes, asked=dict(asked) if asked else None)
    keys = Population(
        parts.strata,
        parts.laws(),
        parts.turnover(parts.told.fields),
        parts.bucket_days,
        parts.cut,
        every_event=parts.every_event,
    )
    counts, end = keys.counts(clocks), np.array([horizon_days(spec)])
    first = np.maximum(end - min(kept_days, EVER_DAYS), counts.begin_day)
    if counts.every_event or first[0] >= end[0]:
        return 1.0
    part = next(counts.windows(first, end))
    means = part.events @ parts.strata.share  # a request is for what some write has made
    drawn = np.outer(part.events.sum(axis=1), parts.strata.share[-1]) if asked else means
    weight = part.keys[:, None] * drawn * parts.strata.total_count
    stay = 1 - 1 / salts  # that an event leaves a salt out
    others = np.maximum(means - 1, 0.0) if counts.regular else means * (1 - stay**counts.clump) / -math.log(stay)
    others = others / counts.clump + (counts.clump - 1)
    met = 1 + (salts - 1) * (1 - stay**others)
    return float((weight * met).sum() / weight.sum()) if weight.any() else 1.0


@dataclass(frozen=True, eq=False)
class _Bound:
    """Bound values by when they came."""

    keys: Floats
    """(cohorts,) values ÷ those of the strata."""
    begin: Floats
    end: Floats
    """(cohorts,) when events are for them. [day]"""
    scale: Floats
    """(cohorts,) how much busier one is than the strata say. [1]"""
    drawn: Floats
    """(cohorts,) how often one is drawn at the end, relative. [1]"""


def _cohorts(whole: Counts, turnover: Turnover, first: float, last: float) -> _Bound:
    one = np.ones(1)
    if turnover.latest is not None:
        keys, share, now = turnover.latest_between(first, last, whole.count_named_keys)
        even = np.ones(len(keys))
        return _Bound(keys, even * first, even * last, share, now)
    if turnover.is_still:
        return _Bound(one, one * first, one * last, one, one)
    keys, begin, end, _ = turnover.cohorts(first, last)
    made = whole.count_named_keys(begin, end)
    scale = whole.of_one(begin, end) / np.maximum(made, 1e-300)
    used = (keys > 0) & (made > 0)
    return _Bound(keys[used], begin[used], end[used], scale[used], np.ones(int(used.sum())))


def _without_births(inner: Turnover, bound: Turnover) -> Turnover:
    """Return the turnover below bound values: what is born with them is counted by them."""
    if inner.written_at_birth <= bound.written_at_birth:
        return replace(inner, written_at_birth=0.0) if not inner.is_still else STILL
    return inner
