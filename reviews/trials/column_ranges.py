"""Ranges of primary keys: bounds of GetRange in either direction, and whole keys of GetRow.

A bound has a value for each column, or one of the two that no row has: below and above all values.
"""

import enum
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from designer.document import Spec
from designer.document.access import Read
from designer.document.columnkey import END, INTEGER_BYTES, ColumnForm, ColumnKey, encode_signed, escape
from designer.document.key import SaltSegment, Segment, as_bytes, as_text
from estimator.kernels.keys.rendering.layout import IntegerSalt, KeyColumnLayout
from estimator.kernels.keys.rendering.render import Event, salt_width, segment_text
from reviews.exports.key_code.cell_filters import KeyRegex
from reviews.exports.key_code.known import KnownKey
from reviews.exports.key_code.ranges import prefix_end

from .requests import RangeRequest, known_beginning
from .results import AskedRange
from .sample import KindSample

LARGEST, SMALLEST = 2**63 - 1, -(2**63)
LAST_CHARACTER = "\U0010ffff".encode()
LAST_BYTES = b"\xff" * 8


class Infinity(enum.Enum):
    """Bound without a value of a column."""

    MIN = "-inf"
    MAX = "+inf"


KeyValue = int | bytes | Infinity


def key_values(key: bytes, columns: Sequence[ColumnForm]) -> tuple[int | bytes, ...]:
    """Return the value of each column of a whole key."""
    values = ColumnKey.from_bytes(key, columns).values
    return (*values, *(b"" for _ in columns[len(values) :]))  # an empty text in the last column has no bytes


def key_of(values: Sequence[int | bytes], columns: Sequence[ColumnForm]) -> bytes:
    """Return the key of these values as bytes that sort as the columns do."""
    last = len(columns) - 1
    return b"".join(
        encode_signed(value) if isinstance(value, int) else value if place == last else escape(value) + END
        for place, value in enumerate(values)
    )


@dataclass(frozen=True)
class PrimaryKeyRange:
    """Rows from a bound on, that one included, to before another one, which lies below it where one reads backwards."""

    start: tuple[KeyValue, ...]
    end: tuple[KeyValue, ...]
    columns: tuple[ColumnForm, ...]
    is_backward: bool = False

    @property
    def is_point(self) -> bool:
        """It is one whole key."""
        return not self.end

    def holds(self, key: bytes) -> bool:
        """Return whether a key lies in the range, compared column by column."""
        own = _order(key_values(key, self.columns))
        if self.is_point:
            return own == _order(self.start)
        start, end = _order(self.start), _order(self.end)
        return end < own <= start if self.is_backward else start <= own < end

    def holds_range(self, other: "PrimaryKeyRange") -> bool:
        """Return whether another one in the same direction lies within."""
        if self.is_point or other.is_point:
            return self == other or (other.is_point and self.holds(key_of(other.whole_key, other.columns)))
        inner, outer = (sorted((_order(key_range.start), _order(key_range.end))) for key_range in (other, self))
        return outer[0] <= inner[0] and inner[1] <= outer[1]

    @property
    def whole_key(self) -> tuple[int | bytes, ...]:
        """The values of a bound without infinities."""
        return tuple(value for value in self.start if not isinstance(value, Infinity))

    @property
    def ends(self) -> AskedRange:
        """Its ends as text."""
        return AskedRange(_bound_text(self.start), _bound_text(self.end) if self.end else _bound_text(self.start))


def _order(values: Sequence[KeyValue]) -> tuple[tuple[int, int | bytes], ...]:
    return tuple(
        (1, value) if not isinstance(value, Infinity) else (0, 0) if value is Infinity.MIN else (2, 0)
        for value in values
    )


def _bound_text(values: Sequence[KeyValue]) -> str:
    texts = (value.value if isinstance(value, Infinity) else as_text(value) if isinstance(value, bytes) else str(value)
             for value in values)  # fmt: skip
    return f"({', '.join(texts)})"


