"""Cells of one column in single rows: in the median, the 99th-percentile and the largest of those that exist."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from estimator.results.arrays import Flags, Floats, distinct

from ..population.counts import Counts
from ..population.events import Burst
from ..population.poisson import (
    capped_rows,
    poisson_cdf,
    poisson_share,
    spread_shares,
    weighted_quantile,
    whole_quantile,
)
from ..population.sizes import key_classes, largest_events
from ..population.turnover import STILL
from .collection import Policy

MAX_BURSTS = 30.0
"""Up to so many bursts of a row, whose events spread over several rows, their events are counted exactly."""
MAX_CAP = 16.0
"""Up to so many versions the cells of a row are told from its events exactly."""


@dataclass(frozen=True, eq=False)
class RowsByEvents:
    """Rows in classes of equally many expected events: float64, shape (dates, classes) each."""

    counts: Counts
    keys: Floats
    """[rows]"""
    present: Floats
    """Events while a row is there. [events]"""
    recent: Floats
    """Those of them that are too young to be collected. [events]"""
    younger: tuple[Floats, ...]
    """Older ones that are younger than each of the policy's ages. [events]"""
    caps: tuple[float, ...]
    """Of the policy at these ages, none is 0. [versions]"""

    def cdf(self, cells: Floats) -> Floats:
        """P(a row has at most so many cells), whether or not it exists: (dates, classes) of (dates, 1).

        Of R recent and N(i) older events stay R + maxᵢ min(N(i), cap(i)), so that the older ones leave at most k where
        N(i) ≤ k at the greatest age whose cap is above k.
        """
        if not self.recent.any():
            return self._cdf_of_older(cells)
        unit, whole = self._unit, self._units(cells)
        free = sum(math.isinf(cap) for cap in self.caps)
        young = self.younger[free - 1] if free else np.zeros_like(self.recent)
        total = self._chance(whole, self.recent + young)
        most = max((cap for cap in self.caps if math.isfinite(cap)), default=0.0)
        for fewer in range(math.ceil(most / unit)):
            of_recent = whole - fewer
            remaining = cells - unit * of_recent
            # With so few recent ones the older ones are never too many: the rest of the sum is 0.
            if not np.any((of_recent >= 0) & (remaining < most)):
                break
            below = self._cdf_of_older(remaining)
            chance = self._chance(self._units(remaining), young) if free else 1.0
            share = self._share(np.maximum(of_recent, 0.0), self.recent)
            total = total - np.where((of_recent >= 0) & (remaining < most), share * (chance - below), 0.0)
        return np.maximum(total, 0.0)

    def _cdf_of_older(self, cells: Floats) -> Floats:
        """P(at most so many of the older cells are left): (dates, classes) of (dates, 1)."""
        steps = sum((cells < cap for cap in self.caps), np.zeros(cells.shape, dtype=np.int64)) - 1
        step = int(steps[0, 0]) if len(steps) else -1
        if step >= 0 and (steps == step).all():
            return self._chance(self._units(cells), self.younger[step])
        total = np.ones_like(self.recent)
        for step in distinct(steps[steps >= 0]).tolist():
            total = np.where(steps == step, self._chance(self._units(cells), self.younger[step]), total)
        return total

    @cached_property
    def _unit(self) -> float:
        """In how many events one counts: those of a burst, or single ones where a burst spreads over several keys."""
        return self.counts.clump if self._burst is None else 1.0

    @cached_property
    def _burst(self) -> Burst | None:
        few = float((self.present / self.counts.clump).max(initial=0.0)) <= MAX_BURSTS
        return self.counts.burst if few else None

    def _units(self, cells: Floats) -> Floats:
        """Return how many units make at most so many cells: a clump's mean may be no whole number."""
        return np.floor((cells + 0.5) / self._unit)

    def _chance(self, units: Floats, events: Floats) -> Floats:
        """P(at most so many units of so many expected events): (dates, classes)."""
        if self._burst is None:
            return poisson_cdf(units, events / self._unit)
        return np.where(units < 0, 0.0, self._of_burst(units, events, is_sum=True))

    def _share(self, units: Floats, events: Floats) -> Floats:
        """P(so many units of so many expected events): (dates, classes)."""
        if self._burst is None:
            return poisson_share(units, events / self._unit)
        return self._of_burst(units, events, is_sum=False)

    def _of_burst(self, units: Floats, events: Floats, *, is_sum: bool) -> Floats:
        assert self._burst is not None
        most = int(max(float(units.max()), 0.0))
        shares = spread_shares(most, events, self._burst.size, self._burst.part)
        place = np.broadcast_to(np.maximum(units, 0.0).astype(np.int64), events.shape)
        return np.asarray(np.take_along_axis(shares.cumsum(axis=0) if is_sum else shares, place[None], axis=0)[0])

    @property
    def unit(self) -> float:
        """In how many events one counts."""
        return self._unit

    @property
    def absent(self) -> Floats:
        """P(a row has no event): (dates, classes)."""
        if self.counts.regular:
            return np.maximum(1 - self.present, 0.0)
        # P(no burst came): such rows do not exist and are in no quantile. Near exp(−745) nothing is left of it.
        return np.exp(-np.minimum(self.present / self.counts.clump, 700.0))

    def chance_of_events(self, most: Floats) -> Floats:
        """P(a row has at most so many events, whether or not they are kept): (dates, classes) of (dates, 1)."""
        if self.counts.regular:
            return np.clip(np.floor(most + 0.01) + 1 - self.present, 0.0, 1.0)
        return self._chance(np.floor(most / self._unit + 0.01), self.present)

    def largest_of_events(self, events: Floats) -> Floats:
        """Return the events of the largest of these rows, by chance: (dates,)."""
        return self._largest(events)

    def largest(self) -> Floats:
        """Return the cells of the largest of these rows: (dates,)."""
        fresh = self._largest(self.recent)
        cells = fresh
        for younger, cap in zip(self.younger, self.caps, strict=True):
            all_of_it = self._largest(self.recent + younger)
            cells = np.maximum(cells, np.minimum(all_of_it, fresh + cap))
        return np.where((self.keys * self.present).any(axis=1) & bool(self.caps), np.maximum(cells, 1.0), cells)

    def _largest(self, events: Floats) -> Floats:
        """Return the events of the largest of these rows, by chance: (dates,)."""
        if self._burst is None:
            return largest_events(self.counts, self.keys, events)

        def is_reached(count: Floats) -> Flags:
            # The largest of n rows is at most k with chance ∏ (1 − P(more than k)): its median is where that is a half.
            beyond = np.clip(1 - self._chance(count[:, None], events), 0.0, 1 - 1e-12)
            return np.asarray(-(self.keys * np.log1p(-beyond)).sum(axis=1) <= math.log(2), dtype=np.bool_)

        return whole_quantile(is_reached, np.full(len(events), 4.0 * self._burst.size * (MAX_BURSTS + 4)))

    def even_cells(self) -> tuple[Floats, Floats]:
        """Return the cells of rows whose events come at even intervals, and how many rows there are: as the classes."""
        once = np.minimum(self.present, 1.0)
        scale = 1 / np.maximum(once, 1e-300)
        older_cells = [np.minimum(younger * scale, cap) for younger, cap in zip(self.younger, self.caps, strict=True)]
        cells = self.recent * scale + np.max([np.zeros_like(once), *older_cells], axis=0)
        low = np.floor(cells + 1e-9)
        more = np.maximum(cells - low, 0.0)
        rows = self.keys * once
        return np.concatenate([low, low + 1], axis=1), np.concatenate([rows * (1 - more), rows * more], axis=1)


