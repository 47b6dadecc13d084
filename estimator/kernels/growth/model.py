"""All rows and cells of a table over the horizon, by row kind and column: all else in growth is read off them."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from designer.document import Spec, effective_value
from designer.document.durations import MONTH_DAYS
from designer.document.family import Column, Family
from designer.document.table import Table
from designer.document.texts import N_
from estimator.engines import EngineAssumption, bigtable, engine_of
from estimator.results import BytesByCause, Measurement, NoKeyError, UnknownReason
from estimator.results.arrays import Floats

from ..population.clock import EventCurve, event_curve
from .arrivals import KindArrivals, KindShape, activity_of, kind_arrivals
from .bounded_garbage import can_gather, gathered_share
from .cells import cell
from .collection import Policy
from .compression import compressed_cell_bytes
from .deletions import markers_of
from .retained_rows import column_policy, stored_cell_count, stored_row_count
from .rowsize import columns_with_writes


def uncollected_days(spec: Spec) -> EngineAssumption:
    """Return the assumed days that expired cells stay: half a week on Bigtable, half a day on Tablestore."""
    return engine_of(spec).ASSUMPTIONS["uncollected_days"]


@dataclass(frozen=True)
class StoredColumn:
    """Cells of one column of one row kind over the horizon; arrays have shape (dates,)."""

    kind: str
    family: Family
    column: Column
    cell: BytesByCause
    live_cells: Floats
    """Without anything that is expired. [cells]"""
    expected_cells: Floats
    """With what is not collected yet on average. [cells]"""
    max_cells: Floats
    """With the most of it. [cells]"""
    compressed_shares: tuple[float, float, float]
    """Physical ÷ logical: typical, low, high."""
    steps: Policy
    """What collects it, by the age of writes."""


@dataclass(frozen=True)
class StoredMarkers:
    """Markers of one deletion in one family over the horizon, each until it is collected."""

    kind: str
    write: str
    """Id of the deletion."""
    family: Family
    marker: BytesByCause
    counts: tuple[Floats, Floats, Floats]
    """Typical, low, high: (dates,) each. [markers]"""
    per_day: float
    """New ones a day at the end of the horizon. [1/day]"""
    compressed_shares: tuple[float, float, float]
    """Physical ÷ logical: typical, low, high."""


@dataclass(frozen=True)
class StoredTable:
    """All row kinds of a table over the horizon."""

    days: Floats
    kinds: tuple[KindArrivals, ...]
    rows: tuple[Floats, ...]
    """By row kind."""
    columns: tuple[StoredColumn, ...]
    markers: tuple[StoredMarkers, ...]

    def logical_bytes(self) -> Floats:
        """Return the stored bytes on each date: (dates,)."""
        total = sum((c.expected_cells * c.cell.total for c in self.columns), self._row_overhead_bytes())
        return sum((m.counts[0] * m.marker.total for m in self.markers), total)

    def _row_overhead_bytes(self) -> Floats:
        """Return the bytes that rows take beside their cells: (dates,)."""
        total = np.zeros_like(self.days)
        for flows, rows in zip(self.kinds, self.rows, strict=True):
            if flows.row_bytes:
                total += rows * flows.row_bytes
        return total

    def physical_bytes(self, which: Literal["typical", "low", "high"] = "typical") -> Floats:
        """Return the stored bytes on each date: (dates,)."""
        place = ("typical", "low", "high").index(which)
        total = self._row_overhead_bytes()
        for c in self.columns:
            cells = (c.expected_cells, c.live_cells, c.max_cells)[place]
            total = total + cells * c.cell.total * c.compressed_shares[place]
        for m in self.markers:
            total = total + m.counts[place] * m.marker.total * m.compressed_shares[place]
        return total


def build_stored_table(
    spec: Spec,
    table: Table,
    shapes: Mapping[str, KindShape],
    days: Floats,
    *,
    history_days: float,
    only_rows: bool = False,
    only_expected: bool = False,
    measurement: Measurement | None = None,
    shaped: bool = False,
) -> StoredTable:
    """Everything stored on these days.

    Parameters
    ----------
    days : float64, shape (dates,)
        Since the start. [day]
    history_days
        How long before the start the writes began. [day]
    only_rows, only_expected
        Leave out all columns, or how much of them is live and how much is there at most, to save time.
    measurement
        The table's compression, instead of a guess per kind of value.
    shaped
        Days are the very ones: a Sunday has a Sunday's events, not the mean day's of a week.

    Raises
    ------
    NotComputableError
        If a write names no activity, an activity has no rate, or a row kind that is written has no key.
    """
    horizon = float(effective_value(spec, spec, "horizon_months")) * MONTH_DAYS
    clocks: dict[str, EventCurve] = {}
    for kind in table.row_kinds:
        for write in kind.writes:
            activity = activity_of(spec, write)
            clocks.setdefault(activity.id, event_curve(spec, activity, history_days, horizon, shaped=shaped))
    kinds, rows, columns, markers = [], [], [], list[StoredMarkers]()
    for kind in table.row_kinds:
        if not kind.writes:
            continue
        if kind.id not in shapes:
            raise NoKeyError(UnknownReason(N_("“{kind}” has no row key yet."), kind.id, {"kind": kind.label}))
        flows = kind_arrivals(spec, table, kind, shapes[kind.id], clocks)
        kinds.append(flows)
        rows.append(stored_row_count(flows, days, lag_days=uncollected_days(spec).value))
        if not only_rows:
            stored_columns = _columns(
                spec, table, flows, days, rows[-1], only_expected=only_expected, measurement=measurement
            )
            columns.extend(stored_columns)
            markers.extend(_markers(spec, table, flows, days, measurement))
    return StoredTable(days, tuple(kinds), tuple(rows), tuple(columns), tuple(markers))


class _ColumnCells(NamedTuple):
    """Cells of one column on some days: (dates,)."""

    family: Family
    column: Column
    steps: Policy
    live: Floats
    expected: Floats
    most: Floats


def _columns(
    spec: Spec,
    table: Table,
    flows: KindArrivals,
    days: Floats,
    rows: Floats,
    *,
    only_expected: bool,
    measurement: Measurement | None,
) -> list[StoredColumn]:
    cells, lag = list[_ColumnCells](), uncollected_days(spec)
    for family, column in columns_with_writes(flows):
        steps = column_policy(family, column, flows.kind.ahead_days)
        lags = (lag.value,) * 3 if only_expected else (lag.low, lag.value, lag.high)
        # Both ends of the assumed lag are often the same, and live cells are those without any.
        counts = {
            lag: stored_cell_count(spec, flows, family, column, days, lag_days=lag, steps=steps) for lag in set(lags)
        }
        live, expected, most = (counts[lag] for lag in lags)
        if flows.kept is not None and not only_expected:
            # A rotating set holds the most just before its oldest table is dropped.
            fullest = replace(flows, kept=flows.kept.at_most)
            most = stored_cell_count(spec, fullest, family, column, days, lag_days=lag.high, steps=steps)
        cells.append(_ColumnCells(family, column, steps, live, expected, most))
    cells = _bounded_cells(spec, flows, days, cells)
    # Blocks hold whole rows: how well a cell compresses depends on how many like it stand beside it.
    per_row = sum(float(c.expected[-1]) for c in cells) / max(float(rows[-1]), 1e-300)
    return [
        StoredColumn(
            flows.kind.id, c.family, c.column, part := cell(spec, c.family, c.column, flows.key_bytes),
            c.live, c.expected, c.most,
            _cell_compressed_shares(spec, table, part, c.family, c.column, per_row, measurement), c.steps,
        )
        for c in cells
    ]  # fmt: skip


def _bounded_cells(spec: Spec, flows: KindArrivals, days: Floats, cells: list[_ColumnCells]) -> list[_ColumnCells]:
    """Return the same cells without the expired ones that rows do not gather."""
    most_bytes, lag = engine_of(spec).UNCOLLECTED_BYTES_MOST, uncollected_days(spec)
    sizes = [cell(spec, c.family, c.column, flows.key_bytes).total for c in cells]
    upper = sum((c.most * size for c, size in zip(cells, sizes, strict=True)), np.zeros_like(days))
    if not can_gather(flows, upper, most_bytes):
        return cells
    live = [stored_cell_count(spec, flows, c.family, c.column, days, lag_days=0.0, steps=c.steps) for c in cells]

    def bound_counts(counts: list[Floats], lag_days: float) -> list[Floats]:
        expired = [count - alive for count, alive in zip(counts, live, strict=True)]
        total = sum((count * size for count, size in zip(expired, sizes, strict=True)), np.zeros_like(days))
        share = gathered_share(flows, total, days, lag_days=lag_days, most_bytes=most_bytes)
        return [alive + count * share for count, alive in zip(expired, live, strict=True)]

    expected = bound_counts([c.expected for c in cells], lag.value)
    most = bound_counts([c.most for c in cells], lag.high)
    return [c._replace(expected=usual, most=high) for c, usual, high in zip(cells, expected, most, strict=True)]


def _markers(
    spec: Spec, table: Table, flows: KindArrivals, days: Floats, measurement: Measurement | None
) -> Iterator[StoredMarkers]:
    lag = uncollected_days(spec)
    for flow, family, column, marker in markers_of(spec, flows, columns_with_writes(flows)):
        typical, low, high = (flow.rows_between(days - lag_days, days) for lag_days in (lag.value, lag.low, lag.high))
        per_day = flow.event_curve.per_day(math.inf) * flow.rows_per_event
        shares = _cell_compressed_shares(spec, table, marker, family, column, 1.0, measurement)
        yield StoredMarkers(flows.kind.id, flow.write.id, family, marker, (typical, low, high), per_day, shares)


def _cell_compressed_shares(
    spec: Spec,
    table: Table,
    part: BytesByCause,
    family: Family,
    column: Column,
    per_row: float,
    measurement: Measurement | None,
) -> tuple[float, float, float]:
    """Physical ÷ logical of a cell: as a person says, else as measured on the whole table, else guessed."""
    if engine_of(spec).WHY_UNCOMPRESSED:
        return 1.0, 1.0, 1.0
    if table.compressed_share is not None:
        return (table.compressed_share,) * 3
    if measurement is not None:
        return measurement.typical_share, measurement.low_share, measurement.high_share
    kind = {"ordinary": effective_value(spec, column.value, "kind"), "hll": "random"}.get(family.kind, "integer")
    sizes = compressed_cell_bytes(
        part, per_row, kind, qualifier_is_data=bool(column.qualifier_from),
        uncompressed_from_bytes=bigtable.LIMITS["cell_compressed_bytes"].value,
    )  # fmt: skip
    typical, low, high = (size / part.total for size in sizes)
    return typical, low, high


def compressed_shares(stored_table: StoredTable) -> tuple[float, float, float]:
    """Physical ÷ logical of the table at the end of the horizon: typical, low, high."""
    weights = [float(c.expected_cells[-1]) * c.cell.total for c in stored_table.columns]
    if sum(weights) <= 0:
        # Nothing is stored at the end: a table that is still to be filled is told by one cell of each column.
        weights = [c.cell.total for c in stored_table.columns]
    total = sum(weights)
    if total <= 0:
        return 1.0, 1.0, 1.0
    typical, low, high = (
        sum(w * c.compressed_shares[i] for w, c in zip(weights, stored_table.columns, strict=True)) / total
        for i in range(3)
    )
    return typical, low, high
