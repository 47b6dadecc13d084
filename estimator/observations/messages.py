"""One JSON object of the cloud → what was measured, by the shape of the object.

The names are those of the messages of the Bigtable and Monitoring APIs, as `gcloud … --format=json`, the REST APIs and
the client libraries write them (read 2026-11-22), in camel case or with underscores.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from designer.document.texts import N_

from .measurements import (
    ClusterDescription,
    FamilyStats,
    HotTablet,
    Measurement,
    MetricPoint,
    MetricSeries,
    ObservationError,
    ReadStats,
    SampledKeys,
    TableStats,
)
from .numbers import KEY_READERS, read_count, read_instant, read_number

PREFIX = "bigtable.googleapis.com/"
_CAMEL = re.compile(r"_([a-z])")
POINTS_MAX = 200_000
NAME_MAX = 200
PERCENT_MAX = 100.0
"""Of a node's CPU, for one tablet (Hot tablets page, read 2026-11-22)."""
COUNTS = frozenset(("server/request_count", "server/modified_rows_count", "server/returned_rows_count"))
"""Metrics that count what came: as counts of a time (DELTA), or aligned as a rate, whose values are no integers."""
GAUGE, DELTA = ("GAUGE", 1), ("DELTA", 2)
OF_READ_STATS = ("requestStats", "fullReadStatsView", "readIterationStats")
"""From the outside in: the answer of ReadRows (a list, of which the last has it), its stats, what they count."""
Reader = Callable[[Any], Any]


class _Message:
    """A JSON object whose fields are read by name, with its place for what is wrong."""

    def __init__(self, data: Mapping[Any, Any], place: str, *, has_free_names: bool = False) -> None:
        self.data = {str(name) if has_free_names else _camel_case(str(name)): value for name, value in data.items()}
        self.place = place

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def path(self, name: str) -> str:
        return f"{self.place}.{name}".lstrip(".")

    def value(self, name: str, read: Reader = read_number) -> Any:
        """Return a field's value; None if it is not there."""
        raw = self.data.get(name)
        if raw is None:
            return None
        result = read(raw)
        if result is None:
            text = str(raw)[:40]
            raise ObservationError(N_("{place}: {value} cannot be read"), place=self.path(name), value=text)
        return result

    def needed(self, name: str, read: Reader = read_number) -> Any:
        """Return a field's value, which has to be there."""
        result = self.value(name, read)
        if result is None:
            raise ObservationError(N_("{place} is missing"), place=self.path(name))
        return result

    def object(self, name: str, *, has_free_names: bool = False) -> "_Message":
        """Return an object in a field; an empty one if it is not there."""
        return _Message(self.value(name, _as_mapping) or {}, self.path(name), has_free_names=has_free_names)

    def items(self, name: str) -> Iterator["_Message"]:
        """Yield the objects of a list."""
        for number, entry in enumerate(self.value(name, _as_list) or ()):
            place = f"{self.path(name)}[{number}]"
            if not isinstance(entry, Mapping):
                raise ObservationError(N_("{place} is not an object"), place=place)
            yield _Message(entry, place)


def _camel_case(name: str) -> str:
    return _CAMEL.sub(lambda match: match[1].upper(), name)


def _as_mapping(value: Any) -> Mapping[Any, Any] | None:
    return value if isinstance(value, Mapping) else None


def _as_list(value: Any) -> list[Any] | None:
    return value if isinstance(value, list) else None


def _as_name(value: Any) -> str | None:
    return value if isinstance(value, str) and len(value) <= 10 * NAME_MAX else None


def read_message(data: Any, place: str, *, keys: str, table: str) -> Iterator[Measurement]:
    """Yield what an object tells; nothing if it is of no known form.

    Raises
    ------
    ObservationError
        If a field of it cannot be read.
    """
    if isinstance(data, list) and len(data) == 2:  # one (key, offset) of SampleRowKeys
        data = {"key": data[0], "offset": data[1]}
    if not isinstance(data, Mapping):
        return
    message = _Message(data, place)
    collection, name = _resource(message)
    if "startKey" in message or "nodeCpuUsagePercent" in message:
        yield _hot_tablet(message)
    elif "metric" in message and "points" in message:
        yield from _series(message)
    elif any(name in message for name in OF_READ_STATS):
        for name in OF_READ_STATS[:2]:
            message = message.object(name) if name in message else message
        yield _read_stats(message)
    elif collection == "tables" and "stats" in message:
        yield _table_stats(message, name)
    elif collection == "clusters":
        yield _cluster(message, name)
    elif (pair := _sampled_key(message, keys)) is not None:
        yield SampledKeys(table, (pair[0],), (pair[1],))


def _resource(message: _Message) -> tuple[str, str]:
    """Return what the object is of: `tables` or `clusters`, and its short name."""
    parts = str(message.data.get("name", "")).split("/")
    return (parts[-2], parts[-1][:NAME_MAX]) if len(parts) >= 4 and parts[0] == "projects" else ("", "")


