"""The requests of a log under another key: which rows and ranges of rows take the load, beside the log's own key.

Ranges hold equally many of the rows that came in the log. That is what splitting by size comes to where rows are alike;
rows that nobody asked for are in no log.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from designer.document import Spec
from designer.document.key import Segment
from designer.document.keytext import render_key
from estimator.results.arrays import Ints

from .blocks import EventBlock, TraceEvent
from .key_values import KeyParser, KeyWriter, ReplayError

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
    window_requests: tuple[int, ...]
    """Requests in each window of time."""


@dataclass(frozen=True)
class KeyLoad:
    """The load under one key."""

    key: str
    rows: int
    busiest_row_share: float
    operations: dict[str, RangeLoad]


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
    writer = KeyWriter(spec, new_key, parser)
    events, keys, others, unknown = [], list[bytes](), 0, 0
    for event in sample.events:
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
            keys.append(writer.write(values, time_us, event.key))
        except ValueError:
            others += 1
            continue
        events.append(event)
    if not events:
        raise ReplayError("no request of the log could be replayed: its keys have another pattern")
    windows, seconds = _windows(events)
    texts = [render_key(spec, segments) for segments in (log_key, new_key)]
    loads = [_load(texts[0], [event.key for event in events], events, windows)]
    if texts[0] != texts[1]:
        loads.append(_load(texts[1], keys, events, windows))
    first, last = min(event.time_s for event in events), max(event.time_s for event in events)
    return Replay(len(events), sample.total, others, unknown, first, last - first, seconds, tuple(loads))


def _windows(events: Sequence[TraceEvent]) -> tuple[Ints, float]:
    """Return the window of each event, and the length of windows. [s]"""
    times = np.array([event.time_s for event in events])
    seconds = max(float(times.max() - times.min()) / WINDOWS, WINDOW_SECONDS_MIN)
    return ((times - times.min()) // seconds).astype(np.int64), seconds


def _load(text: str, keys: Sequence[bytes], events: Sequence[TraceEvent], windows: Ints) -> KeyLoad:
    counts = Counter(keys)
    rank = {key: place for place, key in enumerate(sorted(counts))}
    rows = len(rank)
    places = np.array([rank[key] for key in keys])
    kinds = np.array([event.operation for event in events])
    operations = {
        str(kind): _range_load(places[kinds == kind], windows[kinds == kind], rows) for kind in np.unique(kinds)
    }
    return KeyLoad(text, rows, max(counts.values()) / len(keys), operations)


def _range_load(places: Ints, windows: Ints, rows: int) -> RangeLoad:
    """Return the mean share of the busiest range, weighed by requests, and what it were by chance alone."""
    found = np.zeros((int(windows.max()) + 1, RANGES), dtype=np.int64)
    np.add.at(found, (windows, places * RANGES // rows), 1)
    random = np.random.default_rng(1)
    per_window = found.sum(axis=1)
    number = min(RANGES, rows)
    even = random.multinomial(per_window, np.full(number, 1 / number))
    busiest_row = int(np.bincount(places).max()) / places.size

    def busiest_share(counts: Ints) -> float:
        return float(counts.max(axis=1).sum() / per_window.sum())

    requests = tuple(per_window.tolist())
    return RangeLoad(places.size, busiest_share(found), busiest_share(even), busiest_row, requests)
