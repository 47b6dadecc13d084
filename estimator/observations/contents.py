"""Sentences about all that was read: how much of each kind, and why some of it is compared with nothing."""

from collections import Counter
from collections.abc import Iterator, Sequence

from designer.document.texts import N_, Text, TextList

from . import metrics
from .measurements import MetricSeries, Observation

KINDS = (
    ("tables", N_("table stats: {count}")),
    ("hot_tablets", N_("hot tablets: {count}")),
    ("sampled_keys", N_("lists of sampled row keys: {count}")),
    ("sampled_rows", N_("samples of rows: {count}")),
    ("reads", N_("request stats: {count}")),
    ("clusters", N_("clusters: {count}")),
)
TABLE_METRICS = frozenset((metrics.TABLE_BYTES, metrics.REQUESTS, metrics.WRITTEN, metrics.RETURNED))
BY_METHOD = frozenset((metrics.REQUESTS, metrics.RETURNED))
NO_VALUES = N_("{metric}: its series have no values in the time that was asked for")
NO_TABLE = N_("{metric}: its series name no table, so they are compared with none; ask for them without aggregation "
              "across tables")  # fmt: skip
NO_CLUSTER = N_("{metric}: its series name no cluster, so they are compared with none")
NO_READS = N_("{metric}: only requests of {methods}; reads are those of ReadRows, and rows written are "
              "server/modified_rows_count")  # fmt: skip
NO_TIME = N_("{metric}: a single point covers no time, so it gives no rate")
NO_REQUESTS = N_("{metric}: rows of a read need server/request_count of the same time beside it")
NO_NAME = N_("{what}: which of the {count} tables of the design? Say it with --table")


def read_parts(observation: Observation) -> Iterator[Text]:
    """Yield how much was read of each kind."""
    for name, message in KINDS:
        if count := len(getattr(observation, name)):
            yield Text(message, {"count": count})
    for metric, count in sorted(Counter(series.metric for series in observation.series).items()):
        yield Text(N_("series of {metric}: {count}"), {"count": count, "metric": metric})


def unused_reasons(observation: Observation, table_count: int) -> Iterator[Text]:
    """Yield why measurements that could be compared are not: they do not say of what they are, or of when."""
    if table_count > 1:
        for name, what in (("sampled_keys", N_("sampled row keys")), ("sampled_rows", N_("rows"))):
            if any(not sample.table for sample in getattr(observation, name)):
                yield Text(NO_NAME, {"what": Text(what), "count": table_count})
    for metric in sorted({metric_series.metric for metric_series in observation.series} & metrics.USED):
        series = [metric_series for metric_series in observation.series if metric_series.metric == metric]
        reason = _reason(metric, series, observation)
        if reason is not None:
            yield reason


def _reason(metric: str, series: Sequence[MetricSeries], observation: Observation) -> Text | None:
    valued = [metric_series for metric_series in series if metric_series.points]
    if not valued:
        return Text(NO_VALUES, {"metric": metric})
    label, message = ("table", NO_TABLE) if metric in TABLE_METRICS else ("cluster", NO_CLUSTER)
    labelled_series = [metric_series for metric_series in valued if metric_series.labels.get(label)]
    if not labelled_series:
        return Text(message, {"metric": metric})
    if metric in BY_METHOD:
        reads = [
            metric_series
            for metric_series in labelled_series
            if metrics.is_of_method(metric_series, metrics.READ_METHOD)
        ]
        if not reads:
            methods = sorted(
                {metric_series.labels.get("method", "").rpartition(".")[2] or "–" for metric_series in labelled_series}
            )
            return Text(NO_READS, {"metric": metric, "methods": TextList(methods)})
        labelled_series = reads
    is_of_rates = metric in TABLE_METRICS - {metrics.TABLE_BYTES}
    if is_of_rates and any(metrics.mean_rate([metric_series]) is None for metric_series in labelled_series):
        return Text(NO_TIME, {"metric": metric})
    if metric == metrics.RETURNED and not any(
        metric_series.metric == metrics.REQUESTS for metric_series in observation.series
    ):
        return Text(NO_REQUESTS, {"metric": metric})
    return None
