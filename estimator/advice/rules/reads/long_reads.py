"""Reads of many rows use most of the node capacity.

**What** A read needs all rows that it scans, and each request reads many. This read alone takes at least one node
and half of the load on all nodes.
**Why** Nodes are most of the bill, and every row of a range uses node CPU time on each read. Repeated reads cost
the same each time, although the data hardly changes.
**Instead** Store the result instead of its parts (a continuous materialised view, an aggregate family). Or store
one serialised row per time bucket. Or read only the newest rows, page by page, or cache the response. A job without
latency requirements can read through Data Boost, which uses no nodes.
**Fine when** The cluster exists to read long ranges, as in exports and training. It is a note, as the key serves the
read and the read needs all rows; a warning where a latency-sensitive read of everything below a value takes 10
seconds of node CPU time or more, and comes every second.
**Source** https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/continuous-materialized-views (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.access import Read
from designer.document.texts import N_
from estimator.facts.billing import nodes_cost, nodes_used
from estimator.facts.default_skew import assumed_length_sentence
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import WASTE_FACTOR, is_awaited, wanted_rows
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate, ReadPlan

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import field_part, read_part, readings, time_part

MANY_ROWS = 1_000.0
"""Rows per request from which a read is a long one: a page for a person is a hundred or so."""
BUSY_NODES = 1.0
"""Nodes that it keeps busy on average, from which it is worth a word: a whole one."""
LOAD_SHARE = 0.5
"""Of what the nodes do."""
OFTEN_PER_SECOND = 1.0
"""What is asked for once a second is no report."""
WAIT_SECONDS = 10.0
"""Nobody waits for so long, even if several nodes serve the request."""

AWAITED = N_(
    "{read} reads {scanned} rows of {table} ({scanned_bytes}) per request, without a limit. Each request takes "
    "{node_seconds} of node CPU time. At {rate_per_second}, that uses {busy_nodes}, {load_share} of the load on all "
    "nodes.{guess}"
)

NO_PRICE = N_(
    "{read} reads {scanned} rows of {table} ({scanned_bytes}) per request. At {rate_per_second}, "
    "that uses {busy_nodes}, {load_share} of the load on all nodes.{guess}"
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read of long ranges, wanted in full, that takes most of the node CPU time."""
    whole = nodes_used(spec, estimate)
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            busy = _busy_nodes(spec, read, plan)
            if busy < BUSY_NODES or busy < LOAD_SHARE * whole or not _is_long(rows, read, plan):
                continue
            # The two are computed along different ways (by request, and as the table's week), so that a quotient could
            # exceed 1.
            share = busy / max(whole, busy)
            cost = nodes_cost(estimate, share)
            waits = _is_awaited_for_long(spec, read, plan)
            yield Violation(
                at=read.id,
                params={
                    "read": read.label,
                    "table": rows.table.label,
                    "scanned": plan.rows_scanned,
                    "scanned_bytes": plan.bytes_scanned,
                    "rate_per_second": plan.per_second,
                    "busy_nodes": busy,
                    "load_share": share,
                    "cost": cost,
                    "node_seconds": plan.node_seconds,
                    "guess": assumed_length_sentence(rows, read),
                },
                message=AWAITED if waits else NO_PRICE if cost is None else "",
                severity="warning" if waits else "note",
                effect=busy,
                about=(read.id,),
            )


def _is_awaited_for_long(spec: Spec, read: Read, plan: ReadPlan) -> bool:
    """Everything below known values, whatever its age, asked for again and again by somebody who waits."""
    is_whole = plan.access == "prefix" and read.time is None and all(bind.is_whole for bind in read.binds)
    often = (plan.per_second or 0.0) >= OFTEN_PER_SECOND
    return is_whole and often and is_awaited(spec, read, plan) and plan.node_seconds >= WAIT_SECONDS


def _is_long(rows: RowKindFacts, read: Read, plan: ReadPlan) -> bool:
    """Many rows, most of them wanted: what is thrown away is another rule's."""
    return MANY_ROWS <= plan.rows_scanned < WASTE_FACTOR * wanted_rows(rows, read, plan)


def _busy_nodes(spec: Spec, read: Read, plan: ReadPlan) -> float:
    """Nodes that it keeps busy, mean over the week; none while that is not known, or through Data Boost."""
    if plan.per_second is None or not plan.has_actual_rows or has_data_boost(spec, read):
        return 0.0
    return plan.node_seconds * plan.per_second


def _tails(days: float, per_second: float, latency: str) -> Spec:
    """Build a design in which the last days of a device are read again and again."""
    reads = (read_part(binds=("device",), time={"days": days}, rate_per_second=per_second, latency=latency),)
    return readings(field_part("device", "#"), time_part(), per_second=1_000, reads=reads)


RULE = Rule(
    code="Q007",
    severity="note",
    message=N_(
        "{read} reads {scanned} rows of {table} ({scanned_bytes}) per request. At {rate_per_second}, "
        "that uses {busy_nodes}, {load_share} of the load on all nodes: {cost} a month.{guess}"
    ),
    check=check,
    bad=lambda: _tails(1, 20, "batch"),
    good=lambda: _tails(1 / 24, 20, "batch"),
    near_miss=lambda: _tails(1, 5, "batch"),
    engines=BIGTABLE,
    under=("Q001", "K007", "K021", "K015", "K028"),
)
