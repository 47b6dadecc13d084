"""Reads query by time, but the key contains none.

**What** A read needs a time range, but the key does not contain the time of the row.
**Why** A cell's timestamp cannot locate rows, only filter them after the read. The read scans every row that
matches the rest of the key, whatever its age.
**Instead** Add the time to the key, after a field that differs between writers. A time range is then one row range.
**Fine when** There are few rows to scan, or a row holds the series in columns or versions. Or the table rotates, and
the read asks for at least one whole period: the names of the tables then bound the time. It is a warning if discarded
rows use a fifth of a node on average, or if a latency-sensitive request takes 1 second of node CPU time.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

import math
from collections.abc import Iterator

from designer.document import Spec, effective_value, write_mode
from designer.document.access import Read
from designer.document.edits import Edit
from designer.document.key import LiteralSegment, TimeSegment, segment_fields
from designer.document.texts import N_
from designer.wording import resolution_name
from estimator.facts.alphabets import clear_delimiter
from estimator.facts.load import prefix_load
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import passing_severity
from estimator.kernels.traffic.storage_age import stored_time
from estimator.results import Estimate, NotComputableError, ReadPlan

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import all_of, change, insert
from ..shared.examples import DEVICE, TENANT, Part, design, field_part, read_part, time_part
from ..shared.fixes.segments import free_id

UNCOUNTED = N_(
    "{read} reads {span_days} of {table}, but the key contains no time. It scans rows of any age and "
    "can only filter them. The number of scanned rows is not known yet."
)
ROTATING = N_(
    "{read} reads {span_days} of {table}. Of the time, only the names of its tables are known, one for each {period}: "
    "the key contains none. It scans {scanned} rows, which can be of any time in these tables, and can only filter "
    "them. Each request takes {node_seconds} of node CPU time."
)
ROTATING_UNCOUNTED = N_(
    "{read} reads {span_days} of {table}. Of the time, only the names of its tables are known, one for each {period}: "
    "the key contains none. It scans rows that can be of any time in these tables and can only filter them. The number "
    "of scanned rows is not known yet."
)
ADD = N_("Add a time to the key")

_SERIES = ("new_cell", "new_column")
"""Modes that keep a series within a row: its times are those of cells or in qualifiers."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind without a time in its key, at the read by time that scans most."""
    for rows in row_kinds(spec, estimate):
        if not rows.segments or _shows_time(rows) or _holds_series(rows):
            continue
        asking = [
            (read, plan)
            for read, plan in rows.reads
            if read.time is not None and plan.rows_scanned > 1 and not _is_bounded_by_tables(rows, read.time.days)
        ]
        if asking:
            yield _build_violation(
                rows, *max(asking, key=lambda pair: (pair[1].per_second or 0.0) * pair[1].rows_scanned)
            )


def _shows_time(rows: RowKindFacts) -> bool:
    """Return whether the key has a time, a field with one, or a number that counts events."""
    if any(facts.grows is not None for _, facts in rows.segments):
        return True
    fields = [rows.spec.find(field) for segment in rows.kind.segments for field in segment_fields(segment)]
    timely = any(effective_value(rows.spec, field, "kind") == "timestamp" for field in fields)
    return timely or any(isinstance(segment, TimeSegment) for segment in rows.kind.segments)


def _holds_series(rows: RowKindFacts) -> bool:
    """Return whether a row holds the times: in added cells, or in qualifiers made from a time."""
    columns = [column for family in rows.table.families for column in family.columns]
    qualified = any(isinstance(s, TimeSegment) for column in columns for s in column.qualifier_from)
    return qualified or any(write_mode(rows.spec, write) in _SERIES for write in rows.kind.writes)


def _is_bounded_by_tables(rows: RowKindFacts, span_days: float) -> bool:
    """Return whether the table rotates, and a read of such a span asks for as much as one of its tables holds."""
    rotation = rows.table.rotation
    return rotation is not None and span_days >= math.floor(rotation.period_days)  # whoever says a month says 30 days


