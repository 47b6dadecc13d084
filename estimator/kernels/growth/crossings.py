"""The days on which the largest row passes the limits of a row."""

import datetime
from collections.abc import Callable

import numpy as np

from designer.document import Spec
from estimator.engines import engine_of
from estimator.results import Crossing
from estimator.results.arrays import Floats

from .arrivals import KindArrivals
from .rowsize import largest_row_sizes

SizeAt = Callable[[Floats], Floats]
"""Size of the largest row on some days, ascending: (days,) → (days,). [bytes]"""

PARTS = 16
"""Into so many an interval is divided at a time…"""
EXACT_DAYS = 1 / 24
"""…until it is no longer than this: a named day's row passes a limit on that day."""


def largest_row_function(spec: Spec, flows: KindArrivals, lag_days: float) -> SizeAt:
    """Return a function of the largest row on any days: (days,) → (days,); expired cells stay for `lag_days`."""

    def at(moments: Floats) -> Floats:
        return largest_row_sizes(spec, flows, moments, lag_days=lag_days)

    return at


def crossings(spec: Spec, start: datetime.date, days: Floats, largest: Floats, at: SizeAt) -> tuple[Crossing, ...]:
    """Return the first day on which the largest row exceeds each limit; none on engines without limits.

    The size is also evaluated between the computed days: the row of a day's bucket is full within that day, not
    within a month. Days are counted from the start: months of one length differ by up to two days from the
    calendar.

    Parameters
    ----------
    largest : float64, shape (days,)
        [bytes]
    at
        The same on any days.
    """
    results = []
    engine = engine_of(spec)
    for name in engine.ROW_LIMITS:
        limit_bytes = engine.LIMITS[name].value
        day = _crossing_day(limit_bytes, days, largest, at)
        date = None if day is None else start + datetime.timedelta(days=day)
        results.append(Crossing(name, limit_bytes, date))
    return tuple(results)


def _crossing_day(limit: float, days: Floats, sizes: Floats, at: SizeAt) -> float | None:
    while True:
        # Of all intervals only the first that ends above the limit is divided: later crossings are of no interest.
        over = np.flatnonzero(sizes > limit)
        if not len(over):
            return None
        i = int(over[0])
        if i == 0:
            return float(days[0])
        step = days[i] - days[i - 1]
        if step <= EXACT_DAYS:
            return float(days[i])
        between = np.linspace(days[i - 1], days[i], PARTS + 1)
        days, sizes = between, np.concatenate(([sizes[i - 1]], at(between)[1:-1], [sizes[i]]))
