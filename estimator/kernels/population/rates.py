"""Growth of a design's rates: activities, reads and values in use, by one growth law."""

import math

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.activity import Activity, Every
from designer.document.durations import MONTH_DAYS
from designer.document.texts import N_
from estimator.results import NotComputableError, UnknownReason
from estimator.results.arrays import Floats

from .timeline import month_dates
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
