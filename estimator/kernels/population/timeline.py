"""The horizon as dates and days."""

import datetime
from functools import lru_cache

import numpy as np

from designer.document import Spec, effective_value
from designer.document.durations import MONTH_DAYS
from estimator.results.arrays import Floats


def month_dates(spec: Spec) -> tuple[datetime.date, ...]:
    """Return the start, then the end of each month of the horizon."""
    start: datetime.date = effective_value(spec, spec, "start")
    return _month_ends(start, effective_value(spec, spec, "horizon_months"))


@lru_cache(maxsize=64)
def _month_ends(start: datetime.date, months: int) -> tuple[datetime.date, ...]:
    return tuple(_add_months(start, month) for month in range(months + 1))


def month_days(spec: Spec) -> Floats:
    """Days from the start to each of `month_dates`: mean months, so that growth per month compounds evenly."""
    return np.arange(effective_value(spec, spec, "horizon_months") + 1, dtype=np.float64) * MONTH_DAYS


def _add_months(start: datetime.date, months: int) -> datetime.date:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    after = datetime.date(year + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    last = (after - datetime.timedelta(days=1)).day
    return datetime.date(year, month + 1, min(start.day, last))
