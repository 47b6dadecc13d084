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
from estimator.facts.reading import Rows, row_kinds
from estimator.facts.scans import NODE_SHARE_WARNING, WASTE_FACTOR, wanted_rows, waste
from estimator.facts.servers import server_of
from estimator.results import Estimate, ReadPlan

from ..shared import Found, Rule
from ..shared.examples import DEVICE, Part, of, read, readings, time
from ..shared.fixes.order import before_open

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
MOVE = N_("Move {known} before {segment}")


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """Yield a finding per read whose rows are scattered over one range or several."""
    for rows in row_kinds(spec, estimate):
        for asked, plan in rows.reads:
            found = _scattered(rows, asked, plan) or _listed(rows, asked, plan)
            if found is not None:
                yield found


def _scattered(rows: Rows, asked: Read, plan: ReadPlan) -> Found | None:
    """Rows that are found by a beginning and filtered by what stands behind a gap."""
    segment = rows.segment(plan.open_at or "")
    known = [s for s in rows.kind.segments if s.id in plan.filtered]
    if segment is None or not known or isinstance(segment, HashSegment | SaltSegment):
        return None
    wanted = wanted_rows(rows, asked, plan)
    factor = plan.rows_scanned / wanted
    if factor < WASTE_FACTOR:
        return None
    fix = before_open(rows, segment, known)
    return Found(
        at=segment.id,
        params={
            **_names(rows, asked, segment),
            "known": _all(rows, known),
            "scanned": plan.rows_scanned,
            "wanted": wanted,
            "scanned_factor": factor,
        },
        message="" if plan.counted else UNCOUNTED,
        effect=factor,
        severity=waste(rows.spec, asked, plan, factor).severity,
        fix=fix,
        fix_label=MOVE if fix is not None else "",
        about=(asked.id,),
    )


def _listed(rows: Rows, asked: Read, plan: ReadPlan) -> Found | None:
    """Rows that are asked for once per value of fields that the read does not know: only where that costs."""
    known = {bind.field for bind in asked.binds}
    values = {s.id: facts.distinct for s, facts in rows.segments}
    unknown = [s for s in rows.before_open(plan) if isinstance(s, FieldSegment) and s.field not in known]
    unknown = [s for s in unknown if s.id not in plan.bound and values.get(s.id, 1.0) > 1]
    if not unknown or plan.per_second is None or not plan.counted:
        return None
    without = plan.ranges
    for segment in unknown:
        without /= values[segment.id]
    factor = server_of(rows.spec).time_factor(rows.spec, plan, max(without, 1.0))
    surplus = plan.node_seconds * plan.per_second * (1 - 1 / factor)
    if factor < WASTE_FACTOR or surplus < NODE_SHARE_WARNING:
        return None
    params = {"ranges": plan.ranges, "ranges_without": max(without, 1.0), "time_factor": factor}
    return Found(
        at=unknown[0].id,
        params={**_names(rows, asked, unknown[0]), **params},
        message=LISTED,
        effect=factor,
        about=(asked.id,),
    )


def _names(rows: Rows, asked: Read, segment: Segment) -> dict[str, object]:
    return {"read": asked.label, "table": rows.table.label, "segment": segment_label(rows.spec, segment)}


def _all(rows: Rows, segments: Sequence[Segment]) -> tuple[object, ...]:
    return tuple(segment_label(rows.spec, segment) for segment in segments)


def _metrics(*key: Part, per_second: float = 10.0) -> Spec:
    """Build a design of readings of devices by metric, of which a day of one metric is read."""
    metric = {
        "id": "metric",
        "name": "metric",
        "values": {"kind": "enumeration", "items": [{"value": f"m{n:02}"} for n in range(20)]},
    }
    reads = (read(binds=("device", "metric"), time={"days": 1}, rate_per_second=per_second, latency="batch"),)
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
    bad=lambda: _metrics(of("device", "#"), time("#"), of("metric")),
    good=lambda: _metrics(of("device", "#"), of("metric", "#"), time()),
    near_miss=lambda: _metrics(of("device", "#"), time("#"), of("metric"), per_second=1e-4),
    under=("Q001", "K007", "K004", "K026"),
)
