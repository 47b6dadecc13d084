"""Columns of counters that are incremented in place, and the versions that their increments leave."""

from designer.document import effective_value
from designer.document.access import Write
from designer.document.family import Column, Family
from estimator.kernels.growth.cells import written_columns

from .reading import RowKindFacts

NUMBERS = ("integer", "small_integers")


def counter_columns(rows: RowKindFacts, write: Write) -> list[tuple[Family, Column]]:
    """Return the ordinary integer columns that a write increments; none if it also changes others."""
    if write.mode not in ("increment", "read_modify_write"):
        return []
    columns = [(f, c) for f, c in written_columns(rows.table, rows.kind, write) if f.kind == "ordinary"]
    if write.mode == "read_modify_write" and any(
        effective_value(rows.spec, column.value, "kind") not in NUMBERS for _, column in columns
    ):
        return []
    return columns


def old_counts_bytes(rows: RowKindFacts, family: Family) -> float:
    """Return the logical bytes that versions of counters other than the newest take in a family. [bytes]"""
    counters = {c.id for write in rows.kind.writes for f, c in counter_columns(rows, write) if f.id == family.id}
    if rows.size is None or any(read.cell_days or (read.newest_versions or 1) > 1 for read in rows.kind.reads):
        return 0.0
    own = (column for column in rows.size.columns if column.column in counters)
    return sum(rows.size.rows * max(column.cells_stored - 1, 0.0) * column.cell.total for column in own)
