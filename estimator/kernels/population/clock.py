"""One clock: how many events of an activity come in any time, by which every integral over time goes."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from designer.document import Spec, effective_value
from designer.document.activity import Activity
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from estimator.results.arrays import Floats

from .buckets import Buckets, buckets_of
from .course import HOURS, Course
from .events import BucketCounts, EventClock
from .profile import profile_minutes
from .rates import activity_rate, activity_rates, end_month
from .timeline import month_dates


@dataclass(frozen=True, eq=False)
class EventCurve:
    """Events of one activity over time: none before the history, the start's rate in it, then growing."""

    course: Course
    begin_day: float
    """When the history begins, 0 or below. [day]"""
    shaped: bool = False
    """Counts follow the day and the week to the minute; else they are those at a random moment of the week, as months'
    ends are in the model: at any hour, so that half a day before and after it a named day counts in part."""
    is_begin_known: bool = True
    """Events begin to the minute, as at the start; else at any hour, as a history or what is kept for a time."""
    hourly: bool = False
    """Counts that are not shaped follow the hours of the mean weekday all the same: whoever asks knows the hour."""

    @property
    def named_days(self) -> tuple[int, ...]:
        """Days, since the start, that have a factor of their own."""
        return tuple(self.course.factors)

    @property
    def week(self) -> Floats | None:
        """Events until each minute of a week, as the clock's shape has them; None: evenly."""
        return self.course.week if np.ptp(self.course.shape_minutes) > 0 else None

    def until(self, days: Floats) -> Floats:
        """Return the number of events from the beginning of the history until a day."""
        return self.between(np.array(self.begin_day), days)

    def between(self, first: Floats, last: Floats) -> Floats:
        """Return the number of events from one day to another."""
        first, last = np.maximum(first, self.begin_day), np.maximum(last, self.begin_day)
        events = self._until(last) - self._until(first)
        if self._early_days:
            events = events + self.course.mean(self.begin_day) * self._early(first, last)
        return np.maximum(events, 0.0)

    def _until(self, days: Floats) -> Floats:
        days = self.course.at_hour(days) if self.hourly else days
        return self.course.until(days, shaped=self.shaped, begin_day=self._known_day)

    @property
    def _known_day(self) -> float:
        """The day on which events begin to the minute. [day]"""
        return self.begin_day if self.is_begin_known else -math.inf

    @cached_property
    def _early_days(self) -> float:
        """So many days of events more the first day has in the mean. [day]"""
        is_mean = self.is_begin_known and not self.shaped and not self.hourly
        return self.course.early_days(self.begin_day) if is_mean else 0.0

    def _early(self, first: Floats, last: Floats) -> Floats:
        """Return how many days of events more come between some days, none before the beginning. [day]"""
        met = np.minimum(last - self.begin_day, 1.0) - np.minimum(first - self.begin_day, 1.0)
        return np.asarray(self._early_days * met)

    def inverse(self, events: Floats) -> Floats:
        """Return the first day until which so many events have come; infinity where they never do."""
        high = np.full(events.shape, float(len(self.course.trend)))
        while np.any(short := (self.until(high) < events) & (high < 1e9)):  # later is taken for never
            high = np.where(short, high * 2, high)
        low = np.full(events.shape, self.begin_day)
        never = self.until(high) < events
        for _ in range(80):  # from 1e9 days down to the last digit of a double
            middle = (low + high) / 2
            reached = self.until(middle) >= events
            low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        return np.where(never, math.inf, np.where(events <= 0, self.begin_day, high))

    def per_day(self, day: float) -> float:
        """Return the mean rate of the week on a day, named days apart, in events a day."""
        return self.course.mean(day)

    def buckets(self, length_days: float, first: Floats, last: Floats) -> Buckets:
        """Return the time buckets of a length in periods at a random moment of the week.

        Parameters
        ----------
        length_days
            Of a bucket. [day]
        first, last : float64, shape (periods,)
            Days; nothing is counted before the history.
        """
        first, last = np.maximum(first, self.begin_day), np.maximum(last, self.begin_day)
        early = self._early(first, last) if self._early_days else None
        return buckets_of(self.course, length_days, first, last, begin_day=self._known_day, early=early)

    def not_before(self, day: float) -> "EventCurve":
        """Return the clock without the events before a day."""
        return self if day <= self.begin_day else replace(self, begin_day=day, is_begin_known=False)

    @property
    def to_the_hour(self) -> "EventCurve":
        """The same where the hour at which one looks is known."""
        return self if self.shaped or self.week is None else replace(self, hourly=True)

    @property
    def day_over(self) -> Floats | None:
        """Part of a day's events that is over at each of some hours as likely; None where the hour is known. [1]"""
        return None if self.shaped or self.hourly else self.course.at_hour(HOURS)


