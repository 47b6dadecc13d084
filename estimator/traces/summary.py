"""What a log tells of each table: keys, operations with their hours, sizes, and how popular each field's values are."""

import datetime
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np

from designer.document import Spec
from designer.document.key import FieldSegment, Segment
from designer.imports.keys import Proposal, key_lines_regex, key_values_regex, propose
from estimator.results.arrays import Floats, Ints

from .blocks import NO_SIZE, OPERATION_NAMES, EventBlock, join_blocks, pick
from .events import UnreadLines
from .hours import (
    HOUR_SECONDS,
    PROFILE_DAYS,
    RequestSteps,
    busiest_hour_rate,
    hours_of_week,
    requests_over_time,
)
from .popularity import PopularityFit, fit_popularity
from .row_uses import LargeRow, LargestRows, NextRequest, RowSequences
from .value_counts import ValueCounter, distinct_in_any

FIRST_KEYS, FIRST_BYTES = 50_000, 32 << 20
"""So many different keys, or requests with so many bytes of keys, tell the pattern of a table's keys."""
COUNTERS_BYTES = 256 << 20
"""Memory for all counted values of a log."""
COUNTER_BYTES_MIN = 1 << 20
KEYS_BYTES = 24 << 20
"""Memory for the keys of a table, of which only the busiest are told: what fits a processor's cache is counted fast."""
MOST_SHARE = 0.998
"""If so many requests lie in less than half of the log's time, the report says so: a few times may be wrong."""
PEAK = 1.2
"""An hour of the day with so many times its mean requests is a peak."""
TABLES_MAX = 20
SIZES = 1_000
"""Relative steps of the sizes that are told apart: sizes are right to 1/1,000 × ln 2."""


@dataclass(frozen=True)
class FieldUse:
    """One segment of the key: how many values it has, and how popular they are in reads and in writes."""

    segment: str
    field: str
    distinct: int
    """In any operation: those that came, or as many as explain the most frequent operation's requests."""
    fits: dict[str, PopularityFit]
    """By operation; none where nearly each request has a new value."""


@dataclass(frozen=True)
class OperationUse:
    """All requests of one operation."""

    operation: str
    requests: int
    hours: Floats
    """Requests per hour of the week, Monday 00:00 UTC first, each a mean over the hours that the log covers [1/h]."""
    busiest_per_second: float
    """Mean rate of the busiest hour; of a log of less than an hour, the mean of all."""
    median_bytes: float | None
    largest_bytes: int | None
    mean_bytes: float | None
    over_time: RequestSteps | None
    """Requests over the time of the log; None if it covers less than two hours, or years."""

    @property
    def peak_hour(self) -> int | None:
        """Hour of the day (UTC) with the most requests; None if no hour has a fifth more than the mean."""
        daily = self.hours.reshape(7, 24).mean(axis=0)
        return int(np.argmax(daily)) if daily.max() >= PEAK * daily.mean() > 0 else None


@dataclass(frozen=True)
class TableUse:
    """What a log tells of one table."""

    table: str
    proposal: Proposal
    matching_share: float
    """Of the requests whose keys have the pattern."""
    operations: tuple[OperationUse, ...]
    fields: tuple[FieldUse, ...]
    busiest_keys: tuple[tuple[bytes, float], ...]
    """The busiest keys with their shares of all requests."""
    largest_rows: tuple[LargeRow, ...] = ()
    """Those with the largest requests, the largest first."""
    next_requests: tuple[NextRequest, ...] = ()
    """What is asked of a row after what."""


@dataclass(frozen=True)
class TraceSummary:
    """What a log tells."""

    events: int
    first_s: float
    last_s: float
    tables: tuple[TableUse, ...]
    unread: UnreadLines
    left_out: int = 0
    """Events of tables beyond the first `TABLES_MAX`."""
    most_days: float = 0.0
    """Days within which nearly all requests came, to the hour."""

    @property
    def has_outlying_times(self) -> bool:
        """True if nearly all requests came within less than half of the log's time."""
        return self.most_days < self.span_days / 2

    @property
    def span_days(self) -> float:
        """Days from the first event to the last."""
        return (self.last_s - self.first_s) / 86_400

    @property
    def first(self) -> datetime.datetime:
        """Time of the first event."""
        return datetime.datetime.fromtimestamp(self.first_s, datetime.UTC)

    @property
    def last(self) -> datetime.datetime:
        """Time of the last event."""
        return datetime.datetime.fromtimestamp(self.last_s, datetime.UTC)


@dataclass
class _Operation:
    requests: int = 0
    hours: dict[int, int] = field(default_factory=dict)
    """By hour since 1970."""
    sizes: dict[int, int] = field(default_factory=dict)
    """By size in steps of a logarithm."""
    bytes_total: int = 0
    sized: int = 0
    largest: int = 0
    values: dict[int, ValueCounter] = field(default_factory=dict)
    """By place of the segment."""


