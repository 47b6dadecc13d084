"""Results of a log for each table: keys, operations with their hours, sizes, and the popularity of fields' values."""

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import compress, pairwise

import numpy as np

from designer.imports.keys import Proposal, find_shapes, kind_name
from estimator.results.arrays import Floats

from .blocks import HOUR_SECONDS, OPERATION_CODES, EventBlock, join_blocks
from .byte_columns import ByteColumn
from .events import UnreadLines
from .hours import (
    PROFILE_DAYS,
    RequestSteps,
    busiest_hour_rate,
    hours_of_week,
    requests_over_time,
)
from .key_fields import KindFinder, find_prefixes
from .kind_counts import SIZES, FieldUse, KindCounts, LoggedOperation
from .row_uses import LargeRow, NextRequest
from .value_ages import REQUESTS_MAX, REQUESTS_MIN
from .value_counts import KEYS_BYTES, ValueCounter

FIRST_KEYS, FIRST_BYTES = 50_000, 32 << 20
"""So many different keys, or requests with so many bytes of keys, tell the pattern of a table's keys."""

COUNTERS_BYTES = 256 << 20
"""Memory for all counted values of a log."""
COUNTER_BYTES_MIN = 1 << 20
MOST_SHARE = 0.998
"""If so many requests lie in less than half of the log's time, the report says so: a few times may be wrong."""
PEAK = 1.2
"""An hour of the day with so many times its mean requests is a peak."""
GAP_HOURS, GAP_REQUESTS = 6, 100
"""If no request came for so many hours, in which so many would have at the mean of the others, the report says so."""
TABLES_MAX = 20
LATE_SECONDS, DAY_SECONDS = 60.0, 86_400.0


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
    prefix: int = 0
    """Of a scan: so many segments of the key are known; 0 for others."""

    @property
    def peak_hour(self) -> int | None:
        """Hour of the day (UTC) with the most requests; None if no hour has a fifth more than the mean."""
        daily = self.hours.reshape(7, 24).mean(axis=0)
        return int(np.argmax(daily)) if daily.max() >= PEAK * daily.mean() > 0 else None


@dataclass(frozen=True)
class TableUse:
    """Results of a log for one table, or for one kind of rows in it."""

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
    kind: str = ""
    """Name of the kind of rows; empty where all keys of the table have one form."""
    requests_share: float = 1.0
    """Share that this kind has of the table's requests."""


@dataclass(frozen=True)
class TraceSummary:
    """Results of a log."""

    events: int
    first_s: float
    last_s: float
    tables: tuple[TableUse, ...]
    """In order of their names, each kind of rows for itself."""
    unread: UnreadLines
    left_out: int = 0
    """Events of tables beyond the first `TABLES_MAX`."""
    most_days: float = 0.0
    """Days within which nearly all requests came, to the hour."""
    late_share: float = 0.0
    """Of the requests that stand behind one of at least `LATE_SECONDS` later."""
    gap_s: tuple[float, float] | None = None
    """Beginning and end of the longest time without requests, where it is too long for chance. [s since 1970]"""

    @property
    def gap_days(self) -> float:
        """Days of the longest time without requests."""
        return (self.gap_s[1] - self.gap_s[0]) / DAY_SECONDS if self.gap_s else 0.0

    @property
    def is_of_a_moment(self) -> bool:
        """True if the log covers less than a second, so that it tells no rate."""
        return self.last_s - self.first_s < 1

    @property
    def has_outlying_times(self) -> bool:
        """True if nearly all requests came within less than half of the log's time."""
        return self.most_days < self.span_days / 2

    @property
    def span_days(self) -> float:
        """Days from the first event to the last."""
        return (self.last_s - self.first_s) / DAY_SECONDS

    @property
    def first(self) -> datetime.datetime:
        """Time of the first event."""
        return datetime.datetime.fromtimestamp(self.first_s, datetime.UTC)

    @property
    def last(self) -> datetime.datetime:
        """Time of the last event."""
        return datetime.datetime.fromtimestamp(self.last_s, datetime.UTC)


@dataclass
class _Table:
    waiting: list[EventBlock] = field(default_factory=list)
    waiting_events: int = 0
    waiting_bytes: int = 0
    known: set[bytes] = field(default_factory=set)
    """Keys of other requests than scans."""
    scanned: set[bytes] = field(default_factory=set)
    """Keys of scans, which may be prefixes: they tell a pattern only where there are no others."""
    stored: set[bytes] = field(default_factory=set)
    """Keys of writes."""
    kinds: list[KindCounts] = field(default_factory=list)
    """None before enough keys are known."""
    finder: KindFinder | None = None
    """Where there are several kinds."""
    usual: int = 0
    """Place of the kind with the most keys, which takes those that have no form of a kind."""

    @property
    def counters(self) -> int:
        """Number of counters."""
        return sum(len(kind.operations) + len(kind.scans) for kind in self.kinds)


