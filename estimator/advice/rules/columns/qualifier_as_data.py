"""Rows differ only in one of a few values and are read together.

**What** The last part of the key is a field with few values. Each entity has a row for each value, and most reads
use all of them.
**Why** A qualifier can hold data. With the value as the column name, an entity is a single row with one key. A
single read returns it, and it changes atomically.
**Instead** Remove the field from the key and use its values as column qualifiers.
**Fine when** The values have different owners or retention, or most reads need only one of them.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

import math
from collections.abc import Iterator

from designer.document import Spec, effective_value, owner_id
from designer.document.access import Read
from designer.document.field import Enumeration
from designer.document.key import FieldSegment, LiteralSegment, TimeSegment
from designer.document.texts import N_
from estimator.facts.buckets import ROW_LIMIT_BYTES, largest_bytes
from estimator.facts.collisions import time_seconds
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.serialization import request_share
from estimator.kernels.growth.cells import columns_of
from estimator.results import Estimate, ReadPlan

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import DEVICE, NEWEST_ONLY, Part, design, field_part, read_part

MOST_VALUES = 100
"""More are no small set to name columns by at a glance."""
MOST_READS = 0.5
STEPS = 60
"""Bisections: as many as a float has digits."""
EVENT_SECONDS = 1.0
"""A finer time tells single events apart: their rows are of one event only where it writes several."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind whose rows differ only by an enumerated field that few reads request."""
    for rows in row_kinds(spec, estimate):
        segment = _last_field(rows)
        values = rows.spec.find(segment.field).values if segment else None
        if segment is None or not isinstance(values, Enumeration) or not 2 <= len(values.items) <= MOST_VALUES:
            continue
        if any(column.qualifier_from for _, column in columns_of(rows.table, rows.kind)):
            continue
        rows_each = _rows_each(rows, len(values.items))
        if rows_each >= 2:
            yield from _find_violations(rows, segment, rows_each, len(values.items))


def _last_field(rows: RowKindFacts) -> FieldSegment | None:
    """Return the last field followed only by times and literals, if another unrelated field is before it."""
    fields = [s for s in rows.kind.segments if not isinstance(s, TimeSegment | LiteralSegment)]
    last = fields[-1] if len(fields) > 1 else None
    if not isinstance(last, FieldSegment):
        return None
    others = [s.field for s in fields if isinstance(s, FieldSegment) and s is not last]
    return None if any(owner_id(rows.spec, other) == last.field for other in others) else last


def _rows_each(rows: RowKindFacts, values: int) -> float:
    """Return the mean rows of one entity (at one time) that would be one row."""
    times = [s for s in rows.kind.segments if isinstance(s, TimeSegment)]
    rows_at_once = [float(effective_value(rows.spec, write, "rows_per_event")) for write in rows.kind.writes]
    of_event = min(max(rows_at_once, default=1.0), float(values))
    # With times as fine as single events, only the rows of one event share a time. Events are not merged by this
    # change.
    if rows.growth is None or (times and min(time_seconds(s) for s in times) <= EVENT_SECONDS):
        return of_event
    return max(of_event, _values_met(rows.growth.events_per_row, values))


def _values_met(events_per_row: float, values: int) -> float:
    """Return of how many values an entity has a row, in the mean of those with any, where its events draw them evenly.

    Of n events for each value, 1 − e^(−n) of its rows are there, with n ÷ (1 − e^(−n)) events each.

    >>> round(_values_met(1_000, 50), 3), round(_values_met(1.0, 50), 3), round(_values_met(1.0032, 50), 3)
    (50.0, 1.0, 1.165)
    """
    low, high = 0.0, max(events_per_row, 1.0)
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < events_per_row * -math.expm1(-middle) else (low, middle)
    drawn = low or math.ulp(1.0)
    return values * math.expm1(-drawn) / math.expm1(-values * drawn)


def _find_violations(rows: RowKindFacts, segment: FieldSegment, rows_each: float, values: int) -> Iterator[Violation]:
    fields = [s.field for s in rows.kind.segments if isinstance(s, FieldSegment)]
    before = set(fields[: fields.index(segment.field)])
    whole = [(read, plan) for read, plan in rows.reads if _takes_all(read, before, segment.field)]
    largest = largest_bytes(rows)
    # The merged row would be too large, so the advice would only replace one finding by another.
    if rows.size is None or largest is None or largest * values >= ROW_LIMIT_BYTES:
        return
    if request_share(rows.reads, whole) <= MOST_READS:
        return
    read, plan = max(whole, key=_weight)
    yield Violation(
        at=segment.id,
        params={
            "table": rows.table.label,
            "field": rows.spec.find(segment.field).label,
            "rows": rows.size.rows,
            "rows_then": rows.size.rows / rows_each,
            "rows_each": rows_each,
            "read": read.label,
            "rows_read": plan.rows_returned,
            "read_then": max(plan.rows_returned / rows_each, 1.0),
            "largest_bytes": largest * values,
        },
        effect=rows_each,
        about=(rows.kind.id,),
    )


def _takes_all(read: Read, before: set[str], field: str) -> bool:
    """Return whether a read knows the part before the field but not the field."""
    known_fields = {bind.field for bind in read.binds if bind.is_whole}
    return field not in {bind.field for bind in read.binds} and before <= known_fields


def _weight(read_and_plan: tuple[Read, ReadPlan]) -> float:
    return read_and_plan[1].rows_returned * (read_and_plan[1].per_second or 0.0)


METRIC: Part = {
    "id": "metric",
    "name": "metric",
    "values": {"kind": "enumeration", "items": [{"value": "cpu"}, {"value": "disk"}, {"value": "memory"}]},
}


def _metrics(*binds: str, per_metric: bool = True) -> Spec:
    """Build a design of the newest value of each metric of a thousand devices."""
    key = (field_part("device", "#"), field_part("metric")) if per_metric else (field_part("device"),)
    names = () if per_metric else ({**field_part("metric"), "id": "metric_name"},)
    return design(
        *key,
        fields=(DEVICE, METRIC),
        per_second=100,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        column={"qualifier": "v" if per_metric else "", "qualifier_from": names, "value": {"kind": "integer"}},
        reads=(read_part(binds=binds),),
    )


RULE = Rule(
    code="C004",
    severity="note",
    message=N_(
        "Groups of {rows_each} rows in {table} ({rows} in total) differ only in {field}. With {field} as "
        "the qualifier, the table has {rows_then} rows, the largest {largest_bytes}. {read} then reads "
        "{read_then} instead of {rows_read} rows, and each entity changes atomically."
    ),
    check=check,
    bad=lambda: _metrics("device"),
    good=lambda: _metrics("device", per_metric=False),
    near_miss=lambda: _metrics("device", "metric"),
    engines=BIGTABLE,
)
