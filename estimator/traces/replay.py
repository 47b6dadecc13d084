"""The requests of a log under another key: which rows and ranges of rows take the load, beside the log's own key.

Ranges hold equally many of the rows that came in the log. That is what splitting by size comes to where rows are alike;
rows that nobody asked for are in no log.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from operator import ne

import numpy as np

from designer.document import Spec
from designer.document.key import LiteralSegment, SaltSegment, Segment
from designer.document.keytext import render_key
from designer.document.texts import N_
from estimator.kernels.keys.rendering.texts import Texts
from estimator.results.arrays import Floats, Ints

from .blocks import HOUR_SECONDS, OPERATION_CODES, OPERATION_NAMES, EventBlock, EventSample, join_blocks
from .key_values import KeyParser, KeyValues, ReplayError
from .key_writing import KeyWriter

PADDED_BYTES = 64 << 20
"""Keys are put in order in an array as wide as the longest, if it has no more bytes."""
RANGES = 64
WINDOWS = 96
WINDOW_SECONDS_MIN = 60.0
MICROSECONDS = 1_000_000


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
class ReplayedScans:
    """Reads of prefixes: of all rows of one kind whose keys begin with what the log's key holds."""

    key: Sequence[Segment]
    """The new one, of all segments."""
    known: int
    """So many segments of it tell the prefix; 0: the caller reads all rows."""
    fields: frozenset[str]
    """Those of which the log's prefix holds the values."""
    times_s: Floats
    log_prefixes: Sequence[bytes]
    prefixes: Sequence[bytes]
    """Under the new key."""


@dataclass(frozen=True)
class Replay:
    """The requests of a log under its own key and another."""

    requests: int
    """Replayed ones: all, or a sample of them, those of prefixes among them."""
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
    """Of each kind of rows; together, in this order, they are the requests of `loads` without scans."""
    scans: tuple[ReplayedScans, ...] = field(default=(), compare=False, repr=False)
    hours: Mapping[str, Mapping[int, float]] = field(default_factory=dict, compare=False, repr=False)
    """Requests of each operation by hour since 1970: of all in the log, where a sample of them is replayed."""
    log_first_s: float = 0.0
    log_last_s: float = 0.0
    row_sample: tuple[Sequence[bytes], float] | None = field(default=None, compare=False, repr=False)
    """Keys of rows under the new pattern, in order, and their share of all; None where all requests are replayed."""

    @property
    def is_whole(self) -> bool:
        """True if all requests were taken to be replayed."""
        return self.requests + self.other_pattern + self.unknown_time == self.total

    def per_second(self, operation: str) -> float:
        """Return the mean rate of an operation over the log. [1/s]"""
        return sum(self.hours[operation].values()) / max(self.log_last_s - self.log_first_s, 1.0)

    @cached_property
    def rows(self) -> tuple[Sequence[bytes], float]:
        """Keys of the rows that came, under the new pattern and in order, and their share of all that came."""
        if self.row_sample is not None:
            return self.row_sample
        return [self.keys[place] for place in self.loads[-1].row_requests.tolist()], 1.0

    def rows_below(self, prefixes: Sequence[bytes]) -> Floats:
        """Return how many rows begin with each prefix."""
        rows, share = self.rows
        found = {prefix: _place_behind(prefix, rows) - bisect_left(rows, prefix) for prefix in set(prefixes)}
        return np.array([found[prefix] for prefix in prefixes], dtype=np.float64) / share

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
    longest_first = sorted(keys, key=lambda pair: -len(pair[0]))
    for log_key, new_key in longest_first:
        parser = KeyParser(spec, log_key)
        made, left, untimed = _rekey(left, parser, KeyWriter(spec, new_key, parser))
        parts.append(ReplayedKind(new_key, made, parser))
        unknown += untimed
    scans = list[ReplayedScans]()
    for log_key, new_key in longest_first:
        more, left = _find_scans(left, spec, log_key, new_key)
        scans += more
    events = join_blocks([part.requests.events for part in parts])
    if not len(events):
        raise ReplayError(N_("no request of the log could be replayed: its keys have another pattern"))
    scan_times = np.concatenate([events.times_s[:0], *(scan.times_s for scan in scans)])
    windows, seconds = _windows(np.concatenate([events.times_s, scan_times]))
    texts = [", ".join(render_key(spec, pair[place]) for pair in keys) for place in (0, 1)]
    prefixes = [prefix for scan in scans for prefix in scan.log_prefixes]
    loads = [_load(texts[0], events.keys, events.operations, windows, prefixes)]
    if texts[0] != texts[1]:
        rows = [key for part in parts for key in part.requests.keys]
        prefixes = [prefix for scan in scans for prefix in scan.prefixes]
        loads.append(_load(texts[1], rows, events.operations, windows, prefixes))
    times = np.concatenate([events.times_s, scan_times])
    first, span, taken = float(times.min()), float(np.ptp(times)), times.size
    counts = {name: load.requests for name, load in loads[-1].operations.items()}
    found = Replay(
        taken, sample.total, len(left), unknown, first, span, seconds, tuple(loads), tuple(parts), tuple(scans),
        log_first_s=sample.first_s, log_last_s=sample.last_s,
    )  # fmt: skip
    if found.is_whole:
        codes = np.concatenate([events.operations, np.full(scan_times.size, OPERATION_CODES["scan"])])
        return replace(found, hours={name: _hours(times[codes == OPERATION_CODES[name]]) for name in counts})
    return replace(found, hours=_all_hours(sample, counts), row_sample=_row_sample(spec, sample, longest_first))


