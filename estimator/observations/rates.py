"""Rates as Monitoring aligns them, with the time that each of their points is of."""

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import TypeGuard

from .measurements import EARLIEST, Measurement, MetricPoint, MetricSeries
from .messages import COUNTS


def add_rate_intervals(measurements: Sequence[Measurement]) -> list[Measurement]:
    """Return what one file measures, with the time that each point of a rate is of.

    A point aligned by ALIGN_RATE names its end alone, and a time without requests has no point. A file answers one
    request, which has one alignment period: the least interval of, or distance between, points of any series in it.
    """
    rates = [measurement for measurement in measurements if _is_rate(measurement)]
    step = min(chain.from_iterable(_periods(series) for series in rates), default=None)
    if step is None:
        return list(measurements)
    return [
        replace(measurement, points=tuple(_extend_back(point, step) for point in measurement.points))
        if _is_rate(measurement)
        else measurement
        for measurement in measurements
    ]


def _is_rate(measurement: Measurement) -> TypeGuard[MetricSeries]:
    return isinstance(measurement, MetricSeries) and measurement.metric in COUNTS and not measurement.is_delta


def _periods(series: MetricSeries) -> Iterator[datetime.timedelta]:
    """Yield each length of time that may be the alignment period."""
    yield from (point.length for point in series.points if point.length)
    yield from (after.last - before.last for before, after in pairwise(series.points) if before.last < after.last)


def _extend_back(point: MetricPoint, step: datetime.timedelta) -> MetricPoint:
    """Return a point that names its end alone as the value of so long a time before it."""
    if point.length:
        return point
    return replace(point, first=point.last - min(step, point.last - EARLIEST))
