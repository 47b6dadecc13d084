"""Rates over time: the shape of a week, and the rate of an activity or a read after some months."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import assert_never

import numpy as np

from designer.document.activity import BatchWindow, Diurnal, Flat, OfficeHours, Profile, Week
from designer.document.shapes import WINDOW_HOURS_MIN, wave_floor
from estimator.results.arrays import Floats

DAY_MINUTES = 24 * 60
WEEK_MINUTES = 7 * DAY_MINUTES


@lru_cache(maxsize=256)
def profile_minutes(profile: Profile) -> Floats:
    """Return the rate in each minute of a week, relative to the week's mean.

    Parameters
    ----------
    profile : Profile
        Hours are UTC.

    Returns
    -------
    float64, shape (10080,), read-only
        Monday 00:00 first, mean 1; all 0 where a week's 168 values are all 0. [1]
    """
    hour = (np.arange(WEEK_MINUTES) + 0.5) / 60  # the middles of minutes
    shape = _shape(profile, hour, hour % 24)
    mean = float(shape.mean())
    shape = shape / mean if mean > 0 else np.zeros_like(shape)
    shape.flags.writeable = False
    return shape


def _shape(profile: Profile, hour: Floats, of_day: Floats) -> Floats:
    match profile:
        case Flat():
            return np.ones_like(hour)
        case Diurnal():
            wave = np.cos((of_day - profile.peak_hour) * (2 * math.pi / 24))
            return (
                np.maximum(wave + wave_floor(profile.peak_to_mean), 0.0)
                if profile.peak_to_mean > 1
                else np.ones_like(hour)
            )
        case OfficeHours():
            span = (profile.end_hour - profile.start_hour) % 24 or 24.0  # from an hour to the same one is a whole day
            span = max(span, WINDOW_HOURS_MIN)
            busy = ((of_day - profile.start_hour) % 24 < span) & (hour < 5 * 24)  # Monday to Friday
            return np.where(busy, 1.0, profile.rest_share)
        case BatchWindow():
            return ((of_day - profile.start_hour) % 24 < max(profile.hours, WINDOW_HOURS_MIN)).astype(np.float64)
        case Week():
            return np.repeat(np.array(profile.hours, dtype=np.float64), 60)
        case _:
            assert_never(profile)


def profile_week(profile: Profile) -> Floats:
    """Return each hour's rate relative to the week's mean: float64, shape (168,), mean 1, Monday 00:00 UTC first."""
    return np.asarray(profile_minutes(profile).reshape(168, 60).mean(axis=1))


def hour_parts(profile: Profile) -> int:
    """Return into how many equal parts hours have to be cut so that no batch and no office begins or ends in one."""
    if not isinstance(profile, BatchWindow | OfficeHours):
        return 1  # waves are smooth: their hour's mean is meant
    borders = np.flatnonzero(np.diff(profile_minutes(profile))) + 1
    return 60 // math.gcd(60, *borders.tolist())


def week_parts(profile: Profile) -> Floats:
    """Return the rate in each part of each hour relative to the week's mean: (168 × `hour_parts`,), mean 1."""
    return np.asarray(profile_minutes(profile).reshape(168 * hour_parts(profile), -1).mean(axis=1))


def busy_week(profile: Profile) -> Floats:
    """Return the rate in each part of each hour while its load runs, relative to the week's mean, as `week_parts`.

    A batch of a quarter of an hour asks for four times what the hour's mean says, and no server works ahead.
    """
    if isinstance(profile, BatchWindow | OfficeHours):
        return np.asarray(profile_minutes(profile).reshape(168 * hour_parts(profile), -1).max(axis=1))
    return profile_week(profile)


def stack_weeks(weeks: Sequence[Floats]) -> Floats:
    """Return weeks below each other, all in as many parts as any of them has to be cut into: (weeks, parts)."""
    parts = math.lcm(168, *(len(week) for week in weeks))
    return np.array([np.repeat(week, parts // len(week)) for week in weeks]).reshape(len(weeks), parts)


def day_rates(profile: Profile, weekday: int, windows: int = 96) -> Floats:
    """Return the rate in each window of one day, relative to the *week's* mean.

    Parameters
    ----------
    profile : Profile
    weekday : int
        0 is Monday.
    windows : int
        A divisor of 1,440.

    Returns
    -------
    float64, shape (windows,)
        [1]
    """
    day = profile_minutes(profile)[weekday * DAY_MINUTES : (weekday + 1) * DAY_MINUTES]
    return np.asarray(day.reshape(windows, -1).mean(axis=1))
