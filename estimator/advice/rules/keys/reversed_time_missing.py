"""A read needs the newest rows first, but time is ascending in the key.

**What** A read requests the newest rows of an entity with a forward scan, but times (or numbers) are ascending in
the key.
**Why** Scans run from small keys to large ones, so the newest row comes last. The scan reads everything before it,
or the client must guess a start time.
**Instead** For few rows (50 or fewer), use a reverse scan: the key does not change. Long reverse scans are slower
than forward scans. If almost all reads need newest first, store the time reversed (a large number minus the time).
**Fine when** Each request reads and sorts all rows anyway, or skips only a few. It is a warning if skipped rows use
a fifth of a node on average. It is also a warning if a latency-sensitive request takes 1 second of node CPU time.
**Source** https://cloud.google.com/bigtable/docs/reads#reverse-scan (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
PLAID on Qiita, 2018-12-11: row keys of KARTE on Bigtable (read 2026-11-20)
"""

from collections.abc import Iterator
from typing import Any

from designer.document import Spec
from designer.document.access import Read
from designer.document.edits import Edit
from designer.document.key import FieldSegment, LiteralSegment, Segment, TimeSegment, segment_fields, sorts_backwards
from designer.document.new_ids import counts_own_events
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import passing_severity
from estimator.kernels.traffic.newest_buckets import is_in_time_order
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate, ReadPlan, SegmentFacts, Severity

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import field_part, read_part, readings, time_part

SHORT_ROWS = 50
"""Rows up to which a reverse scan answers quickly; it is less efficient than one forward. Source: reads page."""

UNCOUNTED = N_(
    "{read} reads the newest {wanted} rows, but {segment} is ascending in the key of {table}. A "
    "forward scan reaches the newest rows last. The number of scanned rows is not known yet."
)
SCAN = N_("Use a reverse scan for {read}")
STORE = N_("Store {segment} reversed")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read of the newest rows that scans ascending times forward."""
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            segment = _ascending_segment(rows, read, plan)
            needed_rows = (read.newest_rows or 1) * (read.keys_per_call or 1)
            if segment is None or plan.rows_scanned <= needed_rows:
                continue
            fix, safe, label = _fix(rows, read, segment)
            yield Violation(
                at=read.id,
                field="reverse",
                params={
                    "read": read.label,
                    "table": rows.table.label,
                    "segment": segment_label(spec, segment),
                    "wanted": needed_rows,
                    "scanned": plan.rows_scanned,
                    "scanned_factor": plan.rows_scanned / needed_rows,
                },
                message="" if plan.has_actual_rows else UNCOUNTED,
                effect=plan.rows_scanned / needed_rows,
                severity=_severity(spec, read, plan, plan.rows_scanned / needed_rows),
                fix=fix,
                fix_safe=safe,
                fix_label=label,
                about=(read.id,),
            )


def _severity(spec: Spec, read: Read, plan: ReadPlan, factor: float) -> Severity:
    return "warning" if plan.refused is not None else passing_severity(spec, read, plan, factor)


def _ascending_segment(rows: RowKindFacts, read: Read, plan: ReadPlan) -> Segment | None:
    """Return the ascending time or number at which the read's known prefix ends, for a forward scan."""
    if read.newest_rows is None or read.reverse:
        return None
    open_at = next(((s, facts) for s, facts in rows.segments if s.id == plan.open_at), None)
    if open_at is None or sorts_backwards(open_at[0]):
        return None
    leading = next(segment for segment, _ in rows.segments if not isinstance(segment, LiteralSegment))
    if plan.access == "scan" and open_at[0] != leading:  # the newest are of no one place
        return None
    return open_at[0] if open_at[1].grows is not None or _counts_within(rows, *open_at) else None


def _counts_within(rows: RowKindFacts, segment: Segment, facts: SegmentFacts) -> bool:
    """Return True for a number that counts the events of what stands before it, where no time says when they came."""
    if not isinstance(segment, FieldSegment) or any(isinstance(segment, TimeSegment) for segment in rows.kind.segments):
        return False
    return facts.text_order and counts_own_events(rows.spec.find(segment.field))


def _fix(rows: RowKindFacts, read: Read, segment: Segment) -> tuple[Edit | None, bool, str]:
    """Return a reverse scan or a reversed time as the fix.

    The time is reversed for long scans or with Data Boost (no reverse scans), if all reads want the newest first.
    """
    if not _is_one_run(rows, read, segment):  # from either end, other rows than the newest come first
        return None, False, ""
    boosted = has_data_boost(rows.spec, read)
    newest = all(read.newest_rows is not None and not read.reverse for read in rows.kind.reads)
    storable = newest and isinstance(segment, TimeSegment) and not segment.pattern
    if storable and (boosted or (read.newest_rows or 1) > SHORT_ROWS):
        return change(segment, "reversed", True), False, STORE
    return (None, False, "") if boosted else (change(read, "reverse", True), True, SCAN)


def _is_one_run(rows: RowKindFacts, read: Read, segment: Segment) -> bool:
    """Return whether what the read means is in the order of time from a part of the key on."""
    known_fields = {bind.field for bind in read.binds if bind.is_whole}
    single = {
        part.id
        for part, facts in rows.segments
        if facts.distinct <= 1 or (segment_fields(part) and known_fields.issuperset(segment_fields(part)))
    }
    return is_in_time_order(rows.kind.segments, segment, single)


def _newest(*, reverse: bool = False, **settings: Any) -> Spec:
    reads = (read_part(binds=("device",), newest_rows=20, reverse=reverse, rate_per_second=0.1),)
    return readings(field_part("device", "#"), time_part(**settings), per_second=100, reads=reads)


RULE = Rule(
    code="K015",
    severity="note",
    message=N_(
        "{read} reads the newest {wanted} rows, but {segment} is ascending in the key of {table}. A "
        "forward scan reads {scanned} rows to reach them ({scanned_factor})."
    ),
    check=check,
    bad=lambda: _newest(),
    good=lambda: _newest(reversed=True),
    near_miss=lambda: _newest(reverse=True),
    engines=BIGTABLE,
)
