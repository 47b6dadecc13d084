"""The requests of a log under another key: which rows and ranges of rows take the load, beside the log's own key.

Ranges hold equally many of the rows that came in the log. That is what splitting by size comes to where rows are alike;
rows that nobody asked for are in no log.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from operator import ne

import numpy as np

from designer.document import Spec
from designer.document.key import Segment
from designer.document.keytext import render_key
from designer.document.texts import N_
from estimator.kernels.keys.rendering.texts import Texts
from estimator.results.arrays import Floats, Ints

from .blocks import NO_SIZE, OPERATION_CODES, OPERATION_NAMES, EventBlock, join_blocks
from .key_values import KeyParser, KeyValues, ReplayError
from .key_writing import KeyWriter

SAMPLE = 500_000
"""Requests that are replayed: all of a log up to so many, then as many drawn at random from all."""
SAMPLE_BYTES = 128 << 20
"""Keys of that sample: it is halved as often as they are longer."""
PADDED_BYTES = 64 << 20
"""Keys are put in order in an array as wide as the longest, if it has no more bytes."""
RANGES = 64
WINDOWS = 96
WINDOW_SECONDS_MIN = 60.0
MICROSECONDS = 1_000_000


@dataclass
class EventSample:
    """Requests drawn at random from all that are added, all up to `limit`; without their sizes and tables."""

    limit: int = SAMPLE
    limit_bytes: int = SAMPLE_BYTES
    keys: list[bytes] = field(default_factory=list)
    total: int = 0
    _times_s: Floats = field(default_factory=lambda: np.zeros(0))
    _operations: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    _bytes: int = 0
    _random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def __len__(self) -> int:
        return len(self.keys)

    def add(self, events: EventBlock) -> None:
        """Add requests: each of all has the same chance to be in the sample (J. S. Vitter's algorithm R, 1985)."""
        room = max(self.limit - len(self.keys), 0)
        self._append(events, room)
        if len(events) > room:
            first = self.total + room + 1
            places = self._random.integers(0, np.arange(first, self.total + len(events) + 1))
            numbers = np.flatnonzero(places < self.limit)
            self._replace(places[numbers], events.take(numbers + room))
        self.total += len(events)
        while self._bytes > self.limit_bytes:
            self.limit = len(self.keys) // 2
            kept = np.sort(self._random.choice(len(self.keys), self.limit, replace=False))
            self.keys = [self.keys[place] for place in kept.tolist()]
            self._times_s, self._operations = self._times_s[kept], self._operations[kept]
            self._bytes = sum(map(len, self.keys))

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
        return EventBlock(self._times_s, self._operations, self.keys, none + NO_SIZE, none, ("",))


@dataclass(frozen=True)
class RangeLoad:
    """Distribution of the requests of one operation over ranges of rows."""

    requests: int
    busiest_share: float
    """Share of the requests in a window of time that are for its busiest range, as a mean over all requests."""
    even_share: float
    """The same if requests were spread evenly by chance."""
    busiest_row_share: float
    counts: Ints = field(compare=False, repr=False)
    """(windows, ranges) requests."""

    @property
    def window_requests(self) -> tuple[int, ...]:
        """Requests in each window of time."""
        return tuple(self.counts.sum(axis=1).tolist())


@dataclass(frozen=True)
class KeyLoad:
    """The load under one key."""

    key: str
    rows: int
    busiest_row_share: float
    operations: dict[str, RangeLoad]
    bounds: tuple[bytes, ...] = field(compare=False, repr=False)
    """First key of each range; there are as many ranges as rows where rows are few."""
    row_requests: Ints = field(compare=False, repr=False)
    """A request for each row, by its place, in the order of rows."""
    places: Ints = field(compare=False, repr=False)
    """Of the row of each request, in the order of rows."""

    def hottest_ranges(self, number: int) -> tuple["BusyRange", ...]:
        """Return the ranges with the most requests, the busiest first."""
        per_range = np.sum([load.counts.sum(axis=0) for load in self.operations.values()], axis=0)[: len(self.bounds)]
        order = np.argsort(-per_range, kind="stable")[:number].tolist()
        ends = (*self.bounds[1:], b"")
        return tuple(BusyRange(self.bounds[n], ends[n], float(per_range[n] / per_range.sum())) for n in order)


@dataclass(frozen=True)
class BusyRange:
    """A range of rows, and its share of all requests of the log."""

    first: bytes
    end: bytes
    """First key after it; empty: the last range."""
    share: float


@dataclass(frozen=True)
class RekeyedRequests:
    """Requests of the log with what their keys hold, and their keys under the new pattern."""

    events: EventBlock
    values: KeyValues
    times_us: Sequence[int] | None
    """Of their rows, as far as they are known."""
    keys: Sequence[bytes]

    def of_operation(self, name: str) -> "RekeyedRequests":
        """Return those of one operation."""
        is_such = self.events.operations == OPERATION_CODES[name]
        flags = is_such.tolist()
        times = None if self.times_us is None else list(compress(self.times_us, flags))
        values = self.values.select(is_such)
        return RekeyedRequests(self.events.select(is_such), values, times, list(compress(self.keys, flags)))


@dataclass(frozen=True)
class ReplayedKind:
    """The requests for rows of one kind."""

    key: Sequence[Segment]
    """The new one."""
    requests: RekeyedRequests
    source: KeyParser
    """What takes the log's keys apart."""


@dataclass(frozen=True)
class Replay:
    """The requests of a log under its own key and another."""

    requests: int
    """Replayed ones: all, or a sample of them."""
    total: int
    """In the log, of the table."""
    other_pattern: int
    """Left out of the replayed: their keys have another pattern, or do not fit the new one."""
    unknown_time: int
    """Left out: reads and deletions of rows whose time the log's keys do not hold."""
    first_s: float
    span_seconds: float
    """From the first replayed request to the last."""
    window_seconds: float
    loads: tuple[KeyLoad, ...]
    """Under the log's key, then under the new one if it is another."""
    parts: tuple["ReplayedKind", ...] = field(compare=False, repr=False)
    """Of each kind of rows; together, in this order, they are the requests of `loads`."""

    @cached_property
    def events(self) -> EventBlock:
        """The replayed requests, with their keys in the log."""
        return join_blocks([part.requests.events for part in self.parts])

    @cached_property
    def keys(self) -> Sequence[bytes]:
        """Their keys under the new pattern."""
        return [key for part in self.parts for key in part.requests.keys]

    @property
    def sampled_share(self) -> float:
        """Of the table's requests in the log, so many were taken to be replayed."""
        return (self.requests + self.other_pattern + self.unknown_time) / self.total


def replay(sample: EventSample, spec: Spec, log_key: Sequence[Segment], new_key: Sequence[Segment]) -> Replay:
    """Return the load of a sample of requests under both keys.

    Raises
    ------
    ReplayError
        If the log's keys do not hold what the new key needs.
    """
    return replay_kinds(sample, spec, [(log_key, new_key)])


def replay_kinds(
    sample: EventSample, spec: Spec, keys: Sequence[tuple[Sequence[Segment], Sequence[Segment]]]
) -> Replay:
    """Return the same for a table with several kinds of rows, each with its key in the log and its new one.

    A log's key is of the first kind that it fits, of those with more segments first.

    Raises
    ------
    ReplayError
        As `replay`.
    """
    parts, left, unknown = list[ReplayedKind](), sample.events, 0
    for log_key, new_key in sorted(keys, key=lambda pair: -len(pair[0])):
        parser = KeyParser(spec, log_key)
        made, left, untimed = _rekey(left, parser, KeyWriter(spec, new_key, parser))
        parts.append(ReplayedKind(new_key, made, parser))
        unknown += untimed
    events = join_blocks([part.requests.events for part in parts])
    if not len(events):
        raise ReplayError(N_("no request of the log could be replayed: its keys have another pattern"))
    windows, seconds = _windows(events.times_s)
    texts = [", ".join(render_key(spec, pair[place]) for pair in keys) for place in (0, 1)]
    loads = [_load(texts[0], events.keys, events.operations, windows)]
    if texts[0] != texts[1]:
        rows = [key for part in parts for key in part.requests.keys]
        loads.append(_load(texts[1], rows, events.operations, windows))
    first, span = float(events.times_s.min()), float(np.ptp(events.times_s))
    return Replay(len(events), sample.total, len(left), unknown, first, span, seconds, tuple(loads), tuple(parts))


def _rekey(events: EventBlock, parser: KeyParser, writer: KeyWriter) -> tuple[RekeyedRequests, EventBlock, int]:
    """Return the requests with their new keys; those that have another pattern, and how many have an unknown time."""
    values, is_such = parser.parse(events.keys)
    places, unknown = np.flatnonzero(is_such), 0
    found, times = events.select(is_such), values.times_us
    if writer.needs_event_time:
        is_write = found.operations == OPERATION_CODES["write"]
        unknown = int((~is_write).sum())
        found, values = found.select(is_write), values.select(is_write)
        is_such[places[~is_write]], places = True, places[is_write]
        times = (found.times_s * MICROSECONDS).astype(np.int64).tolist()
    keys = writer.write(values, times, found.keys)
    if None in keys:
        is_made = np.array([key is not None for key in keys], dtype=np.bool_)
        is_such[places[~is_made]] = False
        found, values = found.select(is_made), values.select(is_made)
        times = None if times is None else list(compress(times, is_made.tolist()))
    made = RekeyedRequests(found, values, times, [key for key in keys if key is not None])
    return made, events.select(~is_such), unknown


def _windows(times_s: Floats) -> tuple[Ints, float]:
    """Return the window of each time, and the length of windows. [s]"""
    seconds = max(float(times_s.max() - times_s.min()) / WINDOWS, WINDOW_SECONDS_MIN)
    return ((times_s - times_s.min()) // seconds).astype(np.int64), seconds


def _load(text: str, keys: Sequence[bytes], operations: Ints, windows: Ints) -> KeyLoad:
    places, firsts = _order_rows(keys)
    rows, window_count = firsts.size, int(windows.max()) + 1
    names = {OPERATION_NAMES[code]: operations == code for code in np.unique(operations).tolist()}
    loads = {
        name: _range_load(places[is_such], windows[is_such], rows, window_count)
        for name, is_such in sorted(names.items(), key=lambda item: item[0])
    }
    number = min(RANGES, rows)
    bounds = tuple(keys[firsts[-(-place * rows // number)]] for place in range(number))
    busiest = int(np.bincount(places).max()) / len(keys)
    return KeyLoad(text, rows, busiest, loads, bounds, firsts, places)


def _order_rows(keys: Sequence[bytes]) -> tuple[Ints, Ints]:
    """Return the place of each key among all different ones in byte order, and where each of these comes first."""
    if max(map(len, keys)) * len(keys) <= PADDED_BYTES:
        order, is_new = Texts.of(keys).order()
    else:  # some are far longer than most
        order = np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
        is_new = np.array([True, *map(ne, (keys[n] for n in order[1:].tolist()), (keys[n] for n in order.tolist()))])
    places = np.empty(len(keys), dtype=np.int64)
    places[order] = np.cumsum(is_new) - 1
    return places, order[is_new]


def _range_load(places: Ints, windows: Ints, rows: int, window_count: int) -> RangeLoad:
    """Return the mean share of the busiest range, weighed by requests, and what it were by chance alone."""
    number = min(RANGES, rows)
    cells = windows * RANGES + places * number // rows
    found = np.bincount(cells, minlength=window_count * RANGES).reshape(window_count, RANGES)
    random = np.random.default_rng(1)
    per_window = found.sum(axis=1)
    even = random.multinomial(per_window, np.full(number, 1 / number))
    busiest_row = int(np.bincount(places).max()) / places.size

    def busiest_share(counts: Ints) -> float:
        return float(counts.max(axis=1).sum() / per_window.sum())

    return RangeLoad(places.size, busiest_share(found), busiest_share(even), busiest_row, found)
