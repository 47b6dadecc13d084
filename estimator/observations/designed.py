"""A design's figures of one day: from two estimates, of the months around it, and between them in proportion."""

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from designer.document import Spec, effective_value
from designer.document.design import HORIZON_MONTHS_MAX
from designer.document.durations import MONTH_DAYS
from designer.document.table import Table
from designer.document.texts import N_
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.results import ClusterNodes, ColumnSize, Estimate, TablePart

from .measurements import ObservationError


@dataclass(frozen=True)
class DesignedBand:
    """A figure of a design: typical, and the least and the most that it may be."""

    low: float
    typical: float
    high: float

    @classmethod
    def of(cls, value: float) -> "DesignedBand":
        """Return a figure that has no band."""
        return cls(value, value, value)

    def divide(self, by: float) -> "DesignedBand":
        """Return the figure per unit of something."""
        return DesignedBand(self.low / by, self.typical / by, self.high / by)


@dataclass(frozen=True)
class DesignedFamily:
    """One column family of a table, over all kinds of rows."""

    family: str
    cells_per_row: DesignedBand
    """Over all rows of the table: from those that have not expired, as compaction leaves them, to all."""
    logical_bytes: DesignedBand
    """From each name once a row, as reading out sends it, to all with each cell, as it is stored."""
    fixed_bytes_per_cell: DesignedBand
    """Of those, what is not the value."""
    value_bytes_per_cell: float


@dataclass(frozen=True)
class DesignedTable:
    """One table on the day."""

    table: str
    rows: float
    cells_per_row: DesignedBand
    columns_per_row: float | None
    """None: it varies, by presence or because qualifiers hold data."""
    logical_bytes: DesignedBand
    disk_bytes: DesignedBand
    reads_per_second: float
    """Mean over a week."""
    rows_per_read: float
    """Rows returned, mean over the reads."""
    written_rows_per_second: float
    """Mean over a week."""
    families: tuple[DesignedFamily, ...]


@dataclass(frozen=True)
class DesignedCluster:
    """One cluster on the day."""

    cluster: str
    nodes: float
    load_nodes: float
    """Busy nodes in the busiest hour of the week."""
    storage_share: float
    hottest_share: float | None
    """Peak use of the hottest node, at the end of the month."""


@dataclass(frozen=True)
class DesignedState:
    """A design on one day."""

    spec: Spec
    date: datetime.date
    tables: Mapping[str, DesignedTable]
    """By id; without those that cannot be estimated."""
    clusters: tuple[DesignedCluster, ...]
    estimate: Estimate
    """At the end of the month: reads and key ranges are taken from it."""
    later_start: datetime.date | None = None
    """Start that the design states, where that is after the day: it is then compared as of its first day."""


def designed_state_beside(spec: Spec, date: datetime.date, context: Context) -> "DesignedState":
    """Return a design on a day, as `designed_state`; another process computes it where there is one."""
    state: DesignedState = context.beside(spec, _state_of, date, raises=(ObservationError,))
    return state


def _state_of(context: Context, spec: Spec, date: datetime.date) -> "DesignedState":
    return designed_state(spec, date, context)


def designed_state(spec: Spec, date: datetime.date, context: Context) -> DesignedState:
    """Return a design on a day; one without a start date, or with a later one, starts on it: what is measured runs.

    Raises
    ------
    ObservationError
        If the day lies ten years after the start.
    """
    spec = spec.with_default_start(date)
    later = find_later_start(spec, date)
    if later is not None:
        spec = spec.model_copy(update={"start": date})
    month, share = _month_of(spec, date)
    last = max(month + (share > 0), 1)
    late = estimate(_with_horizon(spec, last), context)
    early = late if last == month else estimate(_with_horizon(spec, month), context) if month else None
    at = _Moment(share if last != month else 1.0)
    tables = {}
    for table in spec.tables:
        part, before = late.tables[table.id], early.tables[table.id] if early is not None else None
        if part.growth is not None and (before is None or before.growth is not None):
            tables[table.id] = _table(table, part, before, at)
    return DesignedState(spec, date, tables, tuple(_clusters(late, at)), late, later)