@dataclass(frozen=True, eq=False)
class LaterClock:
    """Events of which a window counts those from some days after its beginning: they last so much shorter."""

    clock: EventClock
    later_days: float

    @property
    def begin_day(self) -> float:
        """Beginning of the first window that has all events. [day]"""
        return self.clock.begin_day - self.later_days

    @property
    def named_days(self) -> tuple[int, ...]:
        """Days that have a shape of their own, as the clock names them."""
        return self.clock.named_days

    @property
    def week(self) -> Floats | None:
        """Events until each minute of a week, as the clock has them."""
        return self.clock.week

    @property
    def to_the_hour(self) -> "LaterClock":
        """The same where the hour at which one looks is known."""
        return replace(self, clock=self.clock.to_the_hour)

    @property
    def day_over(self) -> Floats | None:
        """Part of a day's events that is over at each of some hours, as the clock has it. [1]"""
        return self.clock.day_over

    def between(self, first: Floats, last: Floats) -> Floats:
        """Return the events from some days after one day to another."""
        return self.clock.between(np.minimum(first + self.later_days, last), last)

    def buckets(self, length_days: float, first: Floats, last: Floats) -> BucketCounts:
        """Return the time buckets of a length in periods without their first days."""
        return self.clock.buckets(length_days, np.minimum(first + self.later_days, last), last)


def event_curve(
    spec: Spec, activity: Activity, history_days: float, horizon_days: float | None = None, *, shaped: bool = False
) -> EventCurve:
    """Return the clock of an activity.

    Parameters
    ----------
    history_days
        How long before the start its events began. [day]
    horizon_days
        The design's unless given.
    shaped
        As `EventCurve.shaped`.

    Raises
    ------
    NotComputableError
        If neither a rate nor "every n seconds per value" is given.
    """
    if horizon_days is None:
        horizon_days = float(effective_value(spec, spec, "horizon_months")) * MONTH_DAYS
    key = ("course", activity.id, activity.rate_per_second, horizon_days)
    course = spec.result_cache.get(key)
    if course is None or course[0] is not activity:  # changed copies have the same id
        course = spec.result_cache[key] = (activity, _course(spec, activity, horizon_days))
    return EventCurve(course[1], -max(history_days, 0.0), shaped, is_begin_known=history_days <= 0)


def with_unit_rate(spec: Spec, activity: Activity) -> Activity:
    """Return an activity that has a rate as if that was one event a second: when its events come, whatever the rate."""
    key = ("unit rate", activity.id)
    cached = spec.result_cache.get(key)
    if cached is None or cached[0] is not activity:
        cached = spec.result_cache[key] = (activity, activity.model_copy(update={"rate_per_second": 1.0}))
    unit: Activity = cached[1]
    return unit


def _course(spec: Spec, activity: Activity, horizon_days: float) -> Course:
    # Each day has the rate of its noon.
    days: Floats = np.arange(max(math.ceil(horizon_days), 1), dtype=np.float64) + 0.5
    start = month_dates(spec)[0]
    factors: dict[int, float] = {}
    for peak in activity.peak_days:
        day = (peak.date - start).days
        factors[day] = max(peak.factor, factors.get(day, 0.0))
    shape = profile_minutes(effective_value(spec, activity, "profile"))
    there = float(shape.any())  # a week of nothing
    return Course(
        start=start,
        trend=activity_rates(spec, activity, days / MONTH_DAYS) * (DAY_SECONDS * there),
        before=activity_rate(spec, activity) * (DAY_SECONDS * there),
        shape_minutes=shape,
        factors=factors,
        end_day=end_month(spec, activity) * MONTH_DAYS,
    )
