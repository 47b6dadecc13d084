"""Many values of a field rendered at once; the same bytes as `render`, which it falls back to."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from designer.spec.key import BigEndian, Case, Offset, ReverseDigits, Transform, Truncate, ZeroPad

from . import render
from .shape import Enumeration, Pattern, Range, Shape
from .texts import Texts, concatenated, decimal

Ints = NDArray[np.int64]
Column = Ints | Texts
"""Values on their way into a key: whole numbers until they have to be text."""

_SAFE = 1 << 62


class _Slow(Exception):
    """No array form of this: one by one."""


def field_texts(shape: Shape, numbers: Ints, transforms: Sequence[Transform] = ()) -> Texts:
    """The text of values by number, transforms applied. ValueError as in `render.transformed`."""
    try:
        column = values(shape, numbers)
        for transform in transforms:
            column = _once(column, transform)
        return as_texts(column)
    except _Slow:
        one = _one_by_one(lambda number: render.transformed(render.value(shape, number), transforms))
        return one(numbers)


def _one_by_one(function: Callable[[int], render.Value]) -> Callable[[Ints], Texts]:
    return lambda numbers: Texts.of([render.as_text(function(number)) for number in numbers.tolist()])


def values(shape: Shape, numbers: Ints) -> Column:
    """Untransformed values: int64 where they are whole numbers, else their text."""
    law = shape.values
    if isinstance(law, Range) and shape.kind != "float" and max(abs(law.min), abs(law.max)) < _SAFE:
        return numbers + law.min
    if isinstance(law, Pattern) and law.start < _SAFE:
        before, after = pattern_ends(law)
        counter = decimal(numbers + law.start, law.split()[1])
        ends = [Texts.constant(text, len(numbers)) for text in (before, after)]
        return concatenated([ends[0], counter, ends[1]])
    if isinstance(law, Enumeration):
        return Texts.of([item.value.encode() for item in law.items]).take(numbers)
    raise _Slow


def pattern_ends(law: Pattern) -> tuple[bytes, bytes]:
    """What stands before and after a pattern's counter."""
    before, _, after = law.split()
    return before.encode(), after.encode()


def as_texts(column: Column) -> Texts:
    """Whole numbers as decimal text."""
    return column if isinstance(column, Texts) else decimal(column)


def counted(shape: Shape, numbers: Ints) -> Ints:
    """The whole number in each value, as `render.counted`."""
    law = shape.values
    if isinstance(law, Range) and shape.kind != "float":
        return numbers + law.min
    if shape.kind == "integer":
        return np.array([int(text) for text in field_texts(shape, numbers).tolist()], dtype=np.int64)
    return numbers + (law.start if isinstance(law, Pattern) else 0)


def derived(numbers: Ints, transforms: Sequence[Transform]) -> Texts:
    """Whole numbers through transforms."""
    try:
        column: Column = numbers
        for transform in transforms:
            column = _once(column, transform)
        return as_texts(column)
    except _Slow:
        return _one_by_one(lambda number: render.transformed(number, transforms))(numbers)


def _once(column: Column, transform: Transform) -> Column:
    if isinstance(transform, Offset):
        if isinstance(column, Texts) or abs(transform.by) >= _SAFE:
            raise _Slow
        return column + transform.by
    if isinstance(transform, BigEndian):
        if isinstance(column, Texts):
            raise _Slow
        return _big_endian(column, transform.length)
    if isinstance(transform, ZeroPad) and not isinstance(column, Texts):
        return decimal(column, transform.width)
    texts = as_texts(column)
    if isinstance(transform, ReverseDigits):
        return texts.reversed()
    if isinstance(transform, Truncate):
        return texts.truncated(transform.length)
    if isinstance(transform, Case) and not (texts.data >= 0x80).any():
        return Texts(_LOWER[texts.data] if transform.to == "lower" else _UPPER[texts.data], texts.length)
    raise _Slow


def _big_endian(numbers: Ints, length: int) -> Texts:
    if len(numbers):
        render.big_endian(int(numbers.min()), length)
        render.big_endian(int(numbers.max()), length)
    return Texts.fixed(numbers.astype(">u8").view(np.uint8).reshape(-1, 8)[:, 8 - length :])


_LOWER = np.frombuffer(bytes(range(256)).lower(), np.uint8)
_UPPER = np.frombuffer(bytes(range(256)).upper(), np.uint8)
