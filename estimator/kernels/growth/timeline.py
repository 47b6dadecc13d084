"""The horizon as dates and days, and how many events happen between two days of it."""

import datetime
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from designer.document import Spec, assumed
from designer.document.activity import Activity
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from estimator.results.arrays import Floats

from .rates import activity_rate, activity_rates


def month_dates(spec: Spec) -> tuple[datetime.date, ...]:
    """Return the start, then the end of each month of the horizon."""
    start: datetime.date = assumed(spec, spec, "start")
    if isinstance(start, str):
        start = datetime.date.fromisoformat(start)
    return _month_ends(start, assumed(spec, spec, "horizon_months"))


@lru_cache(maxsize=64)
def _month_ends(start: datetime.date, months: int) -> tuple[datetime.date, ...]:
    return tuple(_later(start, month) for month in range(months + 1))


def month_days(spec: Spec) -> Floats:
    """Days from the start to each of `month_dates`: mean months, so that growth per month compounds evenly."""
    return np.arange(assumed(spec, spec, "horizon_months") + 1, dtype=np.float64) * MONTH_DAYS


def _later(start: datetime.date, months: int) -> datetime.date:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    after = datetime.date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    last = (after - datetime.timedelta(days=1)).day
    return datetime.date(year, month + 1, min(start.day, last))


@dataclass(frozen=True)
class Clock:
    """Events of one activity over time: none before the history, the start's rate in it, then growing."""

    days: Floats
    """Ascending, from the beginning of the history to the end of the horizon; 0 is the start. [day]"""
    events: Floats
    """Events until each of these days. [events]"""

    def until(self, days: Floats) -> Floats:
        """Return the number of events from the beginning of the history until a day."""
        return np.interp(days, self.days, self.events)

    def between(self, first: Floats, last: Floats) -> Floats:
        """Return the number of events from one day to another."""
        return np.maximum(self.until(last) - self.until(first), 0.0)

    def per_day(self, day: float) -> float:
        """Return the rate on a day, in events a day."""
        i = int(np.clip(np.searchsorted(self.days, day) - 1, 0, len(self.days) - 2))
        return float((self.events[i + 1] - self.events[i]) / (self.days[i + 1] - self.days[i]))


def clock(spec: Spec, activity: Activity, history_days: float, horizon_days: float) -> Clock:
    """Return the clock of an activity.

    Named peak days are left out, as they move a year's bytes by less than a day.

    Raises
    ------
    Open
        If neither a rate nor "every n seconds per value" is given.
    """
    days = np.linspace(0.0, horizon_days, max(round(horizon_days / MONTH_DAYS) * 4, 4) + 1)
    mean = (days[1:] + days[:-1]) / 2
    rate = activity_rates(spec, activity, mean / MONTH_DAYS)
    start_rate = activity_rate(spec, activity)
    after = np.concatenate(([0.0], np.cumsum(rate * DAY_SECONDS * np.diff(days))))
    history = max(history_days, 0.0)
    before = start_rate * DAY_SECONDS * history
    if history == 0:
        return Clock(days, after)
    return Clock(np.concatenate(([-history], days)), np.concatenate(([0.0], before + after)))
