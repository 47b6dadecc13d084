"""Growth of a design's rates: activities, reads and values in use, by one growth law."""

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.activity import Activity, Every
from designer.document.durations import MONTH_DAYS
from designer.document.texts import N_
from estimator.results import NotComputableError, UnknownReason
from estimator.results.arrays import Floats

from .values import values_in_use


def activity_rates(spec: Spec, activity: Activity, months: Floats) -> Floats:
    """Return mean events a second over the week, so many months after the start; named peak days apart.

    Parameters
    ----------
    months : float64, shape (n,)
        Below 0 the rate is that of the start. [month]

    Returns
    -------
    float64, shape (n,)
        [1/s]

    Raises
    ------
    NotComputableError
        If neither a rate nor "every n seconds per value" is given.
    """
    rate = effective_value(spec, activity, "rate_per_second")
    if rate is None:
        raise NotComputableError(
            UnknownReason(N_("“{activity}” has no rate."), activity.id, {"activity": activity.label})
        )
    base = np.full_like(months, float(rate))
    if activity.rate_per_second is None and isinstance(activity.arrival, Every):
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


def _growth(spec: Spec, of: Activity | Read, months: Floats) -> Floats:
    """Return the factor to the rate of the start: it compounds by the month, and a month of −100 % leaves nothing."""
    factor = 1 + float(effective_value(spec, of, "growth_per_month") or 0)
    return np.asarray(np.power(factor, np.maximum(months, 0.0)))
