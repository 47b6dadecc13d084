"""Several columns against one that holds all of their values: which are read together, and what the one would save."""

from collections.abc import Sequence
from dataclasses import dataclass

from designer.document import effective_value
from designer.document.access import Read, Write
from designer.document.family import Column, Family
from estimator.engines import GiB, bigtable
from estimator.kernels.growth.cells import written_columns
from estimator.kernels.growth.serialised import row_bytes, row_bytes_on_disk, serialized_cell_bytes
from estimator.results import ColumnSize, ReadPlan

from .reading import RowKindFacts


@dataclass(frozen=True)
class RowWrite:
    """The columns that one write puts into a row at a time, with their sizes."""

    write: Write
    columns: tuple[tuple[Family, Column], ...]
    sizes: tuple[ColumnSize, ...]

    @property
    def cell_count(self) -> float:
        """Cells that the mean write puts into a row."""
        return sum(size.cells_written for size in self.sizes)

    @property
    def value_bytes(self) -> float:
        """Of the mean cell's value."""
        return sum(size.cell.value * size.cells_written for size in self.sizes) / max(self.cell_count, 1e-12)

    @property
    def row_bytes(self) -> float:
        """Of one write's cells, uncompressed."""
        return row_bytes(self.sizes)

    @property
    def serialized_bytes(self) -> float:
        """Of the one cell instead, uncompressed."""
        return serialized_cell_bytes(self.sizes).total


def row_write(rows: RowKindFacts, write: Write) -> RowWrite | None:
    """Return the columns with fixed names that a write puts into a row; None while sizes are not known."""
    sizes = {size.column: size for size in rows.size.columns} if rows.size else {}
    columns = tuple(
        (family, column)
        for family, column in written_columns(rows.table, rows.kind, write)
        if family.kind == "ordinary" and not column.qualifier_from and column.id in sizes
    )
    return RowWrite(write, columns, tuple(sizes[column.id] for _, column in columns)) if columns else None


def reads_all_columns(rows: RowKindFacts, read: Read, columns: Sequence[tuple[Family, Column]]) -> bool:
    """Return True if a read wants all of these columns in full."""
    if effective_value(rows.spec, read, "value_share") < 1:
        return False
    if read.columns:
        return {column.id for _, column in columns} <= set(read.columns)
    return not read.families or {family.id for family, _ in columns} <= set(read.families)


def request_share(reads: Sequence[tuple[Read, ReadPlan]], selected: Sequence[tuple[Read, ReadPlan]]) -> float:
    """Return the chosen reads' share of the requests; reads whose rate is unknown count alike."""
    total = sum(_rate(plan) for _, plan in reads)
    return sum(_rate(plan) for _, plan in selected) / total if total > 0 else 0.0


def _rate(plan: ReadPlan) -> float:
    return 1.0 if plan.per_second is None else plan.per_second


def saved_share_on_disk(rows: RowKindFacts, cells: RowWrite) -> float:
    """Share of the bytes on disk that one serialised column would save."""
    growth = rows.part.growth if rows.part else None
    measured = growth.compressed_share if growth and growth.compression_origin != "guess" else None
    kinds = _kinds(rows, cells)
    now = row_bytes_on_disk(cells.sizes, kinds, cells_per_row=cells.cell_count, measured_share=measured)
    joint_size = ColumnSize("", "", serialized_cell_bytes(cells.sizes), 1.0, 1.0)
    then = row_bytes_on_disk((joint_size,), ("protobuf",), cells_per_row=1.0, measured_share=measured)
    return 1 - then / now if now > 0 else 0.0


def saved_share_by_bucketing(rows: RowKindFacts, cells: RowWrite, events_per_row: float) -> float:
    """Share of the bytes on disk that rows of so many events would save: they have one key for many cells.

    A guess per kind of byte in any case: what was measured is of rows as they are now.
    """
    kinds = _kinds(rows, cells)
    now = row_bytes_on_disk(cells.sizes, kinds, cells_per_row=cells.cell_count, measured_share=None)
    many = cells.cell_count * max(events_per_row, 1.0)
    then = row_bytes_on_disk(cells.sizes, kinds, cells_per_row=many, measured_share=None)
    return 1 - then / now if now > 0 else 0.0


def _kinds(rows: RowKindFacts, cells: RowWrite) -> list[str]:
    return [str(effective_value(rows.spec, column.value, "kind")) for _, column in cells.columns]


def gib_on_disk(rows: RowKindFacts, cells: RowWrite) -> float:
    """Return the GiB that these columns take in all rows at the end of the horizon."""
    growth = rows.part.growth if rows.part else None
    stored = sum(size.cells_stored * size.cell.total for size in cells.sizes) * (rows.size.rows if rows.size else 0.0)
    return stored * (growth.compressed_share if growth else 1.0) / GiB


def saved_time_share(rows: RowKindFacts, plan: ReadPlan, cells: RowWrite) -> float:
    """Share of a read's node time that one cell instead of these would save: their bytes, and cells beyond the first.

    The read takes all of them in each row that it returns.
    """
    capacity = bigtable.instance_capacity(rows.spec.instance)
    count = plan.cells_returned / max(cells.cell_count, 1e-12)
    joint_cell = serialized_cell_bytes(cells.sizes)
    now = sum((size.cell.total - size.cell.overhead) * size.cells_written for size in cells.sizes)
    saved_bytes = count * max(now - (joint_cell.total - joint_cell.overhead), 0.0)
    seconds = (
        saved_bytes / capacity.read.bytes_per_second + count * max(cells.cell_count - 1, 0.0) * capacity.cell_seconds
    )
    return min(seconds / plan.node_seconds, 1.0) if plan.node_seconds > 0 else 0.0
