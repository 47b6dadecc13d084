"""Growth of a design's rates: activities, reads and values in use, by one growth law."""

import datetime
import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.activity import Activity, Every
from designer.document.durations import MONTH_DAYS
from designer.document.texts import N_
from estimator.results import NotComputableError, UnknownReason
from estimator.results.arrays import Floats

from .profile import profile_week
from .timeline import billed_hours, month_dates
from .values import values_in_use

END_MONTHS = 0.4 / MONTH_DAYS
"""Less than half a day: by so much months of equal length begin before those of the calendar, or behind."""


def end_month(spec: Spec, activity: Activity) -> float:
    """Return when an activity ends, in months after the start; infinity where it goes on. [month]"""
    if activity.ends_on is None:
        return math.inf
    return (activity.ends_on - month_dates(spec)[0]).days / MONTH_DAYS


def activity_rates(spec: Spec, activity: Activity, months: Floats, *, until_end: bool = True) -> Floats:
    """Return mean events a second over the week, so many months after the start; named peak days apart.

    Parameters
    ----------
    months : float64, shape (n,)
        Below 0 the rate is that of the start. [month]
    until_end
        There are no events once the activity has ended; else its rate is that of its last day.

    Returns
    -------
    float64, shape (n,)
        [1/s]

    Raises
    ------
    NotComputableError
        If neither a rate nor "every n seconds per value" is given.
    """
    end = end_month(spec, activity)
    if math.isfinite(end):
        going = _lasting_rates(spec, activity, np.minimum(months, end))
        return np.where(months < end - END_MONTHS, going, 0.0) if until_end else going
    return _lasting_rates(spec, activity, months)


@dataclass(frozen=True)
class MonthlyRates:
    """Rates of an activity, or of rows that follow from it, over the months of the horizon. [1/s]"""

    at_ends: Floats
    """(months + 1,) mean of the week at the start and after each month, named peak days apart."""
    lasting: Floats
    """(months + 1,) the same; once it has ended, that of its last day."""
    running_share: Floats
    """(months,) share of each month's billed hours in which it goes on: 1 where it does not end. [1]"""
    mean: Floats
    """(months,) mean over the billed hours of each month, with its named peak days."""
    ends_on: datetime.date | None
    """The first day without it."""

    @property
    def while_running(self) -> Floats:
        """(months,) mean of the part of each month in which it goes on, named peak days apart."""
        return np.asarray((self.lasting[1:] + self.lasting[:-1]) / 2)

    def times(self, factor: float) -> "MonthlyRates":
        """Return rates that are so many times as high."""
        return replace(self, at_ends=self.at_ends * factor, lasting=self.lasting * factor, mean=self.mean * factor)

    def of_month(self, month: int) -> "MonthlyRates":
        """Return the rates of one month alone, from 0."""
        ends, mean = slice(month, month + 2), slice(month, month + 1)
        return replace(
            self, at_ends=self.at_ends[ends], lasting=self.lasting[ends], running_share=self.running_share[mean],
            mean=self.mean[mean],
        )  # fmt: skip


def monthly_rates(spec: Spec, activity: Activity) -> MonthlyRates:
    """Return the rates of an activity over the horizon.

    Raises
    ------
    NotComputableError
        If neither a rate nor "every n seconds per value" is given.
    """
    key = ("monthly rates", activity.id)
    cached = spec.result_cache.get(key)
    if cached is None or cached[0] is not activity:  # changed copies have the same id
        cached = spec.result_cache[key] = (activity, _monthly_rates(spec, activity))
    rates: MonthlyRates = cached[1]
    return rates


def _monthly_rates(spec: Spec, activity: Activity) -> MonthlyRates:
    dates = month_dates(spec)
    months: Floats = np.arange(len(dates), dtype=np.float64)
    lasting, share = activity_rates(spec, activity, months, until_end=False), np.ones(len(dates) - 1)
    straight = (lasting[1:] + lasting[:-1]) / 2
    if activity.ends_on is None and not activity.peak_days:
        return MonthlyRates(lasting, lasting, share, straight, None)
    end, peak_events = activity.ends_on or datetime.date.max, np.zeros(len(dates) - 1)
    factors: dict[datetime.date, float] = {}
    for peak in activity.peak_days:
        factors[peak.date] = max(peak.factor, factors.get(peak.date, 0.0))
    week = profile_week(effective_value(spec, activity, "profile")).reshape(7, 24).mean(axis=1)
    hours = np.array([float(billed_hours(spec, first)) for first in dates[:-1]])
    for month, (first, last) in enumerate(pairwise(dates)):
        if end < last:
            share[month] = min(max((end - first).days, 0) * 24 / hours[month], 1.0)
        for date, factor in factors.items():
            if first <= date < min(last, end):
                since_start = np.array([(date - dates[0]).days / MONTH_DAYS])
                rate = float(activity_rates(spec, activity, since_start)[0])
                peak_events[month] += (factor - 1) * rate * float(week[date.weekday()]) * 24
    mean = np.maximum(straight * share + peak_events / hours, 0.0)
    return MonthlyRates(activity_rates(spec, activity, months), lasting, share, mean, activity.ends_on)


def _lasting_rates(spec: Spec, activity: Activity, months: Floats) -> Floats:
    """Return the rates of an activity as if it went on for ever: (n,). [1/s]"""
    rate = effective_value(spec, activity, "rate_per_second")
    if rate is None:
        raise NotComputableError(
            UnknownReason(N_("“{activity}” has no rate."), activity.id, {"activity": activity.label})
        )
    base = np.full_like(months, float(rate))
    if activity.rate_per_second is None and isinstance(activity.arrival, Every):
        # The guessed rate is that of the values at the start.
        values = values_in_use(spec, spec.find(activity.arrival.field), months * MONTH_DAYS)
        base = values / activity.arrival.seconds
    return base * _growth(spec, activity, months)


def read_rates(spec: Spec, read: Read, months: Floats) -> Floats | None:
    """Return mean requests a second over the week, as `activity_rates` does; None where no rate is given."""
    return None if read.rate_per_second is None else read.rate_per_second * _growth(spec, read, months)


def activity_rate(spec: Spec, activity: Activity, months: float = 0) -> float:
    """Return an activity's rate after `months`, per second."""
    return float(activity_rates(spec, activity, np.array([float(months)]))[0])


def read_rate(spec: Spec, read: Read, months: float = 0) -> float | None:
    """Return a read's rate after `months`, per second; None where no rate is given."""
    rates = read_rates(spec, read, np.array([float(months)]))
    return None if rates is None else float(rates[0])


def last_update_days(updates: float, most_days: float) -> float:
    """Return the mean age at which a row gets its last update; 0 for a row that gets none. [day]

    Parameters
    ----------
    updates
        Mean updates of a row, each at a random age (Poisson).
    most_days
        The greatest of these ages.

    >>> round(last_update_days(1e-9, 30), 6), round(last_update_days(1e9, 30), 6)
    (0.0, 30.0)
    """
    # Near 0 the first term of the series, as digits cancel.
    return most_days * (1 + math.expm1(-updates) / updates) if updates > 1e-6 else most_days * updates / 2


def _growth(spec: Spec, of: Activity | Read, months: Floats) -> Floats:
    """Return the factor to the rate of the start: it compounds by the month, and a month of −100 % leaves nothing."""
    factor = 1 + float(effective_value(spec, of, "growth_per_month") or 0)
    return np.asarray(np.power(factor, np.maximum(months, 0.0)))
