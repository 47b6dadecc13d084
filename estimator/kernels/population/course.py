"""Course of an activity's rate over time: mean of the week, as it grows × shape of the week × factor of named days."""

import datetime
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from estimator.results.arrays import Floats, Ints

from .profile import DAY_MINUTES

EPOCH = datetime.date(1970, 1, 1)
WEEK_DAYS = 7.0
HOURS = (np.arange(8) + 0.5) / 8
"""At these hours of a day months end, and requests come, each as likely. [day]"""


@dataclass(frozen=True, eq=False)
class Course:
    """Rate over time; day 0 begins at midnight UTC of the start date."""

    start: datetime.date
    trend: Floats
    """(days,) mean over the week on each day from the start to the end of the horizon. [1/day]"""
    before: float
    """Mean over the week before the start. [1/day]"""
    shape_minutes: Floats
    """(10080,) rate in each minute of a week, Monday first, mean 1; all 0 where there are no events. [1]"""
    factors: Mapping[int, float]
    """Of named days, by day."""
    end_day: float = math.inf
    """When it ends. [day]"""

    @cached_property
    def day_shares(self) -> Floats:
        """Events of each weekday ÷ those of the mean day: (7,), Monday first."""
        return np.asarray(self.shape_minutes.reshape(7, DAY_MINUTES).mean(axis=1))

    @cached_property
    def result_cache(self) -> dict[Any, Any]:
        """Cache for what no period changes, computed once per course."""
        return {}

    @property
    def first_day(self) -> int:
        """Day 0 as days since 1970-01-01."""
        return (self.start - EPOCH).days

    def weekday(self, day: int) -> int:
        """Return the weekday of a day; 0 is Monday."""
        return (self.start.weekday() + day) % 7

    def mean(self, day: float) -> float:
        """Return the mean rate over the week on a day, named days apart. [1/day]"""
        return self.before if day < 0 else float(self.trend[self.place(np.array(day))])

    def place(self, days: Floats) -> Ints:
        """Return the index in `trend` of the day in which a moment lies; of later ones the last."""
        whole = np.floor(np.minimum(days, 1e9))  # infinity is no index
        return np.asarray(np.minimum(np.maximum(whole, 0), len(self.trend) - 1).astype(np.int64))

    def until(self, days: Floats, *, shaped: bool, begin_day: float = -math.inf) -> Floats:
        """Return the events from day 0 until some days; below 0 before it.

        Parameters
        ----------
        days : float64, any shape
        shaped
            To the minute; else at a random moment of the week: each day has the week's mean, a named day more, of which
            a part is over within half a day of it.
        begin_day
            A moment that is known to the minute. [day]
        """
        place = self.place(days)
        if shaped:
            after = self._events_by_weekday[place] + self.trend[place] * self._between(place.astype(np.float64), days)
            total = np.where(days < 0, self.before * self._between(np.zeros(1), days), after)
        else:
            total = np.where(days < 0, self.before * days, self._plain[place] + self.trend[place] * (days - place))
        for day, factor in self.factors.items():
            share = self.day_shares[self.weekday(day)]
            moments = np.minimum(np.maximum(days, day), day + 1.0)
            if shaped:
                part = self._between(np.array(float(day)), moments)
            else:
                part = self.met_by_any_hour(day, days, begin_day) * share
            # Counts are 0 at the start, so before it they lack what a named day there still adds.
            total = total + (factor - 1) * self.mean(day) * (part - share * (day < 0))
        return np.asarray(total)

    def met_by_any_hour(self, day: int, days: Floats, begin_day: float) -> Floats:
        """Return the part of a day's events that are over on some days, give or take half a day. [1]

        `begin_day`: a moment that is known to the minute.
        """
        begun = float(np.clip(begin_day - day, 0.0, 1.0))
        at_begin = float(self.at_hour(np.array(begun)))
        any_hour = self._until_any_hour(days - day + 0.5) - self._until_any_hour(days - day - 0.5)
        return np.asarray(np.where(days <= begin_day, at_begin, np.maximum(any_hour, at_begin)))

    def early_days(self, begin_day: float) -> float:
        """Return how many days of events more have come since a moment, in the mean of a later day's hours. [day]

        What comes early in the day has come once more at most hours of it; what comes late, once less.
        """
        mean = float(self._until_any_hour(np.ones(1))[0]) - 0.5
        return round(mean + begin_day - float(self.at_hour(np.array(begin_day))), 12)

    def at_hour(self, days: Floats) -> Floats:
        """Return the days after which, at an even rate, as much has come as by the hours of the mean weekday."""
        whole = np.floor(days)
        return np.asarray(whole + np.interp((days - whole) * DAY_MINUTES, _MINUTES[: DAY_MINUTES + 1], self._day))

    @cached_property
    def _day(self) -> Floats:
        """Share of a day's events until each of its minutes, in the mean of weekdays: (1441,)."""
        minutes = self.shape_minutes.reshape(7, DAY_MINUTES).mean(axis=0)
        total = max(float(minutes.sum()), 1e-300)
        return np.asarray(np.concatenate(([0.0], np.cumsum(minutes))) / total)

    def _until_any_hour(self, days: Floats) -> Floats:
        """Return the integral, until some days after a day's beginning, of the share of its events that are over."""
        inside = np.interp(np.clip(days, 0.0, 1.0) * DAY_MINUTES, _MINUTES[: DAY_MINUTES + 1], self._day_sums)
        return np.asarray(inside + np.maximum(days - 1.0, 0.0))

    @cached_property
    def _day_sums(self) -> Floats:
        return np.concatenate(([0.0], np.cumsum(self._day[1:] + self._day[:-1]))) / 2 / DAY_MINUTES

    @cached_property
    def _plain(self) -> Floats:
        """Events until each day at the week's mean: (days + 1,)."""
        return np.concatenate(([0.0], np.cumsum(self.trend)))

    @cached_property
    def _events_by_weekday(self) -> Floats:
        """Events until each day as each weekday has them: (days + 1,)."""
        weekdays = (self.start.weekday() + np.arange(len(self.trend))) % 7
        return np.concatenate(([0.0], np.cumsum(self.trend * self.day_shares[weekdays])))

    def _between(self, first: Floats, last: Floats) -> Floats:
        monday = self.start.weekday()
        return week_until(self.week, last + monday) - week_until(self.week, first + monday)

    @cached_property
    def week(self) -> Floats:
        """Events from a Monday's midnight until each minute of the week, at a mean rate of one a day."""
        return events_of_week(self.shape_minutes)


def events_of_week(shape_minutes: Floats) -> Floats:
    """Return the events from a Monday's midnight until each minute of the week, at a mean rate of one a day."""
    return np.asarray(np.concatenate(([0.0], np.cumsum(shape_minutes))) / DAY_MINUTES)


def week_until(week: Floats, days: Floats) -> Floats:
    """Return the events from a Monday's midnight until some days after it, by those until each minute of a week."""
    weeks, rest = np.divmod(days, WEEK_DAYS)
    return np.asarray(weeks * week[-1] + np.interp(rest * DAY_MINUTES, _MINUTES, week))


_MINUTES = np.arange(7 * DAY_MINUTES + 1)
