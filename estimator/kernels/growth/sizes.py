"""Sizes for reads, replication, change streams and tiers: cells of rows, bytes changed and mutated."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS
from designer.document.table import Table
from estimator.engines import GiB, engine_of
from estimator.results import ColumnSize, Measurement, RowKindSize, SizeCourse
from estimator.results.arrays import Floats

from .arrivals import KindArrivals, KindShape
from .cells import cell, columns_of
from .collection import Policy, stricter_policy
from .model import StoredColumn, StoredTable, uncollected_days
from .retained_rows import has_single_version, stored_cell_count


def changed_bytes_per_day(spec: Spec, stored_table: StoredTable) -> float:
    """Physical bytes written a day at the end of the horizon."""
    total = 0.0
    for flows in stored_table.kinds:
        for c in (c for c in stored_table.columns if c.kind == flows.kind.id):
            per_day = sum(f.event_curve.per_day(math.inf) * f.rows_per_event for f in flows.arrivals_into(c.column))
            per_day = per_day * float(effective_value(spec, c.column, "presence"))
            total += per_day * c.cell.total * c.compressed_shares[0]
    return total + sum(m.per_day * m.marker.total * m.compressed_shares[0] for m in stored_table.markers)


def changed_bytes(spec: Spec, stored_table: StoredTable) -> dict[str, float]:
    """Return the physical bytes of one row of each write, by its id; of a deletion its markers."""
    bytes_by_write: dict[str, float] = defaultdict(float)
    for flows in stored_table.kinds:
        for c in (c for c in stored_table.columns if c.kind == flows.kind.id):
            cell_bytes = c.cell.total * c.compressed_shares[0]
            for flow in flows.arrivals_into(c.column):
                bytes_by_write[flow.write.id] += float(effective_value(spec, c.column, "presence")) * cell_bytes
    for m in stored_table.markers:
        bytes_by_write[m.write] += m.marker.total * m.compressed_shares[0]
    return dict(bytes_by_write)


def mutation_bytes_per_second(spec: Spec, stored_table: StoredTable) -> float:
    """Logical bytes of mutations a second at the end of the horizon."""
    of_row = mutation_bytes(spec, stored_table)
    return sum(
        flow.event_curve.per_day(math.inf) * flow.rows_per_event / DAY_SECONDS * of_row[flow.write.id]
        for flows in stored_table.kinds
        for flow in (*flows.writes, *flows.deletes)
    )


def mutation_bytes(spec: Spec, stored_table: StoredTable) -> dict[str, float]:
    """Return the logical bytes of one row's mutation, by the id of its write: the key once, each cell without it."""
    bytes_by_write = {}
    for flows in stored_table.kinds:
        for flow in (*flows.writes, *flows.deletes):
            size = flows.key_bytes
            for family, column in flow.columns:
                part = cell(spec, family, column, 0.0)
                value = part.value if flow in flows.writes else 0.0
                presence = float(effective_value(spec, column, "presence"))
                size += presence * (part.family + part.qualifier + part.timestamp + value)
            bytes_by_write[flow.write.id] = size
    return bytes_by_write


def infrequent_bytes(spec: Spec, table: Table, stored_table: StoredTable, ratio: Floats) -> Floats | None:
    """Physical bytes in infrequent access: (dates,); None where the table has none.

    Cells move when they are compacted, as expired ones are collected then. So what is there is as the compaction of
    half a week ago left it: the older cells moved, with those that have expired since. What has passed the age since
    then is on SSD, and so are markers of deletions, which are younger.

    References
    ----------
    Bigtable, "Tiered storage": moved by the cell's timestamp alone, at compaction (read 2026-11-20).
    """
    if table.infrequent_access_days is None:
        return None
    fresh = Policy((float(table.infrequent_access_days), math.inf), (math.inf, 0.0))
    total = np.zeros_like(stored_table.days)
    flows_of = {flows.kind.id: flows for flows in stored_table.kinds}
    lag_days = uncollected_days(spec).value
    for c in stored_table.columns:
        steps, flows = c.steps, flows_of[c.kind]
        young = fresh.shifted(flows.kind.ahead_days)
        whole, fast = (
            stored_cell_count(spec, flows, c.family, c.column, stored_table.days, lag_days=lag_days, steps=policy)
            for policy in (steps, stricter_policy(steps, young))
        )
        total = total + np.maximum(whole - fast, 0.0) * c.cell.total * c.compressed_shares[0]
    return total * ratio


