"""Sizes of single rows over the horizon: the median, the 99th percentile, the largest."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.document import Spec, effective_value
from designer.document.family import Column, Family
from estimator.engines import engine_of
from estimator.results.arrays import Floats

from ..population.poisson import mixture_quantile, weighted_quantile
from ..population.sizes import key_sizes
from .arrivals import Arrivals, KindArrivals, Names
from .cells import cell, value_bytes, value_bytes_max
from .collection import kept_versions
from .retained_rows import column_policy, has_single_version, new_name_each, retention_days

MAX_DATES = 13
"""Row sizes are computed at so many days of the horizon at most."""


def size_days(days: Floats) -> Floats:
    """Return the indices of the days at which row sizes are computed: all, or some evenly spaced ones."""
    count = min(len(days), MAX_DATES)
    return np.unique(np.round(np.linspace(0, len(days) - 1, count)).astype(np.int64)).astype(np.float64)


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
    found: tuple[dict[str, Floats], dict[str, Floats], dict[str, Floats]] = ({}, {}, {})
    for flow in flows.writes:
        for place, events in enumerate(_quantiles(flows, flow, days, lag_days)):
            found[place][flow.write.id] = events
    return found


def _quantiles(flows: KindArrivals, flow: Arrivals, days: Floats, lag_days: float) -> tuple[Floats, Floats, Floats]:
    if flows.has_row_per_event:
        made = sum(f.event_curve.per_day(math.inf) * f.rows_per_event for f in flows.row_creating_writes)
        each = (
            1.0
            if flow in flows.row_creating_writes
            else flow.event_curve.per_day(math.inf) * flow.rows_per_event / max(made, 1e-300)
        )
        constant = np.full_like(days, each)
        return constant, constant, constant
    counts = flows.counts((flow,))
    bucketed = flows.shape.rows.bucket_days is not None
    first = days - (retention_days(flows) + lag_days) if bucketed else np.full_like(days, -math.inf)
    keys, means, most = key_sizes(counts, first, days)
    if flow.is_regular:
        there = keys * np.minimum(means, 1.0)
        held = np.maximum(means, np.minimum(np.ceil(means), 1.0))
        return weighted_quantile(0.5, held, there), weighted_quantile(0.99, held, there), np.maximum(most, held.max(1))
    return mixture_quantile(0.5, means, keys), mixture_quantile(0.99, means, keys), most


def _fullest_row_start(flows: KindArrivals, flow: Arrivals, days: Floats) -> Floats:
    """Return the day on which the row that is fullest on each day began to receive cells."""
    begin = flow.event_curve.begin_day
    return np.maximum(days - flows.span_days, begin) if math.isfinite(flows.span_days) else np.full_like(days, begin)


def row_bytes(
    spec: Spec,
    flows: KindArrivals,
    events: Mapping[str, Floats],
    days: Floats,
    *,
    lag_days: float,
    largest: bool = False,
) -> Floats:
    """Logical bytes of a row that got so many events of each write by each day, uncollected garbage included.

    Parameters
    ----------
    events : write id → float64, shape (days,)
    lag_days
        How long expired cells stay. [day]
    largest
        It is a row of the busiest entity, with the qualifiers that stand there.

    Returns
    -------
    float64, shape (days,) [bytes]
    """
    some = sum((events[flow.write.id] for flow in flows.writes), np.zeros_like(days)) > 0
    total = np.where(some, flows.row_bytes, 0.0)
    for family, column in columns_with_writes(flows):
        size = cell(spec, family, column, flows.key_bytes).total
        names = flows.names(column, largest=largest)
        total = total + size * _cells(spec, flows, family, column, events, days, lag_days=lag_days, names=names)
    return total


def row_sizes(
    spec: Spec, flows: KindArrivals, events: tuple[Mapping[str, Floats], ...], days: Floats, *, lag_days: float
) -> tuple[Floats, Floats, Floats]:
    """Of the median, the 99th-percentile and the largest row, the last with the key of the entity that it is of.

    Parameters
    ----------
    events
        As `row_events` returns them.

    Returns
    -------
    three of float64, shape (days,) [bytes]
    """
    own, busiest = flows, flows.busiest
    if busiest is not None and busiest.hottest.key_bytes and not flows.row_bytes and not flows.has_row_per_event:
        own = replace(flows, shape=replace(flows.shape, key_bytes=busiest.hottest.key_bytes))
    median, p99 = (row_bytes(spec, flows, put, days, lag_days=lag_days) for put in events[:2])
    largest = row_bytes(spec, own, events[2], days, lag_days=lag_days, largest=True)
    largest = np.where(largest > 0, np.maximum(largest, p99) + extra_bytes_of_largest(spec, flows), 0.0)
    return median, p99, largest


@dataclass(frozen=True)
class RowSizes:
    """Sizes of the median, the 99th-percentile and the largest row: float64, shape (days,) each. [bytes]"""

    median: Floats
    p99: Floats
    largest: Floats


def row_sizes_for_limits(
    spec: Spec, flows: KindArrivals, events: tuple[Mapping[str, Floats], ...], days: Floats
) -> tuple[RowSizes, RowSizes]:
    """Return the sizes of rows with all the expired cells that may still be there, and of their live cells alone.

    Parameters
    ----------
    events
        As `row_events` returns them for the days after which a limit counts on collection.
    """
    engine = engine_of(spec)
    lag_days = engine.UNCOLLECTED_DAYS_FOR_LIMITS
    whole = row_sizes(spec, flows, events, days, lag_days=lag_days)
    if not _has_expired_cells(flows):
        sizes = RowSizes(*whole)
        return sizes, sizes
    if flows.shape.rows.bucket_days is not None:  # of the rows of buckets some have expired altogether
        events = row_events(flows, days, lag_days=0.0)
    live = row_sizes(spec, flows, events, days, lag_days=0.0)
    most = (np.minimum(each, alive + engine.UNCOLLECTED_BYTES_MOST) for each, alive in zip(whole, live, strict=True))
    return RowSizes(*most), RowSizes(*live)


def _has_expired_cells(flows: KindArrivals) -> bool:
    """Return whether a row can hold live and expired cells: a row of one event is collected as a whole."""
    policies = (column_policy(family, column) for family, column in columns_with_writes(flows))
    return not flows.has_row_per_event and any({*each.ages, *each.caps} != {math.inf} for each in policies)


def extra_bytes_of_largest(spec: Spec, flows: KindArrivals) -> float:
    """Return the bytes that one value of the largest size in each column adds to a row of mean values."""
    return sum(value_bytes_max(spec, f, c) - value_bytes(spec, f, c) for f, c in columns_with_writes(flows))


def columns_with_writes(flows: KindArrivals) -> Sequence[tuple[Family, Column]]:
    """Each column that some write touches, once."""
    found = {column.id: (family, column) for flow in flows.writes for family, column in flow.columns}
    return tuple(found.values())


def _cells(
    spec: Spec, flows: KindArrivals, family: Family, column: Column, events: Mapping[str, Floats], days: Floats,
    *, lag_days: float, names: Names,
) -> Floats:  # fmt: skip
    into = flows.arrivals_into(column)
    presence = float(effective_value(spec, column, "presence"))
    steps = column_policy(family, column)
    ages = np.array(steps.ages)
    slots = math.inf if new_name_each(column, into) else names.slots(flows.span_days)
    if flows.has_row_per_event:
        each = sum((events[flow.write.id] for flow in into), np.zeros_like(days)) * presence
        cap = math.inf if not has_single_version(family, column) else 1.0
        return np.minimum(each, min(cap, max(steps.caps[0] * names.count.sum() * slots, 1.0)))
    lag = 0.0 if has_single_version(family, column) else lag_days
    recent, younger = np.zeros_like(days), np.zeros((len(days), len(ages)))
    for flow in into:
        begin = _fullest_row_start(flows, flow, days)
        then = np.maximum(days - lag, begin)
        counts = flows.counts((flow,))
        all_of_it = np.maximum(counts.of_one(begin, days), 1e-300)
        mine = events[flow.write.id] * presence
        recent = recent + mine * counts.of_one(then, days) / all_of_it
        before = np.maximum(then[:, None] - ages, begin[:, None])
        younger = younger + mine[:, None] * counts.of_one(before, then[:, None]) / all_of_it[:, None]
    if math.isinf(slots):
        alive = sum(1 for cap in steps.caps if cap > 0)
        return recent + (younger[:, alive - 1] if alive else 0.0)
    # How many events the row got is already settled: which of its versions stay is a count, not a mean over rows.
    settled = all(flow.is_regular for flow in into) or names.count.sum() * slots == 1
    each = younger[:, None, :] * (names.share / slots)[:, None]
    return recent + kept_versions(each, steps, regular=settled) @ (names.count * slots)