def _hours(times_s: Floats) -> dict[int, float]:
    hours, counts = np.unique((times_s // HOUR_SECONDS).astype(np.int64), return_counts=True)
    return dict(zip(hours.tolist(), counts.astype(np.float64).tolist(), strict=True))


def _all_hours(sample: EventSample, replayed: Mapping[str, int]) -> dict[str, dict[int, float]]:
    """Return all requests by hour: of each operation the share that the sample has of replayed ones."""
    asked, taken = dict[str, float](), sample.events.operations
    for name in replayed:
        asked[name] = float((taken == OPERATION_CODES[name]).sum())
    # Reads of a prefix are scans, and scans of a whole key are reads, so both are told by the share of both.
    both = [name for name in ("read", "scan") if name in replayed]
    pooled = sum(asked[name] for name in both)
    found = dict[str, dict[int, float]]()
    for name, count in replayed.items():
        sources = both if name in both else [name]
        share = count / (pooled if name in both else asked[name])
        found[name] = {}
        for hours in (sample.hours.get(source, {}) for source in (("read", "scan") if name in both else sources)):
            for hour, requests in hours.items():
                found[name][hour] = found[name].get(hour, 0.0) + share * requests
    return found


def _row_sample(
    spec: Spec, sample: EventSample, keys: Sequence[tuple[Sequence[Segment], Sequence[Segment]]]
) -> tuple[Sequence[bytes], float]:
    """Return the new keys of a sample of rows; none where a row's time is known of its writes alone."""
    rows, left = set[bytes](), sorted(sample.rows.keys)
    for log_key, new_key in keys:
        parser = KeyParser(spec, log_key)
        writer = KeyWriter(spec, new_key, parser)
        values, is_such = parser.parse(left)
        found = list(compress(left, is_such.tolist()))
        left = list(compress(left, (~is_such).tolist()))
        if not writer.needs_event_time:
            rows.update(key for key in writer.write(values, values.times_us, found) if key is not None)
    return sorted(rows), sample.rows.share


def _find_scans(
    events: EventBlock, spec: Spec, log_key: Sequence[Segment], new_key: Sequence[Segment]
) -> tuple[list[ReplayedScans], EventBlock]:
    """Return the reads of prefixes of such keys, at the end of one of their parts, and what is none."""
    found = list[ReplayedScans]()
    scans = (OPERATION_CODES["scan"], OPERATION_CODES["read"])
    for number in range(len(log_key) - 1, 0, -1):
        if not log_key[number - 1].after and not isinstance(log_key[number - 1], LiteralSegment):
            continue
        parser, places = KeyParser(spec, log_key[:number]), np.flatnonzero(np.isin(events.operations, scans))
        asked = events.take(places)
        values, is_such = parser.parse(asked.keys)
        if not is_such.any():
            continue
        mine = asked.select(is_such)
        known, writer = _known_segments(spec, new_key, parser)
        made = writer.write(values, values.times_us, mine.keys) if known else [b""] * len(mine)
        prefixes = [b"" if prefix is None else prefix for prefix in made]
        found.append(ReplayedScans(new_key, known, parser.fields, mine.times_s, mine.keys, prefixes))
        is_left = np.ones(len(events), dtype=np.bool_)
        is_left[places[is_such]] = False
        events = events.select(is_left)
    return found, events


def _known_segments(spec: Spec, key: Sequence[Segment], parser: KeyParser) -> tuple[int, KeyWriter]:
    """Return how many first segments of a key follow from what a prefix holds, and what makes their text."""
    most = next((n for n, one in enumerate(key) if isinstance(one, SaltSegment) and not one.fields), len(key))
    for number in range(most, 0, -1):
        try:
            writer = KeyWriter(spec, key[:number], parser)
        except ReplayError:
            continue
        if not writer.needs_event_time:
            return number, writer
    return 0, KeyWriter(spec, (), parser)


def _rekey(events: EventBlock, parser: KeyParser, writer: KeyWriter) -> tuple[RekeyedRequests, EventBlock, int]:
    """Return the requests with their new keys; those that have another pattern, and how many have an unknown time.

    A scan of a whole key is a read of that row: how far it goes is in no log.
    """
    values, is_such = parser.parse(events.keys)
    places, unknown = np.flatnonzero(is_such), 0
    found, times = events.select(is_such).with_scans_as_reads(), values.times_us
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


def _load(text: str, keys: Sequence[bytes], operations: Ints, windows: Ints, scans: Sequence[bytes]) -> KeyLoad:
    """Return the load of requests, those for the prefixes of scans behind them; these count where they begin."""
    places, firsts = _order_rows(keys)
    rows, window_count = firsts.size, int(windows.max()) + 1
    names = {OPERATION_NAMES[code]: operations == code for code in np.unique(operations).tolist()}
    loads = {
        name: _range_load(places[is_such], windows[: len(keys)][is_such], rows, window_count)
        for name, is_such in sorted(names.items(), key=lambda item: item[0])
    }
    if scans:
        ordered = [keys[place] for place in firsts.tolist()]
        begins = {prefix: min(bisect_left(ordered, prefix), rows - 1) for prefix in set(scans)}
        found = np.array([begins[prefix] for prefix in scans])
        loads["scan"] = _range_load(found, windows[len(keys) :], rows, window_count)
    number = min(RANGES, rows)
    bounds = tuple(keys[firsts[-(-place * rows // number)]] for place in range(number))
    busiest = int(np.bincount(places).max()) / len(keys)
    return KeyLoad(text, rows, busiest, loads, bounds, firsts, places)


def _place_behind(prefix: bytes, rows: Sequence[bytes]) -> int:
    """Return the place of the first row behind all with this prefix."""
    begun = prefix.rstrip(b"\xff")
    return bisect_left(rows, begun[:-1] + bytes((begun[-1] + 1,))) if begun else len(rows)


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
