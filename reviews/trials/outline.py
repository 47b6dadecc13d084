"""A trial before it is run, as its result will show it."""

from collections.abc import Mapping, Sequence

from designer.document import fingerprint
from designer.document.key import as_text
from reviews.exports.cbt import rule_text
from reviews.exports.key_code.cell_filters import filter_text
from reviews.exports.shared.bigtable import ExportTable

from .plan import PlannedRead, TrialPlan, TrialTable
from .results import (
    FORMAT,
    AskedRange,
    Content,
    DesignedRead,
    NotTried,
    TrialResult,
    TriedFamily,
    TriedRead,
    TriedTable,
)
from .sample import TrialCell

RANGES_SHOWN = 8


def describe_plan(plan: TrialPlan, *, design: str, rows: int) -> TrialResult:
    """Return a trial that has not run."""
    return TrialResult(
        FORMAT, design, fingerprint(plan.spec), plan.spec.engine, "", "", rows,
        tuple(map(planned_table, plan.tables)), tuple(map(planned_read, plan.reads)), (),
        tuple(NotTried(one.at, str(one)) for one in plan.not_tried),
    )  # fmt: skip


def planned_table(table: TrialTable) -> TriedTable:
    """Return a table that has not been made."""
    export = table.export
    written = _planned_content(export, {row.key: row.cells for row in table.rows})
    families = tuple(TriedFamily(one.family.id, one.name, rule_text(one.rule), None) for one in export.families)
    return TriedTable(export.table.id, export.name, "", families, len(export.splits), None, written, None)


def planned_read(read: PlannedRead) -> TriedRead:
    """Return a read that has not run."""
    asked, plan = read.asked, read.designed
    planned = _planned_content(read.table, asked.returned)
    ranges = [one for request in asked.requests for one in request.ranges]
    designed = None if plan is None else DesignedRead(
        plan.access, plan.ranges, plan.rows_scanned, plan.rows_returned, plan.cells_returned, plan.bytes_returned
    )  # fmt: skip
    return TriedRead(
        read.table.table.id, read.kind.id, read.read.id, read.read.label,
        tuple(AskedRange(as_text(one.first), as_text(one.end)) for one in ranges[:RANGES_SHOWN]), len(ranges),
        len(asked.requests), asked.requests[0].limit, asked.is_reversed, filter_text(asked.filters),
        len(asked.wanted), len(asked.met), planned, None, None, designed,
    )  # fmt: skip


def _planned_content(table: ExportTable, rows: Mapping[bytes, Sequence[TrialCell]]) -> Content:
    names = {family.family.id: family.name for family in table.families}
    size = sum(
        len(key) + len(names[one.family]) + len(one.qualifier) + 8 + one.value_bytes
        for key, cells in rows.items()
        for one in cells
    )
    return Content(len(rows), sum(map(len, rows.values())), size)
