"""Texts of whole numbers that need no table: how many of them sort below any byte string."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from designer.document.encodings import Descending, Hexadecimal
from designer.document.key import BigEndian, Case, Offset, Transform, ZeroPad

from ..values.shape import Pattern, Range, ValueShape
from .columns import pattern_ends
from .layout import SignedTransform
from .texts import NUMERALS, Notation

Spans = list[tuple[int, int]]
Hits = list[tuple[int, int, int]]

SIGN = 1 << 63
"""Makes a signed 64-bit number one that sorts as its bytes."""
MAX_SPANS = 1024
"""Of so many spans of numbers the blocks are remembered: many byte strings are compared with one span."""

Block = tuple[int, int, int, bool]
"""The first number, the one after the last, the length of their texts alone, and True if they are negative."""


@dataclass(frozen=True)
class Digits:
    """The text of a whole number: `before` + digits, zero-padded to `width` + `after`; or big-endian bytes."""

    before: bytes = b""
    width: int = 1
    after: bytes = b""
    raw_bytes: int = 0
    raw_base: int = 0
    """Added to a number before it is written as bytes."""
    notation: Notation = "d"
    """The digits: decimal, or hexadecimal in lower (x) or upper (X) case."""

    @cached_property
    def numerals(self) -> bytes:
        """The digits, in byte order."""
        return NUMERALS[self.notation]

    @property
    def radix(self) -> int:
        """Number of digits."""
        return len(self.numerals)

    @property
    def has_own_end(self) -> bool:
        """No text is the beginning of another, whatever the numbers."""
        return bool(self.raw_bytes or (self.after and self.after[0] not in self.numerals))

    def _format(self, number: int) -> bytes:
        return f"{number:{self.notation}}".encode()

    def text(self, number: int) -> bytes:
        """One number's text."""
        if self.raw_bytes:  # a number that its bytes cannot hold stays at their end, so that order is kept
            raw_number = min(max(number + self.raw_base, 0), (1 << 8 * self.raw_bytes) - 1)
            return self.before + raw_number.to_bytes(self.raw_bytes, "big") + self.after
        body = self._format(number).zfill(self.width)
        return self.before + body + self.after

    def texts(self, numbers: Iterable[int]) -> list[bytes]:
        """`text` of many numbers."""
        if self.raw_bytes:
            return [self.text(number) for number in numbers]
        before, after = (text.replace(b"%", b"%%") for text in (self.before, self.after))
        template = b"%b%%0%d%b%b" % (before, self.width, self.notation.encode(), after)
        return [template % number for number in numbers]

    def blocks(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Yield the numbers low…high-1 in blocks whose texts are of one length and sort in one direction."""
        if self.raw_bytes:
            yield low, high
            return
        at = low
        while at < high:
            # Lengths change at powers of the radix: 0…9, 10…99, and on the negative side −99…−10, −9…−1. Padding
            # merges those up to its width, where a minus sign takes one place of it.
            size = len(self._format(at)) - (at < 0)
            width = max(size, self.width - (at < 0))
            if at < 0:
                least = self.width - 1
                end = 0 if size <= least else 1 - self.radix ** max(width - 1, least)
            else:
                end = int(self.radix**width)
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
        behind = rest[lead:]
        for block in self._known_blocks(low, high):
            a, b, _, minus = block
            edge, hit = self._split_at(block, behind)
            spans.append((edge + (hit is not None), b) if minus else (a, edge))
            if hit is not None:
                hits.append((edge, edge + 1, hit + lead))
        return [(a, b) for a, b in spans if a < b], hits

    def _known_blocks(self, low: int, high: int) -> Sequence[Block]:
        """Return the blocks of a span of numbers, which are remembered."""
        blocks = self._blocks.get((low, high))
        if blocks is None:
            if len(self._blocks) >= MAX_SPANS:
                self._blocks.clear()
            around = len(self.before) + len(self.after)
            blocks = self._blocks[low, high] = tuple(
                (a, b, self.raw_bytes or len(self.text(a)) - around, self.raw_bytes == 0 and a < 0)
                for a, b in self.blocks(low, high)
            )
        return blocks

    @cached_property
    def _blocks(self) -> dict[tuple[int, int], tuple[Block, ...]]:
        return {}

    def _split_at(self, block: Block, rest: bytes) -> tuple[int, int | None]:
        """Return the number at which texts stop being below `rest`, and the bytes matched of its own text.

        For negative numbers, it is where texts begin to be below `rest`.
        """
        a, b, width, minus = block
        if minus:
            # "-" sorts before all digits, so other first bytes decide for the whole block.
            if rest[:1] != b"-":
                return (a if rest[:1] > b"-" else b), None
            low, high = 1 - b, 1 - a  # magnitudes, ascending like their texts
            edge, hit = self._split_at_numeral(low, high, rest[1:], width=width - 1)
            if hit is not None:
                return -edge, hit + 1
            return 1 - edge, None
        return self._split_at_numeral(a, b, rest, width=width)

    def _split_at_numeral(self, low: int, high: int, rest: bytes, *, width: int) -> tuple[int, int | None]:
        body = rest[:width]
        if self.raw_bytes:
            # A bound that is shorter than the number sorts before all numbers that begin with it, as if padded with
            # zeros.
            value, exact = int.from_bytes(body.ljust(width, b"\0"), "big") - self.raw_base, len(body) == width
        else:
            value, exact = _numeral_floor(body, width, self.numerals)
        if not exact:
            return min(max(value, low), high), None
        behind = rest[width:]
        if behind.startswith(self.after):
            return (value, width + len(self.after)) if low <= value < high else (min(max(value, low), high), None)
        return min(max(value + (self.after < behind), low), high), None


def _numeral_floor(body: bytes, width: int, numerals: bytes) -> tuple[int, bool]:
    """Return the number of texts of `width` digits below `body`, and True if `body` is one itself."""
    radix, length = len(numerals), len(body)
    # The first byte that is no digit ends the comparison: "12:" is above all texts that begin with 12 and below 13.
    other = body.translate(None, numerals)
    if other:
        length = body.index(other[:1])
    elif length == width:
        return int(body, radix), True
    value = int(body[:length] or b"0", radix) * radix ** (width - length)
    if other:
        value += bisect_left(numerals, other[0]) * radix ** (width - length - 1)
    return value, False


@dataclass(frozen=True)
class Scale:
    """From a value's number to the whole number that stands for it: (number + base) // size + offset."""

    base: int
    size: int = 1
    offset: int = 0
    top: int | None = None
    """Written is `top` minus that number; None: the number itself."""

    def scaled_number(self, number: int) -> int:
        """Return the number that stands for a value, by the value's number."""
        return (number + self.base) // self.size + self.offset

    def first_value(self, number: int) -> int:
        """Return the first value for which at least this number stands."""
        return (number - self.offset) * self.size - self.base

    def shift(self, by: int) -> "Scale":
        """Return the scale with a constant added to what is written."""
        if self.top is None:
            return replace(self, offset=self.offset + by)
        return replace(self, top=self.top + by)

    def subtract_from(self, top: int) -> "Scale":
        """Return the scale with what is written subtracted from a constant."""
        if self.top is None:
            return replace(self, top=top)
        return replace(self, offset=self.offset + top - self.top, top=None)


def digits_of(
    shape: ValueShape, transforms: Sequence[Transform], after: bytes, *, size: int = 1
) -> tuple[Digits, Scale] | None:
    """Return the field's text as digits of a whole number, or None if it is something else."""
    values = shape.values
    if isinstance(values, Pattern):
        if size > 1:
            # A bucket is written without the pattern's text: only the counter, divided by the size of the bucket.
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
    digits, capital = Digits(after=after), _is_capital(transforms)
    for place, transform in enumerate(transforms[:-1] if capital else transforms):
        if isinstance(transform, Offset):
            scale = scale.shift(transform.by)
        elif isinstance(transform, Descending):
            scale = scale.subtract_from(transform.top)
        elif isinstance(transform, SignedTransform):
            digits = Digits(raw_bytes=8, raw_base=SIGN, after=after)
        elif isinstance(transform, ZeroPad) and isinstance(transforms[-1], SignedTransform):
            continue  # zeros in front are no part of a number
        elif isinstance(transform, ZeroPad | BigEndian | Hexadecimal) and place == len(transforms) - 1 - capital:
            if isinstance(transform, ZeroPad):
                digits = Digits(width=transform.width, after=after)
            elif isinstance(transform, Hexadecimal):
                digits = Digits(width=transform.width, after=after, notation="X" if capital else "x")
            else:
                digits = Digits(raw_bytes=transform.length, after=after)
        else:
            return None
    return digits, scale


def _is_capital(transforms: Sequence[Transform]) -> bool:
    """Return True if the last two transforms write hexadecimal digits in upper case."""
    match tuple(transforms[-2:]):
        case (Hexadecimal(), Case(to="upper")):
            return True
    return False
