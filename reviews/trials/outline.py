"""A trial before it is run, as its result will show it."""

from collections.abc import Mapping, Sequence

from designer.document import fingerprint
from reviews.exports.key_code.cell_filters import filter_text

from .plan import TrialPlan
from .results import FORMAT, Content, DesignedRead, NotTried, TrialResult, TriedRead, TriedTable
from .sample import TrialCell
from .tables import PlannedRead, TrialTable

RANGES_SHOWN = 8


def describe_plan(plan: TrialPlan, *, design: str, rows: int) -> TrialResult:
    """Return a trial that has not run."""
    return TrialResult(
        FORMAT, design, fingerprint(plan.spec), plan.spec.engine, "", "", rows,
        tuple(map(planned_table, plan.tables)), tuple(map(planned_read, plan.reads)), (),
        tuple(NotTried(omission.at, str(omission)) for omission in plan.not_tried),
    )  # fmt: skip


def planned_table(table: TrialTable) -> TriedTable:
    """Return a table that has not been made."""
    content = _planned_content(table, {row.key: row.cells for row in table.rows})
    return TriedTable(
        table.table.id, table.name, "", table.tried_families, len(table.splits), None, content, None, table.definitions
    )


def planned_read(read: PlannedRead) -> TriedRead:
    """Return a read that has not run."""
    read_requests, plan = read.asked, read.designed
    planned = _planned_content(read.table, read_requests.returned)
    ranges = [key_range for request in read_requests.requests for key_range in request.ranges]
    designed = None if plan is None else DesignedRead(
        plan.access, plan.ranges, plan.rows_scanned, plan.rows_returned, plan.cells_returned, plan.bytes_returned
    )  # fmt: skip
    return TriedRead(
        read.table.table.id, read.kind.id, read.read.id, read.read.label,
        tuple(key_range.ends for key_range in ranges[:RANGES_SHOWN]), len(ranges),
        len(read_requests.requests), read_requests.requests[0].limit, read_requests.is_reversed,
        filter_text(read_requests.filters),
        len(read_requests.wanted), len(read_requests.met), planned, None, None, designed,
    )  # fmt: skip


def _planned_content(table: TrialTable, rows: Mapping[bytes, Sequence[TrialCell]]) -> Content:
    size = sum(
        table.row_bytes(key, ((table.families[cell.family], cell.qualifier, cell.value_bytes) for cell in cells))
        for key, cells in rows.items()
    )
    return Content(len(rows), sum(map(len, rows.values())), size)
