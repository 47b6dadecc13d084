"""The shape of a week in plain numbers: each profile as 168 hours relative to their mean."""

import math
from collections.abc import Callable
from functools import lru_cache

from .activity import BatchWindow, Diurnal, Flat, OfficeHours, Profile, Week

DAY_MINUTES = 24 * 60
WINDOW_HOURS_MIN = 1 / 60
"""Shorter batches and office hours take their minute, the finest that shapes tell: else they come at no time. [hour]"""


@lru_cache(maxsize=256)
def week_hours(profile: Profile) -> tuple[float, ...]:
    """Return the rate in each hour of a week relative to the week's mean, Monday 00:00 UTC first.

    All rates are 0 if there are no events.

    >>> from designer.document.activity import BatchWindow
    >>> week_hours(BatchWindow(start_hour=1, hours=2))[:4]
    (0.0, 12.0, 12.0, 0.0)
    """
    if isinstance(profile, Week):
        hours = profile.hours
    else:
        work = _day(profile, rests=False)
        rest = _day(profile, rests=True) if isinstance(profile, OfficeHours) else work
        hours = work * 5 + rest * 2
    mean = sum(hours) / len(hours)
    return tuple(hour / mean if mean > 0 else 0.0 for hour in hours)


def _day(profile: Flat | Diurnal | OfficeHours | BatchWindow, *, rests: bool) -> tuple[float, ...]:
    """24 hours, each the mean of its minutes."""
    rate = _rate(profile, rests)
    minutes = [rate((minute + 0.5) / 60) for minute in range(DAY_MINUTES)]
    return tuple(sum(minutes[60 * hour : 60 * hour + 60]) / 60 for hour in range(24))


def _rate(profile: Flat | Diurnal | OfficeHours | BatchWindow, rests: bool) -> Callable[[float], float]:
    match profile:
        case Diurnal() if profile.peak_to_mean > 1:
            floor = wave_floor(profile.peak_to_mean)
            return lambda hour: max(math.cos((hour - profile.peak_hour) * (2 * math.pi / 24)) + floor, 0.0)
        case OfficeHours():
            span = max((profile.end_hour - profile.start_hour) % 24 or 24.0, WINDOW_HOURS_MIN)  # equal: the whole day
            return lambda hour: 1.0 if not rests and (hour - profile.start_hour) % 24 < span else profile.rest_share
        case BatchWindow():
            return lambda hour: float((hour - profile.start_hour) % 24 < max(profile.hours, WINDOW_HOURS_MIN))
        case _:
            return lambda hour: 1.0


@lru_cache(maxsize=256)
def wave_floor(peak_to_mean: float) -> float:
    """Return the b for which max(0, b + cos) has this peak ÷ mean.

    It is 1 ÷ (p - 1) up to p = 2, and found by bisection above that.
    """
    if peak_to_mean <= 2:
        return 1 / (peak_to_mean - 1)
    low, high = -1.0 + 1e-9, 1.0  # at -1, the wave is 0 at every hour
    for _ in range(60):
        middle = (low + high) / 2
        # The wave is above 0 for `half` on each side of its peak; its mean is the integral over these ÷ 2π.
        half = math.acos(-middle)
        ratio = (middle + 1) * math.pi / (middle * half + math.sin(half))
        low, high = (middle, high) if ratio > peak_to_mean else (low, middle)
    return (low + high) / 2
