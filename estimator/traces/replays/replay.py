"""The requests of a log under another key: which rows and ranges of rows take the load, beside the log's own key.

Ranges hold equally many of the rows that came in the log. That is what splitting by size comes to where rows are alike;
rows that nobody asked for are in no log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress

import numpy as np

from designer.document import Spec
from designer.document.key import LiteralSegment, SaltSegment, Segment
from designer.document.keytext import render_key
from designer.document.texts import N_
from estimator.results.arrays import Floats

from ..blocks import HOUR_SECONDS, OPERATION_CODES, OPERATION_NAMES, EventBlock, EventSample, join_blocks
from .heaviest import Hashes, hash_names
from .key_load import KeyLoad, LoggedRows, TimeWindows, load_under, span_of
from .key_values import KeyParser, KeyValues, ReplayError
from .key_writing import KeyWriter
from .scanned_rows import RowsInTime

WINDOWS = 96
WINDOW_SECONDS_MIN = 60.0
MICROSECONDS = 1_000_000


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


class RequestsByKind:
    """Requests for whole keys, by the kinds of their rows."""

    parts: tuple["ReplayedKind", ...]

    @cached_property
    def events(self) -> EventBlock:
        """The replayed requests, with their keys in the log."""
        return join_blocks([part.requests.events for part in self.parts])

    @cached_property
    def keys(self) -> Sequence[bytes]:
        """Their keys under the new pattern."""
        return [key for part in self.parts for key in part.requests.keys]


@dataclass(frozen=True)
class Replay(RequestsByKind):
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
    windows: TimeWindows
    loads: tuple[KeyLoad, ...]
    """Under the log's key, then under the new one if it is another."""
    parts: tuple["ReplayedKind", ...] = field(compare=False, repr=False)
    """Of each kind of rows; together, in this order, they are the requests of `loads` without scans."""
    scans: tuple[ReplayedScans, ...] = field(default=(), compare=False, repr=False)
    hours: Mapping[str, Mapping[int, float]] = field(default_factory=dict, compare=False, repr=False)
    """Requests of each operation by hour since 1970: of all in the log, where a sample of them is replayed."""
    log_first_s: float = 0.0
    log_last_s: float = 0.0
    row_sample: "LoggedRows | None" = field(default=None, compare=False, repr=False)
    """Of the rows under the new pattern; None where all requests are replayed."""
    loads_by_kind: "tuple[KeyLoad | None, ...] | None" = field(default=None, compare=False, repr=False)
    """What `kind_loads` are, where they are counted elsewhere."""
    counted_rows_share: float = 1.0
    """Rows are told by so many of them."""

    @property
    def window_seconds(self) -> float:
        """Length of a window of time."""
        return self.windows.seconds

    @property
    def is_whole(self) -> bool:
        """True if all requests were taken to be replayed."""
        return self.requests + self.other_pattern + self.unknown_time == self.total

    def per_second(self, operation: str) -> float:
        """Return the mean rate of an operation over the log. [1/s]"""
        return sum(self.hours[operation].values()) / max(self.log_last_s - self.log_first_s, 1.0)

    @cached_property
    def rows(self) -> "LoggedRows | None":
        """The rows that came, under the new pattern; None where the log does not tell their keys."""
        if self.row_sample is not None:
            return self.row_sample if self.row_sample.keys else None
        load = self.loads[-1]
        return LoggedRows([self.keys[place] for place in load.row_requests.tolist()], load.there, 1.0)

    def rows_below(self, prefixes: Sequence[bytes], times_s: Floats) -> Floats | None:
        """Return how many rows with each prefix were there at a moment, as far as the log tells; None where not."""
        if self.rows is None:
            return None
        spans = {prefix: span_of(prefix, self.rows.keys) for prefix in set(prefixes)}
        lows, highs = np.array([spans[prefix] for prefix in prefixes], dtype=np.int64).reshape(-1, 2).T
        return self.rows.there.between(lows, highs, times_s) / self.rows.share

    @cached_property
    def kind_loads(self) -> tuple[KeyLoad | None, ...]:
        """The load of each of `parts` on its rows alone; None where no row of it was asked for."""
        if self.loads_by_kind is not None:
            return self.loads_by_kind
        if len(self.parts) == 1:
            return self.loads[-1:]
        return tuple(map(self.load_of, self.parts))

    def load_of(self, part: "ReplayedKind", logged_rows: LoggedRows | None = None) -> KeyLoad | None:
        """Return the load of one of `parts` on its rows alone; None where no row of it was asked for."""
        requests, windows = part.requests, self.windows
        if not requests.keys:
            return None
        scans = _scans_of([scan for scan in self.scans if scan.key == part.key])
        operations, times = requests.events.operations, requests.events.times_s
        return load_under("", requests.keys, operations, times, windows, scans, logged_rows)

    @cached_property
    def key_hashes(self) -> Hashes:
        """A number for each of `keys`, the same in every process."""
        return hash_names(self.keys)

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
    # A short pattern also fits longer keys ("user#…" fits "user#1#order#2"), so the most specific one is tried first.
    longest_first = sorted(keys, key=lambda pair: -len(pair[0]))
    request_parts = take_apart(sample.events, spec, longest_first)
    if not len(request_parts.events):
        message = N_("no request of the log could be replayed: its keys have another pattern than {pattern}")
        raise ReplayError(message, pattern=key_texts(spec, keys)[0])
    result = replace(_replay_of(request_parts, key_texts(spec, keys)), total=sample.total)
    result = replace(result, log_first_s=sample.first_s, log_last_s=sample.last_s)
    if result.is_whole:
        return replace(result, hours=request_parts.hours())
    counts = {name: load.requests for name, load in result.loads[-1].operations.items()}
    return replace(result, hours=_all_hours(sample, counts), row_sample=sampled_rows(spec, sample, longest_first))


