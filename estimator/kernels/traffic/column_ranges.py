"""Part of a row's columns that a read asks for: a range of qualifiers, and the newest of those named by age."""

from designer.document import Spec, effective_value
from designer.document.access import Bind, Read
from designer.document.family import Column
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    LiteralSegment,
    ReverseDigits,
    ReverseDomain,
    Segment,
    TimeSegment,
    segment_fields,
    sorts_backwards,
)
from designer.document.new_ids import is_declared_counter

from .scope import StoredRows, asked_popularities
from .value_ranges import values_share


def is_part_in_order(spec: Spec, read: Read, column: Column | None) -> bool:
    """Return whether the columns asked for stand together: the engine reads these and ends there."""
    leading = None if column is None else leading_segment(column)
    if leading is None:
        return False
    if read.newest_columns is not None and is_newest_first(spec, leading):
        return True
    moves = (ReverseDigits, ReverseDomain)
    keeps = isinstance(leading, FieldSegment) and not any(isinstance(t, moves) for t in leading.transforms)
    return keeps and range_bind(read, leading) is not None


def leading_segment(column: Column) -> Segment | None:
    """Return the first part of a qualifier that differs between columns."""
    return next((s for s in column.qualifier_from if not isinstance(s, LiteralSegment)), None)


def range_bind(read: Read, segment: Segment) -> Bind | None:
    """Return the range of values that a read knows of a part of a qualifier."""
    fields = segment_fields(segment) if isinstance(segment, FieldSegment | DerivedSegment) else ()
    return next((bind for bind in read.binds if bind.is_range and bind.field in fields), None)


def is_named_by_age(spec: Spec, segment: Segment) -> bool:
    """Return whether a part of a qualifier is a time or a number that counts up."""
    if isinstance(segment, TimeSegment):
        return segment.hash is None
    if not isinstance(segment, FieldSegment | DerivedSegment):
        return False
    field = spec.find(segment.field)
    grows = is_declared_counter(spec, field) or bool(field.growth_per_day)
    return grows and effective_value(spec, field, "assigned") == "sequential"


def is_newest_first(spec: Spec, segment: Segment) -> bool:
    """Return whether qualifiers that begin with this part sort the newest first, as a limit of cells takes them."""
    return is_named_by_age(spec, segment) and sorts_backwards(segment)


def qualifiers_share(stored_rows: StoredRows, read: Read, column: Column) -> float:
    """Return the share of a column's qualifiers that lie within the ranges of values that a read knows. [1]"""
    share, key_fields = 1.0, stored_rows.key_fields
    for segment in column.qualifier_from:
        bind = range_bind(read, segment)
        if bind is not None and bind.field not in key_fields:
            share *= values_share(stored_rows.spec, bind, stored_rows.values(bind.field))
    return share


def newest_cells(stored_rows: StoredRows, read: Read, column: Column, cells: float) -> float:
    """Return the cells that the newest columns hold, of those of a row that is there, in the mean of requests. [cells]

    They are all where the newest sort last: no filter of the engine returns the last columns of a row.
    """
    leading, limit = leading_segment(column), read.newest_columns
    if limit is None or leading is None or not is_newest_first(stored_rows.spec, leading):
        return cells
    row = frozenset(segment.id for segment in stored_rows.kind.segments)
    names = stored_rows.values_per_owner(row, asked_popularities(read), column)
    rows = names.mean_of_first(1.0)
    if rows <= 0:
        return min(cells, limit)
    each = max(cells * rows / names.mean_met, 1.0)
    return min(names.mean_of_first(limit) / rows * each, cells)
