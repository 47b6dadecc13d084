"""JSON objects: the same member names in every cell, values that vary; large ones hold lists of such objects."""

from collections.abc import Callable, Sequence

import numpy as np

from estimator.results.arrays import Ints

from .sizes import Pool
from .text import Filler
from .words import letters_text

FILLER, LIST = b'"note":"%b"', b'"items":[%b]'
TEXT_SHARE = 0.2
"""Of each object; the rest are its members. A guess."""

MEMBERS_MOST, ITEM_MEMBERS = 20, 6
"""Members of an object, before what is more goes into a list of objects of the first of them."""

Column = Callable[[np.random.Generator, int], list[bytes]]
"""Makes the values of one member."""


def values(column: np.random.Generator, rng: np.random.Generator, sizes: Ints) -> list[bytes]:
    """Objects of exactly the sizes asked for; what is too short for a member is a text, or a digit."""
    room, members, widths = int(sizes.max(initial=0)) * (1 - TEXT_SHARE), list[tuple[bytes, Column]](), list[int]()
    while sum(widths) < room and len(members) < MEMBERS_MOST:
        members.append(_member(column))
        widths.append(max(map(len, _render_member(members[-1], rng, 16))) + 1)
    columns = [_render_member(member, rng, len(sizes)) for member in members]
    rows: list[Sequence[bytes]] = list(zip(*columns, strict=True)) if members else [()] * len(sizes)
    filler, items = Filler(rng, sizes), None
    if len(members) == MEMBERS_MOST:
        items = Pool(lambda count: _items(members[:ITEM_MEMBERS], rng, count), sizes * (1 - TEXT_SHARE) - sum(widths))
    return [_object(row, items, filler, size) for row, size in zip(rows, sizes.tolist(), strict=True)]


def _items(members: Sequence[tuple[bytes, Column]], rng: np.random.Generator, count: int) -> list[bytes]:
    columns = (_render_member(member, rng, count) for member in members)
    return [b"{%b}" % b",".join(row) for row in zip(*columns, strict=True)]


def _object(members: Sequence[bytes], items: Pool | None, filler: Filler, size: int) -> bytes:
    spare = size - len(FILLER)  # the place of the text is as long as the braces
    if spare < 0:
        return b"1" * size if size < 2 else b'"%b"' % filler.take(size - 2)
    fitting_parts, spare = _take_fitting(members, spare)
    if items is not None and len(fitting_parts) == len(members):
        text = int(size * TEXT_SHARE)
        elements, remaining = items.take_fitting(spare - len(LIST) + 2 - text, between=1)
        if elements:
            fitting_parts, spare = [*fitting_parts, LIST % b",".join(elements)], remaining + text
    return b"{%b}" % b",".join((*fitting_parts, FILLER % filler.take(spare)))


def _take_fitting(parts: Sequence[bytes], spare: int) -> tuple[list[bytes], int]:
    """Return the parts that fit, with a comma each, and the remaining space."""
    fitting_parts: list[bytes] = []
    for part in parts:
        if len(part) + 1 > spare:
            break
        fitting_parts.append(part)
        spare -= len(part) + 1
    return fitting_parts, spare


def _render_member(member: tuple[bytes, Column], rng: np.random.Generator, count: int) -> list[bytes]:
    name, make = member
    return [b'"%b":%b' % (name, value) for value in make(rng, count)]


def _member(column: np.random.Generator) -> tuple[bytes, Column]:
    name = letters_text(column, int(column.integers(4, 13)))
    if column.random() < 1 / 6:
        return name, _status([b'"%b"' % letters_text(column, int(column.integers(4, 10))) for _ in range(6)])
    return name, (_count, _amount, _flag, _time, _id)[int(column.integers(5))]


def _status(statuses: Sequence[bytes]) -> Column:
    return lambda rng, count: [statuses[n] for n in np.minimum(rng.geometric(0.4, count) - 1, 5).tolist()]


def _count(rng: np.random.Generator, count: int) -> list[bytes]:
    return [b"%d" % n for n in rng.lognormal(5, 2, count).astype(np.int64).tolist()]


def _amount(rng: np.random.Generator, count: int) -> list[bytes]:
    return [b"%.2f" % n for n in rng.lognormal(3, 1, count).tolist()]


def _flag(rng: np.random.Generator, count: int) -> list[bytes]:
    return [b"true" if yes else b"false" for yes in (rng.random(count) < 0.8).tolist()]


def _time(rng: np.random.Generator, count: int) -> list[bytes]:
    seconds = rng.integers(0, 31_536_000, count).astype("m8[s]")
    ends = np.datetime_as_string(np.datetime64("2026-01-01T00:00:00", "s") + seconds)
    return [b'"%bZ"' % end.encode() for end in ends.tolist()]


def _id(rng: np.random.Generator, count: int) -> list[bytes]:
    data = rng.bytes(8 * count).hex().encode()
    return [b'"%b"' % data[16 * n : 16 * n + 16] for n in range(count)]
