"""Work of one operation on Tablestore, in capacity units instead of node time.

Read and write units count together, as a share of what one partition-key value takes in a second.
"""

from collections.abc import Iterable
from dataclasses import replace

from designer.document import Spec, write_mode
from designer.document.access import Write, WriteMode
from designer.document.family import Family
from designer.document.table import Table
from estimator.engines.capacity_units import read_units, write_units
from estimator.engines.tablestore import LIMITS
from estimator.results import ReadPlan

PARTITION_UNITS = LIMITS["partition_key_cu"].value


def write_seconds(
    spec: Spec, table: Table, write: Write, families: Iterable[Family],
    *, key_bytes: float, row_bytes: float, above_bytes: float, cells: float,
) -> float:  # fmt: skip
    """Return the work of one row written, its key included in `row_bytes`."""
    return write_share(write_mode(spec, write), key_bytes, row_bytes, above_bytes)


def write_share(mode: WriteMode, key_bytes: float, row_bytes: float, above_bytes: float = 0.0) -> float:
    """Return what one row written takes of a partition-key value's second.

    >>> round(write_share("overwrite", 20, 7.6 * 1024) * PARTITION_UNITS, 9)
    2.0
    """
    # Read units count as well: a conditional write reads before it writes.
    return sum(write_units(mode, key_bytes, row_bytes - key_bytes, above_bytes)) / PARTITION_UNITS


def read_seconds(plan: ReadPlan) -> float:
    """Return the work of one request as it is planned."""
    return read_units(plan) / PARTITION_UNITS


def scan_seconds_of(spec: Spec, plan: ReadPlan, rows: float) -> float:
    """Return the work of a planned request that scans so many rows of the same size instead."""
    if not plan.rows_scanned > 0:
        return plan.node_seconds
    return read_seconds(replace(plan, rows_scanned=rows, bytes_scanned=plan.bytes_scanned * rows / plan.rows_scanned))
