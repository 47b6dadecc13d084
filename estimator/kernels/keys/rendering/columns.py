"""Many values of a field rendered at once; the same bytes as `render`, which it falls back to."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from designer.document.encodings import Descending, Hexadecimal
from designer.document.key import BigEndian, Case, Offset, ReverseDigits, Transform, Truncate, ZeroPad
from estimator.results.arrays import Bytes, Ints

from ..values.shape import Enumeration, Pattern, Random, Range, ValueShape
from ..values.shuffle import mix_bits
from . import render
from .layout import EscapeTransform, SignedTransform
from .texts import Texts, concatenate, decimal, numerals

Column = Ints | Texts
"""Values on their way into a key: whole numbers until they have to be text."""

_SAFE = 1 << 62


class NoArrayFormError(Exception):
    """No array form of this: one by one."""


def field_texts(
    shape: ValueShape, numbers: Ints, transforms: Sequence[Transform] = (), raw_values: Column | None = None
) -> Texts:
    """Return the text of values by number, transforms applied.

    `raw_values` are their untransformed values, if available.

    Raises
    ------
    ValueError
        As `render.transformed`.
    """
    try:
        column = values(shape, numbers) if raw_values is None else raw_values
        for transform in transforms:
            column = _transform_once(column, transform)
        return as_texts(column)
    except NoArrayFormError:
        return _one_by_one(lambda number: render.apply_transforms(render.value(shape, number), transforms), numbers)


def _one_by_one(function: Callable[[int], render.Value], numbers: Ints) -> Texts:
    return Texts.of([render.as_text(function(number)) for number in numbers.tolist()])


def values(shape: ValueShape, numbers: Ints) -> Column:
    """Untransformed values:

    int64 where they are whole numbers, else their text. `NoArrayFormError` where neither is easy.
    """
    law = shape.values
    if isinstance(law, Range) and shape.kind != "float" and max(abs(law.min), abs(law.max)) < _SAFE:
        return numbers + law.min
    if isinstance(law, Pattern) and law.start < _SAFE:
        before, after = pattern_ends(law)
        counter = decimal(numbers + law.start, law.split()[1])
        ends = [Texts.constant(text, len(numbers)) for text in (before, after)]
        return concatenate([ends[0], counter, ends[1]])
    if isinstance(law, Enumeration):
        return Texts.of([item.value.encode() for item in law.items]).take(numbers)
    if isinstance(law, Random):
        return random_texts(shape, law, numbers)
    if law is None and shape.kind == "uuid":
        return uuid_texts(shape, numbers)
    raise NoArrayFormError


def random_texts(shape: ValueShape, random: Random, numbers: Ints) -> Texts:
    """`render.random_bytes` of many values."""
    chars = render.letters(random, shape.kind)
    # The first `least` letters are a permutation of the numbers, so that distinct numbers give distinct texts; the
    # letters behind them are pseudo-random.
    least = render.distinct_width(shape.total, len(chars))
    if least > random.max or any(len(char) > 1 for char in chars):
        raise NoArrayFormError
    letters = np.frombuffer(b"".join(chars), np.uint8)
    modulus, step = render.stride(len(chars), least)
    place = _spread_numbers(numbers, step, shape.seed, modulus)
    data = np.zeros((len(numbers), max(random.max, least)), dtype=np.uint8)
    for at in range(least - 1, -1, -1):
        place, digit = np.divmod(place, np.uint64(len(chars)))
        data[:, at] = letters[digit]
    length = _random_lengths(random, numbers, seed=shape.seed, least=least)
    whole = numbers.astype(np.uint64)
    for at in range(least, int(length.max(initial=0))):
        data[:, at] = letters[mix_bits(whole, shape.seed + at) % np.uint64(len(chars))]
    data[np.arange(data.shape[1]) >= length[:, None]] = 0
    return Texts(data[:, : int(length.max(initial=0))], length)


def _spread_numbers(numbers: Ints, step: int, first: int, modulus: int) -> NDArray[np.uint64]:
    """Return (number · step + first) modulo `modulus`."""
    # uint64 wraps modulo 2^64, which a power of two divides, so overflow does no harm. Other moduli need the exact
    # product, in Python integers where it exceeds 64 bits.
    if modulus & (modulus - 1) == 0 and modulus <= 1 << 64:
        return (numbers.astype(np.uint64) * np.uint64(step) + np.uint64(first)) & np.uint64(modulus - 1)
    if int(numbers.max(initial=0)) * step + first < 1 << 64:
        return (numbers.astype(np.uint64) * np.uint64(step) + np.uint64(first)) % np.uint64(modulus)
    return ((numbers.astype(object) * step + first) % modulus).astype(np.uint64)


def _random_lengths(random: Random, numbers: Ints, *, seed: int, least: int) -> Ints:
    """`render.random_length` of many values."""
    if random.min == random.max:
        return np.full(len(numbers), random.max, dtype=np.int64)
    low, high = random.min, random.max
    middle = (low + high) / 2 if random.typical is None else min(max(random.typical, low), high)
    bits = mix_bits(numbers.astype(np.uint64), seed)
    coin = (bits >> np.uint64(32)).astype(np.float64) / 2**32
    place = (bits & np.uint64(0xFFFFFFFF)).astype(np.float64) / 2**32
    # P(short) = (high − typical) / (high − low) makes the mean of the two uniform halves the typical length: (low +
    # typical) / 2 and (typical + high) / 2.
    short = coin < (high - middle) / (high - low)
    first, last = np.where(short, low, math.ceil(middle)), np.where(short, int(middle), high)
    return np.asarray(np.maximum(first + np.floor(place * (last - first + 1)).astype(np.int64), min(least, high)))


def uuid_texts(shape: ValueShape, numbers: Ints) -> Texts:
    """`render.uuid_text` of many values."""
    modulus, step = render.stride(16, render.UUID_LEAD)
    whole = numbers.astype(np.uint64)
    tail, more = mix_bits(whole, shape.seed), mix_bits(whole, shape.seed + 1) & np.uint64(0xFF)
    hexes = np.empty((len(numbers), 32), dtype=np.uint8)
    hexes[:, :12] = _hex(_spread_numbers(numbers, step, shape.seed, modulus), 12)
    hexes[:, 12] = ord("4")
    hexes[:, 13:16] = _hex(tail & np.uint64(0xFFF), 3)
    hexes[:, 16] = np.frombuffer(b"89ab", np.uint8)[(tail >> np.uint64(12)) & np.uint64(3)]
    hexes[:, 17:29] = _hex(tail >> np.uint64(16), 12)
    hexes[:, 29:] = _hex(more, 3)
    data = np.full((len(numbers), 36), ord("-"), dtype=np.uint8)
    data[:, [place for place in range(36) if place not in (8, 13, 18, 23)]] = hexes
    return Texts.from_fixed(data)


def _hex(whole: NDArray[np.uint64], width: int) -> Bytes:
    shifts = np.arange(4 * (width - 1), -1, -4, dtype=np.uint64)
    return np.asarray(_HEX[(whole[:, None] >> shifts) & np.uint64(15)])


_HEX = np.frombuffer(b"0123456789abcdef", np.uint8)


def pattern_ends(pattern: Pattern) -> tuple[bytes, bytes]:
    """Return the texts before and after a pattern's counter."""
    before, _, after = pattern.split()
    return before.encode(), after.encode()


