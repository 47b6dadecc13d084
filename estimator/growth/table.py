"""Rows and bytes of one table over the horizon, put together from its row kinds."""

import datetime
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from designer.spec import Spec, assumed
from designer.spec.family import Column, Family, Never
from designer.spec.table import Table
from designer.spec.texts import N_

from ..engines import GiB, bigtable
from ..results import (
    Because,
    BytesByCause,
    ColumnSize,
    Crossing,
    EntityShares,
    FamilyGrowth,
    Floats,
    Open,
    RowGrowth,
    RowKindSize,
    TableGrowth,
)
from .cells import cell, qualifiers
from .collection import Policy, stricter, wanted
from .compression import shrunk
from .flows import KindFlows, KindShape, activity_of, kind_flows
from .rowsize import LIMITS, columns_written, extra_bytes_of_largest, limit_bytes, row_bytes, row_events, size_days
from .stored import cells_stored, column_policy, rows_stored
from .timeline import MONTH_DAYS, Clock, clock, month_dates, month_days

HALF_WEEK = bigtable.ASSUMPTIONS["uncollected_days"]
CENTURY_MONTHS = 1_200.0


@dataclass(frozen=True)
class StoredColumn:
    """Cells of one column of one row kind over the horizon; arrays have shape (dates,)."""

    kind: str
    family: Family
    column: Column
    cell: BytesByCause
    live: Floats
    """Without anything that is expired. [cells]"""
    expected: Floats
    """With half a week of it. [cells]"""
    most: Floats
    """With a week of it. [cells]"""
    shrink: tuple[float, float, float]
    """Physical ÷ logical: typical, low, high."""


@dataclass(frozen=True)
class Stored:
    """All row kinds of a table over the horizon."""

    days: Floats
    kinds: tuple[KindFlows, ...]
    rows: tuple[Floats, ...]
    """By row kind."""
    columns: tuple[StoredColumn, ...]

    def logical(self) -> Floats:
        """(dates,) [bytes]"""
        return sum((c.expected * c.cell.total for c in self.columns), np.zeros_like(self.days))

    def physical(self, which: Literal["typical", "low", "high"] = "typical") -> Floats:
        """(dates,) [bytes]"""
        place = ("typical", "low", "high").index(which)
        total = np.zeros_like(self.days)
        for c in self.columns:
            cells = (c.expected, c.live, c.most)[place]
            total = total + cells * c.cell.total * c.shrink[place]
        return total


def grown(spec: Spec, table: Table, shapes: Mapping[str, KindShape]) -> tuple[TableGrowth, Mapping[str, RowKindSize]]:
    """Growth of a table and the sizes of its row kinds.

    Parameters
    ----------
    shapes : row kind id → KindShape
        Of every row kind that is written.

    Raises
    ------
    Open
        If a write names no activity, an activity has no rate, a row kind has no key, or nothing is written or stored.
    """
    if not any(kind.writes for kind in table.row_kinds):
        return _unwritten(spec, table), {}
    days = month_days(spec)
    history, scale, rows_scale = _history(spec, table, shapes)
    stored = _stored(spec, table, shapes, days, history_days=history)
    rows = sum(stored.rows, np.zeros_like(days)) * rows_scale
    physical, low, high = _physical(table, stored, scale)
    logical = stored.logical() * scale
    end_logical = max(float(logical[-1]), 1e-300)
    shares = _shares(stored)
    growth = TableGrowth(
        dates=month_dates(spec),
        rows=rows,
        logical_bytes=logical,
        physical_bytes=physical,
        physical_bytes_low=low,
        physical_bytes_high=high,
        compressed_share=shares[0],
        compressed_share_low=shares[1],
        compressed_share_high=shares[2],
        compression_origin="guess" if table.compressed_share is None else "you",
        kinds=tuple(
            _row_growth(spec, flows, rows_of * rows_scale, days)
            for flows, rows_of in zip(stored.kinds, stored.rows, strict=True)
        ),
        families=tuple(_families(spec, table, stored, scale)),
        changed_bytes_per_day=_changed(spec, stored) * scale if end_logical else 0.0,
        mutation_bytes_per_second=_mutated(spec, stored),
        entities={
            flow.write.id: EntityShares(flow.spread.shares, flow.spread.counts)
            for flows in stored.kinds
            for flow in flows.writing
        },
        infrequent_bytes=_infrequent(spec, table, stored, scale),
    )
    return growth, _sizes(spec, stored)


