"""The key contains domains unreversed, but reads query by parent domain.

**What** A domain is stored in its natural order, and a read specifies only its end: everything under example.com.
**Why** Keys sort from left to right. drive.google.com and mail.google.com start differently, so rows of one parent
are scattered over the table. Reads scan the whole range.
**Instead** Store the labels in reverse order, com.google.drive. A parent domain is then a prefix, and similar
neighbouring rows compress better.
**Fine when** Reads by parent domain are rare, and the table is small, so the scan is negligible.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.edits import Edit
from designer.document.key import Case, FieldSegment, ReverseDomain, Transform
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import WASTE_FACTOR, prefix_share, waste
from estimator.results import Estimate, ReadPlan, Severity

from ..shared import Rule, Violation
from ..shared.edits import change
from ..shared.examples import DEVICE, NEWEST_ONLY, Part, design, field_part, read_part

REVERSE = N_("Store the labels of {segment} in reverse order")
UNCOUNTED = N_(
    "{read} reads a whole parent domain, but {table} stores {segment} unreversed. It scans "
    "{scanned_factor} the rows that it returns."
)
REVERSED: Part = {"kind": "reverse_domain"}


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read by parent domain whose known prefix ends at a domain in natural order."""
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            segment = _natural_domain(rows, read, plan)
            if segment is None:
                continue
            needed_rows = max(plan.rows_returned * prefix_share(rows, read, segment.field), 1.0)
            factor = plan.rows_scanned / needed_rows
            if factor < WASTE_FACTOR:
                continue
            fix = _reverse_edit(segment)
            yield Violation(
                at=segment.id,
                field="transforms",
                params={
                    "table": rows.table.label,
                    "segment": segment_label(spec, segment),
                    "read": read.label,
                    "scanned": plan.rows_scanned,
                    "wanted": needed_rows,
                    "scanned_factor": factor,
                },
                message="" if plan.has_actual_rows else UNCOUNTED,
                effect=factor,
                severity=_severity(spec, read, plan, factor),
                fix=fix,
                fix_label=REVERSE if fix is not None else "",
                about=(read.id,),
            )


def _natural_domain(rows: RowKindFacts, read: Read, plan: ReadPlan) -> FieldSegment | None:
    """Return the domain at which the read's known prefix ends because its labels are not reversed."""
    segment = rows.segment(plan.open_at or "")
    if not isinstance(segment, FieldSegment) or any(isinstance(t, ReverseDomain) for t in segment.transforms):
        return None
    if effective_value(rows.spec, rows.spec.find(segment.field), "kind") != "domain":
        return None
    return segment if any(b.prefix and b.field == segment.field for b in read.binds) else None


def _severity(spec: Spec, read: Read, plan: ReadPlan, factor: float) -> Severity:
    """Return the severity: a note where the scan is known to be cheap, which requires a known rate."""
    return "warning" if plan.per_second is None else waste(spec, read, plan, factor).severity


def _reverse_edit(segment: FieldSegment) -> Edit | None:  # anything else leaves no labels to turn round
    if not all(isinstance(t, Case) for t in segment.transforms):
        return None
    transforms: tuple[Transform, ...] = (ReverseDomain(), *segment.transforms)
    return change(segment, "transforms", transforms)


def _sites(*transforms: Part, per_second: float = 10.0) -> Spec:
    """Pages of a thousand sites, looked up by parent domain."""
    site = {
        **DEVICE,
        "id": "site",
        "name": "site",
        "kind": "domain",
        "values": {"kind": "pattern", "text": "www.site{n:04}.com"},
    }
    page = {**DEVICE, "id": "page", "name": "page", "values": {"kind": "pattern", "text": "p{n:05}"}, "distinct": 500}
    reads = (read_part(binds=({"field": "site", "prefix": True},), rate_per_second=per_second, latency="batch"),)
    return design(
        field_part("site", "#", *transforms),
        field_part("page"),
        fields=(site, page),
        per_second=100,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=reads,
    )


RULE = Rule(
    code="K017",
    severity="warning",
    message=N_(
        "{read} reads a whole parent domain, but {table} stores {segment} unreversed. It scans {scanned} "
        "rows to return {wanted} ({scanned_factor})."
    ),
    check=check,
    bad=lambda: _sites(),
    good=lambda: _sites(REVERSED),
    near_miss=lambda: _sites(per_second=1e-4),
)
