"""Texts of whole numbers that need no table: how many of them sort below any byte string."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from designer.document.key import BigEndian, Offset, Transform, ZeroPad

from ..values.shape import Pattern, Range, ValueShape
from .columns import pattern_ends
from .layout import SignedTransform

Spans = list[tuple[int, int]]
Hits = list[tuple[int, int, int]]

SIGN = 1 << 63
"""Makes a signed 64-bit number one that sorts as its bytes."""


@dataclass(frozen=True)
class Digits:
    """The text of a whole number: `before` + decimal digits, zero-padded to `width` + `after`; or big-endian bytes."""

    before: bytes = b""
    width: int = 1
    after: bytes = b""
    raw_bytes: int = 0
    raw_base: int = 0
    """Added to a number before it is written as bytes."""

    def text(self, number: int) -> bytes:
        """One number's text."""
        if self.raw_bytes:  # a number that its bytes cannot hold stays at their end, so that order is kept
            shown = min(max(number + self.raw_base, 0), (1 << 8 * self.raw_bytes) - 1)
            return self.before + shown.to_bytes(self.raw_bytes, "big") + self.after
        body = (b"%d" % number).zfill(self.width)
        return self.before + body + self.after

    def texts(self, numbers: Iterable[int]) -> list[bytes]:
        """`text` of many numbers."""
        if self.raw_bytes:
            return [self.text(number) for number in numbers]
        before, after = (text.replace(b"%", b"%%") for text in (self.before, self.after))
        written = b"%b%%0%dd%b" % (before, self.width, after)
        return [written % number for number in numbers]

    def blocks(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Yield the numbers low…high-1 in blocks whose texts are of one length and sort in one direction."""
        if self.raw_bytes:
            yield low, high
            return
        at = low
        while at < high:
            size = len(b"%d" % at) - (at < 0)
            width = max(size, self.width - (at < 0))
            if at < 0:
                least = self.width - 1
                end = 0 if size <= least else 1 - 10 ** max(width - 1, least)
            else:
                end = int(10**width)
            end = min(max(end, at + 1), high)
            yield at, end
            at = end

    def split(self, low: int, high: int, rest: bytes) -> tuple[Spans, Hits]:
        """Numbers low…high-1 whose text sorts below `rest` (and does not begin it), and those whose text begins it.

        Returns
        -------
        spans
            (low, high) of numbers below.
        hits
            (low, high, bytes of the text) of numbers whose text `rest` begins with.
        """
        lead = len(self.before)
        if rest[:lead] != self.before:
            return ([(low, high)] if self.before < rest else []), []
        spans, hits = [], []
        for a, b in self.blocks(low, high):
            minus = self.raw_bytes == 0 and a < 0
            cut, hit = self._split_at(a, b, rest[lead:], minus=minus)
            spans.append((cut + (hit is not None), b) if minus else (a, cut))
            if hit is not None:
                hits.append((cut, cut + 1, hit + lead))
        return [(a, b) for a, b in spans if a < b], hits

    def _split_at(self, a: int, b: int, rest: bytes, *, minus: bool) -> tuple[int, int | None]:
        """Return the number at which texts stop being below `rest`, and the bytes matched of its own text.

        For negative numbers, it is where texts begin to be below `rest`.
        """
        if minus:
            if rest[:1] != b"-":
                return (a if rest[:1] > b"-" else b), None
            low, high = 1 - b, 1 - a  # magnitudes, ascending like their texts
            cut, hit = self._split_at_decimal(
                low, high, rest[1:], width=len(self.text(a)) - len(self.before + self.after) - 1
            )
            if hit is not None:
                return -cut, hit + 1
            return 1 - cut, None
        width = self.raw_bytes or len(self.text(a)) - len(self.before) - len(self.after)
        return self._split_at_decimal(a, b, rest, width=width)

    def _split_at_decimal(self, low: int, high: int, rest: bytes, *, width: int) -> tuple[int, int | None]:
        body = rest[:width]
        if self.raw_bytes:
            value, exact = int.from_bytes(body.ljust(width, b"\0"), "big") - self.raw_base, len(body) == width
        else:
            value, exact = _decimal_floor(body, width)
        if not exact:
            return min(max(value, low), high), None
        behind = rest[width:]
        if behind.startswith(self.after):
            return (value, width + len(self.after)) if low <= value < high else (min(max(value, low), high), None)
        return min(max(value + (self.after < behind), low), high), None


def _decimal_floor(body: bytes, width: int) -> tuple[int, bool]:
    """Return the number of texts of `width` digits below `body`, and True if `body` is one itself."""
    if len(body) == width and body.isdigit():
        return int(body), True
    kept = len(body)
    for place, byte in enumerate(body):
        if not 0x30 <= byte <= 0x39:
            kept = place
            break
    value = int(body[:kept] or b"0") * 10 ** (width - kept)
    if kept < len(body) and body[kept] > 0x39:
        value += int(10 ** (width - kept))
    return value, False


@dataclass(frozen=True)
class Scale:
    """From a value's number to the whole number that is written: (number + base) // size + offset."""

    base: int
    size: int = 1
    offset: int = 0

    def written_number(self, number: int) -> int:
        """Return the number that a value shows, by the value's number."""
        return (number + self.base) // self.size + self.offset

    def first_value(self, number: int) -> int:
        """Return the first value that shows at least this number."""
        return (number - self.offset) * self.size - self.base


def digits_of(
    shape: ValueShape, transforms: Sequence[Transform], after: bytes, *, size: int = 1
) -> tuple[Digits, Scale] | None:
    """Return the field's text as digits of a whole number, or None if it is something else."""
    values = shape.values
    if isinstance(values, Pattern):
        if size > 1:
            scale = Scale(values.start, size)
        else:
            lead, trail = pattern_ends(values)
            if len(transforms) == 1 and isinstance(transforms[0], SignedTransform) and not lead + trail:
                return Digits(raw_bytes=8, raw_base=SIGN, after=after), Scale(values.start)
            if transforms:
                return None
            return Digits(lead, max(values.split()[1], 1), trail + after), Scale(values.start)
    elif isinstance(values, Range) and shape.kind != "float":
        scale = Scale(values.min, size)
    else:
        return None
    digits = Digits(after=after)
    for place, transform in enumerate(transforms):
        if isinstance(transform, Offset):
            scale = Scale(scale.base, scale.size, scale.offset + transform.by)
        elif isinstance(transform, SignedTransform):
            digits = Digits(raw_bytes=8, raw_base=SIGN, after=after)
        elif isinstance(transform, ZeroPad) and isinstance(transforms[-1], SignedTransform):
            continue  # zeros in front are no part of a number
        elif isinstance(transform, ZeroPad | BigEndian) and place == len(transforms) - 1:
            if isinstance(transform, ZeroPad):
                digits = Digits(width=transform.width, after=after)
            else:
                digits = Digits(raw_bytes=transform.length, after=after)
        else:
            return None
    return digits, scale
