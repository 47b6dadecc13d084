"""Answers of reads: the rows and bytes of them, and rows that the engine refuses to return."""

from collections.abc import Sequence

from designer.document.access import Read
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.results import ColumnSize, UnknownReason

from ..growth.cells import bytes_above_mean, columns_of
from .rows_met import span_of
from .scope import StoredRows


def new_enough_share(stored_rows: StoredRows, read: Read) -> float:
    """Return the share of the rows that a read means whose cells are in the range of cell times that it asks for. [1]

    A row without such a cell is not returned. It is 1 where rows fill over time: they have newer cells, too. A read
    that says the age of what it asks for meets rows of that age.
    """
    if read.cell_days is None or not stored_rows.has_rows_of_one_write or read.exact_time:
        return 1.0
    span = span_of(stored_rows, read)
    if span is None and read.age_days is not None:
        return float(read.age_days <= read.cell_days)
    age, oldest = span or (0.0, stored_rows.time.span_days)
    met = stored_rows.time.share(age, oldest - age)
    new_enough = stored_rows.time.share(age, max(min(read.cell_days, oldest) - age, 0.0))
    return new_enough / met if met > 0 else 1.0


def unsent_bytes(sizes: Sequence[ColumnSize], returned_cells: Sequence[float]) -> float:
    """Return the bytes of a row's returned cells that an answer has not: keys and names of families after the first.

    Chunks of an answer leave out the key of the same row and the family of the cell before (ReadRowsResponse.CellChunk,
    google/bigtable/v2/bigtable.proto, read 2026-11-29). Columns of a row are there independently of each other.
    """
    unsent_bytes, without_cells = 0.0, 1.0
    by_family = dict.fromkeys((size.family for size in sizes), 1.0)
    for size, cells in zip(sizes, returned_cells, strict=True):
        unsent_bytes += cells * (size.cell.key + size.cell.family)
        share = max(1 - cells, 0.0)
        without_cells *= share
        by_family[size.family] *= share
    if sizes:
        unsent_bytes -= sizes[0].cell.key * (1 - without_cells)
    names = {size.family: size.cell.family for size in sizes}
    return unsent_bytes - sum(names[family] * (1 - share) for family, share in by_family.items())


def row_bytes_above(stored_rows: StoredRows, read: Read) -> float:
    """Return by how much a row of the largest values read exceeds the mean, where that is billed; else 0 [bytes]."""
    if engine_of(stored_rows.spec).HAS_NODES:
        return 0.0
    columns = columns_of(stored_rows.table, stored_rows.kind, read.columns)
    return bytes_above_mean(
        stored_rows.spec, [pair for pair in columns if not read.families or pair[0].id in read.families]
    )


def refusal(stored_rows: StoredRows, read: Read, returned_rows: float, stored_bytes: float) -> UnknownReason | None:
    """Return why the engine does not return the read's rows: they are above its limit of a row; None if it does."""
    engine = engine_of(stored_rows.spec)
    limits = [engine.LIMITS[name].value for name in engine.ROW_LIMITS if engine.LIMITS[name].hard]
    if not limits or returned_rows <= 0 or stored_bytes / returned_rows <= max(limits):
        return None
    return UnknownReason(
        N_("“{read}” returns rows of more than {limit_bytes}, which the engine refuses. Its load is not counted."),
        read.id,
        {"read": read.label, "limit_bytes": max(limits)},
    )
