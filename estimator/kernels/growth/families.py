"""Content of each family of a row kind at the end of the horizon: by cause, expired, beyond need."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from designer.document import Spec
from designer.document.table import Table
from estimator.engines import GiB, engine_of
from estimator.results import BytesByCause, FamilyGrowth
from estimator.results.arrays import Floats

from .arrivals import KindArrivals
from .collection import KEEP_ALL, Policy, stricter_policy
from .model import StoredColumn, StoredMarkers, StoredTable
from .reader_needs import column_need, family_need
from .retained_rows import stored_cell_count


def family_growth(
    spec: Spec, table: Table, stored_table: StoredTable, rows_by_kind: Sequence[Floats], *, scale: float, ratio: float
) -> list[FamilyGrowth]:
    """Each family of each row kind, in the order of the table.

    Parameters
    ----------
    scale
        Measured ÷ modelled size of what is written. [1]
    ratio
        Measured ÷ modelled size of everything at the end of the horizon. [1]
    """
    growths: list[FamilyGrowth] = []
    for flows, modelled, rows in zip(stored_table.kinds, stored_table.rows, rows_by_kind, strict=True):
        for family in table.families:
            mine = [c for c in stored_table.columns if c.kind == flows.kind.id and c.family.id == family.id]
            if mine:
                surplus = _surpluses(spec, table, flows, mine, stored_table.days[-1:], ratio=ratio)
                # A row's own bytes are of no family. The first shows them, so that families add up to the table.
                first = all(f.row_kind != flows.kind.id for f in growths)
                once = modelled * flows.row_bytes if first else np.zeros_like(rows)
                size = {"rows": float(rows[-1]), "scale": scale, "ratio": ratio}
                markers = [m for m in stored_table.markers if m.kind == flows.kind.id and m.family.id == family.id]
                growths.append(_family(spec, flows, mine, markers, once=once, surplus=surplus, **size))
    return growths


def _family(
    spec: Spec, flows: KindArrivals, mine: list[StoredColumn], markers: list[StoredMarkers],
    *, once: Floats, surplus: tuple[float, Mapping[str, float]], rows: float, scale: float, ratio: float,
) -> FamilyGrowth:  # fmt: skip
    """`once`: bytes that rows take beside their cells, (dates,); they stand with the first family of a row kind."""

    def all_of(cause: str) -> float:
        cells = [(c.expected_cells, c.cell) for c in mine] + [(m.counts[0], m.marker) for m in markers]
        return sum(float(count[-1]) * float(getattr(part, cause)) for count, part in cells) * ratio

    physical = sum((c.expected_cells * c.cell.total * c.compressed_shares[0] for c in mine), once)
    physical = sum((m.counts[0] * m.marker.total * m.compressed_shares[0] for m in markers), physical) * scale
    uncollected_bytes = sum(float(c.expected_cells[-1] - c.live_cells[-1]) * c.cell.total for c in mine)
    uncollected_bytes += sum(float(m.counts[0][-1]) * m.marker.total for m in markers)
    causes = ("key", "family", "qualifier", "timestamp", "value", "overhead")
    return FamilyGrowth(
        family=mine[0].family.id,
        row_kind=flows.kind.id,
        cells_per_row=sum(float(c.expected_cells[-1]) for c in mine) * ratio / rows if rows > 0 else 0.0,
        bytes_by_cause=BytesByCause(*(all_of(cause) + (cause == "key") * float(once[-1]) * ratio for cause in causes)),
        uncollected_bytes=uncollected_bytes * scale,
        surplus_bytes=surplus[0],
        bounded=all(_is_bounded(spec, flows, c) for c in mine),
        gib_per_month=float(physical[-1] - physical[-2]) / GiB if len(physical) > 1 else 0.0,
        surplus_by_column=surplus[1],
    )


def _surpluses(
    spec: Spec, table: Table, flows: KindArrivals, mine: list[StoredColumn], end: Floats, *, ratio: float
) -> tuple[float, Mapping[str, float]]:
    """Return the live bytes beyond the need of the family's readers, and of each column's readers."""
    whole = family_need(spec, table, mine[0].family)
    own = {c.column.id: column_need(spec, table, c.family, c.column) for c in mine}
    return (
        sum(_surplus_bytes(spec, flows, c, whole, end) for c in mine) * ratio,
        {c.column.id: _surplus_bytes(spec, flows, c, own[c.column.id], end) * ratio for c in mine},
    )


def _surplus_bytes(spec: Spec, flows: KindArrivals, column: StoredColumn, need: Policy, end: Floats) -> float:
    """Return the live bytes of a column beyond its readers' need."""
    if need == KEEP_ALL:
        return 0.0
    steps = stricter_policy(column.steps, need)
    least = stored_cell_count(spec, flows, column.family, column.column, end, lag_days=0.0, steps=steps)
    return max(float(column.live_cells[-1] - least[0]), 0.0) * column.cell.total


def _is_bounded(spec: Spec, flows: KindArrivals, column: StoredColumn) -> bool:
    """Return True if what a row holds of this column cannot grow without limit."""
    steps = column.steps
    updated = any(flow not in flows.row_creating_writes for flow in flows.arrivals_into(column.column))
    if (
        math.isfinite(flows.span_days)
        or (flows.has_row_per_event and not updated)
        or math.isfinite(steps.age_bound_days)
    ):
        return True
    # A limit on versions bounds a row only as far as it bounds all columns together: 10⁶ names × 1 version is no limit.
    cells = steps.versions_bound * flows.names(column.column, largest=True).total(math.inf)
    has_new_names = flows.has_new_name_each(column.column)
    return not has_new_names and math.isfinite(cells) and cells * column.cell.total <= _largest_row_bytes(spec)


def _largest_row_bytes(spec: Spec) -> float:
    """Return the largest row that the engine serves: a limit on versions beyond it does not limit the row."""
    engine = engine_of(spec)
    return max((engine.LIMITS[name].value for name in engine.ROW_LIMITS), default=math.inf)
