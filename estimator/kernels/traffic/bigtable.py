"""Work of one operation on Bigtable: node time, with what change streams and collection add."""

from collections.abc import Iterable

from designer.document import Spec, write_mode
from designer.document.access import Write
from designer.document.family import Family
from designer.document.table import Table
from estimator.engines import bigtable
from estimator.results import ReadPlan

from . import node_time


def write_seconds(
    spec: Spec, table: Table, write: Write, families: Iterable[Family],
    *, key_bytes: float, row_bytes: float, above_bytes: float, cells: float,
) -> float:  # fmt: skip
    """Return the node time of one row written, in node-seconds."""
    capacity, mode = bigtable.instance_capacity(spec.instance), write_mode(spec, write)
    return (
        node_time.write_seconds(capacity, row_bytes, cells=cells, mode=mode)
        * node_time.change_stream_factor(table)
        * node_time.collection_factor(spec, families, per_event=mode == "append_row")
    )


def read_seconds(plan: ReadPlan) -> float:
    """Return the node time that the plan already has, in node-seconds."""
    return plan.node_seconds


def scan_seconds_of(spec: Spec, plan: ReadPlan, rows: float) -> float:
    """Return the node time of a planned request that scans so many rows of the same size instead, in node-seconds.

    Each range has its fixed part; the rest follows the rows.
    """
    if not plan.rows_scanned > 0:
        return plan.node_seconds
    # The seek of each range does not shrink with the rows: half the rows of a short scan take far more than half the
    # time.
    fixed = min(plan.ranges * bigtable.instance_capacity(spec.instance).read.seconds, plan.node_seconds)
    return fixed + (plan.node_seconds - fixed) * rows / plan.rows_scanned
