"""Figures taken from monitoring: newest values, means and peaks of metrics by table or cluster."""

import datetime
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from designer.document.durations import DAY_SECONDS

from .measurements import MetricPoint, MetricSeries

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


def newest_of_clusters(series: Sequence[MetricSeries]) -> float | None:
    """Return the largest newest value of any cluster: each holds a copy of all data."""
    clusters = {metric_series.labels.get("cluster", "") for metric_series in series}
    return max((newest_value([e for e in series if e.labels.get("cluster", "") == name]) or 0.0 for name in clusters),
               default=None)  # fmt: skip


def peak_mean(series: Sequence[MetricSeries], *, minutes: int) -> float | None:
    """Return the largest mean over so many minutes of any series: designed loads are such means, too."""
    values_by_span: dict[tuple[int, int], list[float]] = {}
    for number, metric_series in enumerate(series):
        for point in metric_series.points:
            span = math.ceil(point.last.timestamp() / (60 * minutes))  # values are of the time before
            values_by_span.setdefault((number, span), []).append(point.value)
    return max((sum(values) / len(values) for values in values_by_span.values()), default=None)


@dataclass(frozen=True)
class MeanRate:
    """Frequency of an event, as a mean over a time."""

    per_second: float
    days: float


def mean_rate(series: Sequence[MetricSeries]) -> MeanRate | None:
    """Return the mean of counts a second, all series together; None if they cover no time."""
    if not series:
        return None
    firsts, lasts = zip(*(_span(metric_series.points) for metric_series in series), strict=True)
    seconds = (max(lasts) - min(firsts)).total_seconds()
    if seconds <= 0:
        return None
    if all(metric_series.is_delta for metric_series in series):
        total = sum(point.value for metric_series in series for point in metric_series.points)
        return MeanRate(total / seconds, seconds / DAY_SECONDS)
    # Rates: a time without requests has no point, and each point is of the time since the one before it at most.
    ends = sorted({point.last for metric_series in series for point in metric_series.points})
    step = min((after - before).total_seconds() for before, after in pairwise(ends))
    seconds = (ends[-1] - ends[0]).total_seconds() + step
    total = sum(point.value for metric_series in series for point in metric_series.points) * step
    return MeanRate(total / seconds, seconds / DAY_SECONDS)


def _span(points: Sequence[MetricPoint]) -> tuple[datetime.datetime, datetime.datetime]:
    return min(point.first for point in points), max(point.last for point in points)
