"""Time buckets whose largest row stays below the recommended size: a finer one, or a coarser one."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.durations import DAY_SECONDS, MONTH_DAYS, RESOLUTION_SECONDS
from designer.document.key import Bucket, DerivedSegment, Resolution, TimeSegment
from designer.document.texts import N_, Text
from estimator.engines import bigtable
from estimator.kernels.growth.cells import DELETES
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.kernels.population.clock import event_curve
from estimator.results import EntityShares, NotComputableError, WriteLoad

from .reading import RowKindFacts

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


def time_bucket(rows: RowKindFacts) -> TimeSegment | None:
    """Return the time that cuts the rows: the first that the key shows, else the first that is hashed."""
    times = [segment for segment in rows.kind.segments if isinstance(segment, TimeSegment)]
    return min(times, key=lambda segment: segment.hash is not None, default=None)


def largest_bytes(rows: RowKindFacts) -> float | None:
    """Return the bytes of the largest row over the horizon; None while unknown."""
    return float(np.max(rows.growth.largest_bytes)) if rows.growth and rows.growth.largest_bytes.size else None


def finer_bucket(rows: RowKindFacts) -> FinerBucket | None:
    """Return the coarsest smaller bucket whose largest row stays below the recommended size.

    A row grows with what comes in its time: of the horizon's fullest bucket of a length. None if the key's time is not
    one bucket, or no bucket would do.
    """
    times = [segment for segment in rows.kind.segments if isinstance(segment, TimeSegment)]
    largest = largest_bytes(rows)
    if len(times) != 1 or largest is None or rows.growth is None or not rows.growth.bucket_seconds:
        return None
    events = _most_events(rows)
    now = events(rows.growth.bucket_seconds)
    for resolution, seconds in SECONDS.items():
        if seconds >= segment_seconds(times[0]):
            continue
        size = largest * events(seconds) / now
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


def coarser_bucket(rows: RowKindFacts, least_factor: float) -> CoarserBucket | None:
    """Return the finest bucket that holds `least_factor` present ones; None if its largest row is too large."""
    times = [segment for segment in rows.kind.segments if isinstance(segment, TimeSegment)]
    largest = largest_bytes(rows)
    if len(times) != 1 or largest is None or rows.growth is None or not rows.growth.bucket_seconds:
        return None
    events = _most_events(rows)
    now = events(rows.growth.bucket_seconds)
    for resolution, seconds in reversed(SECONDS.items()):
        factor = seconds / rows.growth.bucket_seconds
        if factor > 1 and factor >= least_factor:
            size = largest * events(seconds) / now
            return CoarserBucket(resolution, factor, size) if size < ROW_LIMIT_BYTES else None
    return None


@dataclass(frozen=True)
class BucketSizeProposal:
    """Another size of the key's bucket of numbers, with which the largest row stays small enough."""

    segment: DerivedSegment
    size: int
    largest_bytes: float

    @property
    def name(self) -> Text:
        """Its numbers in words."""
        return numbers_in(self.size)

    @property
    def how(self) -> Bucket:
        """The setting of the segment."""
        return Bucket(size=self.size)


def numbers_in(size: int) -> Text:
    """Return a bucket of so many numbers in words."""
    return Text(N_("{size} numbers"), {"size": size})


def number_bucket(rows: RowKindFacts) -> DerivedSegment | None:
    """Return the key's bucket of numbers with more than one event a row, if it has one and no time bucket."""
    derived = [segment for segment in rows.kind.segments if isinstance(segment, DerivedSegment)]
    buckets = [segment for segment in derived if isinstance(segment.how, Bucket) and segment.how.size > 1]
    has_time = any(isinstance(segment, TimeSegment) for segment in rows.kind.segments)
    filled = rows.growth is not None and rows.growth.events_per_row > 1
    return buckets[0] if len(buckets) == 1 and filled and not has_time else None


def finer_number_bucket(rows: RowKindFacts) -> BucketSizeProposal | None:
    """Return the largest smaller bucket of a round size whose largest row stays below the recommended size."""
    segment, largest = number_bucket(rows), largest_bytes(rows)
    if segment is None or largest is None or not isinstance(segment.how, Bucket):
        return None
    size = _round_down(segment.how.size * ROW_LIMIT_BYTES / largest)
    return BucketSizeProposal(segment, size, largest * size / segment.how.size) if 1 < size < segment.how.size else None


def coarser_number_bucket(rows: RowKindFacts, least_factor: float) -> BucketSizeProposal | None:
    """Return a round size that holds `least_factor` present buckets; None if its largest row is too large."""
    segment, largest = number_bucket(rows), largest_bytes(rows)
    if segment is None or largest is None or not isinstance(segment.how, Bucket):
        return None
    size = -_round_down(-segment.how.size * least_factor)
    then = largest * size / segment.how.size
    return BucketSizeProposal(segment, size, then) if size > segment.how.size and then < ROW_LIMIT_BYTES else None


def _round_down(number: float) -> int:
    """Return the next 1, 2 or 5 times a power of ten below a number; above it, of a negative one's size."""
    step = 10.0 ** math.floor(math.log10(abs(number)))
    steps = [1, 2, 5, 10]
    # 1e-9: a number that is round but for floats stays.
    if number < 0:
        return -round(step * next(candidate for candidate in steps if candidate * step >= -number * (1 - 1e-9)))
    return round(step * max(candidate for candidate in steps if candidate * step <= number * (1 + 1e-9)))


def event_bucket(
    spec: Spec, write: Write, spread: EntityShares, load: WriteLoad, *, span_seconds: float
) -> tuple[Resolution, float, float] | None:
    """Return the coarsest bucket within a span for rows of single events: its name, length, largest row.

    The busiest entity's events are those of the fullest bucket, and by chance a few more: four standard deviations.
    None if no bucket's largest row stays below the recommended size.
    """
    busiest = float(spread.shares.max(initial=0.0))
    for resolution, seconds in SECONDS.items():
        events = busiest * fullest_bucket(spec, write, seconds)
        largest = (events + 4 * math.sqrt(events)) * load.bytes_per_row
        if seconds <= span_seconds and largest < ROW_LIMIT_BYTES:
            return resolution, seconds, largest
    return None


def fullest_bucket(spec: Spec, write: Write, seconds: float) -> float:
    """Return the rows that a write writes, over all entities, in the horizon's fullest time bucket of a length."""
    horizon_days = float(effective_value(spec, spec, "horizon_months")) * MONTH_DAYS
    ticking = event_curve(spec, spec.find(write.activity or ""), 0.0)
    buckets = ticking.buckets(seconds / DAY_SECONDS, np.zeros(1), np.array([horizon_days]))
    return float(buckets.largest[0]) * float(effective_value(spec, write, "rows_per_event"))


def _most_events(rows: RowKindFacts) -> Callable[[float], float]:
    """Return a function of a bucket's seconds: what comes of the write that fills the largest row.

    While no rate is known, as much as the bucket is long.
    """
    events = rows.growth.largest_events if rows.growth else {}
    writes = [
        write
        for write in rows.kind.writes
        if write.activity and effective_value(rows.spec, write, "mode") not in DELETES
    ]
    fills = max(writes, key=lambda write: events.get(write.id, 0.0), default=None)
    try:
        has_rate = fills is not None and fullest_bucket(rows.spec, fills, 1.0) > 0
    except NotComputableError:
        has_rate = False
    return lambda seconds: fullest_bucket(rows.spec, fills, seconds) if has_rate and fills is not None else seconds
