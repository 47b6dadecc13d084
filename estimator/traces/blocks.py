"""Requests of a log, many at a time, in columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import itemgetter
from typing import NamedTuple, Self

import numpy as np

from estimator.results.arrays import Flags, Floats, Ints

OPERATION_NAMES = ("read", "write", "delete")
OPERATION_CODES = {name: code for code, name in enumerate(OPERATION_NAMES)}
NO_SIZE = -1


class TraceEvent(NamedTuple):
    """One request: when, what, and of which row."""

    time_s: float
    operation: str
    """`read`, `write` or `delete`."""
    key: bytes
    value_bytes: int | None
    table: str


@dataclass(frozen=True)
class EventBlock:
    """Requests in the order of the log."""

    times_s: Floats
    operations: Ints
    """Places in `OPERATION_NAMES`."""
    keys: list[bytes]
    value_bytes: Ints
    """`NO_SIZE` where none is known."""
    tables: Ints
    """Places in `table_names`."""
    table_names: tuple[str, ...]

    @classmethod
    def from_events(cls, events: Sequence[TraceEvent]) -> Self:
        """Return a block of these requests."""
        names = {name: code for code, name in enumerate(dict.fromkeys(event.table for event in events))}
        return cls(
            np.array([event.time_s for event in events], dtype=np.float64),
            np.array([OPERATION_CODES[event.operation] for event in events], dtype=np.int64),
            [event.key for event in events],
            np.array([NO_SIZE if e.value_bytes is None else e.value_bytes for e in events], dtype=np.int64),
            np.array([names[event.table] for event in events], dtype=np.int64),
            tuple(names),
        )

    def __len__(self) -> int:
        return len(self.keys)

    def __iter__(self) -> Iterator[TraceEvent]:
        sizes = [None if size == NO_SIZE else size for size in self.value_bytes.tolist()]
        operations = [OPERATION_NAMES[code] for code in self.operations.tolist()]
        tables = [self.table_names[code] for code in self.tables.tolist()]
        return map(TraceEvent, self.times_s.tolist(), operations, self.keys, sizes, tables)

    def take(self, places: Ints) -> "EventBlock":
        """Return the requests at these places, in this order."""
        return self._with([self.keys[place] for place in places.tolist()], places)

    def select(self, is_selected: Flags) -> "EventBlock":
        """Return the requests for which this is true."""
        return self if is_selected.all() else self._with(list(compress(self.keys, is_selected.tolist())), is_selected)

    def _with(self, keys: list[bytes], places: Ints | Flags) -> "EventBlock":
        codes, sizes, tables = (column[places] for column in (self.operations, self.value_bytes, self.tables))
        return EventBlock(self.times_s[places], codes, keys, sizes, tables, self.table_names)

    def by_table(self) -> Iterator[tuple[str, "EventBlock"]]:
        """Yield each table's name and requests, in the order in which they come first."""
        if len(self.table_names) == 1:
            yield self.table_names[0], self
            return
        for code in _codes_in_order(self.tables, len(self.table_names)):
            yield self.table_names[code], self.select(self.tables == code)

    def places_by_operation(self) -> Iterator[tuple[int, Ints]]:
        """Yield each operation's code and the places of its requests, in the order in which they come first."""
        for code in _codes_in_order(self.operations, len(OPERATION_NAMES)):
            yield code, np.flatnonzero(self.operations == code)


def _codes_in_order(codes: Ints, number: int) -> list[int]:
    """Return the codes below a number that there are, in the order in which they come first."""
    found = np.flatnonzero(np.bincount(codes, minlength=number)).tolist()
    return sorted(found, key=lambda code: int((codes == code).argmax()))


def pick(values: Sequence[bytes], places: Ints) -> Sequence[bytes]:
    """Return the values at these places."""
    if places.size == len(values) or not places.size:
        return values if places.size else ()
    found = itemgetter(*places.tolist())(values)
    return found if places.size > 1 else (found,)


def join_blocks(blocks: Sequence[EventBlock]) -> EventBlock:
    """Return all requests of several blocks."""
    names: dict[str, int] = {}
    tables = []
    for block in blocks:
        codes = [names.setdefault(name, len(names)) for name in block.table_names]
        tables.append(np.array(codes, dtype=np.int64)[block.tables])
    return EventBlock(
        np.concatenate([block.times_s for block in blocks]),
        np.concatenate([block.operations for block in blocks]),
        [key for block in blocks for key in block.keys],
        np.concatenate([block.value_bytes for block in blocks]),
        np.concatenate(tables),
        tuple(names),
    )
