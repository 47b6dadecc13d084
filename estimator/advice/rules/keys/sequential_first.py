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

from designer.document import Spec, assumed
from designer.document.durations import DAY_SECONDS
from designer.document.engines import description_of
from designer.document.key import FieldSegment, Segment
from designer.document.popularity import Latest
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.load import Load, front_load, hottest_range_load
from estimator.facts.numbers import numbers
from estimator.facts.reading import Rows, row_kinds
from estimator.facts.servers import server_of
from estimator.results import Estimate

from ..shared import Found, Rule
from ..shared.examples import Part, design, of, read
from ..shared.fixes import reversed_digits
from ..shared.fixes.segments import hash_first

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
    reads = (read(binds=("order",)),)
    return design(of("order", "", *transforms), fields=(order,), per_second=per_second, reads=reads)


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """Yield a finding per row kind whose first varying segment is sequential and takes most new writes."""
    for rows in row_kinds(spec, estimate):
        if rows.lead is None:
            continue
        segment, facts = rows.lead
        grows = facts.grows == "sequence"
        if not grows and not _counted_unpadded(rows, segment):
            continue
        names = {"table": rows.table.label, "segment": segment_label(spec, segment)}
        load = front_load(rows, segment.id) if grows else _moving_front(rows, segment)
        if load is not None:
            hashed = description_of(spec).has_key_columns
            fix = hash_first(rows, segment) if hashed else reversed_digits(rows, segment)
            yield Found(
                at=segment.id,
                params={
                    **names,
                    **load.figures,
                },
                effect=load.effect,
                severity=load.severity,
                fix=fix,
                fix_label="" if fix is None else HASH if hashed else REVERSE,
                about=rows.about,
            )
        elif rows.traffic is None and _new_are_busy(rows, segment):
            params = {**names, "hurts_per_second": server_of(spec).typical_hurts_per_second()}
            yield Found(segment.id, params, message=UNRATED, severity="note", about=rows.about)


def _counted_unpadded(rows: Rows, segment: Segment) -> bool:
    """Return whether the segment shows unpadded numbers of a growing field, which grow within each length."""
    if not isinstance(segment, FieldSegment):
        return False
    shown = numbers(rows.spec, segment)
    counted = assumed(rows.spec, rows.spec.find(segment.field), "assigned") == "sequential"
    return shown is not None and shown.varies and counted and _new_are_busy(rows, segment)


def _moving_front(rows: Rows, segment: Segment) -> Load | None:
    """Return the load of the busiest range, if most writes are there."""
    load = hottest_range_load(rows, segment.id)
    return load if load is not None and load.write_share >= TOGETHER_SHARE else None


def _new_are_busy(rows: Rows, segment: Segment) -> bool:
    """Return whether the field declares its new values busy, for use while no rate shows it."""
    if not isinstance(segment, FieldSegment):
        return False
    field = rows.spec.find(segment.field)
    newest = isinstance(assumed(rows.spec, field, "popularity"), Latest)
    return newest or bool(assumed(rows.spec, field, "growth_per_day"))


RULE = Rule(
    code="K005",
    severity="warning",
    message=N_(
        "The key of {table} starts with {segment}, a sequential number. {write_share} of its writes "
        "({rate_per_second}) go to the end of the table. A single node must serve this load of "
        "{work_nodes}. The threshold is {hurts_per_second}."
    ),
    messages={"tablestore": {"": PARTITION}},
    check=check,
    bad=lambda: _orders(5_000),
    good=lambda: _orders(5_000, {"kind": "reverse_digits"}),
    near_miss=lambda: _orders(40),
    under=("K004",),
)
