"""Sizes of single rows over the horizon: the median, the 99th percentile, the largest."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from designer.document import Spec, assumed
from designer.document.family import Column, Family
from estimator.results.arrays import Floats

from ..population.poisson import largest_count, largest_of, mixture_quantile, weighted_quantile
from .arrivals import Flow, KindFlows
from .bucketed_rows import rows_in_buckets
from .cells import cell, value_bytes, value_bytes_max
from .collection import kept_versions
from .retained_rows import column_policy, merges, qualifiers_per_row, retention_days

MAX_DATES = 13
"""Row sizes are computed at so many days of the horizon at most."""


def size_days(days: Floats) -> Floats:
    """Return the indices of the days at which row sizes are computed: all, or some evenly spaced ones."""
    count = min(len(days), MAX_DATES)
    return np.unique(np.round(np.linspace(0, len(days) - 1, count)).astype(np.int64)).astype(np.float64)


def row_events(flows: KindFlows, days: Floats, rows: Floats, *, lag_days: float) -> tuple[Mapping[str, Floats], ...]:
    """Events that each write has put into the median, the 99th-percentile and the largest row.

    Parameters
    ----------
    days : float64, shape (days,)
    rows : float64, shape (days,)
        Rows stored: of so many counts the largest is the largest.
    lag_days
        How long a row stays after its last cell expired. [day]

    Returns
    -------
    three mappings write id → float64, shape (days,) [events]
        Quantiles of each write by itself, taken together as if what is busy in one write were busy in all.
    """
    found: tuple[dict[str, Floats], dict[str, Floats], dict[str, Floats]] = ({}, {}, {})
    for flow in flows.writing:
        for place, events in enumerate(_quantiles(flows, flow, days, rows, lag_days)):
            found[place][flow.write.id] = events
    return found


def _quantiles(
    flows: KindFlows, flow: Flow, days: Floats, rows: Floats, lag_days: float
) -> tuple[Floats, Floats, Floats]:
    if flows.per_event:
        made = sum(f.clock.per_day(math.inf) * f.rows_per_event for f in flows.creating)
        each = 1.0 if flow in flows.creating else flow.clock.per_day(math.inf) * flow.rows_per_event / max(made, 1e-300)
        constant = np.full_like(days, each)
        return constant, constant, constant
    if math.isfinite(flows.span_days):
        return _bucket_quantiles(flows, flow, days, lag_days)
    exposure = flow.rows_between(_begin(flows, flow, days), days) / flows.entities(days)
    unique, back = np.unique(exposure, return_inverse=True)
    means = unique[:, None] * flow.spread.shares
    counts = np.broadcast_to(flow.spread.counts, means.shape)
    if flow.regular:
        there = counts * np.minimum(means, 1.0)
        held = np.maximum(means, np.minimum(np.ceil(means), 1.0))
        half, most = weighted_quantile(0.5, held, there), weighted_quantile(0.99, held, there)
        return half[back], most[back], held.max(axis=1)[back]
    total = max(float(flow.spread.counts.sum()), 1.0)
    per_class = flow.spread.counts * max(float(rows.max(initial=0.0)) / total, 1.0)
    largest = largest_count(means[-1:], per_class[None, :])[0] - means[-1]
    growing = means + largest * np.sqrt(unique / max(unique[-1], 1e-300))[:, None]
    top = np.where(unique > 0, np.maximum(growing.max(axis=1), 1.0), 0.0)
    return mixture_quantile(0.5, means, counts)[back], mixture_quantile(0.99, means, counts)[back], top[back]


def _bucket_quantiles(flows: KindFlows, flow: Flow, days: Floats, lag_days: float) -> tuple[Floats, Floats, Floats]:
    """Of rows that each receive for one time bucket: of all that are there, in quiet hours and on the busiest day.

    A row whose bucket is not over has what comes in the whole of it, unless it is the first.
    """
    of_bucket = rows_in_buckets((flow,), flows.span_days)
    begin = of_bucket.clock.begin_day
    first = np.maximum(days - (retention_days(flows) + lag_days), begin)
    rows = of_bucket.there(first, days)
    filled = np.clip((days - begin) / flows.span_days, 0.0, 1.0)
    means = of_bucket.events * (filled / flows.entities(days))[:, None]
    rows = np.where(means > 0, rows, 0.0)
    if flow.regular:
        written = rows * np.minimum(means, 1.0)
        held = np.maximum(means, np.minimum(np.ceil(means), 1.0))
        half, most = weighted_quantile(0.5, held, written), weighted_quantile(0.99, held, written)
        return half, most, np.where(rows > 0, held, 0.0).max(axis=1)
    largest = largest_of(means, rows)
    top = np.where(np.any(rows > 0, axis=1), np.maximum(largest, 1.0), 0.0)
    return mixture_quantile(0.5, means, rows), mixture_quantile(0.99, means, rows), top


def _begin(flows: KindFlows, flow: Flow, days: Floats) -> Floats:
    """Return the day on which the row that is fullest on each day began to receive cells."""
    begin = flow.clock.begin_day
    return np.maximum(days - flows.span_days, begin) if math.isfinite(flows.span_days) else np.full_like(days, begin)


def row_bytes(spec: Spec, flows: KindFlows, events: Mapping[str, Floats], days: Floats, *, lag_days: float) -> Floats:
    """Logical bytes of a row that got so many events of each write by each day, uncollected garbage included.

    Parameters
    ----------
    events : write id → float64, shape (days,)
    lag_days
        How long expired cells stay. [day]

    Returns
    -------
    float64, shape (days,) [bytes]
    """
    some = sum((events[flow.write.id] for flow in flows.writing), np.zeros_like(days)) > 0
    total = np.where(some, flows.row_bytes, 0.0)
    for family, column in columns_written(flows):
        size = cell(spec, family, column, flows.key_bytes).total
        total = total + size * _cells(spec, flows, family, column, events, days, lag_days=lag_days)
    return total


def row_sizes(
    spec: Spec, flows: KindFlows, events: tuple[Mapping[str, Floats], ...], days: Floats, *, lag_days: float
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
    if busiest is not None and busiest.spread.hottest_key_bytes and not flows.row_bytes and not flows.per_event:
        own = replace(flows, key_bytes=busiest.spread.hottest_key_bytes)
    median, p99, largest = (
        row_bytes(spec, each, put, days, lag_days=lag_days)
        for each, put in zip((flows, flows, own), events, strict=True)
    )
    largest = np.where(largest > 0, np.maximum(largest, p99) + extra_bytes_of_largest(spec, flows), 0.0)
    return median, p99, largest


def extra_bytes_of_largest(spec: Spec, flows: KindFlows) -> float:
    """Return the bytes that one value of the largest size in each column adds to a row of mean values."""
    return sum(value_bytes_max(spec, f, c) - value_bytes(spec, f, c) for f, c in columns_written(flows))


def columns_written(flows: KindFlows) -> Sequence[tuple[Family, Column]]:
    """Each column that some write touches, once."""
    found = {column.id: (family, column) for flow in flows.writing for family, column in flow.columns}
    return tuple(found.values())


def _cells(
    spec: Spec, flows: KindFlows, family: Family, column: Column, events: Mapping[str, Floats], days: Floats,
    *, lag_days: float,
) -> Floats:  # fmt: skip
    into = flows.flows_into(column)
    presence = float(assumed(spec, column, "presence"))
    steps = column_policy(family, column)
    ages = np.array(steps.ages)
    names = qualifiers_per_row(spec, column, into, flows.span_days)
    if flows.per_event:
        each = sum((events[flow.write.id] for flow in into), np.zeros_like(days)) * presence
        cap = math.inf if not merges(family, column) else 1.0
        return np.minimum(each, min(cap, max(steps.caps[0] * names, 1.0)))
    lag = 0.0 if merges(family, column) else lag_days
    recent, younger = np.zeros_like(days), np.zeros((len(days), len(ages)))
    for flow in into:
        begin = _begin(flows, flow, days)
        then = np.maximum(days - lag, begin)
        all_of_it = np.maximum(flow.rows_between(begin, days), 1e-300)
        mine = events[flow.write.id] * presence
        recent = recent + mine * flow.rows_between(then, days) / all_of_it
        before = np.maximum(then[:, None] - ages, begin[:, None])
        younger = younger + mine[:, None] * flow.rows_between(before, then[:, None]) / all_of_it[:, None]
    if math.isinf(names):
        alive = sum(1 for cap in steps.caps if cap > 0)
        return recent + (younger[:, alive - 1] if alive else 0.0)
    regular = all(flow.regular for flow in into)
    # How many events the row got is already settled: which of its versions stay is a count, not a mean over rows.
    settled = regular or names == 1
    return recent + names * kept_versions(younger / names, steps, regular=settled)
