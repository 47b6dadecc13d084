"""A read scans the whole table.

**What** The caller specifies no prefix of the key, so the read scans every row and discards most of them.
**Why** The key alone locates rows, from left to right. Without a known prefix, the engine reads everything. Time,
load (on Tablestore, the billed capacity units) and cost grow with the table, not with the result.
**Instead** Start the key with the fields that this caller specifies. Alternatively, keep a second table (or a view)
with such a key.
**Fine when** The caller needs most of the table anyway, as in an export. Or the table is small and the read rare.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.access import Read
from designer.document.key import Segment
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import WASTE_FACTOR, Waste, capacity_units, load_share, wanted_rows, waste
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate, ReadPlan

from ..shared import Rule, Violation
from ..shared.examples import DEVICE, USER, field_part, read_part, readings, time_part
from ..shared.fixes.index_table import ADD_INDEX_TABLE, index_table
from ..shared.fixes.order import MOVE, move_known_forward

UNRATED = N_(
    "{read} specifies no prefix of the key of {table}. Each request scans {scanned} rows to return "
    "{wanted} ({scanned_factor}). Its rate is not specified."
)
UNCOUNTED = N_(
    "{read} specifies no prefix of the key of {table}. Each request scans the whole table, "
    "{scanned_factor} the rows that it returns. The number of rows is not known yet."
)
REFUSED = N_(
    "{read} specifies no prefix of the key of {table}. Each request scans {scanned} rows to return "
    "{wanted} ({scanned_factor}). At {rate_per_second}, no number of nodes can serve that."
)
BOOSTED = N_(
    "{read} specifies no prefix of the key of {table}. Each request scans {scanned} rows to return "
    "{wanted} ({scanned_factor}). At {rate_per_second}, Data Boost charges the time of {busy_nodes} for that."
)
UNITS = N_(
    "{read} specifies no prefix of the key of {table}. Each request scans {scanned} rows to return "
    "{wanted} ({scanned_factor}). At {rate_per_second}, that uses {work_cu_per_second}, {load_share} "
    "of the table's load."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read that scans a whole row kind and keeps less than half of it."""
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            needed_rows = wanted_rows(rows, read, plan)
            factor = plan.rows_scanned / needed_rows
            if plan.access != "scan" or factor < WASTE_FACTOR:
                continue
            wasted = waste(spec, read, plan, factor, rows.traffic)
            params = {
                "read": read.label,
                "table": rows.table.label,
                "scanned": plan.rows_scanned,
                "wanted": needed_rows,
                "scanned_factor": factor,
            }
            load_params = {
                "rate_per_second": plan.per_second,
                "busy_nodes": wasted.node_share,
                "work_cu_per_second": capacity_units(wasted.node_share),
                "load_share": load_share(wasted.node_share, rows.traffic),
            }
            segment, filtered = rows.segment(plan.open_at or ""), _filtered(rows, plan)
            move = move_known_forward(rows, segment, filtered) if segment is not None else None
            fix = (move or index_table(rows, read)) if wasted.severity != "note" else None
            if segment is not None and move is not None:
                params |= {"known": tuple(segment_label(spec, other_segment) for other_segment in filtered)}
                params |= {"segment": segment_label(spec, segment)}
            is_known = wasted.node_share is not None or plan.refused is not None
            yield Violation(
                at=read.id,
                params={**params, **load_params} if is_known else params,
                message=_message(spec, read, plan, wasted),
                effect=wasted.node_share,
                severity=wasted.severity,
                fix=fix,
                fix_label="" if fix is None else MOVE if fix is move else ADD_INDEX_TABLE,
                about=(read.id,),
            )


def _filtered(rows: RowKindFacts, plan: ReadPlan) -> list[Segment]:
    """Return the segments that the read specifies, behind the first one that it does not."""
    return [segment for segment in rows.kind.segments if segment.id in plan.filtered]


def _message(spec: Spec, read: Read, plan: ReadPlan, wasted: Waste) -> str:
    if plan.refused is not None and plan.per_second is not None:
        return REFUSED
    if not plan.has_actual_rows:
        return UNCOUNTED
    if wasted.node_share is None:
        return UNRATED
    return BOOSTED if has_data_boost(spec, read) else ""


def _lookup_design(field: str) -> Spec:
    """Build a design of readings of devices by users, looked up by one of the two."""
    reads = (read_part(binds=(field,), rate_per_second=1e-3, latency="batch"),)
    return readings(field_part("device", "#"), time_part(), fields=(DEVICE, USER), per_second=100, reads=reads)


RULE = Rule(
    code="Q001",
    severity="warning",
    message=N_(
        "{read} specifies no prefix of the key of {table}. Each request scans {scanned} rows to return "
        "{wanted} ({scanned_factor}). At {rate_per_second}, that uses {busy_nodes}, {load_share} of the "
        "table's load."
    ),
    messages={"tablestore": {"": UNITS}},
    check=check,
    bad=lambda: _lookup_design("user"),
    good=lambda: _lookup_design("device"),
    near_miss=lambda: readings(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        reads=(read_part(rate_per_second=1e-5, latency="batch"),),
    ),
    under=("K017", "K015", "K009"),
)
