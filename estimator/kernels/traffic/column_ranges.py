"""Part of a row's columns that a read asks for: a range of qualifiers, of values or of time, and the newest by age."""

import math
from collections.abc import Sequence

from designer.document import Spec, effective_value
from designer.document.access import Bind, Read
from designer.document.family import Column
from designer.document.key import (
    AutoIncrement,
    Bucket,
    DerivedSegment,
    FieldSegment,
    LiteralSegment,
    ReverseDigits,
    ReverseDomain,
    Segment,
    TimeSegment,
    segment_fields,
    shows_time,
    sorts_backwards,
)
from designer.document.new_ids import counts_own_events, is_declared_counter
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.kernels.keys.rendering.date_order import sorts_by_time

from .known_segments import FEW_BUCKETS, covered_buckets
from .scope import StoredRows, asked_popularities
from .value_ranges import counted_range, values_share

_ROW_PATTERNS = {
    "year": "%Y", "month": "%Y%m", "week": "%G%V", "day": "%Y%m%d", "hour": "%Y%m%d%H", "minute": "%Y%m%d%H%M",
}  # fmt: skip
"""What a row's bucket tells of a time, by its resolution, where its text does not say so."""


def is_part_in_order(spec: Spec, read: Read, row: Sequence[Segment], column: Column | None) -> bool:
    """Return whether the columns asked for stand together: the engine reads these and ends there.

    `row`: the segments of the row key.
    """
    leading = None if column is None else leading_segment(column)
    if leading is None:
        return False
    if column is not None and time_of_range(read, row, column) is not None:
        return True
    if read.newest_columns is not None and is_newest_first(spec, leading):
        return True
    known_fields = {bind.field for bind in read.binds if bind.is_whole}
    if (fields := segment_fields(leading)) and known_fields.issuperset(fields):
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


def time_of_range(read: Read, row: Sequence[Segment], column: Column) -> TimeSegment | None:
    """Return the time in a column's qualifiers by which a read's span of time is one range of them.

    The caller knows what stands before it, and qualifiers sort as their times do: all of them, or those of one row,
    where a span is shorter than the time of a row.

    Parameters
    ----------
    read
    row
        The segments of the row key.
    column

    Returns
    -------
    TimeSegment or None
        None where the read asks for no span, or no range of qualifiers is of it.
    """
    if read.time is None or read.exact_time:
        return None
    known_fields = {bind.field for bind in read.binds if bind.is_whole}
    for segment in column.qualifier_from:
        if shows_time(segment):
            return segment if sorts_as_time(segment) or _sorts_within_row(read, row, segment) else None
        fields = segment_fields(segment)
        if not isinstance(segment, LiteralSegment) and not (fields and known_fields.issuperset(fields)):
            return None
    return None


def sorts_as_time(time: TimeSegment) -> bool:
    """Return whether the texts of a time sort as the time does, forwards or backwards."""
    return not isinstance(time, AutoIncrement) and (not time.pattern or sorts_by_time(time.pattern))


def _sorts_within_row(read: Read, row: Sequence[Segment], time: TimeSegment) -> bool:
    """Return whether texts of a time sort as it does within one row, which is all that a span of time meets."""
    of_row = [segment for segment in row if shows_time(segment)]
    if read.time is None or not of_row:
        return False
    finest = min(of_row, key=segment_seconds)
    row_pattern = "".join(segment.pattern for segment in of_row) or _ROW_PATTERNS.get(finest.bucket, "")
    # "%H%M" sorts as time within one day only: a span over midnight would be two ranges, 23… and 00….
    return (
        covered_buckets(read.time.days, finest) < FEW_BUCKETS
        and bool(row_pattern)
        and sorts_by_time(row_pattern + time.pattern)
    )


def is_named_by_age(spec: Spec, segment: Segment) -> bool:
    """Return whether a part of a qualifier is a time or a number that counts up."""
    if isinstance(segment, TimeSegment):
        return segment.hash is None
    if not isinstance(segment, FieldSegment | DerivedSegment):
        return False
    field = spec.find(segment.field)
    # A number without growth has no newest value, whatever order it was assigned in.
    grows = is_declared_counter(spec, field) or bool(field.growth_per_day)
    return grows and effective_value(spec, field, "assigned") == "sequential"


def is_newest_first(spec: Spec, segment: Segment) -> bool:
    """Return whether qualifiers that begin with this part sort the newest first, as a limit of cells takes them."""
    return is_named_by_age(spec, segment) and sorts_backwards(segment)


def qualifiers_share(stored_rows: StoredRows, read: Read, column: Column) -> float:
    """Return the share of a column's qualifiers that lie within the ranges of values that a read knows. [1]

    Where the key holds buckets of these values, it is their share of those of the buckets that the range meets.
    """
    share, key_fields, sizes = 1.0, stored_rows.key_fields, _bucket_sizes(stored_rows.kind.segments)
    for segment in column.qualifier_from:
        bind = range_bind(read, segment)
        if bind is not None and bind.field not in key_fields:
            values, size = stored_rows.values(bind.field), sizes.get(bind.field)
            if counts_own_events(stored_rows.spec.find(bind.field)):
                if size is None:
                    share *= _counted_share(stored_rows, read, bind, column)
                    continue
                values = counted_range(stored_rows.spec, bind, step=size)[1] * size
                if values == math.inf:  # about all of the buckets that are met
                    continue
            share *= values_share(stored_rows.spec, bind, values)
            if size is not None:
                share /= values_share(stored_rows.spec, bind, values, step=size)
    return share


def _counted_share(stored_rows: StoredRows, read: Read, bind: Bind, column: Column) -> float:
    """Return the share of a row's qualifiers, numbers that its own events were given, that lie in a range. [1]"""
    row = frozenset(segment.id for segment in stored_rows.kind.segments)
    names = stored_rows.values_per_owner(row, asked_popularities(read), column)
    gone = names.rows * stored_rows.gone_per_stored
    before, until = (
        float(names.first_after(gone, most) @ names.asked) for most in counted_range(stored_rows.spec, bind)
    )
    return (until - before) / names.mean_met if names.mean_met > 0 else 1.0


def _bucket_sizes(segments: Sequence[Segment]) -> dict[str, int]:
    """Return the size of the smallest bucket of each field of which the key holds one. [values]"""
    sizes = dict[str, int]()
    for segment in segments:
        if isinstance(segment, DerivedSegment) and isinstance(segment.how, Bucket):
            sizes[segment.field] = min(segment.how.size, sizes.get(segment.field, segment.how.size))
    return sizes


def newest_cells(
    stored_rows: StoredRows, read: Read, column: Column, cells: float, between: tuple[float, float] | None = None
) -> float:
    """Return the cells that the newest columns hold, of those of a row that is there, in the mean of requests. [cells]

    They are all where the newest sort last: no filter of the engine returns the last columns of a row. `between`: of
    those whose times begin between two ages. [day]
    """
    leading, limit = leading_segment(column), read.newest_columns
    if limit is None or leading is None or not is_newest_first(stored_rows.spec, leading):
        return cells
    row = frozenset(segment.id for segment in stored_rows.kind.segments)
    names = stored_rows.values_per_owner(row, asked_popularities(read), column, between=between)
    rows = stored_rows.values_per_owner(row, asked_popularities(read), column).mean_of_first(1.0)
    if rows <= 0 or names.mean_met <= 0:
        return min(cells, limit)
    # Several cells can have one qualifier (versions), so the limit of columns is not one of cells.
    column_cells = max(cells * rows / names.mean_met, 1.0)
    return min(names.mean_of_first(limit) / rows * column_cells, cells)
