"""The key contains numbers of different lengths as text.

**What** A number has no leading zeros, or outgrows them, and a read relies on its order.
**Why** Keys sort in byte order: 10 comes before 9, and 1000000 before 999999. A range or "the newest" returns the
wrong rows.
**Instead** Zero-pad to the length of the largest number that can ever occur.
**Fine when** Every read specifies the exact number, so its order does not matter.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
"""

from collections.abc import Iterator
from typing import Any

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.durations import MONTH_DAYS
from designer.document.key import DerivedSegment, FieldSegment, Segment, TimeSegment, shows_time, sorts_backwards
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.engines import engine_of
from estimator.facts.numbers import Numbers, date_after, numbers, time_numbers
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.edits import Edit, all_of, change
from ..shared.examples import NEWEST_ONLY, Part, design, field_part, read_part
from ..shared.fixes import pad_digits

OVERFLOWS = N_(
    "{segment} in the key of {table} is zero-padded to {width} digits, but its numbers are longer "
    "from {date}. {high} then sorts before {low}, and {read} returns the wrong rows."
)
UNREAD = N_(
    "{segment} in the key of {table} contains numbers of different lengths: {high} sorts before "
    "{low}. No defined read depends on this order."
)
PAD = N_("Zero-pad {segment} to {digits} digits")
PAD_BACKWARDS = N_("Zero-pad {segment} to {digits} digits, and read the newest rows by a reverse scan")
SECONDS = N_("Write {segment} in seconds since 1970, which have ten digits until 2286")
SECONDS_BACKWARDS = N_("Write {segment} in seconds since 1970, and read the newest rows by a reverse scan")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per segment of integers of varying width on whose order a read relies."""
    for rows in row_kinds(spec, estimate):
        for segment, facts in rows.segments:
            if facts.text_order or rows.is_integer_column(segment):
                continue
            if shows_time(segment):
                history_days = float(effective_value(spec, rows.table, "history_months")) * MONTH_DAYS
                figures = time_numbers(spec, segment, history_days)
            elif isinstance(segment, FieldSegment | DerivedSegment):
                figures = numbers(spec, segment)
            else:
                continue
            if figures and figures.has_varying_length:
                reader = rows.ordered_reader(segment)
                if reader is not None or not rows.kind.reads:
                    yield _build_violation(rows, segment, figures, reader)


def _build_violation(
    rows: RowKindFacts, segment: FieldSegment | DerivedSegment | TimeSegment, figures: Numbers, reader: Read | None
) -> Violation:
    low, high = figures.misordered_pair
    digits = figures.widest
    params: dict[str, Any] = {
        "table": rows.table.label,
        "segment": segment_label(rows.spec, segment),
        "low": low,
        "high": high,
        "digits": digits,
    }
    if reader is not None:
        params["read"] = reader.label
    overflow = reader is not None and figures.overflows_days is not None
    if overflow:
        params |= {"width": figures.width, "date": date_after(rows.spec, figures.overflows_days or 0.0)}
    is_time = isinstance(segment, TimeSegment)
    # With padding, the newest numbers come last, so a forward read of the newest rows would return the oldest ones.
    backwards = [change(read, "reverse", True) for read in _forward_readers(rows, segment)]
    # Unix time in seconds has ten digits from 2001-09-09 until 2286-11-20, so it needs no padding.
    edit: Edit = change(segment, "unit", "s") if isinstance(segment, TimeSegment) else pad_digits(segment, digits)
    labels = (SECONDS, SECONDS_BACKWARDS) if is_time else (PAD, PAD_BACKWARDS)
    return Violation(
        at=segment.id,
        field="unit" if is_time else "transforms",
        params=params,
        message=UNREAD if reader is None else OVERFLOWS if overflow else "",
        severity="note" if reader is None else "error" if overflow else "warning",
        fix=all_of([edit, *backwards]),
        fix_safe=not (rows.table.history_months or rows.table.rows_stored or rows.table.gib_stored),
        fix_label=labels[bool(backwards)],
        about=(reader.id, segment.id) if reader else (),
    )


def _forward_readers(rows: RowKindFacts, segment: Segment) -> Iterator[Read]:
    """Yield the reads that want the newest rows and meet these last once the numbers are in order."""
    if engine_of(rows.spec).READS_EITHER_WAY or sorts_backwards(segment):
        return
    for read, plan in rows.reads:
        backwards = read.newest_rows is not None and not read.reverse and plan.open_at == segment.id
        if backwards and not has_data_boost(rows.spec, read):
            yield read


def _order(*transforms: Part, **settings: object) -> Spec:
    field = {
        "id": "order",
        "name": "order_number",
        "kind": "integer",
        "values": {"kind": "range", "min": 1, "max": 9_999_999},
        "distinct": 900_000,
        "growth_per_day": 1_000,
        "assigned": "sequential",
        "popularity": {"kind": "uniform"},
    }
    tenant = {"id": "shop", "name": "shop", "values": {"kind": "pattern", "text": "s{n:02}"}, "distinct": 50}
    reads = (read_part(**settings),)
    return design(
        field_part("shop", "#"),
        field_part("order", "", *transforms),
        fields=(tenant, field),
        per_second=10,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=reads,
    )


RULE = Rule(
    code="K009",
    severity="warning",
    message=N_(
        "{segment} in the key of {table} contains numbers of different lengths. {high} sorts before "
        "{low}, so {read} returns rows in the wrong order."
    ),
    check=check,
    bad=lambda: _order(binds=("shop",), newest_rows=20, reverse=True),
    good=lambda: _order({"kind": "pad", "width": 7}, binds=("shop",), newest_rows=20, reverse=True),
    near_miss=lambda: _order(binds=("shop", "order")),
)