def find_later_start(spec: Spec, date: datetime.date) -> datetime.date | None:
    """Return the start that a design states, if that is after a day."""
    return spec.start if spec.start is not None and spec.start > date else None


def _month_of(spec: Spec, date: datetime.date) -> tuple[int, float]:
    """Return the whole months from the start to a day, as growth counts them, and the share of the next one."""
    start: datetime.date = effective_value(spec, spec, "start")
    month, days = divmod((date - start).days, MONTH_DAYS)
    if month >= HORIZON_MONTHS_MAX:
        raise ObservationError(
            N_("the measurement of {measured_date} is ten years after the start"), measured_date=date
        )
    return int(month), days / MONTH_DAYS


def _with_horizon(spec: Spec, months: int) -> Spec:
    if effective_value(spec, spec, "horizon_months") == months:
        return spec
    return spec.model_copy(update={"horizon_months": months})


@dataclass(frozen=True)
class _Moment:
    """Place of the day in its month."""

    share: float

    def between(self, first: float, last: float) -> float:
        return float(first) + self.share * (float(last) - float(first))

    def part(self, late: TablePart, early: TablePart | None, read: Callable[[TablePart], float]) -> float:
        """Return a figure that is of the end of the horizon; before the first month it is taken as after it."""
        return self.between(read(early if early is not None else late), read(late))


def _table(table: Table, late: TablePart, early: TablePart | None, at: _Moment) -> DesignedTable:
    grown = late.growth
    assert grown is not None
    rows = at.between(grown.rows[-2], grown.rows[-1])
    # Before the first month sizes are those after it, for as many rows as there are at the start.
    scale = 1.0 if early is not None else _ratio(float(grown.rows[0]), float(grown.rows[-1]))
    families = []
    for family in table.families:
        early_size = _family_size(early if early is not None else late, family.id, scale)
        late_size = _family_size(late, family.id, 1.0)
        size = _FamilySize(*(at.between(*pair) for pair in zip(early_size, late_size, strict=True)))
        families.append(_family(family.id, size, rows))
    keys = at.between(_key_bytes(early if early is not None else late) * scale, _key_bytes(late))
    least = sum(family.logical_bytes.low for family in families)
    # A row's key is sent once for all families.
    least -= max(sum(_has_cells(family) for family in families) - 1, 0) * keys
    most = at.between(grown.logical_bytes[-2], grown.logical_bytes[-1])
    disk = [
        at.between(values[-2], values[-1])
        for values in (grown.physical_bytes_low, grown.physical_bytes, grown.physical_bytes_high)
    ]
    return DesignedTable(
        table.id,
        rows,
        cells_per_row=DesignedBand(
            sum(family.cells_per_row.low for family in families),
            *(sum(family.cells_per_row.high for family in families),) * 2,
        ),
        columns_per_row=_columns_per_row(table),
        logical_bytes=DesignedBand(min(least, most), most, most),
        disk_bytes=DesignedBand(*disk),
        reads_per_second=at.part(late, early, _reads_per_second),
        rows_per_read=_rows_per_read(late),
        written_rows_per_second=at.part(late, early, _written_rows_per_second),
        families=tuple(families),
    )


def _has_cells(family: DesignedFamily) -> bool:
    return family.cells_per_row.high > 0


def _ratio(first: float, last: float) -> float:
    return first / last if last > 0 else 0.0


@dataclass(frozen=True)
class _FamilySize:
    """Of one family over all rows."""

    cells: float
    values: float
    """[bytes]"""
    least_fixed: float
    most_fixed: float
    """Keys, names and timestamps, once a row and with each cell. [bytes]"""
    live_share: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.cells, self.values, self.least_fixed, self.most_fixed, self.live_share))


