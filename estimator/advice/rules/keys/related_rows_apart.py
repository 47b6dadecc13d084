"""A read needs rows that are not contiguous.

**What** A read specifies a key prefix and a later segment, but not the segments between. Or it must query each
value of a segment that it does not specify.
**Why** Only consecutive segments from the left define one range. The read scans and discards the rest, or it splits
into many ranges.
**Instead** Put the segments that this caller specifies before the others. Alternatively, keep a second table (or a
view) in that order.
**Fine when** The range is small, or the read is so rare that the cost is negligible.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator, Sequence

from designer.document import Spec
from designer.document.access import Read
from designer.document.key import FieldSegment, HashSegment, SaltSegment, Segment
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import NODE_SHARE_WARNING, WASTE_FACTOR, wanted_rows, waste
from estimator.facts.servers import server_of
from estimator.results import Estimate, ReadPlan

from ..shared import Rule, Violation
from ..shared.examples import DEVICE, Part, field_part, read_part, readings, time_part
from ..shared.fixes.index_table import ADD_INDEX_TABLE, index_table
from ..shared.fixes.order import MOVE, move_known_forward

UNCOUNTED = N_(
    "{read} specifies {known}, but {segment} comes before it in the key of {table}. It scans "
    "{scanned_factor} the rows that it returns."
)
LISTED = N_(
    "{read} does not specify {segment} in the key of {table} and must read each of its values. It "
    "needs {ranges} ranges instead of {ranges_without} and {time_factor} the node CPU time."
)
LISTED_UNITS = N_(
    "{read} does not specify {segment} in the key of {table} and must read each of its values. It "
    "needs {ranges} ranges instead of {ranges_without} and {time_factor} the capacity units."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read whose rows are scattered over one range or several."""
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            violation = _scattered_violation(rows, read, plan) or _lookup_violation(rows, read, plan)
            if violation is not None:
                yield violation


def _scattered_violation(rows: RowKindFacts, read: Read, plan: ReadPlan) -> Violation | None:
    """Rows that are found by a beginning and filtered by what stands behind a gap."""
    segment = rows.segment(plan.open_at or "")
    # A range of values that the text of the segment itself does not keep together is a matter of its order.
    known_segments = [s for s in rows.kind.segments if s.id in plan.filtered and s.id != plan.open_at]
    if segment is None or not known_segments or isinstance(segment, HashSegment | SaltSegment):
        return None
    needed_rows = wanted_rows(rows, read, plan)
    factor = plan.rows_scanned / needed_rows
    if factor < WASTE_FACTOR:
        return None
    move = move_known_forward(rows, segment, known_segments)
    fix = move if move is not None else index_table(rows, read)
    label = MOVE if move is not None else ADD_INDEX_TABLE
    return Violation(
        at=segment.id,
        params={
            **_names(rows, read, segment),
            "known": _segment_labels(rows, known_segments),
            "scanned": plan.rows_scanned,
            "wanted": needed_rows,
            "scanned_factor": factor,
        },
        message="" if plan.has_actual_rows else UNCOUNTED,
        effect=factor,
        severity=waste(rows.spec, read, plan, factor, rows.traffic).severity,
        fix=fix,
        fix_label=label if fix is not None else "",
        about=(read.id,),
    )


def _lookup_violation(rows: RowKindFacts, read: Read, plan: ReadPlan) -> Violation | None:
    """Rows that are asked for once per value of fields that the read does not know: only where that costs."""
    known_fields = {bind.field for bind in read.binds}
    values = {s.id: facts.distinct for s, facts in rows.segments}
    unknown = [s for s in rows.before_open(plan) if isinstance(s, FieldSegment) and s.field not in known_fields]
    unknown = [s for s in unknown if s.id not in plan.bound and values.get(s.id, 1.0) > 1]
    if not unknown or plan.per_second is None or not plan.has_actual_rows:
        return None
    without = plan.ranges
    for segment in unknown:
        without /= values[segment.id]
    factor = server_of(rows.spec).time_factor(rows.spec, plan, max(without, 1.0))
    # The part of the node time that a key without the unknown segments in front would save.
    surplus = plan.node_seconds * plan.per_second * (1 - 1 / factor)
    if factor < WASTE_FACTOR or surplus < NODE_SHARE_WARNING:
        return None
    params = {"ranges": plan.ranges, "ranges_without": max(without, 1.0), "time_factor": factor}
    return Violation(
        at=unknown[0].id,
        params={**_names(rows, read, unknown[0]), **params},
        message=LISTED,
        effect=factor,
        about=(read.id,),
    )


def _names(rows: RowKindFacts, read: Read, segment: Segment) -> dict[str, object]:
    return {"read": read.label, "table": rows.table.label, "segment": segment_label(rows.spec, segment)}


def _segment_labels(rows: RowKindFacts, segments: Sequence[Segment]) -> tuple[object, ...]:
    return tuple(segment_label(rows.spec, segment) for segment in segments)


def _metrics(*key: Part, per_second: float = 10.0) -> Spec:
    """Build a design of readings of devices by metric, of which a day of one metric is read."""
    metric = {
        "id": "metric",
        "name": "metric",
        "values": {"kind": "enumeration", "items": [{"value": f"m{n:02}"} for n in range(20)]},
    }
    reads = (read_part(binds=("device", "metric"), time={"days": 1}, rate_per_second=per_second, latency="batch"),)
    return readings(*key, fields=({**DEVICE, "distinct": 100}, metric), per_second=100, reads=reads)


RULE = Rule(
    code="K021",
    severity="warning",
    message=N_(
        "{read} specifies {known}, but {segment} comes before it in the key of {table}. It scans "
        "{scanned} rows to return {wanted} ({scanned_factor})."
    ),
    messages={"tablestore": {LISTED: LISTED_UNITS}},
    check=check,
    bad=lambda: _metrics(field_part("device", "#"), time_part("#"), field_part("metric")),
    good=lambda: _metrics(field_part("device", "#"), field_part("metric", "#"), time_part()),
    near_miss=lambda: _metrics(field_part("device", "#"), time_part("#"), field_part("metric"), per_second=1e-4),
    under=("Q001", "K007", "K004", "K026"),
)