def quantile_cells(groups: Sequence[RowsByEvents], share: float) -> Floats:
    """Return the cells of the row at a quantile of all rows that exist: (dates,)."""
    if all(group.counts.regular for group in groups):
        cells, rows = (np.concatenate(arrays, axis=1) for arrays in zip(*(g.even_cells() for g in groups), strict=True))
        return weighted_quantile(share, cells, rows)
    absent = [group.absent for group in groups]
    there = sum((group.keys * (1 - none)).sum(axis=1) for group, none in zip(groups, absent, strict=True))
    target = share * np.asarray(there)

    def is_reached(cells: Floats) -> Flags:
        below = sum(
            (group.keys * np.maximum(group.cdf(cells[:, None]) - none, 0.0)).sum(axis=1)
            for group, none in zip(groups, absent, strict=True)
        )
        return np.asarray(below >= target * (1 - 1e-9), dtype=np.bool_)

    top = np.max([(group.present / group.counts.clump).max(axis=1, initial=0.0) for group in groups], axis=0)
    clump = groups[0].counts.clump
    quantile = whole_quantile(is_reached, clump * (top + 10 * np.sqrt(top) + 10))
    return np.where(target > 0, quantile, 0.0)


@dataclass(frozen=True, eq=False)
class NamedCells:
    """Rows by their events, each of which goes to one of several names that a policy keeps some versions of."""

    groups: Sequence[RowsByEvents]
    """By age: of each the same part of all events of a row is recent, or younger than an age."""
    count: Floats
    """(names,) names of a class in one row. [names]"""
    share: Floats
    """(names,) of a row's events, that one name of the class gets. [1]"""

    def quantile(self, share: float) -> Floats:
        """Return the cells of the row at a quantile of all rows that exist: (dates,)."""
        absent = [group.absent for group in self.groups]
        there = sum((g.keys * (1 - none)).sum(axis=1) for g, none in zip(self.groups, absent, strict=True))
        target, grids = share * np.asarray(there), [self._grid(group) for group in self.groups]

        def is_reached(cells: Floats) -> Flags:
            below = np.zeros(len(cells))
            for group, none, (events, cell_counts) in zip(self.groups, absent, grids, strict=True):
                chance = group.chance_of_events(np.interp(cells, cell_counts, events)[:, None])
                below += (group.keys * np.maximum(chance - none, 0.0)).sum(axis=1)
            return np.asarray(below >= target * (1 - 1e-9), dtype=np.bool_)

        top = max(float(cell_counts[-1]) for _, cell_counts in grids)
        quantile = whole_quantile(is_reached, np.full(len(target), math.ceil(top)))
        return np.where(target > 0, np.maximum(quantile, 1.0), 0.0)

    def largest(self) -> Floats:
        """Return the cells of the largest of these rows: (dates,)."""
        cells = np.zeros(len(self.groups[0].keys))
        for group in self.groups:
            events, cell_counts = self._grid(group)
            most = group.largest_of_events(group.present)
            cells = np.maximum(
                cells, np.where((group.keys * group.present).any(1), np.interp(most, events, cell_counts), 0.0)
            )
        return cells

    def _grid(self, group: RowsByEvents) -> tuple[Floats, Floats]:
        """Return some numbers of events of a row, and how many cells each leaves in the mean: (numbers,) both."""
        top = group.unit * (10 + float(group.present.max(initial=0.0)) / group.unit * 2)
        top += 20 * math.sqrt(top)
        few = np.arange(_FEW_UNITS + 1.0)
        # Few events are told apart one by one; of many, cells follow smoothly enough to be read off between points.
        units = distinct(np.concatenate([few, np.geomspace(_FEW_UNITS, max(top / group.unit, _FEW_UNITS + 1), 64)]))
        busiest = np.unravel_index(int(group.present.argmax()), group.present.shape)
        whole = max(float(group.present[busiest]), 1e-300)
        recent = float(group.recent[busiest]) / whole
        ages = [float(younger[busiest]) / whole for younger in group.younger]
        cells, newer = units * group.unit * recent, np.zeros((len(units), len(self.share)))
        for part, cap in zip(ages, group.caps, strict=True):
            mine = (units * group.unit * part)[:, None] * self.share
            of_all = capped_rows(mine, self.share * part, cap, clump=group.counts.clump)
            of_newer = capped_rows(newer, self.share * part, cap, clump=group.counts.clump)
            cells = cells + np.maximum(of_all - of_newer, 0.0) @ self.count
            newer = mine
        # Rounding may lower it slightly between two points, and a quantile is sought by halving.
        return units * group.unit, np.maximum.accumulate(cells)