def as_texts(column: Column) -> Texts:
    """Whole numbers as decimal text."""
    return column if isinstance(column, Texts) else decimal(column)


def counted_numbers(shape: ValueShape, numbers: Ints) -> Ints:
    """Return the whole number in each value, as `render.counted`."""
    law = shape.values
    if isinstance(law, Range) and shape.kind != "float":
        return numbers + law.min
    if shape.kind == "integer":
        return np.array([int(text) for text in field_texts(shape, numbers).tolist()], dtype=np.int64)
    return numbers + (law.start if isinstance(law, Pattern) else 0)


def transform_numbers(numbers: Ints, transforms: Sequence[Transform]) -> Texts:
    """Whole numbers through transforms."""
    try:
        column: Column = numbers
        for transform in transforms:
            column = _transform_once(column, transform)
        return as_texts(column)
    except NoArrayFormError:
        return _one_by_one(lambda number: render.apply_transforms(number, transforms), numbers)


def _transform_once(column: Column, transform: Transform | SignedTransform | EscapeTransform) -> Column:
    if isinstance(transform, Offset):
        if isinstance(column, Texts) or abs(transform.by) >= _SAFE:
            raise NoArrayFormError
        return column + transform.by
    if isinstance(transform, Descending):
        # `top − number` exceeds int64 only if a large top meets a negative number.
        if isinstance(column, Texts) or (transform.top >= _SAFE and int(column.min(initial=0)) < 0):
            raise NoArrayFormError
        return transform.top - column
    if isinstance(transform, Hexadecimal):
        if isinstance(column, Texts):
            raise NoArrayFormError
        return numerals(column, transform.width, "x")
    if isinstance(transform, BigEndian | SignedTransform):
        if isinstance(column, Texts):
            raise NoArrayFormError
        return signed_texts(column) if isinstance(transform, SignedTransform) else _big_endian(column, transform.length)
    if isinstance(transform, ZeroPad) and not isinstance(column, Texts):
        return decimal(column, transform.width)
    texts = as_texts(column)
    if isinstance(transform, ReverseDigits):
        return texts.reverse()
    if isinstance(transform, Truncate):
        return texts.truncate(transform.length)
    # Upper and lower case change the length of some texts outside of ASCII: "ß" becomes "SS".
    if isinstance(transform, Case) and not (texts.data >= 0x80).any():
        return Texts(_LOWER[texts.data] if transform.to == "lower" else _UPPER[texts.data], texts.length)
    raise NoArrayFormError


def signed_texts(numbers: Ints) -> Texts:
    """Numbers as an INTEGER column sorts them, as `designer.document.columnkey.encode_signed`."""
    return Texts.from_fixed((numbers.view(np.uint64) ^ np.uint64(1 << 63)).astype(">u8").view(np.uint8).reshape(-1, 8))


def _big_endian(numbers: Ints, length: int) -> Texts:
    if len(numbers):
        # The extremes decide whether all fit, and `render` raises the same error as for single keys.
        render.big_endian(int(numbers.min()), length)
        render.big_endian(int(numbers.max()), length)
    return Texts.from_fixed(numbers.astype(">u8").view(np.uint8).reshape(-1, 8)[:, 8 - length :])


_LOWER = np.frombuffer(bytes(range(256)).lower(), np.uint8)
_UPPER = np.frombuffer(bytes(range(256)).upper(), np.uint8)