# --- history --------------------------------------------------------------------------------------------------


def _history(spec: Spec, table: Table, shapes: Mapping[str, KindShape]) -> tuple[float, float, float]:
    """Days of history at the start's rates that explain what is stored, and what physical bytes and rows are scaled by.

    Rows or GiB that are stated are met by the history that leaves so much; where no history can (the table is in its
    steady state with less), the model is scaled to what was measured.
    """
    stated = float(assumed(spec, table, "history_months") or 0) * MONTH_DAYS
    gib, rows = table.gib_stored, table.rows_stored
    if gib is None and rows is None:
        return stated, 1.0, 1.0

    def measured(history: float) -> tuple[float, float]:
        there = _stored(spec, table, shapes, np.zeros(1), history_days=history)
        return float(sum(r[0] for r in there.rows)), float(there.physical()[0])

    days = stated
    if not days:
        place, aim = (0, rows) if rows is not None else (1, (gib or 0.0) * GiB)
        days = _solved(lambda h: measured(h)[place], float(aim or 0.0))
    rows_there, bytes_there = measured(days)
    scale = gib * GiB / bytes_there if gib is not None and bytes_there > 0 else 1.0
    return days, scale, (rows / rows_there if rows is not None and rows_there > 0 else 1.0)


def _solved(amount: Callable[[float], float], aim: float) -> float:
    """The days after which a growing amount reaches an aim, or as good as; a century where it never does."""
    low, high = 0.0, CENTURY_MONTHS * MONTH_DAYS
    most = amount(high)
    aim = min(aim, most * (1 - 1e-9))
    if aim <= 0:
        return 0.0
    low, high = 0.0, high
    step = 1.0
    while step < high and amount(step) < aim:
        low, step = step, step * 8
    high = min(step, high)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if amount(middle) < aim else (low, middle)
        if high - low < 1e-9 * high:
            break
    return high


def _stored(spec: Spec, table: Table, shapes: Mapping[str, KindShape], days: Floats, *, history_days: float) -> Stored:
    horizon = float(assumed(spec, spec, "horizon_months")) * MONTH_DAYS
    clocks: dict[str, Clock] = {}
    for kind in table.row_kinds:
        for write in kind.writes:
            activity = activity_of(spec, write)
            clocks.setdefault(activity.id, clock(spec, activity, history_days, horizon))
    kinds, rows, columns = [], [], []
    for kind in table.row_kinds:
        if not kind.writes:
            continue
        if kind.id not in shapes:
            raise Open(Because(N_("“{kind}” has no key yet."), kind.id, {"kind": kind.name or kind.id}))
        flows = kind_flows(spec, table, kind, shapes[kind.id], clocks, horizon)
        kinds.append(flows)
        rows.append(rows_stored(flows, days, lag_days=HALF_WEEK.value))
        columns.extend(_columns(spec, table, flows, days, rows[-1]))
    return Stored(days, tuple(kinds), tuple(rows), tuple(columns))