_FEW_UNITS = 40


def row_classes(
    counts: Counts, days: Floats, begin: Floats, steps: Policy, *, row_days: float, lag_days: float
) -> list[RowsByEvents]:
    """Return the rows that exist, apart by how old they are where each receives for a time bucket only.

    Parameters
    ----------
    counts : Counts
        Of all events that write the column.
    days, begin : float64, shape (dates,)
        When one looks, and when the fullest row of then began. [day]
    row_days
        Age from which a row has no cell of any column. [day]
    lag_days
        How long an expired cell stays. [day]
    """
    if len(apart := _apart(counts)) > 1:
        groups = (row_classes(part, days, begin, steps, row_days=row_days, lag_days=lag_days) for part in apart)
        return list(itertools.chain.from_iterable(groups))
    caps = tuple(cap for cap in steps.caps if cap > 0)
    ages = np.array(steps.ages[: len(caps)])
    then, first = days - lag_days, days - lag_days - row_days
    if counts.bucket_days is None:
        keys, present = key_classes(counts, first, days)
        first = np.maximum(first, begin)
        scale = present / np.maximum(counts.of_one(first, days), 1e-300)[:, None]
        middle = np.maximum(then, first)
        recent = scale * counts.of_one(middle, days)[:, None]
        younger = tuple(scale * counts.of_one(np.maximum(then - age, first), middle)[:, None] for age in ages.tolist())
        return [RowsByEvents(counts, keys, present, recent, younger, caps)]
    length = counts.bucket_days
    edges = [-lag_days, *sorted({0.0, *(age for age in ages.tolist() if age < row_days), row_days})]
    classes: list[RowsByEvents] = []
    for low, high in itertools.pairwise(edges):
        if high <= low:
            continue
        until = days if not classes else np.maximum(then - low - length, then - high)
        keys, present = key_classes(counts, then - high, until)
        fresh = min(lag_days / length, 1.0) if low < 0 else 0.0
        younger = tuple(
            present * max(min((lag_days * (low < 0) + age - max(low, 0.0)) / length, 1.0) - fresh, 0.0)
            if low < 0
            else present * (high <= age)
            for age in ages.tolist()
        )
        classes.append(RowsByEvents(counts, keys, present, present * fresh, younger, caps))
    return classes


def _apart(counts: Counts) -> tuple[Counts, ...]:
    """Return the counts of values that come, and of those that stay from the start."""
    if counts.turnover.is_still or not counts.strata.share[counts.staying].any():
        return (counts,)
    share = (counts.strata.share * mine[:, None] for mine in (~counts.staying, counts.staying))
    coming, there = (replace(counts, strata=replace(counts.strata, share=each)) for each in share)
    return coming, replace(there, turnover=STILL)