def _build_violation(rows: RowKindFacts, read: Read, plan: ReadPlan) -> Violation:
    fix = _add_time_edit(rows)
    rotation = rows.table.rotation
    counted, uncounted = ("", UNCOUNTED) if rotation is None else (ROTATING, ROTATING_UNCOUNTED)
    return Violation(
        at=read.id,
        field="time",
        params={
            "read": read.label,
            "table": rows.table.label,
            "span_days": read.time.days if read.time else None,
            "scanned": plan.rows_scanned,
            "node_seconds": plan.node_seconds,
            "period": "" if rotation is None else resolution_name(rotation.period),
        },
        message=counted if plan.has_actual_rows else uncounted,
        effect=plan.rows_scanned,
        severity=passing_severity(rows.spec, read, plan, _rows_per_wanted_row(rows, read)),
        fix=fix,
        fix_label=ADD if fix is not None else "",
        about=(read.id,),
    )


def _rows_per_wanted_row(rows: RowKindFacts, read: Read) -> float:
    """Return how many rows there are for each one of the time that a read asks for, as if they came evenly."""
    try:
        stored_days = stored_time(rows.spec, rows.table, rows.kind).span_days
    except NotComputableError:
        return 1.0
    if rows.table.rotation is not None:
        stored_days = min(stored_days, rows.table.rotation.period_days)  # rows of other tables are not scanned
    return max(stored_days / read.time.days, 1.0) if read.time is not None else 1.0


def _add_time_edit(rows: RowKindFacts) -> Edit | None:
    """Return the edit that adds a time to the key of appended rows; None if rows are overwritten."""
    writes = rows.kind.writes
    if (
        not writes
        or any(write_mode(rows.spec, write) != "append_row" for write in writes)
        or rows.leading_segment is None
    ):
        return None
    added = TimeSegment(id=free_id(rows.spec, "time"))
    place = _gap(rows)
    if place is not None:
        behind = rows.kind.segments[place]
        return insert(rows.kind, "key", added.model_copy(update={"after": "#"}), before=behind.id)
    last, facts = rows.segments[-1]
    after = last.after or ("#" if facts.fixed_width else clear_delimiter(rows.spec, last, below=True))
    if after is None:
        return None
    edits = [change(last, "after", after)] if after != last.after else []
    return all_of([*edits, insert(rows.kind, "key", added, before=None)])


def _gap(rows: RowKindFacts) -> int | None:
    """Return the place after all known prefixes, if those can carry the append points of a time there."""
    order = rows.kind.segments
    place = max((len(rows.before_open(plan)) for _, plan in rows.reads), default=len(order))
    load = prefix_load(rows, place)
    # Behind few prefixes a time would put all new rows at their ends, and the fix would make a hot spot.
    bears = load is not None and load.burden < 1 and not isinstance(order[place - 1], LiteralSegment)
    return place if 0 < place < len(order) and bears else None


def _by_tenant(*key: Part, per_second: float = 0.01, **read_options: object) -> Spec:
    """Sessions of tenants' devices."""
    session = {**DEVICE, "id": "session", "name": "session_id", "values": {"kind": "random", "min": 12, "max": 12}}
    session = {**session, "distinct": 10**9}
    reads = (read_part(binds=("tenant",), rate_per_second=1e-4, latency="batch", **read_options),)
    return design(*key, fields=(TENANT, session), per_second=per_second, reads=reads)


RULE = Rule(
    code="K028",
    severity="note",
    message=N_(
        "{read} reads {span_days} of {table}, but the key contains no time. It scans {scanned} rows of "
        "any age and can only filter them. Each request takes {node_seconds} of node CPU time."
    ),
    check=check,
    bad=lambda: _by_tenant(field_part("tenant", "#"), field_part("session"), time={"days": 1}),
    good=lambda: _by_tenant(field_part("tenant", "#"), time_part("#"), field_part("session"), time={"days": 1}),
    near_miss=lambda: _by_tenant(field_part("tenant", "#"), field_part("session")),
    engines=BIGTABLE,
)
