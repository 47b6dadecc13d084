"""Rows that arrive together are written in separate calls.

**What** One event (or a burst or a load) creates several rows. They are sent in more calls than necessary.
**Why** Each call needs a round trip, authentication, and client and server CPU time; a batch needs them once. The
rows of a batch are still not atomic: each can fail separately, so check each result.
**Instead** Send the rows of an event or burst in one batch (MutateRows; on Tablestore BatchWriteRow, at most 200
rows). Rows with neighbouring keys go to the same tablet.
**Fine when** The rows arrive at different times or from different places, so a batch would delay some of them.
**Source** https://cloud.google.com/bigtable/docs/writes (read 2026-11-20)
https://help.aliyun.com/en/tablestore/product-overview/limits-on-widecolumn-model (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.activity import Activity, Backfill, Bursts
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import engine_of
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import field_part, readings, time_part

SAVED_PER_SECOND = 100.0
"""Calls; fewer are no burden on anybody."""
LOADED_ROWS = 100
"""What a load in key order can well put into one batch."""
ALONE = ("increment", "read_modify_write", "check_and_mutate", "delete_prefix")
"""Modes that are calls of their own: there is no batch of them."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write with rows that arrive together but are sent apart, many times a second."""
    for rows in row_kinds(spec, estimate):
        for write, load in () if rows.is_written_by_engine else rows.writes:
            if write.mode in ALONE or write.activity is None:
                continue
            at_once, sent = _rows_at_once(spec, write), float(effective_value(spec, write, "rows_per_request"))
            if at_once <= sent:
                continue
            calls, fewer = load.rows_per_second / sent, load.rows_per_second / at_once
            if calls - fewer >= SAVED_PER_SECOND:
                yield _build_violation(rows, write, at_once=at_once, calls=calls, fewer=fewer)


def _build_violation(rows: RowKindFacts, write: Write, *, at_once: float, calls: float, fewer: float) -> Violation:
    params = {
        "write": element_label(rows.spec, write.id),
        "table": rows.table.label,
        "rows": at_once,
        "now_per_second": calls,
        "batched_per_second": fewer,
        "saved_share": 1 - fewer / calls,
    }
    return Violation(write.id, params, "rows_per_request", calls - fewer)


def _rows_at_once(spec: Spec, write: Write) -> float:
    """Rows that come together: of one event, of a burst, or of a load in key order."""
    activity: Activity = spec.find(write.activity or "")
    arrival = effective_value(spec, activity, "arrival")
    at_once = float(effective_value(spec, write, "rows_per_event"))
    if isinstance(arrival, Bursts):
        at_once *= arrival.size
    elif isinstance(arrival, Backfill) and arrival.sorted:
        at_once = max(at_once, LOADED_ROWS)
    limit = engine_of(spec).LIMITS.get("batch_write_rows")
    return at_once if limit is None else min(at_once, limit.value)


def _of_events(rows_per_request: int, *, per_second: float = 1_000) -> Spec:
    """Orders with ten items each: an item is a row behind its order."""
    write = {"rows_per_event": 10, "rows_per_request": rows_per_request}
    return readings(field_part("device", "#"), time_part(), per_second=per_second, write=write)


RULE = Rule(
    code="W001",
    severity="note",
    message=N_(
        "{write} writes {rows} rows of {table} at a time but sends them in separate calls: "
        "{now_per_second}. Batches reduce this to {batched_per_second}, {saved_share} fewer."
    ),
    check=check,
    bad=lambda: _of_events(1),
    good=lambda: _of_events(10),
    near_miss=lambda: _of_events(1, per_second=10),
)
