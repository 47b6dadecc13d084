"""The requests of a log under another key: which rows and ranges of rows take the load, beside the log's own key.

Ranges hold equally many of the rows that came in the log. That is what splitting by size comes to where rows are alike;
rows that nobody asked for are in no log.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from designer.document import Spec
from designer.document.key import Segment
from designer.document.keytext import render_key
from designer.document.texts import N_
from estimator.results.arrays import Ints

from .blocks import EventBlock, TraceEvent
from .key_values import KeyParser, KeyValues, KeyWriter, ReplayError

SAMPLE = 500_000
"""Requests that are replayed: all of a log up to so many, then as many drawn at random from all."""
SAMPLE_BYTES = 128 << 20
"""Keys of that sample: it is halved as often as they are longer."""
RANGES = 64
WINDOWS = 96
WINDOW_SECONDS_MIN = 60.0
MICROSECONDS = 1_000_000


@dataclass
class EventSample:
    """Events drawn at random from all that are added; all of them up to `limit`."""

    limit: int = SAMPLE
    limit_bytes: int = SAMPLE_BYTES
    events: list[TraceEvent] = field(default_factory=list)
    total: int = 0
    _random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def add(self, events: EventBlock) -> None:
        """Add events: each of all has the same chance to be in the sample (J. S. Vitter's algorithm R, 1985)."""
        room = max(self.limit - len(self.events), 0)
        self.events += islice(events, room)
        if len(events) > room:
            first = self.total + room + 1
            places = self._random.integers(0, np.arange(first, self.total + len(events) + 1))
            numbers = np.flatnonzero(places < self.limit)
            for place, event in zip(places[numbers].tolist(), events.take(numbers + room), strict=True):
                self.events[place] = event
        self.total += len(events)
        while sum(len(event.key) for event in self.events) > self.limit_bytes:
            self.limit = len(self.events) // 2
            kept = self._random.choice(len(self.events), self.limit, replace=False)
            self.events = [self.events[place] for place in np.sort(kept).tolist()]


@dataclass(frozen=True)
class RangeLoad:
    """How requests of one operation spread over ranges of rows."""

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


class RekeyedRequest(NamedTuple):
    """A request of the log with what its key holds, and its key under the new pattern."""

    event: TraceEvent
    values: KeyValues
    time_us: int | None
    """Of its row, as far as it is known."""
    key: bytes


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
    rekeyed: tuple[RekeyedRequest, ...] = field(compare=False, repr=False)
    source: KeyParser = field(compare=False, repr=False)
    """What takes the log's keys apart."""

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
    parser = KeyParser(spec, log_key)
    made, others, unknown = _rekey(sample.events, parser, KeyWriter(spec, new_key, parser))
    if not made:
        raise ReplayError(N_("no request of the log could be replayed: its keys have another pattern"))
    events = [one.event for one in made]
    windows, seconds = _windows(events)
    texts = [render_key(spec, segments) for segments in (log_key, new_key)]
    loads = [_load(texts[0], [event.key for event in events], events, windows)]
    if texts[0] != texts[1]:
        loads.append(_load(texts[1], [one.key for one in made], events, windows))
    first, last = min(event.time_s for event in events), max(event.time_s for event in events)
    span = last - first
    return Replay(len(made), sample.total, others, unknown, first, span, seconds, tuple(loads), tuple(made), parser)


def _rekey(events: Sequence[TraceEvent], parser: KeyParser, writer: KeyWriter) -> tuple[list[RekeyedRequest], int, int]:
    """Return the requests with their new keys; how many have another pattern, and how many an unknown time."""
    made, others, unknown = list[RekeyedRequest](), 0, 0
    for event in events:
        values = parser.parse(event.key)
        if values is None:
            others += 1
            continue
        time_us = values.time_us
        if writer.needs_event_time:
            if event.operation != "write":
                unknown += 1
                continue
            time_us = int(event.time_s * MICROSECONDS)
        try:
            made.append(RekeyedRequest(event, values, time_us, writer.write(values, time_us, event.key)))
        except ValueError:
            others += 1
    return made, others, unknown


def _windows(events: Sequence[TraceEvent]) -> tuple[Ints, float]:
    """Return the window of each event, and the length of windows. [s]"""
    times = np.array([event.time_s for event in events])
    seconds = max(float(times.max() - times.min()) / WINDOWS, WINDOW_SECONDS_MIN)
    return ((times - times.min()) // seconds).astype(np.int64), seconds


def _load(text: str, keys: Sequence[bytes], events: Sequence[TraceEvent], windows: Ints) -> KeyLoad:
    counts = Counter(keys)
    ordered = sorted(counts)
    rank = {key: place for place, key in enumerate(ordered)}
    rows = len(rank)
    places = np.array([rank[key] for key in keys])
    kinds = np.array([event.operation for event in events])
    operations = {
        str(kind): _range_load(places[kinds == kind], windows[kinds == kind], rows, int(windows.max()) + 1)
        for kind in np.unique(kinds)
    }
    number = min(RANGES, rows)
    firsts = tuple(ordered[-(-place * rows // number)] for place in range(number))
    return KeyLoad(text, rows, max(counts.values()) / len(keys), operations, firsts)


def _range_load(places: Ints, windows: Ints, rows: int, window_count: int) -> RangeLoad:
    """Return the mean share of the busiest range, weighed by requests, and what it were by chance alone."""
    found = np.zeros((window_count, RANGES), dtype=np.int64)
    number = min(RANGES, rows)
    np.add.at(found, (windows, places * number // rows), 1)
    random = np.random.default_rng(1)
    per_window = found.sum(axis=1)
    even = random.multinomial(per_window, np.full(number, 1 / number))
    busiest_row = int(np.bincount(places).max()) / places.size

    def busiest_share(counts: Ints) -> float:
        return float(counts.max(axis=1).sum() / per_window.sum())

    return RangeLoad(places.size, busiest_share(found), busiest_share(even), busiest_row, found)
