"""Lengths of time: of a day, a month, and of what a time is cut down to."""

from collections.abc import Mapping
from typing import cast

from .key import Resolution

DAY_SECONDS = 86_400.0
MONTH_DAYS = 365.25 / 12
"""In the mean."""
YEAR_DAYS = 365.25

RESOLUTION_SECONDS: Mapping[Resolution, float] = {
    "microsecond": 1e-6,
    "millisecond": 1e-3,
    "second": 1.0,
    "minute": 60.0,
    "hour": 3_600.0,
    "day": DAY_SECONDS,
    "week": 7 * DAY_SECONDS,
    "month": MONTH_DAYS * DAY_SECONDS,
    "year": YEAR_DAYS * DAY_SECONDS,
}
"""Lengths of time buckets, months and years in the mean. [s]"""


def bucket_length_seconds(bucket: str) -> float:
    """Return the length of a time bucket, which is a resolution or a number of seconds as `300s`. [s]"""
    seconds = RESOLUTION_SECONDS.get(cast(Resolution, bucket))
    return float(bucket[:-1]) if seconds is None else seconds
