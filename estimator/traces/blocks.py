"""Requests of a log, many at a time, in columns."""

import zlib
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from estimator.results.arrays import Flags, Floats, Ints

from .byte_columns import ByteColumn

OPERATION_NAMES = ("read", "write", "delete", "scan")
"""A scan is the read of a prefix: of all rows whose keys begin with it."""
OPERATION_CODES = {name: code for code, name in enumerate(OPERATION_NAMES)}
NO_SIZE = -1
HOUR_SECONDS = 3_600.0
SAMPLE = 500_000
"""Requests that are replayed one by one: all of a log up to so many, then as many drawn at random from all."""
SAMPLE_BYTES = 128 << 20
"""Keys of that sample: it is halved as often as they are longer."""
ROWS_BYTES, ROW_BYTES = 48 << 20, 117
"""Memory for the different keys of a log, and what one takes beside its own bytes, measured."""
ROWS_AT_ONCE = 50_000
"""Requests of which rows are added at a time, so that those above the memory are dropped early."""
CHANGE_BYTES = 40
"""What a deletion of a row, or a write after it, takes: at most, beside the list of the first."""


class TraceEvent(NamedTuple):
    """One request: when, what, and of which row."""

    time_s: float
    operation: str
    """`read`, `write`, `delete` or `scan`."""
    key: bytes
    value_bytes: int | None
    table: str


@dataclass(frozen=True)
class EventBlock:
    """Requests in the order of the log."""

    times_s: Floats
    operations: Ints
    """Places in `OPERATION_NAMES`."""
    key_column: ByteColumn
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
            ByteColumn.from_cells([event.key for event in events]),
            np.array([NO_SIZE if e.value_bytes is None else e.value_bytes for e in events], dtype=np.int64),
            np.array([names[event.table] for event in events], dtype=np.int64),
            tuple(names),
        )

    @cached_property
    def keys(self) -> list[bytes]:
        """The keys one by one: whoever only counts them takes `key_column`, without an object for each."""
        return self.key_column.cells()

    def __len__(self) -> int:
        return self.times_s.size

    def __iter__(self) -> Iterator[TraceEvent]:
        sizes = [None if size == NO_SIZE else size for size in self.value_bytes.tolist()]
        operations = [OPERATION_NAMES[code] for code in self.operations.tolist()]
        tables = [self.table_names[code] for code in self.tables.tolist()]
        return map(TraceEvent, self.times_s.tolist(), operations, self.keys, sizes, tables)

    def take(self, places: Ints | Flags) -> "EventBlock":
        """Return the requests at these places, in this order; or those for which this is true."""
        codes, sizes, tables = (column[places] for column in (self.operations, self.value_bytes, self.tables))
        return EventBlock(self.times_s[places], codes, self.key_column.take(places), sizes, tables, self.table_names)

    def select(self, is_selected: Flags) -> "EventBlock":
        """Return the requests for which this is true."""
        return self if is_selected.all() else self.take(is_selected)

    def with_scans_as_reads(self) -> "EventBlock":
        """Return the requests with scans as reads of their key."""
        is_scan = self.operations == OPERATION_CODES["scan"]
        if not is_scan.any():
            return self
        return replace(self, operations=np.where(is_scan, OPERATION_CODES["read"], self.operations))

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
    distinct = np.flatnonzero(np.bincount(codes, minlength=number)).tolist()
    return sorted(distinct, key=lambda code: int((codes == code).argmax()))


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
        ByteColumn.join([block.key_column for block in blocks]),
        np.concatenate([block.value_bytes for block in blocks]),
        np.concatenate(tables),
        tuple(names),
    )


def add_counts(counts: dict[int, int], values: Ints) -> None:
    """Add how often each value came: hours of two centuries at most, or steps of sizes."""
    least = int(values.min())
    times = np.bincount(values - least)
    for place in np.flatnonzero(times).tolist():
        # Only what came is stored: `bincount` spans all values between, and most hours of a merged log are empty.
        counts[least + place] = counts.get(least + place, 0) + int(times[place])


def _without_scans(events: EventBlock) -> EventBlock:
    return events.select(events.operations != OPERATION_CODES["scan"])


