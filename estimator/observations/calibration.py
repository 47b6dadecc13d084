"""Values of a design that measurements tell without doubt, and the design with these values.

What several values of the design could explain is left alone: a number of rows may come from another rate, another
stock at the start or another retention.
"""

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from designer.document import Spec, effective_value
from designer.document.activity import Activity
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Edit, Set, apply, current_value
from designer.document.family import Family
from designer.document.field import Field
from designer.document.instance import FixedNodes
from designer.document.key import FieldSegment, LiteralSegment
from designer.document.measured_values import MeasuredValue, MeasurementSource
from designer.document.table import Table

from . import metrics
from .cell_lengths import find_rows, is_of_values_alone, length_figures
from .comparison import cell_cause, find_by_name, measured_cell_bytes
from .designed import DesignedState, DesignedTable
from .measurements import FamilyStats, Observation, TableStats

DIGITS = 4
"""Significant digits of values that are taken over."""
SURE_SHARE = 0.1
"""A value's size is known where both ways to count names give it to within this share."""
WEEK_DAYS = 6.9
"""Rates of a design are means of a week: shorter measurements tell none."""
PLAUSIBLE_SHARES = (0.01, 2.0)
"""Bytes on disk ÷ logical bytes beyond these are no measurement of the same data."""


@dataclass(frozen=True)
class CalibratedValue:
    """One value that a measurement gives."""

    at: str
    field: str
    """With dots into parts."""
    was: float | None
    """What the design has or computes now; None: nothing."""
    value: float
    source: MeasurementSource
    unit: str
    """As the suffix of a name."""


def calibrated_values(state: DesignedState, observation: Observation) -> tuple[CalibratedValue, ...]:
    """Return the values that are known without doubt and are not what the design has already."""
    values = [
        *(stats_value for stats in observation.tables for stats_value in _stats_values(state, observation, stats)),
        *_rates(state, observation),
        *_nodes(state, observation),
    ]
    return tuple(value for value in values if value.was is None or value.value not in (value.was, _rounded(value.was)))


def calibrate_design(
    spec: Spec, values: Sequence[CalibratedValue], date: datetime.date, *, moves_start: bool = False
) -> Spec:
    """Return the design with these values, each with its origin; with `moves_start`, it starts on their day."""
    names = {(value.at, value.field) for value in values}
    retained = [measurement for measurement in spec.measured if (measurement.at, measurement.field) not in names]
    origins = [
        MeasuredValue(at=value.at, field=value.field, value=value.value, source=value.source, date=date)
        for value in values
    ]
    edits = [_edit(spec, value) for value in values]
    if moves_start:
        edits.append(Set(at="", name="start", value=date.isoformat(), was=current_value(spec, "", "start")))
    measured = Set(
        at="", name="measured", value=to_plain_data((*retained, *origins)), was=current_value(spec, "", "measured")
    )
    return apply(spec, Batch(edits=(*edits, measured)))[0]


def _edit(spec: Spec, calibration: CalibratedValue) -> Edit:
    name, value = calibration.field, _plain_number(calibration.value)
    new: Any = value
    if name == "nodes.count":
        name, new = "nodes", {"kind": "fixed", "count": value}
    return Set(at=calibration.at, name=name, value=new, was=current_value(spec, calibration.at, name))


def _plain_number(value: float) -> int | float:
    return int(value) if value == int(value) else value


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


# --- table stats ---


def _stats_values(state: DesignedState, observation: Observation, stats: TableStats) -> Iterator[CalibratedValue]:
    table = find_by_name(state.spec.tables, stats.table)
    designed = state.tables.get(table.id) if table is not None else None
    if table is None or designed is None or not stats.rows:
        return
    rows = find_rows(observation, stats.table, is_only=len(state.spec.tables) == 1)
    lengths = length_figures(table, state.estimate.tables[table.id], rows) if rows is not None else ()
    families = stats.families if is_of_values_alone(lengths) else ()
    sizes = [
        calibration for family in families if (calibration := _value_size(table, designed, stats, family)) is not None
    ]
    yield from sizes
    start = effective_value(state.spec, state.spec, "start")
    # What is stored is stated as of the start.
    if state.date == start and (table.rows_stored is not None or state.later_start is not None):
        yield CalibratedValue(table.id, "rows_stored", table.rows_stored, stats.rows, "table_stats", "rows")
    yield from _entities(state.spec, table, stats)
    more = sum((size.value - (size.was or 0.0)) * _cells_per_row(designed, table, size.at) for size in sizes)
    yield from _compression(observation, table, designed, stats, more)


def _value_size(
    table: Table, designed: DesignedTable, stats: TableStats, measured: FamilyStats
) -> CalibratedValue | None:
    """Return the size of the values of a family's only column, where it is certain."""
    family = next((family for family in table.families if family.name == measured.name), None)
    planned = next(
        (
            designed_family
            for designed_family in designed.families
            if family is not None and designed_family.family == family.id
        ),
        None,
    )
    cell = measured_cell_bytes(stats, measured)
    if family is None or planned is None or cell is None or not _has_one_size(family):
        return None
    fixed = planned.fixed_bytes_per_cell
    size, spread = cell - (fixed.low + fixed.high) / 2, fixed.high - fixed.low
    value = family.columns[0].value
    if size <= 0 or spread / 2 > SURE_SHARE * size or cell_cause(planned, stats, measured) is None:
        return None
    if value.max_bytes is not None and size > value.max_bytes:
        return None
    was = value.typical_bytes if value.typical_bytes is not None else planned.value_bytes_per_cell
    return CalibratedValue(family.columns[0].id, "value.typical_bytes", was, _rounded(size), "table_stats", "bytes")