@dataclass(frozen=True)
class RequestParts(RequestsByKind):
    """Requests taken apart by kinds of rows, with their new keys."""

    parts: tuple[ReplayedKind, ...]
    scans: tuple[ReplayedScans, ...]
    other_pattern: int
    unknown_time: int

    def scan_requests(self, *, own: bool) -> tuple[Sequence[bytes], Floats]:
        """Return the prefixes of scans under the new key, or their `own` ones in the log, and their times."""
        return _scans_of(self.scans, own=own)

    @cached_property
    def times_s(self) -> Floats:
        """Of all of them, scans last."""
        return np.concatenate([self.events.times_s, self.scan_requests(own=True)[1]])

    def hours(self) -> dict[str, dict[int, float]]:
        """Return the requests of each operation by hour."""
        scans = np.full(self.times_s.size - len(self.events), OPERATION_CODES["scan"])
        codes = np.concatenate([self.events.operations, scans])
        return {OPERATION_NAMES[code]: _hours(self.times_s[codes == code]) for code in np.unique(codes).tolist()}


def take_apart(
    events: EventBlock, spec: Spec, longest_first: Sequence[tuple[Sequence[Segment], Sequence[Segment]]]
) -> RequestParts:
    """Return requests by the kinds of their rows, each with its key in the log and its new one.

    Raises
    ------
    ReplayError
        If the log's keys do not hold what a new key needs.
    """
    parts, remaining, unknown = list[ReplayedKind](), events, 0
    for log_key, new_key in longest_first:
        parser = KeyParser(spec, log_key)
        requests, remaining, untimed = _rekey(remaining, parser, KeyWriter(spec, new_key, parser))
        parts.append(ReplayedKind(new_key, requests, parser))
        unknown += untimed
    scans = list[ReplayedScans]()
    for log_key, new_key in longest_first:
        more, remaining = _find_scans(remaining, spec, log_key, new_key)
        scans += more
    return RequestParts(tuple(parts), tuple(scans), len(remaining), unknown)