def _columns(spec: Spec, table: Table, flows: KindFlows, days: Floats, rows: Floats) -> list[StoredColumn]:
    cells = []
    for family, column in columns_written(flows):
        steps = column_policy(family, column)
        live, expected, most = (
            cells_stored(spec, flows, family, column, days, lag_days=lag, steps=steps)
            for lag in (HALF_WEEK.low, HALF_WEEK.value, HALF_WEEK.high)
        )
        tombstones = _tombstones(flows, family, column, days)
        cells.append(
            (family, column, live, expected + tombstones * HALF_WEEK.value, most + tombstones * HALF_WEEK.high)
        )
    per_row = sum(float(expected[-1]) for _, _, _, expected, _ in cells) / max(float(rows[-1]), 1e-300)
    return [
        StoredColumn(
            flows.kind.id, family, column, part := cell(spec, family, column, flows.key_bytes),
            live, expected, most, _shrink(spec, table, part, family, column, per_row),
        )
        for family, column, live, expected, most in cells
    ]  # fmt: skip


def _tombstones(flows: KindFlows, family: Family, column: Column, days: Floats) -> Floats:
    """Markers of deletions a day that stand in for this column: one per cell, or one per family in its first column."""
    total = np.zeros_like(days)
    for flow in flows.deleting:
        per_day = flow.clock.per_day(math.inf) * flow.rows_per_event
        mine = any(c.id == column.id for _, c in flow.columns)
        first = family.columns[0].id == column.id
        beside = any(f.id == family.id for f, _ in flow.columns)
        marked = {"delete_cell": mine, "delete_family": first and beside, "delete_row": first}
        if marked.get(flow.write.mode, False):
            total = total + per_day
    return total


def _shrink(
    spec: Spec, table: Table, part: BytesByCause, family: Family, column: Column, per_row: float
) -> tuple[float, float, float]:
    if table.compressed_share is not None:
        return (table.compressed_share,) * 3
    kind = {"ordinary": assumed(spec, column.value, "kind"), "hll": "random"}.get(family.kind, "integer")
    sizes = shrunk(
        part, per_row, kind, qualifier_is_data=bool(column.qualifier_from),
        uncompressed_from_bytes=bigtable.LIMITS["cell_compressed_bytes"].value,
    )  # fmt: skip
    typical, low, high = (size / part.total for size in sizes)
    return typical, low, high


def _physical(table: Table, stored: Stored, scale: float) -> tuple[Floats, Floats, Floats]:
    """Expected, low, high; what was measured at the start is certain, only what comes after it is not."""
    expected, low, high = stored.physical() * scale, stored.physical("low") * scale, stored.physical("high") * scale
    if table.gib_stored is None:
        return expected, low, high
    there = table.gib_stored * GiB
    expected = there + (expected - expected[0])
    low, high = there + (low - low[0]), there + (high - high[0])
    return expected, np.maximum(np.minimum(low, expected), 0.0), np.maximum(high, expected)


def _shares(stored: Stored) -> tuple[float, float, float]:
    """Physical ÷ logical of the table at the end of the horizon: typical, low, high."""
    weights = [float(c.expected[-1]) * c.cell.total for c in stored.columns]
    if sum(weights) <= 0:
        weights = [c.cell.total for c in stored.columns]
    total = sum(weights)
    if total <= 0:
        return 1.0, 1.0, 1.0
    typical, low, high = (
        sum(w * c.shrink[i] for w, c in zip(weights, stored.columns, strict=True)) / total for i in range(3)
    )
    return typical, low, high


def _unwritten(spec: Spec, table: Table) -> TableGrowth:
    """A table that nothing writes to keeps what is stored."""
    if table.gib_stored is None:
        raise Open(Because(N_("Nothing is written to “{table}”."), table.id, {"table": table.name or table.id}))
    dates = month_dates(spec)
    physical = np.full(len(dates), table.gib_stored * GiB)
    share = table.compressed_share or 1.0
    return TableGrowth(
        dates=dates, rows=np.full(len(dates), float(table.rows_stored or 0)), logical_bytes=physical / share,
        physical_bytes=physical, physical_bytes_low=physical, physical_bytes_high=physical,
        compressed_share=share, compressed_share_low=share, compressed_share_high=share,
        compression_origin="you" if table.compressed_share else "guess", kinds=(), families=(),
        changed_bytes_per_day=0.0, mutation_bytes_per_second=0.0,
    )  # fmt: skip


