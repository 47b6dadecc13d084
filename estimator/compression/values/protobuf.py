"""Protocol-buffer messages: tags, varints, fixed numbers and short texts; a text field fills what is left."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..layout import varint
from .sizes import cut
from .text import Filler
from .words import letters_text

VARINT, FIXED64, TEXT, FIXED32 = 0, 1, 2, 5
"""Wire types (protobuf.dev/programming-guides/encoding, read 2026-11-20)."""

FIELDS_MOST = 14
"""So many tags are one byte long, with the filling field's."""


def values(column: np.random.Generator, rng: np.random.Generator, sizes: NDArray[np.int64]) -> list[bytes]:
    """Messages of the sizes asked for, one byte less where no length says it."""
    fields: list[list[bytes]] = []
    room = int(sizes.max(initial=0)) * 0.7
    while room > 0 and len(fields) < FIELDS_MOST:
        fields.append(_field(column, rng, len(fields) + 1, len(sizes)))
        room -= max(map(len, fields[-1][:16]), default=1)
    last = tag(len(fields) + 1, TEXT)
    filler = Filler(rng, sizes)
    rows = zip(*fields, strict=True) if fields else ((),) * len(sizes)
    return [_message(row, filler, size, last) for row, size in zip(rows, sizes.tolist(), strict=True)]


def tag(number: int, wire: int) -> bytes:
    """Number and wire type of a field."""
    return varint(number << 3 | wire)


def _message(fields: Sequence[bytes], filler: Filler, size: int, last: bytes) -> bytes:
    kept, spare = [], size
    for field in fields:
        if len(field) <= spare:
            kept.append(field)
            spare -= len(field)
    room = spare - len(last) - 1
    if room >= 0:
        room -= room > 127
        kept += (last, varint(room), filler.take(room))
    return b"".join(kept)


def _field(column: np.random.Generator, rng: np.random.Generator, number: int, count: int) -> list[bytes]:
    wire, make = _KINDS[int(column.integers(len(_KINDS)))]
    head = tag(number, wire)
    return [head + body for body in make(column, rng, count)]


def _small(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    return [varint(n) for n in np.minimum(rng.geometric(0.3, count), 100).tolist()]


def _large(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    return [varint(n) for n in rng.lognormal(column.uniform(5, 14), 1.5, count).astype(np.int64).tolist()]


def _time(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    return [varint(n) for n in (1_767_225_600_000 + rng.integers(0, 31_536_000_000, count)).tolist()]


def _double(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    return cut(np.round(rng.normal(100, 20, count), 1).astype("<f8").tobytes(), np.full(count, 8))


def _float(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    return cut(np.round(rng.normal(20, 5, count), 2).astype("<f4").tobytes(), np.full(count, 4))


def _listed(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    texts = [letters_text(column, int(column.integers(3, 12))) for _ in range(20)]
    return [varint(len(text)) + text for text in (texts[n] for n in rng.integers(0, 20, count).tolist())]


_Make = Callable[[np.random.Generator, np.random.Generator, int], list[bytes]]
_KINDS: tuple[tuple[int, _Make], ...] = (
    (VARINT, _small), (VARINT, _small), (VARINT, _large), (VARINT, _large), (VARINT, _time),
    (FIXED64, _double), (FIXED32, _float), (TEXT, _listed),
)  # fmt: skip
"""Whole numbers are the most common fields."""
