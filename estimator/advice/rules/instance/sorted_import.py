"""A bulk load writes in key order.

**What** History is loaded in key order, at a rate above the limit of one tablet.
**Why** Rows in key order go to one end of one tablet until it splits, then to the next. One node does all the work
while the others idle, and a new table starts as a single tablet.
**Instead** Load the rows in random order, or let several writers load separate ranges. On Bigtable, create the
table with split keys, so that it has several tablets from the first row.
**Fine when** The load may take as long as one node needs for it.
**Source** https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
"""

from collections import defaultdict
from collections.abc import Iterator

from designer.document import Spec
from designer.document.access import Write
from designer.document.activity import Activity, Backfill
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.servers import server_of
from estimator.results import Estimate, WriteLoad

from ..shared import Rule, Violation
from ..shared.edits import change
from ..shared.examples import history

PARTITION = N_(
    "{activity} loads {table} in key order, so all of its {rate_per_second} goes to one partition at "
    "a time. The threshold is {hurts_per_second}. In random order, the load spreads over all "
    "partitions."
)
SHUFFLE = N_("Load {activity} in random order")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per sorted load, at the table that receives the most of it."""
    loads: dict[str, list[tuple[RowKindFacts, Write, WriteLoad]]] = defaultdict(list)
    for rows in row_kinds(spec, estimate):
        for write, load in rows.writes:
            loads[write.activity or ""].append((rows, write, load))
    for activity in spec.activities:
        if isinstance(activity.arrival, Backfill) and activity.arrival.sorted and loads[activity.id]:
            rows, _, load = max(loads[activity.id], key=lambda entry: _busy_nodes(entry[2]))
            if server_of(spec).burden(load.peak_rows_per_second, _busy_nodes(load)) >= 1:
                yield _build_violation(spec, activity, activity.arrival, rows, load)


def _busy_nodes(load: WriteLoad) -> float:
    """Busy nodes."""
    return load.peak_rows_per_second * load.node_seconds_per_row


def _build_violation(
    spec: Spec, activity: Activity, arrival: Backfill, rows: RowKindFacts, load: WriteLoad
) -> Violation:
    rate, server = load.peak_rows_per_second, server_of(spec)
    on_nodes = engine_of(spec).HAS_NODES
    hurts = server.warning_per_second(rate, _busy_nodes(load)) if on_nodes else server.typical_warning_per_second()
    return Violation(
        at=activity.id,
        field="arrival",
        params={
            "activity": activity.label,
            "table": rows.table.label,
            "rate_per_second": rate,
            "work_share": _busy_nodes(load),
            "hurts_per_second": hurts,
        },
        effect=server.burden(rate, _busy_nodes(load)),
        fix=change(activity, "arrival", arrival.model_copy(update={"sorted": False})),
        fix_safe=True,
        fix_label=SHUFFLE,
    )


def _load(per_second: float, *, sorted: bool = True) -> Spec:  # noqa: A002
    return history({"kind": "backfill", "days": 30, "sorted": sorted}, per_second=per_second)


RULE = Rule(
    code="I019",
    severity="warning",
    message=N_(
        "{activity} loads {table} in key order, so all of its {rate_per_second} goes to one tablet at a "
        "time. One node must serve this load, {work_share} of its limit. The threshold is {hurts_per_second}. "
        "With random order and initial split keys, all nodes share the load."
    ),
    messages={"tablestore": {"": PARTITION}},
    check=check,
    bad=lambda: _load(20_000),
    good=lambda: _load(20_000, sorted=False),
    near_miss=lambda: _load(1_000),
)
