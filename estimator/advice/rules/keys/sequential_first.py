"""The row key starts with a sequential number.

**What** The first segment of a table's key is a sequential number, and the newest values are the busiest.
**Why** Each new value sorts after all earlier ones. Writes to new values all go to the end of the key range, on one
node.
**Instead** Reverse the digits so that the fastest-changing digit comes first, or start the key with another field.
**Fine when** Old and new values are equally busy. Or the writes use less than a fifth of a node (on Tablestore,
fewer than 1,000 a second).
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS
from designer.document.engines import description_of
from designer.document.key import FieldSegment, Segment
from designer.document.popularity import Latest
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.load import Load, append_point_load, hottest_range_load
from estimator.facts.numbers import numbers
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.servers import server_of
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import Part, design, field_part, read_part
from ..shared.fixes import reverse_digits
from ..shared.fixes.segments import hash_first

UNKNOWN_LOAD = N_(
    "The key of {table} starts with {segment}, a sequential number. All new values go to the end of "
    "the table. Its load is not computed: {why} For rows of 1 KiB, the threshold is {hurts_per_second}."
)
UNRATED = N_(
    "The key of {table} starts with {segment}, a sequential number. All new values go to the end of "
    "the table. The write rate is not specified; for rows of 1 KiB, the threshold is "
    "{hurts_per_second}."
)
TOGETHER_SHARE = 0.5
"""Unpadded numbers have no one end; from this share of the writes on the busiest range they land together."""

PARTITION = N_(
    "The key of {table} starts with {segment}, a sequential number. {write_share} of its writes "
    "({rate_per_second}) go to the end of the table, in one partition. The threshold is "
    "{hurts_per_second}."
)
HASH = N_("Add a hash of {segment} before it")
REVERSE = N_("Reverse the digits of {segment}")


def _orders(per_second: float, *transforms: Part) -> Spec:
    """Every event is a new order, numbered in sequence."""
    order = {
        "id": "order",
        "name": "order_id",
        "kind": "integer",
        "values": {"kind": "range", "min": 10**14, "max": 10**15 - 1},
        "distinct": 1_000,
        "growth_per_day": per_second * DAY_SECONDS,
        "assigned": "sequential",
        "popularity": {"kind": "latest"},
    }
    reads = (read_part(binds=("order",)),)
    return design(field_part("order", "", *transforms), fields=(order,), per_second=per_second, reads=reads)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind whose first varying segment is sequential and takes most new writes."""
    for rows in row_kinds(spec, estimate):
        if rows.leading_segment is None:
            continue
        segment, facts = rows.leading_segment
        grows = facts.grows == "sequence"
        if not grows and not _is_unpadded_counter(rows, segment):
            continue
        names = {"table": rows.table.label, "segment": segment_label(spec, segment)}
        load = append_point_load(rows, segment.id) if grows else _moving_append_load(rows, segment)
        if load is not None:
            hashed = description_of(spec).has_key_columns
            fix = hash_first(rows, segment) if hashed else reverse_digits(rows, segment)
            yield Violation(
                at=segment.id,
                params={
                    **names,
                    **load.figures,
                },
                effect=load.effect,
                severity=load.severity,
                fix=fix,
                fix_label="" if fix is None else HASH if hashed else REVERSE,
                about=rows.load_subject_ids,
            )
        elif rows.traffic is None and _has_busy_new_values(rows, segment):
            why = rows.unknown_load_reason
            params = {**names, "hurts_per_second": server_of(spec).typical_warning_per_second(), "why": why}
            message = UNRATED if why is None else UNKNOWN_LOAD
            yield Violation(segment.id, params, message=message, severity="note", about=rows.load_subject_ids)


def _is_unpadded_counter(rows: RowKindFacts, segment: Segment) -> bool:
    """Return whether the segment shows unpadded numbers of a growing field, which grow within each length."""
    if not isinstance(segment, FieldSegment):
        return False
    figures = numbers(rows.spec, segment)
    is_counter = effective_value(rows.spec, rows.spec.find(segment.field), "assigned") == "sequential"
    return figures is not None and figures.has_varying_length and is_counter and _has_busy_new_values(rows, segment)


def _moving_append_load(rows: RowKindFacts, segment: Segment) -> Load | None:
    """Return the load of the busiest range, if most writes are there."""
    load = hottest_range_load(rows, segment.id)
    return load if load is not None and load.write_share >= TOGETHER_SHARE else None


def _has_busy_new_values(rows: RowKindFacts, segment: Segment) -> bool:
    """Return whether the field declares its new values busy, for use while no rate shows it."""
    if not isinstance(segment, FieldSegment):
        return False
    field = rows.spec.find(segment.field)
    newest = isinstance(effective_value(rows.spec, field, "popularity"), Latest)
    return newest or bool(effective_value(rows.spec, field, "growth_per_day"))


RULE = Rule(
    code="K005",
    severity="warning",
    message=N_(
        "The key of {table} starts with {segment}, a sequential number. {write_share} of its writes "
        "({rate_per_second}) go to the end of the table. One node must serve these writes, "
        "{work_share} of its limit. The threshold is {hurts_per_second}."
    ),
    messages={"tablestore": {"": PARTITION}},
    check=check,
    bad=lambda: _orders(5_000),
    good=lambda: _orders(5_000, {"kind": "reverse_digits"}),
    near_miss=lambda: _orders(40),
    under=("K004",),
)
