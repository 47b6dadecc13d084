"""Sizes of single rows over the horizon: the median, the 99th percentile, the largest."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column, Family
from estimator.engines import engine_of
from estimator.results.arrays import Floats, distinct

from ..population.poisson import clumped_mean, mixture_quantile, poisson_quantile, weighted_quantile
from ..population.sizes import key_sizes
from .arrivals import Arrivals, KindArrivals, Names
from .cells import cell, value_bytes, value_bytes_max
from .collection import Policy, kept_versions
from .retained_rows import column_policy, has_single_version, retention_days
from .row_cells import MAX_CAP, NamedCells, RowsByEvents, quantile_cells, row_classes

MAX_DATES = 13
"""Row sizes are computed at so many days of the horizon at most."""


QUANTILES = (0.5, 0.99)
"""Of the median and the 99th-percentile row."""


def size_days(days: Floats) -> Floats:
    """Return the indices of the days at which row sizes are computed: all, or some evenly spaced ones."""
    count = min(len(days), MAX_DATES)
    return distinct(np.round(np.linspace(0, len(days) - 1, count)).astype(np.int64)).astype(np.float64)


def row_events(flows: KindArrivals, days: Floats, *, lag_days: float) -> tuple[Mapping[str, Floats], ...]:
    """Events that each write has put into the median, the 99th-percentile and the largest row.

    Parameters
    ----------
    days : float64, shape (days,)
    lag_days
        How long a row stays after its last cell expired. [day]

    Returns
    -------
    three mappings write id → float64, shape (days,) [events]
        Quantiles of each write by itself, taken together as if what is busy in one write were busy in all.
    """
    quantiles: tuple[dict[str, Floats], dict[str, Floats], dict[str, Floats]] = ({}, {}, {})
    for flow in flows.writes:
        for place, events in enumerate(_quantiles(flows, flow, days, lag_days)):
            quantiles[place][flow.write.id] = events
    return quantiles


def _quantiles(flows: KindArrivals, flow: Arrivals, days: Floats, lag_days: float) -> tuple[Floats, Floats, Floats]:
    if flows.has_row_per_event:
        rows_per_day = sum(f.event_curve.per_day(math.inf) * f.rows_per_event for f in flows.row_creating_writes)
        row_events = (
            1.0
            if flow in flows.row_creating_writes or rows_per_day <= 0
            else flow.event_curve.per_day(math.inf) * flow.rows_per_event / rows_per_day
        )
        constant = np.full_like(days, row_events)
        if flow in flows.updating_writes:
            # Of n rows the largest is about the quantile 1 − 1/n.
            last = 1 - 1 / max(rows_per_day * float(days[-1]), 2.0)
            events = [np.full_like(days, poisson_quantile(row_events, share)) for share in (*QUANTILES, last)]
            return events[0], events[1], events[2]
        return constant, constant, constant
    counts, fullest = flows.counts((flow,)), flows.most_events(float(days[-1]))
    bucketed = flows.shape.rows.bucket_days is not None
    first = days - (retention_days(flows) + lag_days) if bucketed else np.full_like(days, -math.inf)
    keys, means, most = key_sizes(counts, first, days)
    if flow.is_regular:
        # Events are whole: at even intervals, 0.3 events a row are one event in three rows of ten.
        there = keys * np.minimum(means, 1.0)
        sizes = np.maximum(means, np.minimum(np.ceil(means), 1.0))
        return (
            weighted_quantile(0.5, sizes, there),
            weighted_quantile(0.99, sizes, there),
            np.maximum(most, sizes.max(1)),
        )
    clump = counts.clump
    median, p99 = (clump * mixture_quantile(share, means / clump, keys) for share in (0.5, 0.99))
    return np.minimum(median, fullest), np.minimum(p99, fullest), np.minimum(most, fullest)


def _fullest_row_start(flows: KindArrivals, flow: Arrivals, days: Floats) -> Floats:
    """Return the day on which the row that is fullest on each day began to receive cells."""
    begin = flow.event_curve.begin_day
    return np.maximum(days - flows.span_days, begin) if math.isfinite(flows.span_days) else np.full_like(days, begin)


def row_sizes(spec: Spec, flows: KindArrivals, days: Floats, *, lag_days: float) -> tuple[Floats, Floats, Floats]:
    """Logical bytes of the median, the 99th-percentile and the largest row, uncollected garbage included.

    Parameters
    ----------
    days : float64, shape (days,)
    lag_days
        How long expired cells stay. [day]

    Returns
    -------
    three of float64, shape (days,) [bytes]
        The largest with the key and the qualifiers of the entity that it is of.
    """
    rows = _Rows(spec, flows, days, lag_days)
    p99 = rows.sizes(1)
    return rows.sizes(0), p99, np.maximum(rows.largest(), np.where(p99 > 0, p99 + rows.most_value_bytes, 0.0))


def largest_row_sizes(spec: Spec, flows: KindArrivals, days: Floats, *, lag_days: float) -> Floats:
    """Logical bytes of the largest row: (days,), as `row_sizes` returns them."""
    return _Rows(spec, flows, days, lag_days).largest()


@dataclass(frozen=True)
class _Rows:
    """Single rows of one kind on some days."""

    spec: Spec
    flows: KindArrivals
    days: Floats
    lag_days: float

    def sizes(self, place: int) -> Floats:
        """Return the bytes of the median row (0), the 99th percentile (1) or the largest (2): (days,)."""
        flows = self.flows
        busiest = flows.busiest if place == 2 and not flows.row_bytes and not flows.has_row_per_event else None
        # The key is in each cell, so a busiest entity with a long name has a row that is larger than its cells are
        # many.
        if busiest is not None and busiest.hottest.key_bytes:
            flows = replace(flows, shape=replace(flows.shape, key_bytes=busiest.hottest.key_bytes))
        columns = [
            (cell(self.spec, family, column, flows.key_bytes).total, self.cells(family, column, place))
            for family, column in columns_with_writes(flows)
        ]
        total = sum((size * cells for size, cells in columns), np.zeros_like(self.days))
        return np.where(total > 0, total + flows.row_bytes, 0.0)

    @cached_property
    def most_value_bytes(self) -> float:
        """Bytes that one value of the largest size in each column adds to a row of mean values."""
        columns = columns_with_writes(self.flows)
        return sum(value_bytes_max(self.spec, f, c) - value_bytes(self.spec, f, c) for f, c in columns)

    @cached_property
    def retention_days(self) -> float:
        """As the function: it walks through all columns."""
        return retention_days(self.flows)

    def largest(self) -> Floats:
        """Return the bytes of the largest row, its values larger than the mean: (days,)."""
        size = self.sizes(2)
        return np.where(size > 0, size + self.most_value_bytes, 0.0)

    def cells(self, family: Family, column: Column, place: int) -> Floats:
        """Return the cells of a column in the median row (0), the 99th percentile (1) or the largest (2): (days,)."""
        flows, into = self.flows, self.flows.arrivals_into(column)
        steps = column_policy(family, column, flows.kind.ahead_days)
        names = flows.names(column, largest=place == 2)
        each_new = flows.has_new_name_each(column)
        in_slots = names.slot_seconds is not None and flows.shape.rows.bucket_days is None and not each_new
        finite = [cap for cap in steps.caps if 0 < cap < math.inf]
        is_one = each_new or not finite or (names.total(flows.span_days) == 1 and max(finite) <= MAX_CAP)
        is_told = is_one or (in_slots and math.isinf(flows.span_days))
        one_age = flows.has_row_per_event or any(map(flows.sooner_days, into))
        if one_age or float(effective_value(self.spec, column, "presence")) < 1:
            return self._cells_of_events(family, column, place)
        lag = 0.0 if has_single_version(family, column) else self.lag_days
        if not is_told and math.isfinite(names.total(flows.span_days)):
            slots = names.slots(flows.span_days)
            groups = self._rows_by_events(into, steps, lag)
            rows = NamedCells(groups, names.count * slots, names.share / slots)
            return rows.largest() if place == 2 else rows.quantile(QUANTILES[place])
        if not is_told:
            return self._cells_of_events(family, column, place)
        if each_new or in_slots:
            # Columns of their own have no older versions, so only the age collects anything.
            newest = Policy(steps.ages, tuple(math.inf if cap > 0 else 0.0 for cap in steps.caps))
            events = self._kept(into, newest, lag, place)
            return self._cells_in_slots(events, into, steps, lag, names) if in_slots else events
        return self._kept(into, steps, lag, place)

    def _kept(self, into: tuple[Arrivals, ...], steps: Policy, lag_days: float, place: int) -> Floats:
        """Return the events of a row that a policy keeps, each one version of the same cell: (days,)."""
        key, row_days = (tuple(flow.write.id for flow in into), steps, lag_days), self._row_days(lag_days)
        groups = self._rows_by_events(into, steps, lag_days)
        if (*key, place) not in self._found:
            cells = (
                np.max([group.largest() for group in groups], axis=0)
                if place == 2
                else quantile_cells(groups, QUANTILES[place])
            )
            counts, since = self.flows.counts(into), self.days - lag_days - row_days
            # A quantile of the chance can lie above what the busiest entity can do in that time at all.
            most = np.minimum(self.flows.most_events(float(self.days[-1])), counts.most_of_one(since, self.days))
            self._found[*key, place] = np.minimum(cells, most)
        return self._found[*key, place]

    def _row_days(self, lag_days: float) -> float:
        """Return the age from which a row has no cell of any column, but for what is not collected. [day]"""
        return self.retention_days + self.lag_days - lag_days

    def _rows_by_events(self, into: tuple[Arrivals, ...], steps: Policy, lag_days: float) -> list[RowsByEvents]:
        key = (tuple(flow.write.id for flow in into), steps, lag_days)
        if key not in self._classes:
            begin = np.min([_fullest_row_start(self.flows, flow, self.days) for flow in into], axis=0)
            self._classes[key] = row_classes(
                self.flows.counts(into), self.days, begin, steps, row_days=self._row_days(lag_days), lag_days=lag_days
            )
        return self._classes[key]

    def _cells_in_slots(
        self, events: Floats, into: tuple[Arrivals, ...], steps: Policy, lag_days: float, names: Names
    ) -> Floats:
        """Return the cells of rows of so many events whose columns are named by time: one meets those of its time.

        Parameters
        ----------
        events : float64, shape (days,)
            Of a row, those that are not too old. [events]
        """
        counts, flow = self.flows.counts(into), max(into, key=lambda flow: flow.event_curve.per_day(math.inf))
        begin = np.min([_fullest_row_start(self.flows, flow, self.days) for flow in into], axis=0)
        then = np.maximum(self.days - lag_days, begin)
        bands, newer = [], then
        for age, cap in zip(steps.ages, steps.caps, strict=True):
            if cap > 0:
                bands.append((np.maximum(then - age, begin), newer, cap))
                newer = bands[-1][0]
        all_of_it = np.maximum(counts.of_one(newer, self.days), 1e-300)
        cells = events * counts.of_one(then, self.days) / all_of_it
        assert names.slot_seconds is not None
        for first, last, cap in bands:
            there = flow.event_curve.buckets(names.slot_seconds / DAY_SECONDS, first, last)
            whole = np.maximum(there.counts @ there.events, 1e-300)
            slot_events = (events * counts.of_one(first, last) / all_of_it / whole)[:, None, None] * there.events[
                :, None
            ]
            means = slot_events * names.share
            versions = np.minimum(means, cap) if counts.regular else clumped_mean(means, cap, counts.clump)
            cells = cells + (versions @ names.count * there.counts).sum(axis=1)
        return np.where(events > 0, np.maximum(cells, 1.0), 0.0)

    @cached_property
    def _classes(self) -> dict[tuple[object, ...], list[RowsByEvents]]:
        return {}

    @cached_property
    def _found(self) -> dict[tuple[object, ...], Floats]:
        return {}

    @cached_property
    def _events(self) -> tuple[Mapping[str, Floats], ...]:
        return row_events(self.flows, self.days, lag_days=self.lag_days)

    def _cells_of_events(self, family: Family, column: Column, place: int) -> Floats:
        """Return the cells that a policy keeps, in the mean, of as many events as the row got: (days,)."""
        names = self.flows.names(column, largest=place == 2)
        return _cells(
            self.spec, self.flows, family, column, self._events[place], self.days, lag_days=self.lag_days, names=names
        )


@dataclass(frozen=True)
class RowSizes:
    """Sizes of the median, the 99th-percentile and the largest row: float64, shape (days,) each. [bytes]"""

    median: Floats
    p99: Floats
    largest: Floats


def row_sizes_for_limits(spec: Spec, flows: KindArrivals, days: Floats) -> tuple[RowSizes, RowSizes]:
    """Return the sizes of rows with all the expired cells that may still be there, and of their live cells alone."""
    engine = engine_of(spec)
    whole = row_sizes(spec, flows, days, lag_days=engine.UNCOLLECTED_DAYS_FOR_LIMITS)
    if not _has_expired_cells(flows):
        # Nothing can expire in part: both answers are the same, and the second is not computed.
        sizes = RowSizes(*whole)
        return sizes, sizes
    live = row_sizes(spec, flows, days, lag_days=0.0)
    most = (np.minimum(size, alive + engine.UNCOLLECTED_BYTES_MOST) for size, alive in zip(whole, live, strict=True))
    return RowSizes(*most), RowSizes(*live)


def _has_expired_cells(flows: KindArrivals) -> bool:
    """Return whether a row can hold live and expired cells: a row of one event is collected as a whole."""
    policies = (column_policy(family, column, flows.kind.ahead_days) for family, column in columns_with_writes(flows))
    return not flows.has_row_per_event and any({*policy.ages, *policy.caps} != {math.inf} for policy in policies)


def columns_with_writes(flows: KindArrivals) -> Sequence[tuple[Family, Column]]:
    """Each column that some write touches, once."""
    columns = {column.id: (family, column) for flow in flows.writes for family, column in flow.columns}
    return tuple(columns.values())


def _cells(
    spec: Spec, flows: KindArrivals, family: Family, column: Column, events: Mapping[str, Floats], days: Floats,
    *, lag_days: float, names: Names,
) -> Floats:  # fmt: skip
    into = flows.arrivals_into(column)
    presence = float(effective_value(spec, column, "presence"))
    steps = column_policy(family, column, flows.kind.ahead_days)
    ages = np.array(steps.ages)
    slots = math.inf if flows.has_new_name_each(column) else names.slots(flows.span_days)
    if flows.has_row_per_event:
        versions = sum((events[flow.write.id] for flow in into), np.zeros_like(days)) * presence
        cap = math.inf if not has_single_version(family, column) else 1.0
        return np.minimum(versions, min(cap, max(steps.caps[0] * names.count.sum() * slots, 1.0)))
    lag = 0.0 if has_single_version(family, column) else lag_days
    recent, younger = np.zeros_like(days), np.zeros((len(days), len(ages)))
    for flow in into:
        begin = _fullest_row_start(flows, flow, days)
        then = np.maximum(days - lag, begin)
        counts = flows.counts((flow,))
        all_of_it = np.maximum(counts.of_one(begin, days), 1e-300)
        mine = events[flow.write.id] * presence
        recent = recent + mine * counts.of_one(then, days) / all_of_it
        until = np.minimum(flows.sooner_days(flow) - ages, 0.0)
        before = np.maximum(then[:, None] + until, begin[:, None])
        younger = younger + mine[:, None] * counts.of_one(before, then[:, None]) / all_of_it[:, None]
    if math.isinf(slots):
        alive = sum(1 for cap in steps.caps if cap > 0)
        return recent + (younger[:, alive - 1] if alive else 0.0)
    # How many events the row got is already settled: which of its versions stay is a count, not a mean over rows.
    settled = all(flow.is_regular for flow in into) or names.count.sum() * slots == 1
    versions = younger[:, None, :] * (names.share / slots)[:, None]
    clump = flows.counts(into, column).clump
    return recent + kept_versions(versions, steps, regular=settled, clump=clump) @ (names.count * slots)
