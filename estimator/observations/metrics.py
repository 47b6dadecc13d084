"""Figures taken from monitoring: newest values, means and peaks of metrics by table or cluster."""

import datetime
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from designer.document.durations import DAY_SECONDS

from .measurements import EARLIEST, MetricPoint, MetricSeries

CPU, HOTTEST, NODES, STORAGE = "cluster/cpu_load", "cluster/cpu_load_hottest_node", "cluster/node_count", (
    "cluster/storage_utilization"
)  # fmt: skip
TABLE_BYTES, REQUESTS, WRITTEN, RETURNED = (
    "table/bytes_used", "server/request_count", "server/modified_rows_count", "server/returned_rows_count",
)  # fmt: skip
USED = frozenset((CPU, HOTTEST, NODES, STORAGE, TABLE_BYTES, REQUESTS, WRITTEN, RETURNED))
"""Metrics that are compared. Source: cloud.google.com/bigtable/docs/metrics (read 2026-11-22)."""
READ_METHOD = "readrows"


def find_series(
    series: Iterable[MetricSeries], metric: str, *, table: str = "", cluster: str = "", method: str = ""
) -> tuple[MetricSeries, ...]:
    """Return the series of a metric that have values, of one table, cluster or method where these are given."""
    return tuple(
        metric_series
        for metric_series in series
        if metric_series.metric == metric
        and metric_series.points
        and (not table or metric_series.labels.get("table") == table)
        and (not cluster or metric_series.labels.get("cluster") == cluster)
        and (not method or is_of_method(metric_series, method))
    )


def is_of_method(series: MetricSeries, method: str) -> bool:
    """Return whether a series counts requests of a method, named in small letters."""
    return series.labels.get("method", "").rpartition(".")[2].lower() == method


def newest_value(series: Sequence[MetricSeries]) -> float | None:
    """Return the newest value of all series together, as of storage classes of one cluster."""
    return sum(metric_series.points[-1].value for metric_series in series) if series else None


def newest_point(series: Sequence[MetricSeries]) -> float | None:
    """Return the value of the newest point of any series; the largest of several at one moment."""
    points = [metric_series.points[-1] for metric_series in series]
    return max(points, key=lambda point: (point.last, point.value)).value if points else None


def newest_of_clusters(series: Sequence[MetricSeries]) -> float | None:
    """Return the largest newest value of any cluster: each holds a copy of all data."""
    clusters = {metric_series.labels.get("cluster", "") for metric_series in series}
    return max((newest_value([e for e in series if e.labels.get("cluster", "") == name]) or 0.0 for name in clusters),
               default=None)  # fmt: skip


def peak_mean(series: Sequence[MetricSeries], *, minutes: int) -> float | None:
    """Return the largest mean over so many minutes of any series: designed loads are such means, too."""
    return max((mean for metric_series in series for mean in _span_means(metric_series, minutes)), default=None)


def _span_means(series: MetricSeries, minutes: int) -> Iterator[float]:
    """Yield the means of spans, but for those that have less than half as many points as the fullest one.

    The first and the last are cut where the file begins and ends: a minute of an hour is not its mean.
    """
    values_by_span: dict[int, list[float]] = {}
    for point in series.points:
        span = math.ceil(point.last.timestamp() / (60 * minutes))  # values are of the time before
        values_by_span.setdefault(span, []).append(point.value)
    most = max(map(len, values_by_span.values()), default=0)
    yield from (sum(values) / len(values) for values in values_by_span.values() if 2 * len(values) >= most)


@dataclass(frozen=True)
class MeanRate:
    """Frequency of an event, as a mean over a time."""

    per_second: float
    days: float


def mean_rate(series: Sequence[MetricSeries]) -> MeanRate | None:
    """Return the mean of counts a second, all series together; None if they cover no time."""
    parts = [part for metric_series in series for part in _counted_parts(metric_series)]
    if not parts:
        return None
    seconds = (max(part.last for part in parts) - min(part.first for part in parts)).total_seconds()
    return MeanRate(sum(part.value for part in parts) / seconds, seconds / DAY_SECONDS)


def _counted_parts(series: MetricSeries) -> Iterator[MetricPoint]:
    """Yield the time of each point that none before it covers, with the events in it, as its share of the interval.

    A point that states no interval is of the least time between points: a time without requests has none.
    """
    distances = (after.last - before.last for before, after in pairwise(series.points))
    step = min(distances, default=datetime.timedelta())
    end = EARLIEST
    for point in series.points:
        length = point.length or step
        part = min(length, point.last - end)
        if part:
            events = point.value * (part / length if series.is_delta else part.total_seconds())
            yield MetricPoint(point.last - part, point.last, events)
        end = point.last
