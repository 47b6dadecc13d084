"""Row ranges of a read for given values: what the functions that are written for it return."""

import itertools
from collections.abc import Mapping, Sequence

from designer.document import Spec
from designer.document.key import SaltSegment, Segment, segment_fields
from estimator.kernels.keys.rendering.clock import time_text
from estimator.kernels.keys.rendering.render import salt_width

from .codes import KeyRange, ReadCode, ValueRange
from .expressions import BEGINNING
from .forms import SegmentForm
from .vectors import (
    TIMES,
    Argument,
    FormedSegment,
    fits,
    form_segments,
    reference_values,
    sample_arguments,
    segment_bytes,
)

RANGE_VECTORS = 3


def read_ranges(
    key: Sequence[Segment], read: ReadCode, values: Mapping[str, Argument], span_us: tuple[int, int]
) -> tuple[KeyRange, ...]:
    """Return the ranges of a read, in order.

    Parameters
    ----------
    key
        The segments of the row kind.
    read
        Its plan.
    values
        What the caller knows, by what it is of, as `reference_values` returns it.
    span_us
        The span of time that the caller wants, both ends included; used where keys sort by it.

    Raises
    ------
    ValueError
        If a value does not fit the key, or the ends of the span have keys of different lengths.
    """
    # A salt that the caller cannot know is each of its values: one range for each, and for several salts each
    # combination.
    salts = [[(salt.id, number) for number in range(modulo)] for salt, modulo in read.listed_salts]
    return tuple(sorted({_range(key, read, values, span_us, dict(chosen)) for chosen in itertools.product(*salts)}))


def range_vectors(
    spec: Spec, key: Sequence[Segment], read: ReadCode
) -> tuple[tuple[tuple[Argument, ...], tuple[KeyRange, ...]], ...]:
    """Return some arguments of a read's function of ranges, and the ranges that they give."""
    span = (TIMES[0], TIMES[2])
    vectors, formed = [], form_segments(spec, key)
    for row in sample_arguments(spec, read.parameters):
        values = reference_values(spec, read.parameters, row)
        if not _fits(formed, read, values):
            continue
        try:
            vectors.append(((*row, *(span if read.time else ())), read_ranges(key, read, values, span)))
        except (ValueError, OverflowError):
            continue  # a range that ends before it begins, or times of different lengths
    return tuple(vectors[:RANGE_VECTORS])


def _fits(formed: Sequence[FormedSegment], read: ReadCode, values: Mapping[str, Argument]) -> bool:
    """Return whether a read's function takes values."""
    salt_ids, known_count = {salt.id for salt, _ in read.listed_salts}, len(read.segments)
    if not all(fits(*pair, values) for pair in formed[:known_count] if pair[0].id not in salt_ids):
        return False
    bounds = read.values.parameters if read.values else ()
    if read.beginning is not None and not _is_beginning(*formed[known_count], values):
        return False
    end_values = ({**values, bound.id: values[f"{bound.bound} {bound.id}"]} for bound in bounds)
    return all(fits(*formed[known_count], arguments) for arguments in end_values)


def _is_beginning(segment: Segment, _: SegmentForm, stop: bytes, values: Mapping[str, Argument]) -> bool:
    """Return whether the beginning of a text can be made and holds no delimiter."""
    try:
        text = _beginning(segment, values)
    except (ValueError, OverflowError):
        return False
    return not stop or (text + stop).find(stop) == len(text)


def _beginning(segment: Segment, values: Mapping[str, Argument]) -> bytes:
    (name,) = segment_fields(segment)
    return segment_bytes(segment, {**values, name: values[f"{BEGINNING} {name}"]})


def _range(
    key: Sequence[Segment],
    read: ReadCode,
    values: Mapping[str, Argument],
    span_us: tuple[int, int],
    salts: Mapping[str, int],
) -> KeyRange:
    leading = key[: len(read.segments)]
    first = b"".join(
        (b"%0*d" % (salt_width(segment), salts[segment.id]) if isinstance(segment, SaltSegment) and segment.id in salts
         else segment_bytes(segment, values)) + code.after
        for segment, code in zip(leading, read.segments, strict=True)
    )  # fmt: skip
    if read.time is not None:
        return _time_range(key[len(leading)], read.time.after, first, span_us)
    if read.values is not None:
        return _value_range(key[len(leading)], read.values, first, values)
    if read.beginning is not None:
        first += _beginning(key[len(leading)], values)
    return KeyRange(first, first + b"\0" if read.is_point else prefix_end(first))


def _time_range(segment: Segment, after: bytes, prefix: bytes, span_us: tuple[int, int]) -> KeyRange:
    # Sorted, since of a reversed time the later end has the smaller key.
    low, high = sorted(time_text(segment, time_us) for time_us in span_us)  # type: ignore[arg-type]
    # Decimal texts of different lengths do not sort as numbers do: such a range would miss rows in silence.
    if len(low) != len(high):
        raise ValueError("the ends of the span have keys of different lengths")
    return KeyRange(prefix + low + after, prefix_end(prefix + high + after))


def _value_range(segment: Segment, bounds: ValueRange, prefix: bytes, values: Mapping[str, Argument]) -> KeyRange:
    """Return the range of the keys of all values from one to another.

    A text that another one begins with is less than it, but the delimiter behind it may be more than what goes on.
    """
    ends = [
        None if bound is None
        else segment_bytes(segment, {**values, bound.id: values[f"{bound.bound} {bound.id}"]})
        for bound in (bounds.low, bounds.high)
    ]  # fmt: skip
    low, high = ends
    if bounds.order.digits and any(text is not None and len(text) != bounds.order.digits for text in ends):
        raise ValueError(f"a number has other than {bounds.order.digits} digits")
    if low is not None and high is not None and low > high:
        raise ValueError("the range ends before it begins")
    first = prefix + (low or b"")
    # Without an upper end, the range goes on to the end of what is known, and never into other keys.
    if high is None:
        return KeyRange(first, prefix_end(prefix))
    if bounds.order.is_fixed:
        return KeyRange(first, prefix_end(prefix + high + bounds.order.stop))
    if not bounds.order.stop:
        return KeyRange(first, prefix + high + b"\0")
    # A shorter text sorts by the delimiter behind it, which can lie above the longer text's next letter: the end must
    # be behind all beginnings of the last value.
    lasts = [prefix_end(prefix + high[:size] + bounds.order.stop) for size in range(len(high) + 1)]
    return KeyRange(first, b"" if b"" in lasts else max(lasts))


def prefix_end(prefix: bytes) -> bytes:
    """Return the first key behind all keys with a prefix; empty is the end of the table."""
    stem = prefix.rstrip(b"\xff")
    return stem[:-1] + bytes([stem[-1] + 1]) if stem else b""
