"""Bounds of a read for given values: what the functions that are written for it return."""

import itertools
from collections.abc import Mapping, Sequence

from designer.document import Spec
from designer.document.key import KeyColumn, SaltSegment, Segment, as_bytes, segment_fields
from estimator.kernels.keys.rendering.render import salt_width

from ..expressions import BEGINNING, KeyParameter
from ..ranges import RANGE_VECTORS, prefix_end
from ..vectors import TIMES, Argument, fits, form_segments, reference_values, sample_arguments, segment_bytes
from .codes import (
    LARGEST,
    SPAN_FROM,
    SPAN_TO,
    ColumnBound,
    ColumnLimit,
    ColumnRead,
    ColumnValue,
    column_value,
)

LAST_CHARACTER = "\U0010ffff"
SPAN_US = {SPAN_FROM: TIMES[0], SPAN_TO: TIMES[2]}


def bounds_vectors(
    spec: Spec, columns: Sequence[KeyColumn], read: ColumnRead
) -> tuple[tuple[tuple[Argument, ...], tuple[tuple[ColumnBound, ColumnBound], ...]], ...]:
    """Return some arguments of a read's function of ranges, and the bounds that they give."""
    vectors = []
    for row in sample_arguments(spec, read.parameters):
        values = reference_values(spec, read.parameters, row)
        if not _fits(spec, columns, read, values):
            continue
        try:
            arguments = (*row, *(SPAN_US.values() if read.has_span else ()))
            vectors.append((arguments, _read_bounds(columns, read, values)))
        except (ValueError, OverflowError):
            continue  # a range that ends before it begins, or a text that its column does not take
    return tuple(vectors[:RANGE_VECTORS])


def _fits(spec: Spec, columns: Sequence[KeyColumn], read: ColumnRead, values: Mapping[str, Argument]) -> bool:
    """Return whether the segments of which a caller knows something take the values."""
    formed = [form_segment for column in columns for form_segment in form_segments(spec, column.segments)]
    salt_ids = {salt.id for salt, _ in read.listed_salts}
    segments = [pair for pair in formed[: _known_count(read)] if pair[0].id not in salt_ids]
    if not all(fits(*pair, values) for pair in segments):
        return False
    if read.values is None:
        return True
    behind = formed[_known_count(read)]
    return all(fits(*behind, _at_end(read, end, values)) for end in read.values.parameters)


def _known_count(read: ColumnRead) -> int:
    """Return how many segments the caller knows whole."""
    begun = read.begun.segments if read.begun else ()
    is_cut = bool(begun) and any(parameter.bound == BEGINNING for parameter in begun[-1].parameters)
    return sum(len(column.segments) for column in read.known) + len(begun) - is_cut


def _at_end(read: ColumnRead, end: KeyParameter, values: Mapping[str, Argument]) -> Mapping[str, Argument]:
    """Return values with that of an end of the range in the place of what the range is of."""
    if read.values is None:
        return values
    of = read.values.parameter
    if of.type == "time":
        return {**values, f"time {of.id}": SPAN_US[end]}
    return {**values, of.id: values[f"{end.bound} {end.id}"]}


def _read_bounds(
    columns: Sequence[KeyColumn], read: ColumnRead, values: Mapping[str, Argument]
) -> tuple[tuple[ColumnBound, ColumnBound], ...]:
    choices = [[(salt.id, number) for number in range(modulo)] for salt, modulo in read.listed_salts]
    return tuple(_bounds(columns, read, values, dict(chosen)) for chosen in itertools.product(*choices))