def key_texts(spec: Spec, keys: Sequence[tuple[Sequence[Segment], Sequence[Segment]]]) -> tuple[str, ...]:
    """Return the text of the log's keys, and of the new ones if these are others."""
    texts = [", ".join(render_key(spec, pair[place]) for pair in keys) for place in (0, 1)]
    return tuple(dict.fromkeys(texts))


def _replay_of(request_parts: RequestParts, texts: Sequence[str]) -> Replay:
    """Return the replay of these requests alone."""
    windows = time_windows(request_parts.times_s)
    loads = loads_under(texts, request_parts, windows, (None,) * len(texts))
    first, span = float(request_parts.times_s.min()), float(np.ptp(request_parts.times_s))
    return Replay(
        request_parts.times_s.size, request_parts.times_s.size, request_parts.other_pattern,
        request_parts.unknown_time, first, span, windows, loads,
        request_parts.parts, request_parts.scans,
    )  # fmt: skip


def loads_under(
    texts: Sequence[str], request_parts: RequestParts, windows: TimeWindows, row_sets: Sequence[LoggedRows | None]
) -> tuple[KeyLoad, ...]:
    """Return the load under the log's key, and under the new one if it is another; `row_sets` are the rows of each."""
    codes, times = request_parts.events.operations, request_parts.events.times_s
    pairs = (
        (request_parts.events.keys, request_parts.scan_requests(own=True)),
        (request_parts.keys, request_parts.scan_requests(own=False)),
    )
    return tuple(
        load_under(text, keys, codes, times, windows, scans, rows)
        for text, (keys, scans), rows in zip(texts, pairs, row_sets, strict=False)
    )