# --- rows -----------------------------------------------------------------------------------------------------


def _row_growth(spec: Spec, flows: KindFlows, rows: Floats, days: Floats) -> RowGrowth:
    places = size_days(days).astype(int)
    dates = month_dates(spec)
    chosen = days[places]
    events = row_events(flows, chosen, rows[places])
    median, p99, largest = (
        row_bytes(spec, flows, each, chosen, lag_days=bigtable.UNCOLLECTED_DAYS_FOR_LIMITS) for each in events
    )
    largest = np.where(largest > 0, np.maximum(largest, p99) + extra_bytes_of_largest(spec, flows), 0.0)
    when = tuple(dates[i] for i in places)
    spans = [flow.spread.bucket_seconds for flow in flows.writing if flow.spread.bucket_seconds is not None]
    hottest = max(flows.writing, key=lambda f: float(f.spread.shares.max(initial=0.0)), default=None)
    return RowGrowth(
        row_kind=flows.kind.id,
        dates=when,
        median_bytes=median,
        p99_bytes=p99,
        largest_bytes=largest,
        largest_entity=hottest.spread.hottest if hottest else "",
        bucket_seconds=min(spans, default=None),
        events_per_row=float(sum(each[-1] for each in events[0].values())),
        rows=float(rows[-1]),
        crossings=tuple(_crossing(name, when, largest) for name in LIMITS),
    )


def _crossing(name: str, dates: tuple[datetime.date, ...], largest: Floats) -> Crossing:
    """The first day on which the largest row passes a limit, straight lines between the days computed."""
    limit = limit_bytes(name)
    over = np.flatnonzero(largest > limit)
    if not len(over):
        return Crossing(name, limit, None)
    i = int(over[0])
    if i == 0:
        return Crossing(name, limit, dates[0])
    part = (limit - largest[i - 1]) / (largest[i] - largest[i - 1])
    return Crossing(name, limit, dates[i - 1] + (dates[i] - dates[i - 1]) * float(part))


# --- families -------------------------------------------------------------------------------------------------


def _families(spec: Spec, table: Table, stored: Stored, scale: float) -> list[FamilyGrowth]:
    found = []
    for flows, rows in zip(stored.kinds, stored.rows, strict=True):
        for family in table.families:
            mine = [c for c in stored.columns if c.kind == flows.kind.id and c.family.id == family.id]
            if mine:
                found.append(_family(spec, flows, family, mine, rows, stored.days, scale))
    return found


def _family(
    spec: Spec, flows: KindFlows, family: Family, mine: list[StoredColumn], rows: Floats, days: Floats, scale: float
) -> FamilyGrowth:
    def all_of(cause: str) -> float:
        return sum(float(c.expected[-1]) * float(getattr(c.cell, cause)) for c in mine)

    physical = sum((c.expected * c.cell.total * c.shrink[0] for c in mine), np.zeros_like(days)) * scale
    month = float(physical[-1] - physical[-2]) if len(physical) > 1 else 0.0
    return FamilyGrowth(
        family=family.id,
        row_kind=flows.kind.id,
        cells_per_row=sum(float(c.expected[-1]) for c in mine) / max(float(rows[-1]), 1e-300) if rows[-1] > 0 else 0.0,
        bytes_by_cause=BytesByCause(
            *(all_of(cause) for cause in ("key", "family", "qualifier", "timestamp", "value", "overhead"))
        ),
        uncollected_bytes=sum(float(c.expected[-1] - c.live[-1]) * c.cell.total for c in mine),
        surplus_bytes=sum(_surplus(spec, flows, c, days[-1:]) for c in mine),
        bounded=all(_bounded(spec, flows, c) for c in mine),
        gib_per_month=month / GiB,
    )