def _table_stats(message: _Message, name: str) -> TableStats:
    stats = message.object("stats")
    families = message.object("columnFamilies", has_free_names=True)
    return TableStats(
        name,
        rows=stats.value("rowCount"),
        columns_per_row=stats.value("averageColumnsPerRow"),
        cells_per_column=stats.value("averageCellsPerColumn"),
        logical_bytes=stats.value("logicalDataBytes"),
        families=tuple(_family(families, family) for family in families.data),
    )


def _family(families: _Message, name: str) -> FamilyStats:
    stats = families.object(name).object("stats")
    columns, cells = stats.value("averageColumnsPerRow"), stats.value("averageCellsPerColumn")
    return FamilyStats(name[:NAME_MAX], columns, cells, stats.value("logicalDataBytes"))


def _hot_tablet(message: _Message) -> HotTablet:
    parts = str(message.data.get("name", "")).split("/")
    table = message.needed("tableName", _as_name).rpartition("/")[2]
    first, last = (message.value(name, _as_key) for name in ("startKey", "endKey"))
    return HotTablet(
        table[:NAME_MAX],
        parts[parts.index("clusters") + 1][:NAME_MAX] if "clusters" in parts[:-1] else "",
        first=message.value("startTime", read_instant),
        last=message.value("endTime", read_instant),
        first_key=first or b"",
        last_key=last or b"",
        cpu_share=(message.value("nodeCpuUsagePercent", _as_percent) or 0.0) / 100,  # a 0 is left out
    )


def _as_percent(value: Any) -> float | None:
    number = read_number(value)
    return number if number is not None and number <= PERCENT_MAX else None


def _as_key(value: Any) -> bytes | None:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) and len(value) <= 4096 else None


def _read_stats(view: _Message) -> ReadStats:
    counts = view.object("readIterationStats")
    latency = view.object("requestLatencyStats").value("frontendServerLatency", _as_seconds)

    def count(name: str) -> float:
        return counts.value(name, read_count) or 0.0  # a 0 is left out

    return ReadStats(
        count("rowsSeenCount"),
        count("rowsReturnedCount"),
        count("cellsSeenCount"),
        count("cellsReturnedCount"),
        latency,
    )


def _as_seconds(value: Any) -> float | None:
    return read_number(value[:-1]) if isinstance(value, str) and value.endswith("s") else read_number(value)


def _cluster(message: _Message, name: str) -> ClusterDescription:
    scaling = message.object("clusterConfig").object("clusterAutoscalingConfig").object("autoscalingLimits")
    return ClusterDescription(
        name,
        location=(message.value("location", _as_name) or "").rpartition("/")[2],
        nodes=message.value("serveNodes", read_count),
        nodes_min=scaling.value("minServeNodes", read_count),
        nodes_max=scaling.value("maxServeNodes", read_count),
    )


def _series(message: _Message) -> Iterator[MetricSeries]:
    metric, resource = message.object("metric"), message.object("resource")
    kind = metric.needed("type", _as_name)
    if not kind.startswith(PREFIX):
        return
    labels = {
        name: value
        for part in (resource, metric)
        for name, value in part.object("labels", has_free_names=True).data.items()
    }
    points = [point for point_message in message.items("points") if (point := _point(point_message)) is not None]
    if len(points) > POINTS_MAX:
        raise ObservationError(N_("{place}: more than {count} points"), place=message.path("points"), count=POINTS_MAX)
    kind_of_values = message.data.get("metricKind")
    is_delta, name = kind_of_values in DELTA, kind.removeprefix(PREFIX)
    has_integers = any("int64Value" in point_message.object("value") for point_message in message.items("points"))
    if name in COUNTS and not is_delta and (kind_of_values not in GAUGE or has_integers):
        raise ObservationError(
            N_("{place}: {metric} is neither counts (DELTA) nor a rate: align it by ALIGN_DELTA or ALIGN_RATE"),
            place=message.place, metric=name,
        )  # fmt: skip
    texts = {str(name): str(value)[:NAME_MAX] for name, value in labels.items()}
    yield MetricSeries(
        kind.removeprefix(PREFIX)[:NAME_MAX], texts, is_delta, tuple(sorted(points, key=lambda point: point.last))
    )


def _point(message: _Message) -> MetricPoint | None:
    interval, value = message.object("interval"), message.object("value")
    last = interval.needed("endTime", read_instant)
    first = interval.value("startTime", read_instant) or last
    for name in ("int64Value", "doubleValue"):
        if name in value:
            return MetricPoint(first, last, value.needed(name))
    mean = value.object("distributionValue").value("mean")
    return None if mean is None else MetricPoint(first, last, mean)


def _sampled_key(message: _Message, keys: str) -> tuple[bytes, float] | None:
    """Return a key and the bytes before it; `rowKey` and `offsetBytes` are the API's own, in Base64."""
    is_own = "offsetBytes" in message or "rowKey" in message
    name, offset = ("rowKey", "offsetBytes") if is_own else ("key", "offset")
    if name not in message and offset not in message:
        return None
    if not is_own and (name not in message or offset not in message):
        return None
    reader = KEY_READERS["base64" if is_own else keys]
    key = message.value(name, lambda value: reader(value) if isinstance(value, str) else None)
    return key or b"", message.value(offset, read_count) or 0.0  # what is empty or 0 is left out