def _has_one_size(family: Family) -> bool:
    return len(family.columns) == 1 and family.kind == "ordinary" and family.columns[0].value.kind != "empty"


def _cells_per_row(designed: DesignedTable, table: Table, column: str) -> float:
    family = next(
        family.id for family in table.families if any(own_column.id == column for own_column in family.columns)
    )
    return next(
        designed_family.cells_per_row.typical
        for designed_family in designed.families
        if designed_family.family == family
    )


def _entities(spec: Spec, table: Table, stats: TableStats) -> Iterator[CalibratedValue]:
    """Yield how many values a field has, of a table with a row for each of them."""
    if len(table.row_kinds) != 1 or not stats.rows:
        return
    segments = [segment for segment in table.row_kinds[0].key if not isinstance(segment, LiteralSegment)]
    if len(segments) != 1 or not isinstance(segments[0], FieldSegment) or segments[0].transforms:
        return
    field: Field = spec.find(segments[0].field)
    if field.distinct is not None and not effective_value(spec, field, "growth_per_day"):
        yield CalibratedValue(
            field.id, "distinct", float(field.distinct), float(int(stats.rows)), "table_stats", "distinct"
        )


def _compression(
    observation: Observation, table: Table, designed: DesignedTable, stats: TableStats, more_bytes: float
) -> Iterator[CalibratedValue]:
    """Yield bytes on disk ÷ logical bytes as the design counts them, `more_bytes` a row than before."""
    stored = metrics.newest_of_clusters(metrics.find_series(observation.series, metrics.TABLE_BYTES, table=stats.table))
    if stored is None or not designed.rows or table.gib_stored is not None or not stats.rows:
        return
    # Expired cells are on disk, too.
    share = stored / (stats.rows * (designed.logical_bytes.high / designed.rows + more_bytes))
    if PLAUSIBLE_SHARES[0] <= share <= PLAUSIBLE_SHARES[1]:
        was = designed.disk_bytes.typical / designed.logical_bytes.high if designed.logical_bytes.high > 0 else None
        yield CalibratedValue(table.id, "compressed_share", was, _rounded(share), "monitoring", "share")


# --- monitoring and clusters ---


def _rates(state: DesignedState, observation: Observation) -> Iterator[CalibratedValue]:
    """Yield the rate of the only read and the only write of a table, where these alone make the measured rates."""
    for table in state.spec.tables:
        designed = state.tables.get(table.id)
        if designed is None:
            continue
        write_rate = _week_rate(observation, metrics.WRITTEN, table)
        activity = _only_activity(state.spec, table)
        if write_rate and designed.written_rows_per_second and activity is not None:
            yield from _scaled(activity.id, activity.rate_per_second, write_rate / designed.written_rows_per_second)
        read_rate = _week_rate(observation, metrics.REQUESTS, table, method=metrics.READ_METHOD)
        reads = [read for kind in table.row_kinds for read in kind.reads]
        if read_rate and designed.reads_per_second and len(reads) == 1:
            yield from _scaled(reads[0].id, reads[0].rate_per_second, read_rate / designed.reads_per_second)


def _week_rate(observation: Observation, metric: str, table: Table, *, method: str = "") -> float | None:
    series = metrics.find_series(observation.series, metric, table=table.label, method=method)
    rate = metrics.mean_rate(series)
    return rate.per_second if rate is not None and rate.days >= WEEK_DAYS else None


def _only_activity(spec: Spec, table: Table) -> Activity | None:
    """Return the activity of a table's only write, if no other write is of it."""
    used = [(other_table.id, write.activity) for other_table, kind in spec.row_kinds() for write in kind.writes]
    mine = [activity for id_, activity in used if id_ == table.id]
    if len(mine) != 1 or mine[0] is None or sum(activity == mine[0] for _, activity in used) != 1:
        return None
    result: Activity = spec.find(mine[0])
    return result


def _scaled(at: str, rate: float | None, factor: float) -> Iterator[CalibratedValue]:
    """Yield a rate that is stated; on the start date, so that growth since then stays as designed."""
    if rate:
        yield CalibratedValue(at, "rate_per_second", rate, _rounded(rate * factor), "monitoring", "per_second")


def _nodes(state: DesignedState, observation: Observation) -> Iterator[CalibratedValue]:
    described = {cluster.cluster: cluster for cluster in observation.clusters}
    for cluster in state.spec.instance.clusters:
        description = described.get(cluster.label) or described.get(cluster.id)
        if (
            isinstance(cluster.nodes, FixedNodes)
            and description is not None
            and description.nodes
            and description.nodes_max is None
        ):
            yield CalibratedValue(
                cluster.id, "nodes.count", float(cluster.nodes.count), description.nodes, "clusters", "nodes"
            )
