"""Fixes to what Tablestore's partition key is made of."""

from designer.document.key import FieldSegment
from estimator.facts.alphabets import clear_delimiter
from estimator.facts.partitions import separation
from estimator.facts.reading import RowKindFacts
from estimator.facts.salts import busiest_share

from ..edits import Edit, all_of, change, insert
from .segments import free_id


def further_column(rows: RowKindFacts, held_bytes: float, limit_bytes: float) -> tuple[Edit | None, str]:
    """Return an edit that adds a field of a later primary-key column to the partition key, and its name.

    Every reader knows the field, and its busiest value holds less than the limit. None if there is no such
    field, or
    if the table has other row kinds, whose partition keys would have to change with it.
    """
    if not rows.kind.key_columns:
        return None, ""
    first, *later = rows.kind.key_columns
    if first.type == "INTEGER" or not first.segments or len(rows.table.row_kinds) > 1:
        return None, ""
    key_fields = {s.field for s in first.segments if isinstance(s, FieldSegment)}
    own = [(s, f) for s, f in rows.segments if any(s in column.segments for column in later)]
    for segment, facts in sorted(own, key=lambda pair: -pair[1].distinct):
        if not isinstance(segment, FieldSegment) or facts.grows is not None or segment.field in key_fields:
            continue
        parts = min((separation(rows.spec, field, segment.field) for field in key_fields), default=1.0)
        # A field that goes with the partition key divides it only as far as there are several of its values for one
        # key.
        remaining_bytes = held_bytes * max(busiest_share(rows, segment.field), 1 / parts)
        last = first.segments[-1]
        after = last.after or clear_delimiter(rows.spec, last, below=True)
        if rows.is_given_by_all_reads(segment.field) and remaining_bytes < limit_bytes and after:
            further = segment.model_copy(update={"id": free_id(rows.spec, f"{segment.id[:30]}-2"), "after": ""})
            changes: list[Edit] = [] if last.after else [change(last, "after", after)]
            added_field = rows.spec.find(segment.field)
            return all_of([*changes, insert(first, "segments", further, before=None)]), added_field.label
    return None, ""
