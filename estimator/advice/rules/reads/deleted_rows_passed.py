"""A read passes over rows that were deleted before it finds its own.

**What** Rows, or all of their cells, are deleted one by one, and a read scans the range in which they were: a queue
whose first row is taken and deleted, or a list of open jobs.
**Why** Deleted cells are only marked. They cannot be read, but remain until compaction, up to a week later. A scan
passes over all of them, so each read is slower than the one before it.
**Instead** Begin the scan behind the last row that was processed. Or put a time bucket before the entity, so that a
read leaves the finished part behind. For a queue, use a messaging service.
**Fine when** Few rows are deleted between two compactions, or the read knows a time behind the deleted rows.
**Source** https://docs.cloud.google.com/bigtable/docs/delete-data (read 2026-11-27)
https://www.datastax.com/blog/cassandra-anti-patterns-queues-and-queue-datasets (read 2026-11-27)
https://issues.apache.org/jira/browse/HBASE-29904 (read 2026-11-27)
"""

from collections.abc import Iterator, Sequence

from designer.document import Spec
from designer.document.access import Read, Write
from designer.document.durations import DAY_SECONDS
from designer.document.key import TimeSegment
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import bigtable
from estimator.facts.deletions import takes_rows
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import NODE_SHARE_WARNING, prefixes
from estimator.kernels.traffic.node_time import scan_seconds
from estimator.results import Estimate, ReadPlan, Severity

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import DEVICE, TENANT, Part, field_part, read_part, readings, time_part

PASSED_ROWS = 1_000
"""Deleted rows that a read passes, from which Cassandra warns (tombstone_warn_threshold, read 2026-11-27)."""
ROUNDING = 1e-6
BOUNDED = N_(
    "{read} passes over deleted rows of {table} before it finds its own. {write} deletes {deleted_per_second}, and "
    "deleted rows remain until compaction. A request passes up to {rows} of them: as many as {limit_bytes} hold, the "
    "most that a tablet is assumed to gather before it is compacted. The bill does not include this work."
)
LAG_DAYS = bigtable.ASSUMPTIONS["uncollected_days"]


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per scan of a range in which many rows are deleted between two compactions."""
    for rows in row_kinds(spec, estimate):
        deleting = [(write, load.rows_per_second) for write, load in rows.writes if takes_rows(rows, write)]
        inserts = [(load.bytes_per_row, load.rows_per_second) for write, load in rows.writes if not write.deletes]
        if not deleting or not inserts:
            continue
        busiest, _ = max(deleting, key=lambda pair: pair[1])
        # No more rows can be deleted than are made.
        per_second = min(sum(rate for _, rate in deleting), sum(rate for _, rate in inserts))
        row_bytes = max(size for size, _ in inserts)
        for read, plan in rows.reads:
            passed_rows = _passed_rows(rows, read, plan, per_second, row_bytes)
            if passed_rows >= PASSED_ROWS:
                yield _violation(rows, busiest, read, plan, passed_rows, row_bytes, per_second)


def _violation(
    rows: RowKindFacts,
    write: Write,
    read: Read,
    plan: ReadPlan,
    passed_rows: float,
    row_bytes: float,
    per_second: float,
) -> Violation:
    capacity = bigtable.instance_capacity(rows.spec.instance)
    seconds = scan_seconds(capacity, passed_rows * row_bytes, ranges=0)
    busy = (plan.per_second or 0.0) * seconds
    params: dict[str, object] = {
        "read": read.label,
        "table": rows.table.label,
        "write": element_label(rows.spec, write.id),
        "rows": passed_rows,
        "deleted_per_second": per_second,
        "limit_bytes": bigtable.UNCOLLECTED_BYTES_MOST,
    }
    severity: Severity = "warning" if busy >= NODE_SHARE_WARNING else "note"
    is_bounded = passed_rows * row_bytes >= bigtable.UNCOLLECTED_BYTES_MOST * (1 - ROUNDING)
    message = BOUNDED if is_bounded else ""
    return Violation(read.id, params, effect=passed_rows, severity=severity, message=message, about=(read.id,))


def _passed_rows(rows: RowKindFacts, read: Read, plan: ReadPlan, per_second: float, row_bytes: float) -> float:
    """Return the deleted rows that are not collected yet in the range of one request, in the mean of half a week.

    No tablet gathers more than its server would compact.
    """
    if plan.access in ("point", "multi_point") or read.time is not None or read.exact_time or read.newest_rows:
        return 0.0
    segment_ids = {*plan.bound}
    if any(isinstance(segment, TimeSegment) and segment.id in segment_ids for segment in rows.kind.segments):
        return 0.0
    bound = [(segment, facts) for segment, facts in rows.segments if segment.id in segment_ids]
    waiting = per_second * LAG_DAYS.value * DAY_SECONDS / prefixes(rows.spec, bound)
    return min(waiting, bigtable.UNCOLLECTED_BYTES_MOST / max(row_bytes, 1.0))


def _queues(
    per_second: float, *, deletes: bool = True, before: Sequence[Part] = (), binds: Sequence[str] = ("device",)
) -> Spec:
    """Build a design of jobs of devices, of which the first is taken and deleted."""
    reads = (read_part(binds=binds, row_limit=1, rate_per_second=per_second),)
    key = (*before, field_part("device", "#"), time_part())
    fields = (TENANT, {**DEVICE, "belongs_to": "tenant"}) if "tenant" in binds else (DEVICE,)
    spec = readings(*key, per_second=per_second, fields=fields, reads=reads)
    kind = spec.tables[0].row_kinds[0]
    done = Write(id="done", name="take", activity=kind.writes[0].activity, mode="delete_row")
    queue = kind.model_copy(update={"writes": (*kind.writes, done) if deletes else kind.writes})
    return spec.model_copy(update={"tables": (spec.tables[0].model_copy(update={"row_kinds": (queue,)}),)})


RULE = Rule(
    code="Q009",
    severity="warning",
    message=N_(
        "{read} passes over deleted rows of {table} before it finds its own. {write} deletes {deleted_per_second}, and "
        "deleted rows remain until compaction, up to a week later. After half a week, a request passes {rows} of them. "
        "The bill does not include this work."
    ),
    check=check,
    bad=lambda: _queues(5_000),
    good=lambda: _queues(5_000, deletes=False),
    near_miss=lambda: _queues(1),
    engines=BIGTABLE,
)
