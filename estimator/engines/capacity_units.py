"""Capacity units of one operation, read and write, as Tablestore bills it.

Source: one page per operation of its API reference (2020-12 to 2021-02), read 2026-11-20.
"""

from typing import NamedTuple

import numpy as np

from designer.document.access import WriteMode
from estimator.results import Access, ReadPlan
from estimator.results.value_sizes import share_above

from .tablestore import CU_BYTES, LIMITS, units

PAGE_ROWS, PAGE_BYTES = LIMITS["page_rows"].value, LIMITS["page_bytes"].value


STEPS_MOST = 10_000
"""Units of the largest operation up to which their steps are added one by one."""


def mean_units(mean_bytes: float, above_bytes: float) -> float:
    """Return the mean units of operations whose bytes vary; the largest is so much above the mean [CU].

    Each operation is rounded up by itself. The mean of that has no steps, as that of equal operations has.

    >>> mean_units(4_090, 0), mean_units(4_100, 0), mean_units(400, 3_000)
    (1.0, 2.0, 1.0)
    >>> round(mean_units(4_000, 36_000), 2), round(mean_units(4_100, 36_000), 2)
    (1.49, 1.52)
    """
    largest_bytes = mean_bytes + above_bytes
    if above_bytes <= 0 or mean_bytes <= 0:
        return float(units(mean_bytes))
    if largest_bytes > STEPS_MOST * CU_BYTES:
        return max(mean_bytes / CU_BYTES + 0.5, 1.0)
    # The mean of a whole number is the sum of the chances that it is above 0, 1, 2, …
    return 1.0 + float(share_above(np.arange(CU_BYTES, largest_bytes, CU_BYTES), mean_bytes, largest_bytes).sum())


class Units(NamedTuple):
    """Capacity units of one operation."""

    read: float
    write: float


CONDITIONAL: tuple[WriteMode, ...] = ("check_and_mutate", "read_modify_write")
"""Modes that expect something of the row: the service reads its primary key first."""


def write_units(mode: WriteMode, key_bytes: float, written_bytes: float, above_bytes: float = 0.0) -> Units:
    """Return the units of one row written, updated or deleted; rows of a batch count each on its own.

    Parameters
    ----------
    mode
        A condition costs a read of the primary key; a read-modify-write is a read of what it writes besides, as the
        client has to read before it can write on that condition.
    key_bytes
        Names and values of the primary key. [bytes]
    written_bytes
        Names and values of the attributes written, in the mean; of a deleted column its name. [bytes]
    above_bytes
        By how much a row of the largest values exceeds the mean one. [bytes]

    >>> write_units("overwrite", 20, 7.6 * 1024)
    Units(read=0.0, write=2.0)
    """
    if mode in ("delete_row", "delete_prefix"):
        return Units(0.0, units(key_bytes))
    # A delete has returned above: it is billed by the key alone.
    read = float(units(key_bytes)) if mode in CONDITIONAL else 0.0
    if mode == "read_modify_write":
        read += mean_units(key_bytes + written_bytes, above_bytes)
    return Units(read, mean_units(key_bytes + written_bytes, above_bytes))


def row_read_units(row_bytes: float, *, rows: float = 1.0, missing: float = 0.0, above_bytes: float = 0.0) -> float:
    """Return the units of rows read by whole key, each separately; a missing row costs one [CU]."""
    return rows * mean_units(row_bytes, above_bytes) + missing


def pages(rows: float, row_bytes: float) -> float:
    """Round trips of one range read: a page ends at 5,000 rows or 4 MB, between two rows."""
    # -(-a // b) rounds up. At least one: a range without rows is asked for all the same.
    return max(-(-rows // rows_per_page(row_bytes)), 1.0)


def rows_per_page(row_bytes: float) -> float:
    """Rows that one page of a range read scans."""
    return max(min(PAGE_ROWS, PAGE_BYTES // max(row_bytes, 1.0)), 1.0)


def range_read_units(rows: float, row_bytes: float, above_bytes: float = 0.0) -> float:
    """Return the units of one range read [CU].

    The bytes scanned by each page are rounded up once a page; what a filter drops counts too.

    >>> range_read_units(10, 330), range_read_units(100, 2_048)
    (1.0, 50.0)
    """
    full = pages(rows, row_bytes) - 1
    whole = rows_per_page(row_bytes)
    last = (rows - full * whole) * row_bytes
    of_last = mean_units(last, above_bytes * last / row_bytes) if row_bytes > 0 else 1.0
    return full * units(whole * row_bytes) + of_last


POINTS: tuple[Access, ...] = ("point", "multi_point")


def read_units(plan: ReadPlan, *, kept_share: float = 1.0) -> float:
    """Return the units of one planned request, with another share of rows scanned [CU]."""
    row = plan.bytes_scanned / plan.rows_scanned if plan.rows_scanned > 0 else 0.0
    rows = plan.rows_scanned * kept_share
    if plan.access in POINTS:
        return row_read_units(row, rows=rows, missing=max(plan.ranges - plan.rows_scanned, 0.0),
                              above_bytes=plan.row_bytes_above)  # fmt: skip
    ranges = max(plan.ranges, 1.0)
    return ranges * range_read_units(rows / ranges, row, plan.row_bytes_above)


def round_trips(plan: ReadPlan) -> float:
    """Return the calls of one request: pages of each range; rows by key go in one batch of up to 100."""
    row = plan.bytes_scanned / plan.rows_scanned if plan.rows_scanned > 0 else 0.0
    if plan.access in POINTS:
        return max(-(-plan.ranges // LIMITS["batch_read_rows"].value), 1.0)
    ranges = max(plan.ranges, 1.0)
    return ranges * pages(plan.rows_scanned / ranges, row)
