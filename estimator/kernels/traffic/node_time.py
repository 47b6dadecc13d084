"""Node time of one operation: affine in bytes, on a node's published capacity. Reads, writes and tables add up."""

import math
from collections.abc import Collection, Iterable

from designer.document import Spec
from designer.document.access import WriteMode
from designer.document.family import Family
from designer.document.table import Table
from estimator.engines import Capacity, bigtable

from ..growth.collection import policy
from .assumptions import READ_MODIFY_WRITE, REPLICATED_DELETE, STREAM_READ

READ_FIRST: Collection[WriteMode] = ("increment", "read_modify_write", "check_and_mutate")
"""Modes in which the engine reads a cell before it writes: both times count (read-modify-write page)."""

TOMBSTONES: Collection[WriteMode] = ("delete_cell", "delete_family", "delete_row", "delete_prefix")
"""Modes that write a mark of a few bytes and no value."""


def read_seconds(capacity: Capacity, row_bytes: float, *, rows: float = 1, cells: float = 1) -> float:
    """Node time of reading rows by their keys: each row costs the fixed part.

    Parameters
    ----------
    capacity : Capacity
        What one node carries.
    row_bytes : float
        Of all rows together. [bytes]
    rows, cells : float
        Rows asked for; cells read in all of them. The first cell of each row is in the fixed part.

    Returns
    -------
    float
        [node-seconds]

    References
    ----------
    Bigtable, "Understand performance" (1 KiB rows: 17,000 reads/s per SSD node), read 2026-11-20.

    >>> round(1 / read_seconds(bigtable.CAPACITIES["ssd"], 1024))
    17000
    """
    fixed, per_byte = capacity.read.seconds, 1 / capacity.read.bytes_per_second
    # seconds = rows · fixed + bytes / bandwidth + (cells − rows) · per cell: published rates are of rows with one
    # cell.
    return rows * fixed + row_bytes * per_byte + max(cells - rows, 0.0) * capacity.cell_seconds


def scan_seconds(capacity: Capacity, scanned_bytes: float, *, ranges: float = 1, extra_cells: float = 0) -> float:
    """Node time of scanning ranges: one fixed part for each range, then bytes ÷ bandwidth.

    Cells of small rows are in the published bandwidth; `extra_cells` are those beyond the first of each row. [node-s]
    """
    return (
        ranges * capacity.read.seconds
        + scanned_bytes / capacity.scan_bytes_per_second
        + extra_cells * capacity.cell_seconds
    )


def write_seconds(capacity: Capacity, row_bytes: float, *, cells: float = 1, mode: WriteMode = "append_row") -> float:
    """Return the node time of writing one row; a mode that reads first also costs a read of the same bytes.

    In node-seconds. Rows of one request cost as much as single ones: no page documents a discount.

    >>> round(10 / write_seconds(bigtable.CAPACITIES["ssd"], 1024))
    140000
    """
    seconds = capacity.write.node_seconds(row_bytes) + max(cells - 1, 0.0) * capacity.cell_seconds
    if mode in READ_FIRST:
        seconds += READ_MODIFY_WRITE.value * read_seconds(capacity, row_bytes, cells=cells)
    return seconds


def change_stream_factor(table: Table) -> float:
    """Return by how much a change stream multiplies the node time of writes; 1 without one.

    References
    ----------
    Bigtable, "Change streams overview" (updated 2026-04-10): about 10 % when enabled, 20–30 % when it is read.
    """
    if table.change_stream_days is None:
        return 1.0
    enabled = bigtable.ASSUMPTIONS["change_stream_cpu_share"].value
    read = bigtable.ASSUMPTIONS["change_stream_read_cpu_share"].value
    # Between the documented cost of an enabled stream and that of one that is read, by the assumed share of reading.
    return 1.0 + enabled + STREAM_READ.value * (read - enabled)


def collection_factor(spec: Spec, families: Iterable[Family], *, per_event: bool) -> float:
    """Return by how much collecting old versions multiplies the node time of writes; 1 where nothing is deleted for it.

    Only a count of versions makes deletes that are replicated; age does not, and a row that is written once has no
    older version.

    References
    ----------
    Bigtable, "Garbage collection" (updated 2026-04-10).
    """
    has_version_cap = any(math.isfinite(policy(family.gc).caps[0]) for family in families)
    replicated = len(spec.instance.clusters) > 1
    return 1.0 + REPLICATED_DELETE.value if has_version_cap and replicated and not per_event else 1.0
