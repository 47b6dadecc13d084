"""A field is assigned in sequence, but its growth is not specified.

**What** The key starts with a field that is assigned in sequence. The design does not specify new values per day, and
no write adds rows with new values.
**Why** New values go to the end of the table, to a single node. Whether writes go there depends on their growth.
**Instead** Choose or enter the new values per day.
**Fine when** The ids were imported once. In that case, choose “None”.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS
from designer.document.field import Field
from designer.document.key import BigEndian, FieldSegment, ZeroPad
from designer.document.new_ids import events_per_second
from designer.document.popularity import Latest
from designer.document.texts import N_
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.servers import server_of
from estimator.results import Choice, Estimate

from ..shared import Rule, Violation
from ..shared.edits import change
from ..shared.examples import USER, design, field_part

NONE = N_("None")
ONE_PER_EVENT = N_("One per event ({values_per_day})")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a question per row kind whose writes would be too many for one node at the end of the table."""
    for rows in row_kinds(spec, estimate):
        field = _field(rows)
        if field is None or not _would_hurt(rows):
            continue
        per_day = events_per_second(spec, field) * DAY_SECONDS
        choices = [Choice(NONE, {}, change(field, "growth_per_day", 0))]
        if per_day:
            choices.append(Choice(ONE_PER_EVENT, {"values_per_day": per_day}, change(field, "growth_per_day", per_day)))
        params = {"field": field.label, "table": rows.table.label}
        yield Violation(field.id, params, "growth_per_day", choices=tuple(choices), about=rows.load_subject_ids)


def _field(rows: RowKindFacts) -> Field | None:
    """Return the field that the key starts with, if it is declared sequential and nothing says that it grows."""
    segment = rows.leading_segment[0] if rows.leading_segment is not None else None
    if not isinstance(segment, FieldSegment) or not all(isinstance(t, ZeroPad | BigEndian) for t in segment.transforms):
        return None  # other texts of a number are in no order
    field: Field = rows.spec.find(segment.field)
    grows = field.growth_per_day is not None or effective_value(rows.spec, field, "growth_per_day")
    latest = isinstance(effective_value(rows.spec, field, "popularity"), Latest)
    return None if field.assigned != "sequential" or grows or latest or field.capacity is not None else field


def _would_hurt(rows: RowKindFacts) -> bool:
    loads = [load for _, load in rows.writes]
    share = sum(load.peak_rows_per_second * load.node_seconds_per_row for load in loads)
    return server_of(rows.spec).burden(sum(load.peak_rows_per_second for load in loads), share) >= 1


def _users(per_second: float, growth_per_day: float | None = None) -> Spec:
    """Build a design of users whose ids are in sequence and whose row is updated."""
    user = {**USER, "distinct": 1_000_000, "assigned": "sequential", "growth_per_day": growth_per_day}
    gc = {"kind": "max_versions", "versions": 1}
    return design(field_part("user"), fields=(user,), per_second=per_second, write={"mode": "overwrite"}, gc=gc)


RULE = Rule(
    code="G006",
    severity="question",
    message=N_(
        "{field} starts the key of {table} and is assigned in sequence. How many new values does it have per day?"
    ),
    check=check,
    bad=lambda: _users(5_000),
    good=lambda: _users(5_000, 0),
    near_miss=lambda: _users(40),
)
