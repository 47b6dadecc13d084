"""Work of one operation on Tablestore, in the place of node time: its capacity units as a share of what one
partition-key value takes in a second.

A row written or read by its key counts alone, in whole units; a range read the bytes that it scans.
"""

from designer.spec.access import WriteMode

from ..engines.tablestore import LIMITS, units
from ..results import ReadPlan

PARTITION_UNITS = LIMITS["partition_key_cu"].value

_CONDITIONAL: tuple[WriteMode, ...] = ("check_and_mutate", "read_modify_write")


def write_seconds(mode: WriteMode, key_bytes: float, row_bytes: float) -> float:
    """Of one row written, its key included in `row_bytes`; an expectation reads the key, a read-modify-write the row.

    >>> write_seconds("overwrite", 20, 7.6 * 1024) * PARTITION_UNITS
    2.0
    """
    if mode in ("delete_row", "delete_prefix"):
        return units(key_bytes) / PARTITION_UNITS
    expected = units(key_bytes) if mode in _CONDITIONAL else 0
    before = units(row_bytes) if mode == "read_modify_write" else 0
    return (units(row_bytes) + expected + before) / PARTITION_UNITS


def read_seconds(plan: ReadPlan) -> float:
    """Of one request as it is planned; a missing row takes one unit."""
    row_bytes = plan.bytes_scanned / plan.rows_scanned if plan.rows_scanned > 0 else 0.0
    if plan.access in ("point", "multi_point"):
        return (plan.rows_scanned * units(row_bytes) + max(plan.ranges - plan.rows_scanned, 0.0)) / PARTITION_UNITS
    ranges = max(plan.ranges, 1.0)
    return ranges * units(plan.bytes_scanned / ranges) / PARTITION_UNITS