@dataclass
class RowSample:
    """Different keys: all in so much memory, then those with a small hash, a sample of the keys and not of requests."""

    limit_bytes: int = ROWS_BYTES
    came_s: dict[bytes, float] = field(default_factory=dict)
    """When each row was first written; −∞ for one that was asked for, or deleted, before."""
    later_s: dict[bytes, list[float]] = field(default_factory=dict)
    """Of rows that were deleted, when they went and came again, in turns."""
    share: float = 1.0
    """Of all different keys, so many are in the sample."""
    _bytes: int = 0
    _changes: int = 0

    @property
    def keys(self) -> Set[bytes]:
        """The rows of the sample."""
        return self.came_s.keys()

    def add(self, events: EventBlock) -> None:
        """Add the rows of requests for whole keys, in the order of the log."""
        if self.share < 1:
            # Chosen by the hash of the key, so that a row is in the sample with all of its requests or with none.
            hashes = np.fromiter(map(zlib.crc32, events.keys), dtype=np.int64, count=len(events))
            events = events.select(hashes < self.share * (1 << 32))
        new = set(events.keys) - self.came_s.keys()
        if new:
            is_write = events.operations == OPERATION_CODES["write"]
            came = np.where(is_write, events.times_s, -np.inf).tolist()
            # Backwards, so that the first request of a key within the block is the one that stays.
            first = dict(zip(reversed(events.keys), reversed(came), strict=True))
            self.came_s.update(zip(new, map(first.__getitem__, new), strict=True))
        self._add_changes(events)
        self._bytes += sum(map(len, new))
        while self._bytes + ROW_BYTES * len(self.came_s) + CHANGE_BYTES * self._changes > self.limit_bytes:
            # Halving the share keeps a subset of the present sample, because both compare the same hash with a bound.
            self.share /= 2
            self.came_s = {key: at for key, at in self.came_s.items() if self._is_sampled(key)}
            self.later_s = {key: times for key, times in self.later_s.items() if key in self.came_s}
            self._bytes, self._changes = sum(map(len, self.came_s)), sum(map(len, self.later_s.values()))

    def _add_changes(self, events: EventBlock) -> None:
        """Add when rows of the sample were deleted, and written again."""
        is_delete = events.operations == OPERATION_CODES["delete"]
        is_write = events.operations == OPERATION_CODES["write"]
        if not is_delete.any() and not self.later_s:
            return
        for place in np.flatnonzero(is_delete | is_write).tolist():
            key, times = events.keys[place], self.later_s.get(events.keys[place])
            # Changes alternate: after an odd number of them the row is deleted.
            is_gone = times is not None and len(times) % 2 == 1
            if key in self.came_s and (is_gone if is_write[place] else not is_gone):
                self.later_s.setdefault(key, []).append(float(events.times_s[place]))
                self._changes += 1

    def changes_of(self, key: bytes) -> Iterator[tuple[float, bool]]:
        """Yield when a row came or went, and whether it was there from then on."""
        if self.came_s[key] > -np.inf:
            yield self.came_s[key], True
        yield from ((at, number % 2 == 1) for number, at in enumerate(self.later_s.get(key, ())))

    def _is_sampled(self, key: bytes) -> bool:
        return zlib.crc32(key) < self.share * (1 << 32)


@dataclass
class EventSample:
    """Requests drawn at random from all that are added, all up to `limit`; without their sizes and tables.

    Beside them all are counted by hour, and of their different keys is a sample of its own.
    """

    limit: int = SAMPLE
    limit_bytes: int = SAMPLE_BYTES
    keys: list[bytes] = field(default_factory=list)
    total: int = 0
    hours: dict[str, dict[int, int]] = field(default_factory=dict)
    """All requests of each operation by hour since 1970."""
    first_s: float = np.inf
    last_s: float = -np.inf
    _rows: "RowSample" = field(default_factory=lambda: RowSample())
    _counts_rows: bool = False
    """False as long as all requests are held: their rows are those of the requests."""
    _times_s: Floats = field(default_factory=lambda: np.zeros(0))
    _operations: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    _bytes: int = 0
    _random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def __len__(self) -> int:
        return len(self.keys)

    def clear(self) -> None:
        """Remove all requests."""
        self.__dict__.update(vars(EventSample(self.limit, self.limit_bytes)))

    def add(self, events: EventBlock) -> None:
        """Add requests: each of all has the same chance to be in the sample (J. S. Vitter's algorithm R, 1985)."""
        if not len(events):
            return
        self._count(events)
        room = max(self.limit - len(self.keys), 0)
        self._append(events, room)
        if len(events) > room or self._bytes > self.limit_bytes:
            self._begin_rows(self.total)
        if self._counts_rows:
            self._rows.add(_without_scans(events))
        if len(events) > room:
            first = self.total + room + 1
            # Algorithm R for many at once: request n draws a place below n and enters the sample if that is below the
            # limit.
            places = self._random.integers(0, np.arange(first, self.total + len(events) + 1))
            numbers = np.flatnonzero(places < self.limit)
            self._replace(places[numbers], events.take(numbers + room))
        self.total += len(events)
        while self._bytes > self.limit_bytes:
            self.limit = len(self.keys) // 2
            # Sorted, so that the sample stays in the order of the log.
            retained = np.sort(self._random.choice(len(self.keys), self.limit, replace=False))
            self.keys = [self.keys[place] for place in retained.tolist()]
            self._times_s, self._operations = self._times_s[retained], self._operations[retained]
            self._bytes = sum(map(len, self.keys))

    def _count(self, events: EventBlock) -> None:
        self.first_s = min(self.first_s, float(events.times_s.min()))
        self.last_s = max(self.last_s, float(events.times_s.max()))
        for code, places in events.places_by_operation():
            hours = self.hours.setdefault(OPERATION_NAMES[code], {})
            add_counts(hours, (events.times_s[places] // HOUR_SECONDS).astype(np.int64))

    @property
    def rows(self) -> "RowSample":
        """A sample of the different keys of all requests."""
        self._begin_rows(self.total)
        return self._rows

    def _begin_rows(self, held: int) -> None:
        """Count rows from now on, and those of the first requests, which are held."""
        if not self._counts_rows:
            self._counts_rows = True
            for first in range(0, held, ROWS_AT_ONCE):
                self._rows.add(_without_scans(self.events.take(np.arange(first, min(first + ROWS_AT_ONCE, held)))))

    def _append(self, events: EventBlock, number: int) -> None:
        if number:
            added = events.keys[:number]
            self.keys += added
            self._bytes += sum(map(len, added))
            self._times_s = np.append(self._times_s, events.times_s[:number])
            self._operations = np.append(self._operations, events.operations[:number])

    def _replace(self, places: Ints, events: EventBlock) -> None:
        for place, key in zip(places.tolist(), events.keys, strict=True):
            self._bytes += len(key) - len(self.keys[place])
            self.keys[place] = key
        self._times_s[places], self._operations[places] = events.times_s, events.operations

    @property
    def events(self) -> EventBlock:
        """The requests of the sample."""
        none = np.zeros(len(self.keys), dtype=np.int64)
        return EventBlock(
            self._times_s, self._operations, ByteColumn.from_cells(self.keys), none + NO_SIZE, none, ("",)
        )
