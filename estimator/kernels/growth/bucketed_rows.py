"""Rows of entities in time buckets: how many are there, and the versions that a policy keeps in them."""

import math

import numpy as np

from estimator.results.arrays import Floats

from ..population.bucket_rows import BucketRows, OfRow, bucket_rows
from ..population.clock import joint
from ..population.poisson import capped_mean
from .arrivals import Flow, KindFlows
from .collection import Policy


def rows_in_buckets(flows: tuple[Flow, ...], length_days: float) -> BucketRows:
    """Return the rows of entities in time buckets that flows with the same classes of entities write."""
    first, weights = flows[0], [flow.rows_per_event for flow in flows]
    ticking = joint([flow.clock for flow in flows], weights)
    if all(flow.spread is first.spread for flow in flows):
        shares = first.spread.shares
    else:
        spreads = tuple(flow.spread for flow in flows)
        key = tuple(map(id, spreads))
        held = ticking.course.remembered.get(key)
        if held is None:
            rates = [flow.clock.per_day(math.inf) * weight for flow, weight in zip(flows, weights, strict=True)]
            parts = np.array(rates) / max(sum(rates), 1e-300)
            mean = np.sum([part * spread.shares for part, spread in zip(parts, spreads, strict=True)], axis=0)
            held = ticking.course.remembered[key] = (spreads, mean)
        shares = held[1]
    return bucket_rows(ticking, length_days, shares, first.spread.counts)


def bucket_rows_stored(flows: KindFlows, days: Floats, first: Floats, factor: Floats, *, regular: bool) -> Floats:
    """Rows of entities in time buckets that were written after the days `first`: (days,).

    The first bucket begins with the history; where old rows go, the buckets' place on the calendar is taken as random:
    two of them are cut by the ends of the time kept.
    """
    rows = rows_in_buckets(flows.writing, flows.span_days)
    begin = np.full_like(days, rows.clock.begin_day)

    def of_row(events: Floats) -> Floats:
        return written(events, regular=regular)

    def on_average(events: Floats) -> Floats:
        return _written_on_average(events, regular=regular)

    filling = rows.filling(begin, np.maximum(days, begin), 1 / factor, of_row)
    gliding = rows.gliding(np.maximum(first, begin), np.maximum(days, begin), 1 / factor, of_row, on_average)
    return np.where(begin >= first, filling, gliding) * factor


def written(events: Floats, *, regular: bool) -> Floats:
    """Probability of at least one event."""
    return np.minimum(events, 1.0) if regular else -np.expm1(-events)


def _written_on_average(events: Floats, *, regular: bool) -> Floats:
    """Return the mean probability of at least one event over a part of the time that is cut off anywhere."""
    safe = np.maximum(events, 1e-12)
    if regular:
        return np.where(safe >= 1, 1 - 0.5 / safe, safe / 2)
    return np.where(safe < 1e-4, safe / 2, 1 + np.expm1(-safe) / safe)


def kept_in_buckets(rows: BucketRows, then: Floats, scale: Floats, steps: Policy, *, regular: bool) -> Floats:
    """Versions that a policy has left in rows of time buckets by the days `then`, of one entity of each class: (days,).

    Cells between two ages are those younger than the older less those younger than the other, among the newest of
    their row in both.
    """
    total, begin = np.zeros_like(then), rows.clock.begin_day
    for place, cap in enumerate(steps.caps):
        if cap == 0:
            break
        newest, on_average = _newest(cap, regular=regular)
        for age, sign in ((steps.ages[place], 1), (steps.ages[place - 1] if place else 0.0, -1)):
            if age > 0:
                first = np.maximum(then - age, begin)
                total = total + sign * rows.gliding(first, np.maximum(then, first), scale, newest, on_average)
    return total


_POINTS, _WEIGHTS = (a / 2 for a in np.polynomial.legendre.leggauss(6))


def _newest(cap: float, *, regular: bool) -> tuple[OfRow, OfRow]:
    """Return the versions among the newest `cap` of a row, and their mean over parts of it cut off anywhere."""

    def newest(events: Floats) -> Floats:
        return np.minimum(events, cap) if regular else capped_mean(events, cap)

    def on_average(events: Floats) -> Floats:
        return np.asarray((newest(events[..., None] * (_POINTS + 0.5)) * _WEIGHTS).sum(axis=-1))

    return newest, on_average