def _hours(times_s: Floats) -> dict[int, float]:
    hours, counts = np.unique((times_s // HOUR_SECONDS).astype(np.int64), return_counts=True)
    return dict(zip(hours.tolist(), counts.astype(np.float64).tolist(), strict=True))


def _all_hours(sample: EventSample, replayed: Mapping[str, int]) -> dict[str, dict[int, float]]:
    """Return all requests by hour: of each operation the share that the sample has of replayed ones."""
    sample_counts, operations = dict[str, float](), sample.events.operations
    for name in replayed:
        sample_counts[name] = float((operations == OPERATION_CODES[name]).sum())
    # Reads of a prefix are scans, and scans of a whole key are reads, so both are told by the share of both.
    both = [name for name in ("read", "scan") if name in replayed]
    pooled = sum(sample_counts[name] for name in both)
    result = dict[str, dict[int, float]]()
    for name, count in replayed.items():
        sources = both if name in both else [name]
        # Some sampled requests could not be replayed; all requests of the log are taken to have the same share of
        # them.
        share = count / (pooled if name in both else sample_counts[name])
        result[name] = {}
        for hours in (sample.hours.get(source, {}) for source in (("read", "scan") if name in both else sources)):
            for hour, requests in hours.items():
                result[name][hour] = result[name].get(hour, 0.0) + share * requests
    return result


def _scans_of(scans: Sequence[ReplayedScans], *, own: bool = False) -> tuple[Sequence[bytes], Floats]:
    """Return the prefixes of scans under the new key, or their `own` ones in the log, and their times."""
    prefixes = [prefix for scan in scans for prefix in (scan.log_prefixes if own else scan.prefixes)]
    return prefixes, np.concatenate([np.zeros(0), *(scan.times_s for scan in scans)])


def sampled_rows(
    spec: Spec,
    sample: EventSample,
    keys: Sequence[tuple[Sequence[Segment], Sequence[Segment]]],
    *,
    own_keys: bool = False,
) -> LoggedRows:
    """Return the new keys, or their own, of a sample of rows; none where a row's time is known of its writes alone."""
    rows, remaining = dict[bytes, list[bytes]](), sorted(sample.rows.keys)
    for log_key, new_key in keys:
        parser = KeyParser(spec, log_key)
        writer = KeyWriter(spec, new_key, parser)
        values, is_such = parser.parse(remaining)
        matches = list(compress(remaining, is_such.tolist()))
        remaining = list(compress(remaining, (~is_such).tolist()))
        new_keys: Sequence[bytes | None] = matches
        if not own_keys:
            new_keys = [] if writer.needs_event_time else writer.write(values, values.times_us, matches)
        for own, key in zip(matches, new_keys, strict=False):
            if key is not None:
                rows.setdefault(key, []).append(own)
    ordered = sorted(rows)
    return LoggedRows(ordered, RowsInTime.of_sample(sample.rows, [rows[key] for key in ordered]), sample.rows.share)


def _find_scans(
    events: EventBlock, spec: Spec, log_key: Sequence[Segment], new_key: Sequence[Segment]
) -> tuple[list[ReplayedScans], EventBlock]:
    """Return the reads of prefixes of such keys, at the end of one of their parts, and what is none."""
    replayed_scans = list[ReplayedScans]()
    scans = (OPERATION_CODES["scan"], OPERATION_CODES["read"])
    for number in range(len(log_key) - 1, 0, -1):
        if not log_key[number - 1].after and not isinstance(log_key[number - 1], LiteralSegment):
            continue
        parser, places = KeyParser(spec, log_key[:number]), np.flatnonzero(np.isin(events.operations, scans))
        candidates = events.take(places)
        values, is_such = parser.parse(candidates.keys)
        if not is_such.any():
            continue
        mine = candidates.select(is_such)
        segments, writer = _known_segments(spec, new_key, parser)
        new_prefixes = writer.write(values, values.times_us, mine.keys) if segments else [b""] * len(mine)
        prefixes = [b"" if prefix is None else prefix for prefix in new_prefixes]
        replayed_scans.append(ReplayedScans(new_key, segments, parser.fields, mine.times_s, mine.keys, prefixes))
        is_left = np.ones(len(events), dtype=np.bool_)
        is_left[places[is_such]] = False
        events = events.select(is_left)
    return replayed_scans, events


def _known_segments(spec: Spec, key: Sequence[Segment], parser: KeyParser) -> tuple[int, KeyWriter]:
    """Return how many first segments of a key follow from what a prefix holds, and what makes their text."""
    # Behind a salt that is drawn at random nothing is known: a scan would have to ask for every salt.
    most = next(
        (n for n, segment in enumerate(key) if isinstance(segment, SaltSegment) and not segment.fields), len(key)
    )
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
    block, times = events.select(is_such).with_scans_as_reads(), values.times_us
    if writer.needs_event_time:
        is_write = block.operations == OPERATION_CODES["write"]
        unknown = int((~is_write).sum())
        block, values = block.select(is_write), values.select(is_write)
        is_such[places[~is_write]], places = True, places[is_write]
        # Only a write's own time is that of its row; when a row that is read was written is not in the request.
        times = (block.times_s * MICROSECONDS).astype(np.int64).tolist()
    keys = writer.write(values, times, block.keys)
    if None in keys:
        is_made = np.array([key is not None for key in keys], dtype=np.bool_)
        is_such[places[~is_made]] = False
        block, values = block.select(is_made), values.select(is_made)
        times = None if times is None else list(compress(times, is_made.tolist()))
    requests = RekeyedRequests(block, values, times, [key for key in keys if key is not None])
    return requests, events.select(~is_such), unknown


def time_windows(times_s: Floats) -> TimeWindows:
    """Return the windows of time of these requests."""
    first, last = float(times_s.min()), float(times_s.max())
    seconds = max((last - first) / WINDOWS, WINDOW_SECONDS_MIN)
    return TimeWindows(first, seconds, int((last - first) // seconds) + 1)
