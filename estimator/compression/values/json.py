"""JSON objects: the same member names in every cell, values that vary, a text member that fills what is left."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .text import Filler
from .words import letters_text

FILLER = b'"note":"%b"'
MEMBERS_MOST = 24
"""Members before the filling one; larger objects hold more text instead."""


def values(column: np.random.Generator, rng: np.random.Generator, sizes: NDArray[np.int64]) -> list[bytes]:
    """Objects of exactly the sizes asked for; what is too short for a member is a number, or `{}`."""
    members: list[list[bytes]] = []
    room = int(sizes.max(initial=0)) * 0.8
    while room > 0 and len(members) < MEMBERS_MOST:
        members.append(_member(column, rng, len(sizes)))
        room -= max(map(len, members[-1][:16]), default=0) + 1
    filler = Filler(rng, sizes)
    rows = zip(*members, strict=True) if members else ((),) * len(sizes)
    return [_object(row, filler, size) for row, size in zip(rows, sizes.tolist(), strict=True)]


def _object(members: Sequence[bytes], filler: Filler, size: int) -> bytes:
    spare = size - len(FILLER)  # the place of the text is as long as the braces
    if spare < 0:
        return b"1" * size if size < 2 else b"{}".ljust(size)
    kept = []
    for member in members:
        spare -= len(member) + 1
        if spare < 0:
            spare += len(member) + 1
            break
        kept.append(member)
    return b"{%b}" % b",".join((*kept, FILLER % filler.take(spare)))


def _member(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    name = letters_text(column, int(column.integers(4, 13)))
    make: Callable[[np.random.Generator, np.random.Generator, int], list[bytes]] = (
        _status, _count, _amount, _flag, _time, _id,
    )[int(column.integers(6))]  # fmt: skip
    return [b'"%b":%b' % (name, value) for value in make(column, rng, count)]


def _status(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    listed = [b'"%b"' % letters_text(column, int(column.integers(4, 10))) for _ in range(6)]
    return [listed[n] for n in np.minimum(rng.geometric(0.4, count) - 1, 5).tolist()]


def _count(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    return [b"%d" % n for n in rng.lognormal(5, 2, count).astype(np.int64).tolist()]


def _amount(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    return [b"%.2f" % n for n in rng.lognormal(3, 1, count).tolist()]


def _flag(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    return [b"true" if yes else b"false" for yes in (rng.random(count) < 0.8).tolist()]


def _time(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    ends = np.datetime_as_string(
        np.datetime64("2026-01-01T00:00:00", "s") + rng.integers(0, 31_536_000, count).astype("m8[s]")
    )
    return [b'"%bZ"' % end.encode() for end in ends.tolist()]


def _id(column: np.random.Generator, rng: np.random.Generator, count: int) -> list[bytes]:
    data = rng.bytes(8 * count).hex().encode()
    return [b'"%b"' % data[16 * n : 16 * n + 16] for n in range(count)]
