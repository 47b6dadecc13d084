"""A row key can be empty.

**What** A table's rows have no key yet, or all segments of their key can be empty strings at once. Or a primary key
column has no content.
**Why** A row has no identifier other than its key. The engine rejects a write with an empty key, so the row is
never stored.
**Instead** Include a value in the key that is always present: an ID, a time or a literal.
**Fine when** Never. This is a hard limit.
**Source** https://cloud.google.com/bigtable/quotas (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.engines import description_of
from designer.document.field import Random
from designer.document.key import FieldSegment, Segment, ZeroPad
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.results import Estimate, SegmentFacts

from ..shared import Rule, Violation
from ..shared.examples import Part, design, field_part

NONE = N_("The rows of {table} have no key yet. Add a key to store and read them.")

COLUMN = N_(
    "The primary key column {column} of {table} has no content. The service rejects rows without a value for it."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind without a key or whose key can be empty, and per empty column."""
    for rows in row_kinds(spec, estimate):
        names = {"table": rows.table.label}
        if not rows.kind.segments:
            yield Violation(rows.kind.id, names, field="key", message=NONE)
        elif description_of(spec).has_key_columns:
            yield from _columns(rows)
        elif rows.segments and all(_can_be_empty(rows, *segment) for segment in rows.segments):
            segments = tuple(segment_label(spec, segment) for segment, _ in rows.segments)
            yield Violation(rows.segments[0][0].id, {**names, "segments": segments})


def _columns(rows: RowKindFacts) -> Iterator[Violation]:
    """Tablestore's columns may be empty texts, but each must be given."""
    for column in rows.kind.key_columns:
        if not column.segments and not column.auto_increment:
            yield Violation(column.id, {"table": rows.table.label, "column": column.label}, "segments", message=COLUMN)


def _can_be_empty(rows: RowKindFacts, segment: Segment, facts: SegmentFacts) -> bool:
    """Return whether the segment can be zero bytes; a random text can even if no sampled one is."""
    if facts.bytes_min == 0:
        return True
    if not isinstance(segment, FieldSegment) or segment.after:
        return False
    values = rows.spec.find(segment.field).values
    padded = any(isinstance(t, ZeroPad) for t in segment.transforms)
    return isinstance(values, Random) and values.min == 0 and not padded


def _notes(*key: Part, shortest: int = 0) -> Spec:
    text = {
        "id": "title",
        "name": "title",
        "kind": "string",
        "values": {"kind": "random", "min": shortest, "max": 4},
        "distinct": 500,
        "popularity": {"kind": "uniform"},
    }
    return design(*key, fields=(text,), per_second=0.01, write={"mode": "overwrite"})


RULE = Rule(
    code="K001",
    severity="error",
    message=N_(
        "The key of {table} can be empty: it consists only of {segments}, and every segment can be an "
        "empty string. The engine rejects a row with an empty key."
    ),
    check=check,
    bad=lambda: _notes(field_part("title")),
    good=lambda: _notes(field_part("title"), shortest=1),
    near_miss=lambda: _notes(field_part("title", "#")),
)
