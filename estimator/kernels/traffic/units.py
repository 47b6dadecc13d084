"""Work of one operation on Tablestore, in the place of node time: its capacity units, read and write together, as a
share of what one partition-key value takes in a second."""

from designer.document.access import WriteMode
from estimator.engines.capacity_units import read_units, write_units
from estimator.engines.tablestore import LIMITS
from estimator.results import ReadPlan

PARTITION_UNITS = LIMITS["partition_key_cu"].value


def write_seconds(mode: WriteMode, key_bytes: float, row_bytes: float) -> float:
    """Of one row written, its key included in `row_bytes`.

    >>> round(write_seconds("overwrite", 20, 7.6 * 1024) * PARTITION_UNITS, 9)
    2.0
    """
    return sum(write_units(mode, key_bytes, row_bytes - key_bytes)) / PARTITION_UNITS


def read_seconds(plan: ReadPlan) -> float:
    """Of one request as it is planned."""
    return read_units(plan) / PARTITION_UNITS
