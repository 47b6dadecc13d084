"""The values of several columns in one serialised cell: what it would take, logically and on disk."""

from collections.abc import Sequence

from estimator.results import BytesByCause, ColumnSize

from .compression import compressed_cell_bytes

TAG_BYTES = 2.0
"""Each field of a protobuf message has a tag, and a length where it is text: one byte each for the first fifteen
fields and values below 128 bytes (protobuf.dev, "Encoding", read 2026-11-20)."""
QUALIFIER_BYTES = 1.0


def serialized_cell_bytes(columns: Sequence[ColumnSize]) -> BytesByCause:
    """Return the cell that holds a row's values of all these columns, in the family of the first."""
    first = columns[0].cell
    return BytesByCause(
        key=first.key,
        family=first.family,
        qualifier=QUALIFIER_BYTES,
        timestamp=first.timestamp,
        value=sum((c.cell.value + TAG_BYTES) * c.cells_written for c in columns),
        overhead=first.overhead,
    )


def row_bytes(columns: Sequence[ColumnSize]) -> float:
    """Return the logical bytes that one write puts into a row."""
    return sum(c.cell.total * c.cells_written for c in columns)


def row_bytes_on_disk(
    columns: Sequence[ColumnSize], kinds: Sequence[str], *, cells_per_row: float, measured_share: float | None
) -> float:
    """Return the compressed bytes that one write puts into a row.

    Parameters
    ----------
    columns, kinds
        The cells, and the kind of value of each.
    cells_per_row
        How many cells share one row's key: only the first of them pays for it.
    measured_share
        Compressed ÷ uncompressed as measured on the table; None: a guess per kind of byte.
    """
    if measured_share is not None:
        return row_bytes(columns) * measured_share
    return sum(
        compressed_cell_bytes(column.cell, cells_per_row, kind)[0] * column.cells_written
        for column, kind in zip(columns, kinds, strict=True)
    )