def _family_size(part: TablePart, family: str, scale: float) -> _FamilySize:
    cells = values = least = most = 0.0
    for kind in part.sizes.values():
        mine = [column for column in kind.columns if column.family == family]
        stored = sum(column.cells_stored for column in mine)
        if not stored:
            continue
        cells += kind.rows * stored
        values += kind.rows * sum(column.cells_stored * column.cell.value for column in mine)
        most += kind.rows * sum(c.cells_stored * (c.cell.total - c.cell.value) for c in mine)
        least += kind.rows * (
            min(stored, 1.0) * (mine[0].cell.key + mine[0].cell.family) + sum(map(_least_fixed, mine))
        )
    return _FamilySize(cells * scale, values * scale, least * scale, most * scale, _live_share(part, family))


def _least_fixed(column: ColumnSize) -> float:
    """Return the bytes of a column's qualifier, once, and timestamps in a row."""
    return min(column.cells_stored, 1.0) * column.cell.qualifier + column.cells_stored * column.cell.timestamp


def _live_share(part: TablePart, family: str) -> float:
    """Return the share of a family's bytes that has not expired: compaction, which stats are of, drops the rest."""
    grown = part.growth
    mine = [growth for growth in grown.families if growth.family == family] if grown is not None else []
    whole = sum(growth.bytes_by_cause.total for growth in mine)
    return 1.0 - min(sum(growth.uncollected_bytes for growth in mine) / whole, 1.0) if whole > 0 else 1.0


def _family(family: str, size: _FamilySize, rows: float) -> DesignedFamily:
    fixed = [size.least_fixed / size.cells, size.most_fixed / size.cells] if size.cells > 0 else [0.0, 0.0]
    most = size.values + size.most_fixed
    cells = size.cells / rows if rows > 0 else 0.0
    return DesignedFamily(
        family,
        cells_per_row=DesignedBand(cells * size.live_share, cells, cells),
        logical_bytes=DesignedBand((size.values + size.least_fixed) * size.live_share, most, most),
        fixed_bytes_per_cell=DesignedBand(fixed[0], fixed[1], fixed[1]),
        value_bytes_per_cell=size.values / size.cells if size.cells > 0 else 0.0,
    )


def _key_bytes(part: TablePart) -> float:
    """Return the bytes of all row keys, each once."""
    return sum(kind.rows * kind.columns[0].cell.key for kind in part.sizes.values() if kind.columns)


def _columns_per_row(table: Table) -> float | None:
    """Return the columns of each row where all have the same; None where they vary."""
    columns = [column for family in table.families for column in family.columns]
    if len(table.row_kinds) != 1 or table.row_kinds[0].columns:
        return None
    if any(column.qualifier_from or column.presence not in (None, 1.0) for column in columns):
        return None
    return float(len(columns))


def _reads_per_second(part: TablePart) -> float:
    return sum(plan.per_second or 0.0 for plan in part.reads)


def _rows_per_read(part: TablePart) -> float:
    rate = _reads_per_second(part)
    return sum((plan.per_second or 0.0) * plan.rows_returned for plan in part.reads) / rate if rate > 0 else 0.0


def _written_rows_per_second(part: TablePart) -> float:
    return sum(write.rows_per_second for write in part.traffic.writes) if part.traffic is not None else 0.0


def _clusters(estimate: Estimate, at: _Moment) -> Iterator[DesignedCluster]:
    for nodes in estimate.nodes:
        hottest = next(
            (placement.peak_utilisation for placement in estimate.placements if placement.cluster == nodes.cluster),
            None,
        )
        count = _node_count(nodes, at)
        load = at.between(nodes.load_by_month[-2], nodes.load_by_month[-1])
        storage = at.between(nodes.storage_share_by_month[-2], nodes.storage_share_by_month[-1])
        yield DesignedCluster(nodes.cluster, count, load, storage, hottest)


def _node_count(nodes: ClusterNodes, at: _Moment) -> float:
    """Return the nodes on the day: those of the month's end from the middle on."""
    return float(nodes.nodes_by_month[-1 if at.share >= 0.5 else -2])


__all__ = [
    "DesignedBand", "DesignedCluster", "DesignedFamily", "DesignedState", "DesignedTable", "designed_state",
    "designed_state_beside", "find_later_start",
]  # fmt: skip