def written_sizes(
    spec: Spec, stored_table: StoredTable, rows_by_kind: Sequence[Floats], ratio: Floats
) -> dict[str, RowKindSize]:
    """Row kinds that are written: rows and mean cells at the end, and on the dates before it.

    `ratio` is measured ÷ modelled bytes: (dates,).
    """
    sizes = {}
    for flows, modelled, rows in zip(stored_table.kinds, stored_table.rows, rows_by_kind, strict=True):
        mine = [c for c in stored_table.columns if c.kind == flows.kind.id]
        counted = np.where(ratio != 1, rows, modelled)
        has_rows = np.minimum(rows, modelled) > 0
        per_row = np.divide(ratio, counted, out=np.zeros_like(ratio), where=has_rows)
        written = [float(effective_value(spec, c.column, "presence")) for c in mine]
        # A row that has just been written has the cells of one write.
        stored = [np.where(has_rows, c.expected_cells * per_row, once) for c, once in zip(mine, written, strict=True)]
        superseded = [_superseded_cells(spec, stored_table, flows, c) * per_row for c in mine]
        shape = len(mine), len(ratio)
        course = SizeCourse(rows, np.array(stored).reshape(shape), np.array(superseded).reshape(shape))
        columns = tuple(
            ColumnSize(c.column.id, c.family.id, c.cell, once, float(cells[-1]), float(older[-1]))
            for c, once, cells, older in zip(mine, written, stored, superseded, strict=True)
        )
        sizes[flows.kind.id] = RowKindSize(flows.kind.id, float(rows[-1]), columns, flows.row_bytes, course)
    return sizes


def _superseded_cells(spec: Spec, stored_table: StoredTable, flows: KindArrivals, stored: StoredColumn) -> Floats:
    """Return the cells that newer ones supersede or that are deleted, and stored still, of all rows: (dates,). [cells]

    What is only too old is not among them: it is read until it is collected.
    """
    steps, lag_days = stored.steps, uncollected_days(spec).value
    has_versions = any(0 < cap < math.inf for cap in steps.caps)
    if not flows.deletes and (not has_versions or has_single_version(stored.family, stored.column)):
        return np.zeros_like(stored_table.days)
    read = Policy(tuple(age + lag_days for age in steps.ages), steps.caps)
    days = stored_table.days
    remaining = stored_cell_count(spec, flows, stored.family, stored.column, days, lag_days=0.0, steps=read)
    return np.maximum(stored.expected_cells - remaining, 0.0)


def unwritten_shares(spec: Spec, table: Table, measurement: Measurement | None) -> tuple[float, float, float]:
    """Physical ÷ logical of a table that nothing is written to: typical, low, high."""
    if engine_of(spec).WHY_UNCOMPRESSED:
        return 1.0, 1.0, 1.0
    if measurement is None or table.compressed_share:
        return (table.compressed_share or 1.0,) * 3
    return measurement.typical_share, measurement.low_share, measurement.high_share


def unwritten_sizes(
    spec: Spec, table: Table, shapes: Mapping[str, KindShape], measurement: Measurement | None = None
) -> dict[str, RowKindSize]:
    """Row kinds that nothing writes to: one cell of each column in a row; what is stated is shared evenly by all."""
    sizes = {}
    for kind in table.row_kinds:
        if kind.id not in shapes or kind.writes:
            continue
        columns = tuple(
            ColumnSize(c.id, f.id, cell(spec, f, c, shapes[kind.id].key_bytes), presence, presence)
            for f, c in columns_of(table, kind)
            for presence in (float(effective_value(spec, c, "presence")),)
        )
        once = shapes[kind.id].row_bytes
        row_bytes = once + sum(c.cells_stored * c.cell.total for c in columns)
        if table.rows_stored is not None:
            count = table.rows_stored / len(table.row_kinds)
        else:
            share = unwritten_shares(spec, table, measurement)[0]
            count = (table.gib_stored or 0.0) * GiB / share / max(row_bytes, 1.0) / len(table.row_kinds)
        sizes[kind.id] = RowKindSize(kind.id, count, columns, once)
    return sizes
