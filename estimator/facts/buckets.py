"""Time buckets whose largest row stays below the recommended size: a finer one, or a coarser one."""

import math
from dataclasses import dataclass

import numpy as np

from designer.document.durations import RESOLUTION_SECONDS
from designer.document.key import Resolution, TimeSegment
from estimator.engines import bigtable
from estimator.kernels.keys.patterns.times import told_apart
from estimator.results import EntityShares, WriteLoad

from .reading import Rows

BUCKETS: tuple[Resolution, ...] = ("year", "month", "week", "day", "hour", "minute", "second")
SECONDS = {bucket: RESOLUTION_SECONDS[bucket] for bucket in BUCKETS}
"""Lengths of time buckets, coarsest first. [s]"""

PATTERNS: dict[Resolution, str] = {
    "year": "%Y",
    "month": "%Y%m",
    "week": "%Gw%V",
    "day": "%Y%m%d",
    "hour": "%Y%m%d%H",
    "minute": "%Y%m%d%H%M",
    "second": "%Y%m%d%H%M%S",
}
"""How a readable bucket is written in the example of a fix; each sorts as its time does."""

ROW_LIMIT_BYTES = bigtable.LIMITS["row_bytes_recommended"].value


@dataclass(frozen=True)
class FinerBucket:
    """A bucket that keeps the largest row small enough."""

    segment: TimeSegment
    resolution: Resolution
    largest_bytes: float
    """The largest row with it."""


def largest_bytes(rows: Rows) -> float | None:
    """Of the largest row over the horizon; None while unknown."""
    return float(np.max(rows.growth.largest_bytes)) if rows.growth and rows.growth.largest_bytes.size else None


def finer_bucket(rows: Rows) -> FinerBucket | None:
    """Return the coarsest smaller bucket whose largest row stays below the recommended size.

    A row grows with the time that it receives; within a shorter bucket the busiest hours count, so buckets shorter
    than a week are computed at the peak rate of the day. None if the key's time is not one bucket, or no bucket
    would do.
    """
    times = [segment for segment in rows.kind.segments if isinstance(segment, TimeSegment)]
    largest = largest_bytes(rows)
    if len(times) != 1 or largest is None or rows.growth is None or not rows.growth.bucket_seconds:
        return None
    for resolution, seconds in SECONDS.items():
        if seconds >= SECONDS.get(told_apart(times[0]), 0.0):
            continue
        size = largest * seconds / rows.growth.bucket_seconds * (_peak(rows) if seconds < SECONDS["week"] else 1.0)
        if size < ROW_LIMIT_BYTES:
            return FinerBucket(times[0], resolution, size)
    return None


@dataclass(frozen=True)
class CoarserBucket:
    """A bucket that puts more of what is read together into one row, and keeps the largest row small enough."""

    resolution: Resolution
    factor: float
    """How many of the present buckets it holds."""
    largest_bytes: float


def coarser_bucket(rows: Rows, least_factor: float) -> CoarserBucket | None:
    """Return the finest bucket that holds `least_factor` present ones; None if its largest row is too large."""
    times = [segment for segment in rows.kind.segments if isinstance(segment, TimeSegment)]
    largest = largest_bytes(rows)
    if len(times) != 1 or largest is None or rows.growth is None or not rows.growth.bucket_seconds:
        return None
    for resolution, seconds in reversed(SECONDS.items()):
        factor = seconds / rows.growth.bucket_seconds
        if factor > 1 and factor >= least_factor:
            size = largest * factor
            return CoarserBucket(resolution, factor, size) if size < ROW_LIMIT_BYTES else None
    return None


def event_bucket(
    spread: EntityShares, load: WriteLoad, *, span_seconds: float
) -> tuple[Resolution, float, float] | None:
    """Return the coarsest bucket within a span for rows of single events: its name, length, largest row.

    The busiest entity's events come at the peak of the day, and by chance a few more: four standard deviations.
    None if no bucket's largest row stays below the recommended size.
    """
    busiest = float(spread.shares.max(initial=0.0)) * load.peak_rows_per_second
    for resolution, seconds in SECONDS.items():
        events = busiest * seconds
        largest = (events + 4 * math.sqrt(events)) * load.bytes_per_row
        if seconds <= span_seconds and largest < ROW_LIMIT_BYTES:
            return resolution, seconds, largest
    return None


def _peak(rows: Rows) -> float:
    """Peak ÷ mean of the writes, at least 1."""
    factors = [w.peak_rows_per_second / w.rows_per_second for _, w in rows.writes if w.rows_per_second > 0]
    return max([1.0, *factors])
