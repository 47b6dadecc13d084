"""Buckets of time, and what the readable text of a time shows of them."""

from collections.abc import Mapping

import numpy as np

from designer.document.durations import bucket_length_seconds
from designer.document.key import Resolution, TimeSegment
from estimator.results.arrays import Ints

from ..rendering import clock

FIRST_US = 1_000_000_000 * 1_000_000
LAST_US = 10_000_000_000 * 1_000_000
CENTURY_END_US = 4_102_444_800 * 1_000_000
"""1 January 2100: from then on, years of two digits begin again."""
"""From 2001-09-09 to 2286-11-20 epoch seconds have ten digits: the times that keys are computed for."""

_CHAINS = (
    (("Y", "year"), ("m", "month"), ("d", "day"), ("H", "hour"), ("M", "minute"), ("S", "second"),
     ("f", "millisecond")),
    (("Y", "year"), ("j", "day"), ("H", "hour"), ("M", "minute"), ("S", "second"), ("f", "millisecond")),
    (("G", "year"), ("V", "week")),
)  # fmt: skip
"""Directives of fixed width from coarse to fine: a beginning of one of these sorts as time does."""


def computed_places(bucket: str) -> tuple[int, int]:
    """Return the first and the last number of a bucket that keys are computed for, and some more."""
    low, high = (clock.bucket_place(us, bucket) for us in (FIRST_US - 400 * clock.DAY_US, LAST_US + clock.DAY_US))
    return low, high + 1


def clip_place(number: int, bucket: str) -> int:
    low, high = computed_places(bucket)
    return min(max(number, low), high)


def bucket_places(time_us: Ints, bucket: str) -> Ints:
    """Return the number of the bucket since 1970 that each time is in; int64, any shape."""
    size, offset = clock.bucket_us(bucket), clock.first_start_us(bucket)
    if size is not None:
        return np.asarray((time_us - offset if offset else time_us) // size)
    unit = "M8[M]" if bucket == "month" else "M8[Y]"
    return np.asarray(time_us.astype("M8[us]").astype(unit).astype(np.int64))


def bucket_starts(place: Ints, bucket: str) -> Ints:
    """Return the start of the bucket at each place, in microseconds since 1970: the inverse."""
    size = clock.bucket_us(bucket)
    if size is not None:
        return place * size + clock.first_start_us(bucket)
    unit = "M8[M]" if bucket == "month" else "M8[Y]"
    return np.asarray(place.astype(unit).astype("M8[us]").astype(np.int64))


def first_bucket(time_us: int, bucket: str) -> int:
    """Return the first start of a bucket at or after a time, within the times that keys are computed for."""
    time_us = min(max(time_us, FIRST_US - 400 * clock.DAY_US), LAST_US + clock.DAY_US)
    start = clock.bucket_start(time_us, bucket)
    return start if start == time_us else clock.bucket_end(start, bucket)


def first_buckets(time_us: Ints, bucket: str) -> Ints:
    """`first_bucket` of many times."""
    time_us = np.clip(time_us, FIRST_US - 400 * clock.DAY_US, LAST_US + clock.DAY_US)
    places = bucket_places(time_us, bucket)
    starts = bucket_starts(places, bucket)
    return np.where(starts == time_us, starts, bucket_starts(places + 1, bucket))


def is_chronological(pattern: str, preceding: str = "") -> bool:
    """Return True if the readable text sorts as time: fixed widths, coarse before fine, nothing left out.

    `preceding` are the patterns of the time segments before it, which have fixed the coarser parts. Years of two digits
    sort within a century.
    """
    names = ["Y" if name == "y" else name for name in clock.DIRECTIVE.findall(preceding + pattern) if name != "%"]
    return any(names == [name for name, _ in chain[: len(names)]] for chain in _CHAINS) and bool(names)


def last_us(pattern: str) -> int:
    """Return the end of the times whose texts can be told apart, in microseconds since 1970."""
    return CENTURY_END_US if "y" in clock.DIRECTIVE.findall(pattern) else LAST_US


def pattern_resolution(pattern: str) -> Resolution:
    """Return the finest part of time that a readable pattern shows."""
    fineness = {"Y": 0, "y": 0, "G": 0, "m": 1, "b": 1, "B": 1, "V": 2, "d": 3, "j": 3, "a": 3, "H": 4, "I": 4, "p": 4,
                "M": 5, "S": 6, "f": 7}  # fmt: skip
    names: tuple[Resolution, ...] = ("year", "month", "week", "day", "hour", "minute", "second", "millisecond")
    ranks = [fineness[name.lstrip("-")] for name in clock.DIRECTIVE.findall(pattern) if name != "%"]
    return names[max(ranks, default=0)]


def segment_bucket(segment: TimeSegment) -> str:
    """Return the shortest buckets that a segment's texts tell apart: a resolution, or a length as `300s`.

    They are the coarser of bucket and pattern: a time in milliseconds written as %Y%m%d gives one row a day.
    """
    text_bucket = pattern_resolution(segment.pattern) if segment.pattern else _UNITS.get(segment.unit, segment.bucket)
    return max(segment.bucket, text_bucket, key=bucket_length_seconds)


def segment_seconds(segment: TimeSegment) -> float:
    """Return the length of the shortest buckets that a segment's texts tell apart. [s]"""
    return bucket_length_seconds(segment_bucket(segment))


_UNITS: Mapping[str, Resolution] = {
    "us": "microsecond", "ms": "millisecond", "s": "second", "m": "minute", "h": "hour", "d": "day",
}  # fmt: skip