@dataclass
class _Table:
    waiting: list[EventBlock] = field(default_factory=list)
    waiting_events: int = 0
    waiting_bytes: int = 0
    known: set[bytes] = field(default_factory=set)
    proposal: Proposal | None = None
    fields: "_FieldFinder | None" = None
    places: tuple[int, ...] = ()
    matching: int = 0
    keys: ValueCounter = field(default_factory=lambda: ValueCounter(KEYS_BYTES, has_sample=False))
    largest: LargestRows = field(default_factory=LargestRows)
    sequences: RowSequences = field(default_factory=RowSequences)
    operations: dict[str, _Operation] = field(default_factory=dict)


class TraceReader:
    """Adds up events as they come; keeps keys only to count them."""

    def __init__(self, unread: UnreadLines) -> None:
        self._unread = unread
        self._tables: dict[str, _Table] = {}
        self._events = self._left_out = 0
        self._first_s, self._last_s = np.inf, -np.inf

    def add(self, events: EventBlock) -> None:
        """Add some events."""
        for name, found in events.by_table() if len(events) else ():
            if name not in self._tables and len(self._tables) == TABLES_MAX:
                self._left_out += len(found)
                continue
            self._first_s = min(self._first_s, float(found.times_s.min()))
            self._last_s = max(self._last_s, float(found.times_s.max()))
            self._events += len(found)
            self._add_to(self._tables.setdefault(name, _Table()), found)

    def _add_to(self, table: _Table, events: EventBlock) -> None:
        if table.proposal is not None:
            known = len(table.operations)
            _count(table, events)
            if len(table.operations) > known:
                self._share_memory()
            return
        table.waiting.append(events)
        table.waiting_events += len(events)
        table.known.update(events.keys)
        table.waiting_bytes += sum(map(len, events.keys))
        is_enough = len(table.known) >= FIRST_KEYS or table.waiting_events >= 10 * FIRST_KEYS
        if is_enough or table.waiting_bytes >= FIRST_BYTES // len(self._tables):
            _begin(table, (self._first_s, self._last_s))
            self._share_memory()

    def _share_memory(self) -> None:
        """Give each counter an equal share of the memory for all."""
        operations = (found for table in self._tables.values() for found in table.operations.values())
        counters = [counter for found in operations for counter in found.values.values()]
        counters += [table.keys for table in self._tables.values()]
        share = max(COUNTERS_BYTES // len(counters), COUNTER_BYTES_MIN)
        for counter in counters:
            counter.limit_bytes = share if counter.has_sample else min(share, KEYS_BYTES)

    def summary(self) -> TraceSummary:
        """Return what all events tell."""
        for table in self._tables.values():
            if table.proposal is None:
                _begin(table, (self._first_s, self._last_s))
        if not self._events:
            return TraceSummary(0, 0.0, 0.0, (), self._unread, self._left_out)
        tables = tuple(self._use(name, table) for name, table in sorted(self._tables.items()))
        most = self._most_days()
        return TraceSummary(self._events, self._first_s, self._last_s, tables, self._unread, self._left_out, most)

    def _most_days(self) -> float:
        hours: Counter[int] = Counter()
        for table in self._tables.values():
            for found in table.operations.values():
                hours.update(found.hours)
        order = np.array(sorted(hours))
        passed = np.cumsum([hours[hour] for hour in order.tolist()]) / hours.total()
        low, high = np.searchsorted(passed, [(1 - MOST_SHARE) / 2, (1 + MOST_SHARE) / 2])
        return float(order[min(high, order.size - 1)] - order[low] + 1) / 24

    def _use(self, name: str, table: _Table) -> TableUse:
        assert table.proposal is not None
        segments = table.proposal.segments
        operations = tuple(self._operation(kind, found) for kind, found in sorted(table.operations.items()))
        fields = tuple(_field_use(segments[place], place, table) for place in table.places)
        total = max(table.keys.total, 1)
        busiest = tuple((key, count / total) for key, count in table.keys.busiest(5))
        return TableUse(
            name,
            table.proposal,
            table.matching / total,
            operations,
            fields,
            busiest,
            table.largest.rows,
            table.sequences.next_requests(),
        )

    def _operation(self, kind: str, found: _Operation) -> OperationUse:
        sizes = np.array(sorted(found.sizes))
        counts = np.array([found.sizes[size] for size in sizes.tolist()])
        median = None
        if found.sized:
            place = int(np.searchsorted(counts.cumsum(), counts.sum() / 2))
            median = float(2 ** (sizes[place] / SIZES) - 1)
        span = self._first_s, self._last_s
        week = hours_of_week(found.hours, *span)
        profile = week if span[1] - span[0] >= PROFILE_DAYS * 86_400 else np.full_like(week, week.mean())
        return OperationUse(
            kind,
            found.requests,
            week,
            busiest_hour_rate(found.hours, *span),
            median,
            found.largest if found.sized else None,
            found.bytes_total / found.sized if found.sized else None,
            requests_over_time(found.hours, profile, *span),
        )


def _begin(table: _Table, span_s: tuple[float, float]) -> None:
    """Find the pattern of the keys so far, then count what waited for it."""
    table.proposal = propose(Spec(), sorted(table.known), near=span_s)
    segments = table.proposal.segments
    table.places = tuple(n for n, segment in enumerate(segments) if isinstance(segment, FieldSegment))
    if segments:
        table.fields = _FieldFinder(Spec(fields=table.proposal.fields), segments, table.places)
    waiting, table.waiting, table.known = table.waiting, [], set()
    if waiting:
        _count(table, join_blocks(waiting))


def _count(table: _Table, events: EventBlock) -> None:
    table.largest.add(events)
    table.sequences.add(events)
    table.keys.add(events.keys)
    matching, columns, is_in_order = table.fields.find(events.keys) if table.fields else (0, (), False)
    table.matching += matching
    is_whole = is_in_order and matching == len(events)
    for code, places in events.places_by_operation():
        operation = table.operations.setdefault(OPERATION_NAMES[code], _Operation())
        operation.requests += places.size
        _add_counts(operation.hours, events.times_s[places].astype(np.int64) // int(HOUR_SECONDS))
        sizes = events.value_bytes[places]
        sizes = sizes[sizes != NO_SIZE]
        if sizes.size:
            operation.sized += sizes.size
            operation.bytes_total += int(sizes.sum())
            operation.largest = max(operation.largest, int(sizes.max()))
            _add_counts(operation.sizes, np.rint(np.log2(sizes.astype(np.float64) + 1) * SIZES).astype(np.int64))
        _count_fields(table, operation, columns if is_whole else None, events, places)


def _add_counts(counts: dict[int, int], values: Ints) -> None:
    """Add how often each value came: hours of two centuries at most, or steps of sizes."""
    least = int(values.min())
    times = np.bincount(values - least)
    for place in np.flatnonzero(times).tolist():
        counts[least + place] = counts.get(least + place, 0) + int(times[place])


def _count_fields(
    table: _Table, operation: _Operation, columns: Sequence[Sequence[bytes]] | None, events: EventBlock, places: Ints
) -> None:
    """Count the values of fields in the requests of one operation, of all `columns` if these hold each request's."""
    if table.fields is None:
        return
    if columns is None:
        _, found, _ = table.fields.find(pick(events.keys, places))
    else:
        found = [pick(values, places) for values in columns]
    for place, values in zip(table.places, found, strict=True):
        operation.values.setdefault(place, ValueCounter()).add(values)


class _FieldFinder:
    """Finds the values of fields in many keys at once."""

    def __init__(self, spec: Spec, segments: Sequence[Segment], places: Sequence[int]) -> None:
        self._number = len(places)
        self._in_lines = re.compile(rb"^(?:%b)$" % key_lines_regex(spec, segments, places), re.MULTILINE)
        self._in_key = re.compile(key_values_regex(spec, segments, places), re.DOTALL)

    def find(self, keys: Sequence[bytes]) -> tuple[int, Sequence[Sequence[bytes]], bool]:
        """Return how many keys have the pattern, the values of each field in them, and whether in their order."""
        lines = b"\n".join(keys)
        broken = list[bytes]()
        if lines.count(b"\n") != len(keys) - 1:
            broken = [key for key in keys if b"\n" in key]
            lines = b"\n".join(key for key in keys if b"\n" not in key)
        found = self._in_lines.findall(lines) if lines else []
        columns: list[Sequence[bytes]] = [found] if self._number == 1 else [()] * self._number
        if found and self._number > 1:
            columns = [list(map(itemgetter(n), found)) for n in range(self._number)]
        matches = [match for key in broken if (match := self._in_key.fullmatch(key))]
        if matches:
            columns = [[*values, *(match[n] for match in matches)] for n, values in enumerate(columns, 1)]
        return len(found) + len(matches), columns, not broken


def _field_use(segment: Segment, place: int, table: _Table) -> FieldUse:
    assert isinstance(segment, FieldSegment)
    counters = {kind: found.values[place] for kind, found in table.operations.items() if place in found.values}
    fits = {kind: fit for kind, counter in counters.items() if (fit := fit_popularity(counter)) is not None}
    seen = round(distinct_in_any(counters.values()))
    surest = max(fits, key=lambda kind: counters[kind].total, default="")
    return FieldUse(segment.id, segment.field, max(seen, fits[surest].distinct) if fits else seen, fits)