def _surplus(spec: Spec, flows: KindFlows, column: StoredColumn, end: Floats) -> float:
    """Live bytes that are beyond what readers need. [bytes]"""
    needed = wanted(column.family.needed)
    steps = stricter(column_policy(column.family, column.column), needed)
    least = cells_stored(spec, flows, column.family, column.column, end, lag_days=0.0, steps=steps)
    return max(float(column.live[-1] - least[0]), 0.0) * column.cell.total if needed.caps != (math.inf,) else 0.0


def _bounded(spec: Spec, flows: KindFlows, column: StoredColumn) -> bool:
    """What a row holds of this column cannot grow for ever."""
    steps = column_policy(column.family, column.column)
    updated = any(flow not in flows.creating for flow in flows.flows_into(column.column))
    if math.isfinite(flows.span_days) or (flows.per_event and not updated) or math.isfinite(steps.age_bound_days):
        return True
    made = not column.column.qualifier_from and any(
        flow.write.mode == "new_column" for flow in flows.flows_into(column.column)
    )
    return math.isfinite(steps.versions_bound) and not made and qualifiers(spec, column.column, math.inf) < math.inf


def collected(family: Family) -> bool:
    """The family has a garbage collection, or says on purpose that it has none."""
    return family.gc is not None and not isinstance(family.gc, Never)


# --- what others need -----------------------------------------------------------------------------------------


def _changed(spec: Spec, stored: Stored) -> float:
    """Physical bytes written a day at the end of the horizon."""
    total = 0.0
    for flows in stored.kinds:
        for c in (c for c in stored.columns if c.kind == flows.kind.id):
            per_day = sum(f.clock.per_day(math.inf) * f.rows_per_event for f in flows.flows_into(c.column))
            per_day = per_day * float(assumed(spec, c.column, "presence"))
            per_day += float(_tombstones(flows, c.family, c.column, np.zeros(1))[0])
            total += per_day * c.cell.total * c.shrink[0]
    return total


def _mutated(spec: Spec, stored: Stored) -> float:
    """Logical bytes of mutations a second at the end of the horizon: the key once, then each cell without it."""
    total = 0.0
    for flows in stored.kinds:
        for flow in (*flows.writing, *flows.deleting):
            size = flows.key_bytes
            for family, column in flow.columns:
                part = cell(spec, family, column, 0.0)
                value = part.value if flow in flows.writing else 0.0
                presence = float(assumed(spec, column, "presence"))
                size += presence * (part.family + part.qualifier + part.timestamp + value)
            total += flow.clock.per_day(math.inf) * flow.rows_per_event / 86_400 * size
    return total


def _infrequent(spec: Spec, table: Table, stored: Stored, scale: float) -> Floats | None:
    """Physical bytes of cells older than the table's infrequent-access age: (dates,); None where it has none."""
    if table.infrequent_access_days is None:
        return None
    young = Policy((float(table.infrequent_access_days), math.inf), (math.inf, 0.0))
    total = np.zeros_like(stored.days)
    flows_of = {flows.kind.id: flows for flows in stored.kinds}
    for c in stored.columns:
        steps = stricter(column_policy(c.family, c.column), young)
        recent = cells_stored(spec, flows_of[c.kind], c.family, c.column, stored.days, lag_days=0.0, steps=steps)
        total = total + np.maximum(c.live - recent, 0.0) * c.cell.total * c.shrink[0]
    return total * scale


def _sizes(spec: Spec, stored: Stored) -> dict[str, RowKindSize]:
    sizes = {}
    for flows, rows in zip(stored.kinds, stored.rows, strict=True):
        mine = [c for c in stored.columns if c.kind == flows.kind.id]
        end = float(rows[-1])
        columns = tuple(
            ColumnSize(
                column=c.column.id,
                family=c.family.id,
                cell=c.cell,
                cells_written=float(assumed(spec, c.column, "presence")),
                cells_stored=float(c.expected[-1]) / end if end > 0 else float(assumed(spec, c.column, "presence")),
            )
            for c in mine
        )
        sizes[flows.kind.id] = RowKindSize(flows.kind.id, end, columns)
    return sizes
