"""A hash or salt precedes the fields of a range scan.

**What** A read specifies a field or time range after a hash or salt, but not all source fields of the hash.
**Why** Rows with the same prefix are no longer contiguous. One range becomes one scan per salt value, or a full
scan after a hash of many values.
**Instead** Put the hash or salt after the fields that readers specify, or let every reader specify its source
fields.
**Fine when** The salt has few values, and each request reads enough rows to make the extra scans negligible. Or without
the salt, a range would be hot or a row too large; the finding says so.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.access import Read
from designer.document.key import DerivedSegment, FieldSegment, HashSegment, SaltSegment, Segment, TimeSegment
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.hashes import is_hashed_bucket
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.salts import salt_effect
from estimator.facts.scans import wanted_rows, waste
from estimator.facts.servers import server_of
from estimator.kernels.traffic.known_segments import is_timestamp
from estimator.results import Estimate, ReadPlan

from ..shared import Rule, Violation
from ..shared.edits import Edit
from ..shared.examples import DEVICE, TENANT, Part, design, field_part, hash_part, read_part, salt_part, time_part
from ..shared.fixes import move_behind_known

UNCOUNTED = N_(
    "{read} cannot compute {segment} in the key of {table}. It scans {scanned_factor} the rows that it returns."
)
SPREAD = N_(
    "{read} must scan {table} once for each value of {segment}. It needs {ranges} scans instead of "
    "{ranges_without} and {time_factor} the node CPU time.{prevents}"
)
SPREAD_UNITS = N_(
    "{read} must scan {table} once for each value of {segment}. It needs {ranges} scans instead of "
    "{ranges_without} and {time_factor} the capacity units.{prevents}"
)
MOVE = N_("Move {segment} after the fields that readers specify")
FACTOR_WARNING = 1.1
"""Node time (on Tablestore capacity units) against that of one range, from which a salt that could stand behind what
the read knows warns, however rarely it is asked: the scans cost something and buy nothing. Below, each request reads so
much that they hardly count. A salt without which a range would be hot, or a row too large, does buy something: it is a
note."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read and hash or salt that separates the known values from the rows."""
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            segment = _obstacle(rows, read, plan)
            if segment is not None:
                yield _build_violation(rows, read, plan, segment)


def _obstacle(rows: RowKindFacts, read: Read, plan: ReadPlan) -> Segment | None:
    """Return the first hash or salt unknown to the read, if all before is known and so is something after."""
    segments = rows.kind.segments
    for place, segment in enumerate(segments):
        apart = isinstance(segment, HashSegment | SaltSegment) and not _is_bound(rows.spec, read, segment)
        unsaid = read.time is None and not read.exact_time  # who gives a span computes its buckets' hashes
        if apart or (is_hashed_bucket(segment) and unsaid and segment.id not in plan.bound):
            return segment if any(_knows(read, s) for s in segments[place + 1 :]) else None
        if segment.id == plan.open_at:  # the range ends before any hash
            return None
    return None


def _is_bound(spec: Spec, read: Read, segment: HashSegment | SaltSegment) -> bool:
    whole = {bind.field for bind in read.binds if bind.is_whole}
    whole |= {field for field in segment.fields if read.exact_time and is_timestamp(spec, field)}
    if not segment.fields:
        return isinstance(segment, HashSegment) and bool(read.exact_time)
    return whole >= set(segment.fields)


def _knows(read: Read, segment: Segment) -> bool:
    if isinstance(segment, TimeSegment):
        known_fields = {bind.field for bind in read.binds}
        return read.exact_time or read.time is not None or segment.field in known_fields
    return isinstance(segment, FieldSegment | DerivedSegment) and segment.field in {b.field for b in read.binds}


def _build_violation(rows: RowKindFacts, read: Read, plan: ReadPlan, segment: Segment) -> Violation:
    spec, prevented = rows.spec, salt_effect(rows, segment)
    names = {"read": read.label, "table": rows.table.label, "segment": segment_label(spec, segment)}
    if plan.open_at == segment.id:
        needed_rows = wanted_rows(rows, read, plan)
        factor = plan.rows_scanned / needed_rows
        params = {**names, "scanned": plan.rows_scanned, "wanted": needed_rows, "scanned_factor": factor}
        message = "" if plan.has_actual_rows else UNCOUNTED
    else:
        values = next(facts.distinct for s, facts in rows.segments if s.id == segment.id)
        # The read repeats each of its ranges for every value of the salt: 3 devices behind 16 salts are 48 ranges, and
        # 3 without.
        without = max(plan.ranges / max(values, 1.0), 1.0)
        factor = server_of(spec).time_factor(spec, plan, without)
        params = {**names, "ranges": plan.ranges, "ranges_without": without, "time_factor": factor}
        params["prevents"] = prevented.sentence if prevented else ""
        message = SPREAD
    wasted = waste(spec, read, plan, factor)
    fix = _move_edit(rows, read, segment)
    is_needed = message == SPREAD and prevented is not None and prevented.is_needed
    for_nothing = message == SPREAD and factor >= FACTOR_WARNING and _knows_field_behind(rows, read, segment)
    return Violation(
        at=segment.id,
        params=params,
        message=message,
        effect=factor,
        # A salt that keeps a range from becoming hot, or a row from becoming too large, is worth its scans.
        severity="warning" if not is_needed and (for_nothing or wasted.severity == "warning") else "note",
        fix=fix,
        fix_label=MOVE if fix is not None else "",
        # Scans that hardly cost are no cause of what else the read wastes.
        about=(segment.id,) if message == SPREAD and factor < FACTOR_WARNING else (read.id, segment.id),
    )


def _knows_field_behind(rows: RowKindFacts, read: Read, segment: Segment) -> bool:
    """Return whether a known field follows the salt; a time range does not count, as a salt may serve it."""
    place = rows.kind.segments.index(segment)
    return any(not isinstance(s, TimeSegment) and _knows(read, s) for s in rows.kind.segments[place + 1 :])


def _move_edit(rows: RowKindFacts, read: Read, segment: Segment) -> Edit | None:
    """Return the edit that moves the hash after all known values; None if they include a time range."""
    behind = rows.kind.segments[rows.kind.segments.index(segment) + 1 :]
    known_segments = [s for s in behind if _knows(read, s)]
    return move_behind_known(rows, segment, known_segments)


def _of_tenants(*key: Part) -> Spec:
    reads = (read_part(binds=("tenant",), rate_per_second=0.001, latency="batch"),)
    return design(*key, fields=(DEVICE, TENANT), per_second=100, reads=reads)


RULE = Rule(
    code="K007",
    severity="warning",
    message=N_(
        "{read} cannot compute {segment} in the key of {table}. It scans {scanned} rows to return "
        "{wanted} ({scanned_factor})."
    ),
    messages={"tablestore": {SPREAD: SPREAD_UNITS}},
    check=check,
    bad=lambda: _of_tenants(
        hash_part("device", after="#"), field_part("tenant", "#"), field_part("device", "#"), time_part()
    ),
    good=lambda: _of_tenants(
        field_part("tenant", "#"), hash_part("device", after="#"), field_part("device", "#"), time_part()
    ),
    near_miss=lambda: design(
        salt_part(8),
        time_part("#"),
        field_part("device"),
        per_second=1_000,
        reads=(read_part(time={"days": 1}, rate_per_second=0.01),),
    ),
    under=("Q001",),
)
