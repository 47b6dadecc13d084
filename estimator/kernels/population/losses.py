"""Events that are lost, as another event has named their key."""

import math
from dataclasses import replace

import numpy as np

from .counts import Counts
from .turnover import EVER_DAYS

UNIQUE_DAYS = 1.001e-3 / 86_400
"""A time bucket no longer than a millisecond."""
SHORT_KEPT_DAYS = 100.0
"""Keys are remembered for so short that the day on which they are counted matters…"""
_MOMENTS = 12
"""…so that it is cut into so many parts."""


def lost_per_day(counts: Counts, day: float, kept_days: float = math.inf) -> float:
    """Return the events a day, up to a day, whose key another event has named already. [1/day]

    `kept_days`: how long a key is remembered.
    """
    bucket_days = counts.bucket_days
    if kept_days <= 0:
        return 0.0  # cells that are too old as they are written: a key is not there for another event to meet
    if counts.every_event:
        fine = bucket_days is not None and bucket_days <= UNIQUE_DAYS
        return lost_per_day(replace(counts, every_event=False), day, kept_days) if fine else 0.0  # a new id each time
    length = max(bucket_days or 0.0, 1.0)  # over a whole bucket: losses rise as it fills
    begin, end = np.array([day - length]), np.array([day])
    # No key is forgotten within its bucket: all events but the first of each are lost.
    if bucket_days is not None and kept_days >= bucket_days:
        anywhere = replace(counts, border_day=None)  # the mean of a bucket, and not what that of today has so far
        return counts.beyond_first(next(iter(anywhere.windows(begin, end, whole=True)))) / length
    if kept_days < SHORT_KEPT_DAYS:  # a key is remembered from each moment of the day, not from its end
        edges = np.linspace(day - length, day, _MOMENTS + 1)
        begin, end = edges[:-1], edges[1:]
    since = np.minimum((begin + end) / 2 - min(kept_days, EVER_DAYS), begin)
    if not counts.own_numbers.is_bounded:  # all that is lost until a day is exact, also where that is very little
        lost = [counts.windows(since, days) for days in (end, begin)]
        later, earlier = (sum(map(counts.beyond_first, parts)) for parts in lost)
        return max(later - earlier, 0.0) / length
    # Keys that nothing has named before, as far back as they are remembered.
    new_keys = counts.count_capped_events(since, end, 1.0) - counts.count_capped_events(since, begin, 1.0)
    return max(float((counts.count_named_keys(begin, end) - new_keys).sum()), 0.0) / length