def _bounds(
    columns: Sequence[KeyColumn], read: ColumnRead, values: Mapping[str, Argument], salts: Mapping[str, int]
) -> tuple[ColumnBound, ColumnBound]:
    prefix = tuple(
        column_value(column.type, b"".join(_text(segment, values, salts) for segment in column.segments))
        for column in columns[: len(read.known)]
    )
    if not read.rest:
        return prefix, prefix
    low, high = _inner_ends(columns[len(read.known)], read, values, salts) if read.begun else (None, None)
    if low is not None and high is not None and low > high:  # type: ignore[operator]
        raise ValueError("the range ends before it begins")
    at_low, at_high = ColumnLimit.MIN if low is None else low, ColumnLimit.MAX if high is None else high
    if read.is_backward:
        # Nothing is below the least number.
        below = at_low - 1 if isinstance(at_low, int) and at_low > -LARGEST - 1 else ColumnLimit.MIN
        return _bound(prefix, at_high, read), _bound(prefix, below, read)
    return _bound(prefix, at_low, read), _bound(prefix, _above(at_high, is_whole=read.is_whole), read)


def _bound(prefix: ColumnBound, end: ColumnValue | ColumnLimit, read: ColumnRead) -> ColumnBound:
    # A bound with a value lies before all rows that have it, as the range is read.
    rest = end if isinstance(end, ColumnLimit) else ColumnLimit.MAX if read.is_backward else ColumnLimit.MIN
    return (*prefix, end, *[rest] * (len(read.rest) - 1))


def _inner_ends(
    column: KeyColumn, read: ColumnRead, values: Mapping[str, Argument], salts: Mapping[str, int]
) -> tuple[ColumnValue | None, ColumnValue | None]:
    """Return the lowest and the highest beginning of the column behind those that are known; None: there is none."""
    assert read.begun is not None
    segments = column.segments[: len(read.begun.segments)]
    is_cut = bool(segments) and any(parameter.bound == BEGINNING for parameter in read.begun.segments[-1].parameters)
    begun = b"".join(_text(segment, values, salts) for segment in segments[: len(segments) - is_cut])
    if is_cut:
        (name,) = segment_fields(segments[-1])
        begun += segment_bytes(segments[-1], {**values, name: values[f"{BEGINNING} {name}"]})
    if read.values is None:
        return (column_value(column.type, begun),) * 2
    texts = [
        None if end is None else segment_bytes(column.segments[len(segments)], _at_end(read, end, values))
        for end in (read.values.low, read.values.high)
    ]
    low, high = texts
    if read.has_span and column.type != "INTEGER" and len(low or b"") != len(high or b""):
        raise ValueError("the ends of the span have keys of different lengths")
    order = read.values.order
    last = begun
    if high is not None and order.stop and not order.is_fixed:
        # A shorter text sorts by the delimiter behind it, which can lie above the longer text's next letter.
        last = max((begun + high[:size] + order.stop for size in range(len(high) + 1)), key=lambda text: text + b"\xff")
    elif high is not None:
        last = begun + high + order.stop * (column.type != "INTEGER")  # an INTEGER column has no delimiters
    after = order.stop if read.has_span and column.type != "INTEGER" else b""
    first = begun if low is None else begun + low + after
    is_open = not begun
    return (
        None if low is None and is_open else column_value(column.type, first),
        None if high is None and is_open else column_value(column.type, last),
    )


def _text(segment: Segment, values: Mapping[str, Argument], salts: Mapping[str, int]) -> bytes:
    if isinstance(segment, SaltSegment) and segment.id in salts:
        return b"%0*d" % (salt_width(segment), salts[segment.id]) + as_bytes(segment.after)
    return segment_bytes(segment, values) + as_bytes(segment.after)


def _above(value: ColumnValue | ColumnLimit, *, is_whole: bool) -> ColumnValue | ColumnLimit:
    """Return the first value behind a number, or behind a text and all that begin with it."""
    match value:
        case ColumnLimit():
            return value
        case int():
            return ColumnLimit.MAX if value == LARGEST else value + 1
        case bytes():
            return value + b"\0" if is_whole else prefix_end(value) or ColumnLimit.MAX
    if is_whole:
        return value + "\0"
    whole = value.rstrip(LAST_CHARACTER)
    # Between these code points are halves of characters, which are no text.
    above = "\ue000" if whole[-1:] == "\ud7ff" else chr(ord(whole[-1]) + 1) if whole else ""
    return whole[:-1] + above if whole else ColumnLimit.MAX
