"""Rows that a deletion takes, and into how many ranges of keys those fall that it selects by fields."""

from collections.abc import Collection

from designer.document.access import Write
from designer.document.key import (
    NEVER_AGAIN,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Segment,
    TimeSegment,
    segment_fields,
)
from estimator.kernels.growth.cells import CELL_DELETES, touched_columns

from .reading import RowKindFacts


def takes_rows(rows: RowKindFacts, write: Write) -> bool:
    """Return whether a write deletes single rows: as such, or with the cells of all columns that are written."""
    if write.mode not in CELL_DELETES:
        return write.mode == "delete_row"
    writes = [other for other in rows.kind.writes if not other.deletes]
    written = {c.id for other in writes for _, c in touched_columns(rows.table, rows.kind, other)}
    return written <= {c.id for _, c in touched_columns(rows.table, rows.kind, write)}


def prefix_count(rows: RowKindFacts, selected: Collection[str]) -> float | None:
    """Beginnings of the key under which exactly the selected rows stand; None where no number of them does.

    A part that the selection does not fix multiplies them by its values; one that only ever grows has no end of them.
    """
    facts = {segment.id: fact for segment, fact in rows.segments}
    remaining, count = set(selected), 1.0
    for segment in rows.kind.segments:
        if not remaining:
            break
        if isinstance(segment, LiteralSegment):
            continue
        fields = set(segment_fields(segment))
        if fields and fields <= set(selected):
            # Salts and parts of values are fixed, too, but hold rows of other values: the search goes on.
            remaining -= fields if _names(segment) else set()
            continue
        fact = facts.get(segment.id)
        if fact is None or fact.grows is not None or isinstance(segment, TimeSegment):
            return None
        count *= max(fact.distinct, 1.0)
    return None if remaining else count


def _names(segment: Segment) -> bool:
    """Return True if the segment tells its fields' values apart: a salt, a short hash or a part of a value does not."""
    if isinstance(segment, HashSegment):
        return segment.values >= NEVER_AGAIN
    if isinstance(segment, FieldSegment):
        return not segment.is_cut
    return isinstance(segment, TimeSegment)
