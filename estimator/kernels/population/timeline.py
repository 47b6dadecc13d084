"""The horizon as dates and days."""

import datetime
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from designer.document import Spec, effective_value
from designer.document.durations import MONTH_DAYS
from estimator.results.arrays import Floats


def month_dates(spec: Spec) -> tuple[datetime.date, ...]:
    """Return the start, then the end of each month of the horizon; the last may end within its month (`until_day`)."""
    start: datetime.date = effective_value(spec, spec, "start")
    return _month_ends(start, effective_value(spec, spec, "horizon_months"))


@lru_cache(maxsize=64)
def _month_ends(start: datetime.date, months: float) -> tuple[datetime.date, ...]:
    whole = int(months)
    ends = tuple(_add_months(start, month) for month in range(whole + 1))
    if whole == months:
        return ends
    # At least a day, as dates are looked up by their value.
    return (*ends, ends[-1] + datetime.timedelta(days=max(round((months - whole) * MONTH_DAYS), 1)))


def until_day(spec: Spec, days: float) -> Spec:
    """Return a design whose horizon ends so many days after its start: a state that is compared with a real day's."""
    return spec.with_horizon(days / MONTH_DAYS)


def month_days(spec: Spec) -> Floats:
    """Days from the start to each of `month_dates`: mean months, so that growth per month compounds evenly."""
    return month_numbers(spec) * MONTH_DAYS


def month_numbers(spec: Spec) -> Floats:
    """Return the months from the start to each of `month_dates`."""
    months = float(effective_value(spec, spec, "horizon_months"))
    whole = np.arange(int(months) + 1, dtype=np.float64)
    return whole if months == int(months) else np.append(whole, months)


def billed_hours(spec: Spec, first_day: datetime.date) -> int:
    """Return the hours that the month from this day of `month_dates` on is billed with."""
    setting = effective_value(spec, spec.instance, "month_hours")
    if setting != "calendar":
        return int(setting)
    dates = month_dates(spec)
    return (dates[dates.index(first_day) + 1] - first_day).days * 24


def mean_billed_hours(spec: Spec) -> float:
    """Return the hours that months are billed with on average."""
    setting = effective_value(spec, spec.instance, "month_hours")
    return MONTH_DAYS * 24 if setting == "calendar" else float(setting)


def billed_hours_by_month(spec: Spec, dates: Sequence[datetime.date]) -> Floats:
    """Return the hours of the month before each date; of the first date, those of the month after it."""
    hours = [float(billed_hours(spec, first)) for first in dates[:-1]]
    return np.array([hours[0], *hours] if hours else [mean_billed_hours(spec)])


def _add_months(start: datetime.date, months: int) -> datetime.date:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    after = datetime.date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    last = (after - datetime.timedelta(days=1)).day
    return datetime.date(year, month + 1, min(start.day, last))  # of shorter months, the last day