class TraceReader:
    """Adds up events as they come; keeps keys only to count them."""

    def __init__(self, unread: UnreadLines) -> None:
        self._unread = unread
        self._tables: dict[str, _Table] = {}
        self._events = self._left_out = self._late = 0
        self._first_s, self._last_s, self._latest_s = np.inf, -np.inf, -np.inf

    def add(self, events: EventBlock) -> None:
        """Add some events."""
        if len(events):
            # The latest time up to each request; a request that is a minute older stands in the wrong place of the
            # log.
            latest = np.maximum.accumulate(np.maximum(events.times_s, self._latest_s))
            self._late += int(np.count_nonzero(latest - events.times_s >= LATE_SECONDS))
            self._latest_s = float(latest[-1])
        for name, block in events.by_table() if len(events) else ():
            if name not in self._tables and len(self._tables) == TABLES_MAX:
                self._left_out += len(block)
                continue
            self._first_s = min(self._first_s, float(block.times_s.min()))
            self._last_s = max(self._last_s, float(block.times_s.max()))
            self._events += len(block)
            self._add_to(self._tables.setdefault(name, _Table()), block)

    def _add_to(self, table: _Table, events: EventBlock) -> None:
        if table.kinds:
            before = table.counters
            _count(table, events)
            if table.counters > before:
                self._share_memory()
            return
        # A few requests of each chunk must not hold the chunks.
        table.waiting.append(replace(events, key_column=events.key_column.pack()))
        table.waiting_events += len(events)
        is_scan, is_write = (events.operations == OPERATION_CODES[name] for name in ("scan", "write"))
        table.known.update(compress(events.keys, (~is_scan).tolist()))
        table.scanned.update(compress(events.keys, is_scan.tolist()) if is_scan.any() else ())
        table.stored.update(compress(events.keys, is_write.tolist()))
        table.waiting_bytes += int(events.key_column.lengths.sum())
        # A table of few rows never has 50,000 keys, so many requests are enough as well.
        is_enough = len(table.known) >= FIRST_KEYS or table.waiting_events >= 10 * FIRST_KEYS
        if is_enough or table.waiting_bytes >= FIRST_BYTES // len(self._tables):
            _begin(table, (self._first_s, self._last_s))
            self._share_memory()

    def _share_memory(self) -> None:
        """Give each counter an equal share of the memory for all."""
        counters: list[ValueCounter] = [kind.keys for kind in self._kinds]
        counters += [counter for operation in self._operations for counter in operation.values.values()]
        share = max(COUNTERS_BYTES // len(counters), COUNTER_BYTES_MIN)
        for counter in counters:
            counter.limit_bytes = share if counter.has_sample else min(share, KEYS_BYTES)
        kinds = list(self._kinds)
        for ages in (age for kind in kinds for age in kind.ages.values()):
            ages.limit = max(REQUESTS_MAX // len(kinds), REQUESTS_MIN)

    @property
    def _kinds(self) -> Iterator[KindCounts]:
        return (kind for table in self._tables.values() for kind in table.kinds)

    @property
    def _operations(self) -> Iterator[LoggedOperation]:
        return (operation for kind in self._kinds for _, _, operation in kind.all_operations)

    def summary(self) -> TraceSummary:
        """Return what all events tell."""
        for table in self._tables.values():
            if not table.kinds:
                _begin(table, (self._first_s, self._last_s))
        if not self._events:
            return TraceSummary(0, 0.0, 0.0, (), self._unread, self._left_out)
        tables = tuple(use for name, table in sorted(self._tables.items()) for use in self._uses(name, table))
        return TraceSummary(
            self._events, self._first_s, self._last_s, tables, self._unread, self._left_out, self._most_days(),
            self._late / (self._events + self._left_out), self._longest_gap(),
        )  # fmt: skip

    def _requests_by_hour(self) -> Counter[int]:
        hours: Counter[int] = Counter()
        for operation in self._operations:
            hours.update(operation.hours)
        return hours

    def _longest_gap(self) -> tuple[float, float] | None:
        hours = self._requests_by_hour()
        order = sorted(hours)
        length, before = max(((after - before - 1, before) for before, after in pairwise(order)), default=(0, 0))
        if length < GAP_HOURS or length * hours.total() / len(order) < GAP_REQUESTS:
            return None
        return (before + 1) * HOUR_SECONDS, (before + 1 + length) * HOUR_SECONDS

    def _most_days(self) -> float:
        hours = self._requests_by_hour()
        order = np.array(sorted(hours))
        # Quantiles over requests: one request with a time of 1999 must not stretch the log to decades unnoticed.
        shares = np.cumsum([hours[hour] for hour in order.tolist()]) / hours.total()
        low, high = np.searchsorted(shares, [(1 - MOST_SHARE) / 2, (1 + MOST_SHARE) / 2])
        return float(order[min(high, order.size - 1)] - order[low] + 1) / 24

    def _uses(self, name: str, table: _Table) -> Iterator[TableUse]:
        """Yield what is told of each kind of rows that came."""
        names, requests = list[str](), max(sum(kind.requests for kind in table.kinds), 1)
        for kind in table.kinds:
            if kind.all_operations:
                fields = {field.id: field.name for field in kind.proposal.fields}
                names.append(kind_name(kind.proposal.segments, fields, names) if len(table.kinds) > 1 else "")
                yield replace(self._use(name, kind, names[-1]), requests_share=kind.requests / requests)

    def _use(self, table: str, kind: KindCounts, name: str) -> TableUse:
        total, requests = max(kind.keys.total, 1), max(kind.requests, 1)
        return TableUse(
            table,
            kind.proposal,
            (kind.matching + requests - total) / requests if kind.keys.total else 1.0,
            tuple(self._operation(*operation) for operation in kind.all_operations),
            kind.field_uses(),
            tuple((key, count / total) for key, count in kind.keys.busiest_keys(5)),
            kind.largest.rows,
            kind.sequences.next_requests(),
            name,
        )

    def _operation(self, kind: str, prefix: int, operation: LoggedOperation) -> OperationUse:
        median = None
        if operation.sized:
            step = int(np.searchsorted(operation.sizes.cumsum(), operation.sized / 2))
            median = float(2 ** (step / SIZES) - 1)
        span = self._first_s, self._last_s
        week = hours_of_week(operation.hours, *span)
        profile = week
        if span[1] - span[0] < PROFILE_DAYS * DAY_SECONDS and week.any():  # what it does not cover is not known
            # Scaled so that the mean of the week is the log's own rate: hours of the day that it does not cover say
            # nothing.
            week = week * (HOUR_SECONDS * operation.requests / max(span[1] - span[0], 1.0) / week.mean())
            profile = np.full_like(week, week.mean())
        return OperationUse(
            kind,
            operation.requests,
            week,
            max(busiest_hour_rate(operation.hours, *span), float(week.mean()) / HOUR_SECONDS),
            median,
            operation.largest if operation.sized else None,
            operation.bytes_total / operation.sized if operation.sized else None,
            requests_over_time(operation.hours, profile, *span),
            prefix,
        )


def _begin(table: _Table, span_s: tuple[float, float]) -> None:
    """Find the kinds of the rows so far with the patterns of their keys, then count what waited for them."""
    key_set = table.known or table.scanned
    keys = sorted(key_set - find_prefixes(key_set, table.stored))
    requests = Counter({0: table.waiting_events})
    shapes = find_shapes(keys)
    groups: dict[int, list[bytes]] = {0: keys}
    if len(shapes) > 1:
        table.finder = KindFinder(shapes)
        groups = defaultdict(list)
        for key, place in zip(keys, table.finder.find(ByteColumn.from_cells(keys)).tolist(), strict=True):
            groups[place].append(key)
        requests = Counter()
        for block in table.waiting:
            requests.update(table.finder.find(block.key_column).tolist())
        table.usual = max(range(len(shapes)), key=lambda place: len(groups[place]))
    table.kinds = [KindCounts.of_keys(groups[place], span_s, requests[place]) for place in range(len(shapes))]
    waiting, table.waiting = table.waiting, []
    # These sets are the largest part of memory, and counting needs none of them.
    table.known, table.scanned, table.stored = set(), set(), set()
    if waiting:
        _count(table, join_blocks(waiting))


def _count(table: _Table, events: EventBlock) -> None:
    """Count requests with their kinds."""
    if table.finder is None:
        table.kinds[0].add(events)
        return
    places = table.finder.find(events.key_column)
    (rest,) = np.nonzero(places < 0)
    if rest.size:
        places[rest] = table.usual
        others = events.take(rest)
        for place, kind in enumerate(table.kinds):
            # A key without a form of its own can be a prefix of another kind's keys; else the kind with the most keys
            # takes it.
            if kind.prefixes is not None and place != table.usual:
                places[rest[kind.prefixes.find(others)[0] > 0]] = place
    # In the order of their kinds, and of the log within each.
    order = np.argsort(places.astype(np.int8), kind="stable")
    bounds = np.searchsorted(places[order], np.arange(len(table.kinds) + 1)).tolist()
    for kind, (first, behind) in zip(table.kinds, pairwise(bounds), strict=True):
        if behind > first:
            kind.add(events.take(order[first:behind]))
