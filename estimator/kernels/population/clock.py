"""One clock: how many events of an activity come in any time, by which every integral over time goes."""

import math
from dataclasses import dataclass, replace

import numpy as np

from designer.document import Spec, effective_value
from designer.document.activity import Activity
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from estimator.results.arrays import Floats

from .buckets import Buckets, buckets_of
from .course import Course
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
        begin = self.course.until(np.array(self.begin_day), shaped=self.shaped)
        return self.course.until(np.maximum(days, self.begin_day), shaped=self.shaped) - begin

    def between(self, first: Floats, last: Floats) -> Floats:
        """Return the number of events from one day to another."""
        first, last = np.maximum(first, self.begin_day), np.maximum(last, self.begin_day)
        events = self.course.until(last, shaped=self.shaped) - self.course.until(first, shaped=self.shaped)
        return np.maximum(events, 0.0)

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
        return buckets_of(self.course, length_days, np.maximum(first, self.begin_day), np.maximum(last, self.begin_day))

    def since(self, history_days: float) -> "EventCurve":
        """Return the clock with a history of so many days."""
        return replace(self, begin_day=-max(history_days, 0.0))


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
    return EventCurve(course[1], -max(history_days, 0.0), shaped)


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
