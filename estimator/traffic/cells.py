"""Cells and bytes of the rows that a read meets: what is read from disk, and what goes to the caller."""

import math
from dataclasses import dataclass

from designer.spec.access import Read
from designer.spec.family import Column, Family
from designer.spec.key import FieldSegment, TimeSegment

from ..growth.collection import policy
from ..results import ColumnSize
from .find import Found
from .knowledge import DAY, RESOLUTION_SECONDS
from .meeting import meeting_share
from .scope import Stored, bind_of

ACCUMULATES = 1.01
"""A column whose rows hold more than so many times what one write adds is one that fills over time."""


@dataclass(frozen=True)
class ReadCells:
    """Means of one row: cells and bytes read (families touched), and those returned (columns wanted)."""

    touched: float
    touched_bytes: float
    returned: float
    returned_bytes: float


def read_cells(stored: Stored, read: Read, found: Found) -> ReadCells:
    """Cells of one row that a read meets, as a mean over the rows that callers ask for.

    Whole families are read from disk; only the columns wanted, within versions and cell times, are returned.
    """
    families = {family.id: family for family in stored.table.families}
    columns: dict[str, Column] = {c.id: c for family in families.values() for c in family.columns}
    touched = {c.family for c in stored.size.columns if _wanted(read, c, columns)}
    larger = _larger(stored, read)
    sums = [0.0, 0.0, 0.0, 0.0]
    for size in stored.size.columns:
        if size.family not in touched:
            continue
        cell_bytes = size.cell.total - size.cell.overhead
        cells = _cells(stored, size, families[size.family], columns.get(size.column), larger)
        sums[0] += cells
        sums[1] += cells * cell_bytes
        if _wanted(read, size, columns):
            kept = _limited(stored, read, size, columns.get(size.column), cells)
            sums[2] += kept
            sums[3] += kept * cell_bytes
    return ReadCells(*sums)


def _wanted(read: Read, size: ColumnSize, columns: dict[str, Column]) -> bool:
    if read.columns:
        return size.column in read.columns
    return not read.families or size.family in read.families


def _larger(stored: Stored, read: Read) -> float:
    """By how much more events the entity asked for has than the mean one: n · Σ asked · drawn over its fields."""
    factor = 1.0
    for field in sorted(stored.key_fields):
        bind = bind_of(read, field)
        if bind is not None and not bind.prefix:
            drawn, values = stored.drawn(field), stored.values(field)
            factor *= values * meeting_share(bind.popularity or drawn, drawn, values)
    return factor


def _cells(stored: Stored, size: ColumnSize, family: Family, column: Column | None, larger: float) -> float:
    """Stored cells of a column in the rows read: more than the mean where rows fill and popular ones are asked for."""
    if stored.per_event or size.cells_stored <= size.cells_written * ACCUMULATES or larger <= 1:
        return size.cells_stored
    most = policy(family.gc).caps[0]
    if column is not None and column.qualifier_from:
        times = any(isinstance(s, TimeSegment) for s in column.qualifier_from)
        names = math.prod(stored.values(s.field) for s in column.qualifier_from if isinstance(s, FieldSegment))
        most = math.inf if times else most * names
    return max(min(size.cells_stored * larger, most), size.cells_stored)


def _limited(stored: Stored, read: Read, size: ColumnSize, column: Column | None, cells: float) -> float:
    """Cells left of a column when the caller asks for the newest versions, or for a span of cell times."""
    if read.cell_days is not None and cells > size.cells_written:
        lengths = [RESOLUTION_SECONDS[t.resolution] / DAY for t in stored.times]
        span = min([*lengths, max(stored.time.span_days, 1e-9)])
        cells = max(cells * min(read.cell_days / span, 1.0), min(size.cells_written, cells))
    if read.newest_versions is not None and not (column is not None and column.qualifier_from):
        cells = min(cells, read.newest_versions * max(size.cells_written, 1e-9))
    return cells
