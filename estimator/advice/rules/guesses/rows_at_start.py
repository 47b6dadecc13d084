"""It is not stated how many rows a table has on the start date.

**What** A table has one row for each value of a field, the number of values is stated, and few of them are written
within the horizon. What the table holds on the start date is not stated.
**Why** Without an answer, the table starts empty: its rows, bytes and cost are those of what is written from then on.
A catalog that was loaded earlier holds a row for each value from the first day.
**Instead** Enter the rows stored on the start date, or that the table starts empty.
**Fine when** It is undecided. In that case, accept the question.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-28)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value, owner_id, write_mode
from designer.document.field import Field
from designer.document.key import FieldSegment
from designer.document.new_ids import names_each_event
from designer.document.texts import N_
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.unlimited_rows import ENTITY_SEGMENTS
from estimator.results import Choice, Estimate

from ..shared import Rule, Violation
from ..shared.edits import change
from ..shared.examples import Part, design, field_part, read_part

WRITTEN_SHARE = 0.9
"""Where more of the values have a row at the end anyway, it hardly matters how many had one at the start."""
FEW_ROWS = 500.0
"""So few rows more or less cost nothing (our choice)."""
EACH_HAS_ROW, STARTS_EMPTY = N_("Yes, {rows_stored} rows"), N_("No, it starts empty")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a question per table of entities of which few are written within the horizon."""
    for rows in row_kinds(spec, estimate):
        field = _counted_field(rows)
        if field is None or rows.size is None or rows.part is None or rows.part.growth is None:
            continue
        values, rows_written = float(effective_value(spec, field, "distinct")), rows.size.rows
        if (
            rows_written > WRITTEN_SHARE * values
            or values - rows_written < FEW_ROWS
            or float(rows.part.growth.rows[0]) > 0
        ):
            continue
        table = rows.table
        yield Violation(
            table.id,
            {"table": table.label, "field": field.label, "rows_stored": values, "rows_written": rows_written},
            "rows_stored",
            values - rows_written,
            choices=(
                Choice(EACH_HAS_ROW, {"rows_stored": values}, change(table, "rows_stored", values)),
                Choice(STARTS_EMPTY, {}, change(table, "history_months", 0)),
            ),
            about=(table.id,),
        )


def _counted_field(rows: RowKindFacts) -> Field | None:
    """Return the field whose values are the rows of a table that updates them, if their number is stated."""
    spec, kind, table = rows.spec, rows.kind, rows.table
    is_told = (table.rows_stored, table.gib_stored, table.history_months) != (None, None, None) or kind.known
    if is_told or len(table.row_kinds) > 1 or table.rotation is not None or table.derived_from is not None:
        return None
    writes = [write for write in kind.creating_writes if write.activity and not write.deletes]
    updates = bool(writes) and all(write_mode(spec, write) in ("overwrite", "new_cell") for write in writes)
    if not updates or names_each_event(spec, kind) or not all(isinstance(s, ENTITY_SEGMENTS) for s in kind.segments):
        return None
    key_fields = dict.fromkeys(segment.field for segment in kind.segments if isinstance(segment, FieldSegment))
    owners = {owner_id(spec, name) for name in key_fields}
    leaves = [name for name in key_fields if name not in owners]
    if len(leaves) != 1 or not {*key_fields} - {leaves[0]} <= owners:
        return None
    field: Field = spec.find(leaves[0])
    return field if field.distinct is not None and field.unique_within is None else None


def _songs(distinct: int, table: Part | None = None) -> Spec:
    """Build a design of songs, of which one is changed in ten minutes."""
    song: Part = {"id": "song", "name": "song_id", "values": {"kind": "pattern", "text": "s{n:07}"}}
    return design(
        field_part("song"),
        fields=({**song, "distinct": distinct, "popularity": {"kind": "uniform"}},),
        per_second=1 / 600,
        write={"mode": "overwrite"},
        reads=(read_part(binds=("song",)),),
        table=table,
    )


RULE = Rule(
    code="G010",
    severity="question",
    message=N_(
        "Does {table} have a row for each value of {field} on the start date? Without an answer, it starts empty, and "
        "of {rows_stored} rows {rows_written} are written within the horizon."
    ),
    check=check,
    bad=lambda: _songs(1_000_000),
    good=lambda: _songs(1_000_000, table={"rows_stored": 1_000_000}),
    near_miss=lambda: _songs(1_000),
)