@dataclass(frozen=True)
class ColumnRanges:
    """Plans the ranges of one read."""

    spec: Spec
    sample: KindSample
    forms: tuple[ColumnForm, ...]
    known: KnownKey

    @property
    def known_count(self) -> int:
        """Segments that the caller knows from the start of the key on."""
        return self.known.count

    def requests(
        self, read: Read, events: Sequence[Event], span_us: tuple[int, int], *, limit: int | None
    ) -> tuple[RangeRequest, ...]:
        """Return a request for each range: the service takes one at a time."""
        all_ranges = dict.fromkeys(key_range for event in events for key_range in self._ranges(read, event, span_us))
        ranges = [
            key_range
            for key_range in all_ranges
            if not any(other != key_range and other.holds_range(key_range) for other in all_ranges)
        ]
        ordered = sorted(ranges, key=lambda key_range: _order(key_range.start), reverse=bool(read.reverse))
        return tuple(RangeRequest((key_range,), limit) for key_range in ordered)

    def key_filter(self, read: Read, events: Sequence[Event]) -> KeyRegex | None:
        """Return None: no filter of the service takes primary keys, so callers drop what they do not want."""
        return None

    def _ranges(self, read: Read, event: Event, span_us: tuple[int, int]) -> Iterator[PrimaryKeyRange]:
        choices = [[(salt, number) for number in range(modulo)] for salt, modulo in self.known.salts]
        for chosen in itertools.product(*choices):
            yield self._range(read, event, span_us, dict(chosen))

    def _range(self, read: Read, event: Event, span_us: tuple[int, int], salts: Mapping[str, int]) -> PrimaryKeyRange:
        segments, count = self.sample.inputs.segments, self.known.count
        texts = [self._text(segment, event, salts) + as_bytes(segment.after) for segment in segments[:count]]
        values: list[KeyValue] = []
        place = 0
        layout: KeyColumnLayout | None = None
        for layout in self.sample.inputs.columns:
            behind = place + len(layout.segments)
            if behind > count:
                break
            values.append(_column_value(layout, b"".join(texts[place:behind])))
            place = behind
        backward = bool(read.reverse)
        if len(values) == len(self.forms):
            return PrimaryKeyRange(tuple(values), (), self.forms, backward)
        assert layout is not None
        begun = _plain(layout, b"".join(texts[place:]))
        bounds = self._inner_bounds(read, event, span_us, layout, begun)
        open_columns = len(self.forms) - len(values)
        if bounds is None:
            ends = [(*values, *[infinity] * open_columns) for infinity in (Infinity.MIN, Infinity.MAX)]
        else:
            inner = _around(*bounds, open_columns - 1, layout.form, backward=backward)
            ends = [(*values, *bound) for bound in inner]
        start, end = reversed(ends) if backward else ends
        return PrimaryKeyRange(start, end, self.forms, backward)

    def _inner_bounds(
        self, read: Read, event: Event, span_us: tuple[int, int], layout: KeyColumnLayout, begun: bytes
    ) -> tuple[int | bytes, int | bytes] | None:
        """Return the lowest and the highest beginning of the first column that is not known whole; None: any."""
        segments = self.sample.inputs.segments
        behind = segments[self.known.count]
        if self.known.has_time:
            low, high = sorted(
                segment_text(behind, self.sample.inputs.fields, Event({}, time_us)) for time_us in span_us
            )
            if len(low) != len(high):
                raise ValueError("the ends of the span have keys of different lengths")
            if layout.form.type == "INTEGER":
                return _column_value(layout, low), _column_value(layout, high)
            after = as_bytes(behind.after).removesuffix(END if layout.has_end_mark else b"")
            return tuple(begun + _plain(layout, text + after) for text in (low, high))  # type: ignore[return-value]
        if layout.form.type != "INTEGER":
            begun += _plain(layout, known_beginning(self.spec, self.sample, read, behind, event) or b"")
        return (begun, begun) if begun else None

    def _text(self, segment: Segment, event: Event, salts: Mapping[str, int]) -> bytes:
        if not isinstance(segment, SaltSegment) or segment.id not in salts:
            return segment_text(segment, self.sample.inputs.fields, event)
        number = salts[segment.id]
        return encode_signed(number) if isinstance(segment, IntegerSalt) else b"%0*d" % (salt_width(segment), number)


def _column_value(layout: KeyColumnLayout, text: bytes) -> int | bytes:
    if layout.form.type == "INTEGER":
        return int.from_bytes(text[:INTEGER_BYTES], "big") + SMALLEST
    return _plain(layout, text.removesuffix(END) if layout.has_end_mark else text)


def _plain(layout: KeyColumnLayout, text: bytes) -> bytes:
    """Return a part of a text column as the service has it."""
    return text.replace(b"\x00\xff", b"\x00") if layout.has_end_mark else text


Bounds = tuple[tuple[KeyValue, ...], tuple[KeyValue, ...]]


def _around(low: int | bytes, high: int | bytes, rest: int, form: ColumnForm, *, backward: bool) -> Bounds:
    """Return the lower and the upper bound of what lies between two values, with so many open columns behind."""
    if isinstance(low, int) and isinstance(high, int):
        return _around_numbers(low, high, rest, backward=backward)
    assert isinstance(low, bytes)
    assert isinstance(high, bytes)
    return _around_texts(low, high, rest, form, backward=backward)


def _around_numbers(low: int, high: int, rest: int, *, backward: bool) -> Bounds:
    """Return the lower and the upper bound of numbers, both ends included, with so many open columns behind."""
    if backward:
        below = Infinity.MIN if low == SMALLEST else low - 1
        return (below, *[Infinity.MAX] * rest), (high, *[Infinity.MAX] * rest)
    above = Infinity.MAX if high == LARGEST else high + 1
    return (low, *[Infinity.MIN] * rest), (above, *[Infinity.MIN] * rest)


def _around_texts(low: bytes, high: bytes, rest: int, form: ColumnForm, *, backward: bool) -> Bounds:
    """Return the bounds of texts from one beginning to another one, texts that begin with it included."""
    if not backward:
        return (low, *[Infinity.MIN] * rest), (_next_text(high, form), *[Infinity.MIN] * rest)
    last = LAST_CHARACTER if form.type == "STRING" else LAST_BYTES
    return (_text_before(low, form), *[Infinity.MAX] * rest), (high + last, *[Infinity.MAX] * rest)


def _next_text(text: bytes, form: ColumnForm) -> bytes | Infinity:
    """Return the first value behind all that begin with a text."""
    if form.type == "BINARY":
        return prefix_end(text) or Infinity.MAX
    whole = text.decode().rstrip("\U0010ffff")
    if not whole:
        return Infinity.MAX
    code = ord(whole[-1]) + 1
    return (whole[:-1] + chr(0xE000 if code == 0xD800 else code)).encode()


def _text_before(text: bytes, form: ColumnForm) -> bytes | Infinity:
    """Return a value below a text and all that begin with it, and above whatever a row may hold before it.

    No text is the last one before another: this one ends in the largest character.
    """
    if not text.rstrip(b"\0"):
        return Infinity.MIN
    if form.type == "BINARY":
        stem = text.rstrip(b"\0")
        return stem[:-1] + bytes([stem[-1] - 1]) + LAST_BYTES
    whole = text.decode().rstrip("\0")
    code = ord(whole[-1]) - 1
    return (whole[:-1] + chr(0xD7FF if code == 0xDFFF else code)).encode() + LAST_CHARACTER
