"""Measurements of a running cluster: frozen values, each with its unit; None where a file does not say."""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from designer.document.texts import N_
from designer.wording.formatting import english


class ObservationError(ValueError):
    """A file that cannot be read: a sentence with its place; `message` and `params` are for translation."""

    def __init__(self, message: str, **params: Any) -> None:
        self.message, self.params = message, params
        super().__init__(english(message, params))

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.message, **self.params), ()


@dataclass(frozen=True)
class FamilyStats:
    """Table stats of one column family."""

    name: str
    columns_per_row: float | None
    """Mean over all rows of the table."""
    cells_per_column: float | None
    """Mean over the rows that hold a column of the family."""
    logical_bytes: float | None

    @property
    def cells_per_row(self) -> float | None:
        """Cells of the family in a row, over all rows of the table."""
        if self.columns_per_row is None or self.cells_per_column is None:
            return None
        return self.columns_per_row * self.cells_per_column


@dataclass(frozen=True)
class TableStats:
    """Table stats: approximate, of one cluster, as of its last compaction, which may be a week ago.

    References
    ----------
    https://cloud.google.com/bigtable/docs/table-stats (read 2026-11-22)
    """

    table: str
    rows: float | None
    columns_per_row: float | None
    cells_per_column: float | None
    """Mean over all columns in all rows: times the columns per row it is the cells per row."""
    logical_bytes: float | None
    """Roughly what reading out the whole table would move."""
    families: tuple[FamilyStats, ...]

    @property
    def cells_per_row(self) -> float | None:
        """Cells in a row."""
        if self.columns_per_row is None or self.cells_per_column is None:
            return None
        return self.columns_per_row * self.cells_per_column


@dataclass(frozen=True)
class HotTablet:
    """A tablet that took much of a node."""

    table: str
    cluster: str
    first: datetime.datetime | None
    last: datetime.datetime | None
    first_key: bytes
    last_key: bytes
    """Within the tablet; empty: the end of the table."""
    cpu_share: float
    """Of one node, mean over the interval."""


@dataclass(frozen=True)
class SampledKeys:
    """Borders of tablets with the bytes that are stored before each, in the order of keys."""

    table: str
    """Empty: the file does not say."""
    keys: tuple[bytes, ...]
    """The last may be empty: the end of the table."""
    offset_bytes: tuple[float, ...]


@dataclass(frozen=True)
class ReadStats:
    """Rows that one read saw and returned: request stats."""

    rows_seen: float
    rows_returned: float
    cells_seen: float
    cells_returned: float
    latency_seconds: float | None


@dataclass(frozen=True)
class SampledFamily:
    """Cells of one column family in rows that were read."""

    name: str
    cells: int
    qualifier_bytes: float
    """Mean over the cells."""
    value_bytes: float | None
    """Mean over the cells; None where values were not printed as text."""


@dataclass(frozen=True)
class SampledRows:
    """Rows that were read: the mean lengths of what they consist of, without keys and values."""

    table: str
    """Empty: the file does not say."""
    rows: int
    key_bytes: float
    families: tuple[SampledFamily, ...]


EARLIEST = datetime.datetime.min.replace(tzinfo=datetime.UTC)


@dataclass(frozen=True)
class MetricPoint:
    """One value of a metric over an interval; of gauges, only those of rates have a length."""

    first: datetime.datetime
    last: datetime.datetime
    value: float

    @property
    def length(self) -> datetime.timedelta:
        """Duration of the interval; 0 where only its end is stated."""
        return max(self.last - self.first, datetime.timedelta())


@dataclass(frozen=True)
class MetricSeries:
    """One metric of monitoring over time, of one resource."""

    metric: str
    """Without `bigtable.googleapis.com/`."""
    labels: Mapping[str, str]
    """Of the metric and of the resource: `cluster`, `table`, `method` …"""
    is_delta: bool
    """Its values are counts of their intervals."""
    points: tuple[MetricPoint, ...]
    """In the order of time."""


@dataclass(frozen=True)
class ClusterDescription:
    """One cluster as it is set up."""

    cluster: str
    location: str
    nodes: float | None
    nodes_min: float | None
    nodes_max: float | None
    """Of the autoscaler; None: it has none."""


Measurement = TableStats | HotTablet | SampledKeys | SampledRows | ReadStats | MetricSeries | ClusterDescription


@dataclass(frozen=True)
class Observation:
    """All that files tell, on one day."""

    date: datetime.date
    is_date_stated: bool
    """False: nobody said when; it is the day on which the files were read."""
    tables: tuple[TableStats, ...] = ()
    hot_tablets: tuple[HotTablet, ...] = ()
    sampled_keys: tuple[SampledKeys, ...] = ()
    sampled_rows: tuple[SampledRows, ...] = ()
    reads: tuple[ReadStats, ...] = ()
    series: tuple[MetricSeries, ...] = ()
    clusters: tuple[ClusterDescription, ...] = ()


TIME_ZONES = datetime.timedelta(days=1)
"""Today is a day of UTC; in the east it is the next one already."""


def build_observation(
    measurements: Iterable[Measurement], *, today: datetime.date, date: datetime.date | None = None
) -> Observation:
    """Return what was measured together; the day is the one stated, else the last that a file tells, else today.

    Raises
    ------
    ObservationError
        If that day has not come anywhere on earth.
    """
    all_measurements = tuple(measurements)

    def all_of(kind: type) -> tuple[Any, ...]:
        return tuple(measurement for measurement in all_measurements if isinstance(measurement, kind))

    days = [point.last.date() for series in all_of(MetricSeries) for point in series.points]
    days += [tablet.last.date() for tablet in all_of(HotTablet) if tablet.last is not None]
    day = date or max(days, default=today)
    if day > today + TIME_ZONES:
        raise ObservationError(N_("the measurement is dated {date}, which is in the future"), date=day)
    return Observation(
        day,
        is_date_stated=date is not None or bool(days),
        tables=all_of(TableStats),
        hot_tablets=all_of(HotTablet),
        sampled_keys=all_of(SampledKeys),
        sampled_rows=all_of(SampledRows),
        reads=all_of(ReadStats),
        series=merge_series(all_of(MetricSeries)),
        clusters=all_of(ClusterDescription),
    )


def merge_series(series: Iterable[MetricSeries]) -> tuple[MetricSeries, ...]:
    """Return one series for each metric, labels and kind, with every point once: files repeat and continue others."""
    parts_by_identity: dict[Any, list[MetricSeries]] = {}
    for part in series:
        identity = part.metric, frozenset(part.labels.items()), part.is_delta
        parts_by_identity.setdefault(identity, []).append(part)
    return tuple(replace(parts[0], points=_merge_points(parts)) for parts in parts_by_identity.values())


def _merge_points(parts: Sequence[MetricSeries]) -> tuple[MetricPoint, ...]:
    """Return the points of all parts in the order of time; of two with one end, the one of the longer interval.

    Counts of the last minutes grow when they are asked for again: of two values, the larger one is the later.
    """
    points = sorted(
        (point for part in parts for point in part.points), key=lambda point: (point.last, point.length, point.value)
    )
    return tuple({point.last: point for point in points}.values())
