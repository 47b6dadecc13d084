"""Protocol-buffer messages: tags, varints, fixed numbers and short texts; large ones repeat smaller messages."""

from collections.abc import Callable, Sequence

import numpy as np

from estimator.results.arrays import Floats, Ints

from ..layout import varint
from .sizes import Pool, split_at_sizes
from .text import Filler
from .words import letters_text

VARINT, FIXED64, TEXT, FIXED32 = 0, 1, 2, 5
"""Wire types; a message inside is written like a text (protobuf.dev/programming-guides/encoding, read 2026-11-20)."""

TEXT_SHARE = 0.3
"""Of each message is a text that fills it; the rest are the other fields. A guess."""

FIELDS_MOST, ITEM_FIELDS = 13, 5
"""Fields of a message before what is more goes into repeated messages of the first of them. With the number of these
and of the text, all tags are of one byte."""

ITEM, NOTE = FIELDS_MOST + 1, FIELDS_MOST + 2

Column = Callable[[np.random.Generator, int], list[bytes]]
"""Makes one field of every message, its tag included."""


def values(column: np.random.Generator, rng: np.random.Generator, sizes: Ints) -> list[bytes]:
    """Messages of the sizes asked for, one byte less where no length says it."""
    room, fields, widths = int(sizes.max(initial=0)) * (1 - TEXT_SHARE), list[Column](), list[int]()
    while sum(widths) < room and len(fields) < FIELDS_MOST:
        fields.append(_field(column, len(fields) + 1))
        widths.append(max(map(len, fields[-1](rng, 16))))
    columns = [field(rng, len(sizes)) for field in fields]
    rows: list[Sequence[bytes]] = list(zip(*columns, strict=True)) if fields else [()] * len(sizes)
    filler, items = Filler(rng, sizes), None
    if len(fields) == FIELDS_MOST:
        items = Pool(lambda count: _items(fields[:ITEM_FIELDS], rng, count), sizes * (1 - TEXT_SHARE) - sum(widths))
    return [_message(row, items, filler, size) for row, size in zip(rows, sizes.tolist(), strict=True)]


def _items(fields: Sequence[Column], rng: np.random.Generator, count: int) -> list[bytes]:
    return [
        _length_delimited(ITEM, b"".join(row)) for row in zip(*(field(rng, count) for field in fields), strict=True)
    ]


def tag(number: int, wire: int) -> bytes:
    """Return the tag of a field: its number and wire type."""
    return varint(number << 3 | wire)


def _message(fields: Sequence[bytes], items: Pool | None, filler: Filler, size: int) -> bytes:
    parts, spare = [], size
    for field in fields:
        if len(field) <= spare:
            parts.append(field)
            spare -= len(field)
    if items is not None and len(parts) == len(fields):
        reserved = int(size * TEXT_SHARE)
        repeated, remaining = items.take_fitting(spare - reserved)
        parts, spare = parts + repeated, remaining + reserved
    room = spare - 2  # a byte each for tag and length; a long text has a longer length
    if room >= 0:
        while len(text := _length_delimited(NOTE, filler.take(room))) > spare:
            room -= 1
        parts.append(text)
    return b"".join(parts)


def _length_delimited(number: int, data: bytes) -> bytes:
    return tag(number, TEXT) + varint(len(data)) + data


def _field(column: np.random.Generator, number: int) -> Column:
    if column.random() < 1 / 8:
        texts = [_length_delimited(number, letters_text(column, int(column.integers(3, 12)))) for _ in range(20)]
        return lambda rng, count: [texts[n] for n in rng.integers(0, 20, count).tolist()]
    if column.random() < 1 / 4:
        middle = column.uniform(5, 14)
        return lambda rng, count: _numbers(number, rng.lognormal(middle, 1.5, count))
    wire, make = _KINDS[int(column.integers(len(_KINDS)))]
    head = tag(number, wire)
    return lambda rng, count: [head + body for body in make(rng, count)]


def _numbers(number: int, values: Floats) -> list[bytes]:
    head = tag(number, VARINT)
    return [head + varint(n) for n in values.astype(np.int64).tolist()]


def _small(rng: np.random.Generator, count: int) -> list[bytes]:
    return [varint(n) for n in np.minimum(rng.geometric(0.3, count), 100).tolist()]


def _time(rng: np.random.Generator, count: int) -> list[bytes]:
    return [varint(n) for n in (1_767_225_600_000 + rng.integers(0, 31_536_000_000, count)).tolist()]


def _double(rng: np.random.Generator, count: int) -> list[bytes]:
    return split_at_sizes(np.round(rng.normal(100, 20, count), 1).astype("<f8").tobytes(), np.full(count, 8))


def _float(rng: np.random.Generator, count: int) -> list[bytes]:
    return split_at_sizes(np.round(rng.normal(20, 5, count), 2).astype("<f4").tobytes(), np.full(count, 4))


_KINDS: tuple[tuple[int, Column], ...] = (
    (VARINT, _small), (VARINT, _small), (VARINT, _time), (FIXED64, _double), (FIXED32, _float),
)  # fmt: skip
"""Whole numbers are the most common fields."""
