"""All requests of a log that is too long to be held: read once for a sample, and once more to count each request.

The first reading tells the rows that ranges divide, windows of time and the model's day; the second adds up requests,
rows and node time in batches. What is kept between two batches is bounded, and can be pickled.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from designer.document.key import Segment
from estimator.estimates.context import Context
from estimator.results.arrays import Floats

from ..blocks import OPERATION_CODES, EventBlock, join_blocks
from .heaviest import Hashes, RowCounts, hash_names
from .key_load import KeyLoad, LoggedRows, RangeLoad, TimeWindows
from .model_beside import LoggedModel, ReplayedTotals, compare_totals
from .peaks import PeakTotals
from .replay import (
    Replay,
    RequestParts,
    key_texts,
    loads_under,
    replay_kinds,
    sampled_rows,
    take_apart,
    time_windows,
)
from .replay_plan import ReplayedDesign, ReplayPlan

BATCH = 200_000
"""Requests that are replayed at a time."""


@dataclass
class LoadTotals:
    """The load under one key, added up."""

    counts: dict[str, Floats] = field(default_factory=dict)
    """By operation: (windows, ranges) requests."""
    even_counts: dict[str, Floats] = field(default_factory=dict)
    requests: dict[str, int] = field(default_factory=dict)
    rows: RowCounts = field(default_factory=RowCounts)
    prefixes: RowCounts = field(default_factory=RowCounts)
    """Of scans."""

    def add(self, load: KeyLoad) -> None:
        """Add the ranges of some requests."""
        for name, range_load in load.operations.items():
            for totals, counts in ((self.counts, range_load.counts), (self.even_counts, range_load.even_counts)):
                totals[name] = totals[name] + counts if name in totals else counts
            self.requests[name] = self.requests.get(name, 0) + range_load.requests

    def add_rows(self, rows: Hashes, operations: Any, prefixes: Sequence[bytes]) -> None:
        """Add the rows of some requests, and the prefixes of scans."""
        self.rows.add(rows, operations)
        if prefixes:
            self.prefixes.add(hash_names(prefixes), np.full(len(prefixes), OPERATION_CODES["scan"]))

    def load(self, begun: KeyLoad, logged_rows: LoggedRows) -> KeyLoad:
        """Return the load of all requests; `begun` is that of a sample."""
        operations = dict[str, RangeLoad]()
        for name in sorted(self.counts):
            counter = self.prefixes if name == "scan" else self.rows
            busiest = counter.busiest_of(OPERATION_CODES[name])
            operations[name] = RangeLoad.of_counts(
                self.counts[name], self.even_counts[name], self.requests[name], busiest
            )
        number = min(len(logged_rows.keys), next(iter(self.counts.values())).shape[1])
        bounds = tuple(logged_rows.keys[-(-place * len(logged_rows.keys) // number)] for place in range(number))
        share = self.rows.busiest / max(self.rows.total, 1)
        return replace(begun, rows=self.rows.rows, busiest_row_share=share, operations=operations, bounds=bounds)


@dataclass(frozen=True)
class _FirstReading:
    """Results of the sample that the second reading counts by."""

    replay: Replay
    keys: Sequence[tuple[Sequence[Segment], Sequence[Segment]]]
    texts: tuple[str, ...]
    windows: TimeWindows
    rows: tuple[LoggedRows, ...]
    """Under the log's key, and under the new one if it is another."""
    rows_by_kind: tuple[LoggedRows | None, ...]
    """Empty of one kind alone."""
    logged: LoggedModel | None

    @classmethod
    def of_plan(cls, plan: ReplayPlan, context: Context) -> "_FirstReading":
        sample, spec = plan.sample, plan.spec
        replay = replay_kinds(sample, spec, plan.keys)
        longest_first = sorted(plan.keys, key=lambda pair: -len(pair[0]))
        texts = key_texts(spec, plan.keys)
        rows = [sampled_rows(spec, sample, longest_first, own_keys=not place) for place in range(len(texts))]
        pairs = zip(rows, (replay.events.keys, replay.keys), replay.loads, strict=False)
        row_sets = tuple(
            logged_rows if logged_rows.keys else _rows_of(keys, load, replay) for logged_rows, keys, load in pairs
        )
        by_kind: tuple[LoggedRows | None, ...] = ()
        if len(replay.parts) > 1:
            part_loads = zip(replay.parts, replay.kind_loads, strict=True)
            by_kind = tuple(
                None if load is None else _rows_of(part.requests.keys, load, replay) for part, load in part_loads
            )
        windows = time_windows(np.array([sample.first_s, sample.last_s]))
        logged = LoggedModel.of_replay(spec, plan.table, replay, context)
        return cls(replay, longest_first, texts, windows, row_sets, by_kind, logged)

    def batch(self, request_parts: RequestParts) -> Replay:
        """Return the replay of a part of the log."""
        loads = loads_under(self.texts, request_parts, self.windows, self.rows)
        replay, requests = self.replay, request_parts.times_s.size
        return replace(
            replay, requests=requests, total=requests + request_parts.other_pattern + request_parts.unknown_time,
            other_pattern=request_parts.other_pattern, unknown_time=request_parts.unknown_time,
            first_s=self.windows.first_s,
            span_seconds=replay.log_last_s - replay.log_first_s, windows=self.windows, loads=loads,
            parts=request_parts.parts,
            scans=request_parts.scans, hours=request_parts.hours(), row_sample=replay.row_sample,
        )  # fmt: skip


def _rows_of(keys: Sequence[bytes], load: KeyLoad, replay: Replay) -> LoggedRows:
    """Return the rows of a sample of requests."""
    return LoggedRows([keys[place] for place in load.row_requests.tolist()], load.there, replay.sampled_share)


class WholeReplay:
    """Counts all requests of a log for a plan that has a sample of them; goes on where a pickled copy was left."""

    def __init__(self, plan: ReplayPlan) -> None:
        self.plan = plan
        self.context: Context | None = None
        """Price books and today's date: set before the first request is added."""
        self._waiting: list[EventBlock] = []
        self._other = self._unknown = self._requests = 0
        self._hours: dict[str, dict[int, float]] = {}
        self._loads: list[LoadTotals] = []
        self._kinds: list[LoadTotals] = []
        self._totals: ReplayedTotals | None = None
        self._first: _FirstReading | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "context": None, "_first": None}

    @property
    def first(self) -> _FirstReading:
        """Results of the first reading."""
        if self._first is None:
            assert self.context is not None
            self._first = _FirstReading.of_plan(self.plan, self.context)
            self._loads = self._loads or [LoadTotals() for _ in self._first.texts]
            self._kinds = self._kinds or [LoadTotals() for _ in self._first.rows_by_kind]
        return self._first

    def add(self, events: EventBlock) -> None:
        """Count the requests of the table."""
        mine = self.plan.select(events)
        if len(mine):
            self._waiting.append(mine)
        if sum(map(len, self._waiting)) >= BATCH:
            self._count()

    def _count(self) -> None:
        if not self._waiting:
            return
        events, self._waiting = join_blocks(self._waiting), []
        first = self.first
        request_parts = take_apart(events, self.plan.spec, first.keys)
        self._other, self._unknown = (
            self._other + request_parts.other_pattern,
            self._unknown + request_parts.unknown_time,
        )
        if not request_parts.times_s.size:
            return
        replay = first.batch(request_parts)
        self._requests += replay.requests
        for name, hours in replay.hours.items():
            hour_counts = self._hours.setdefault(name, {})
            for hour, count in hours.items():
                hour_counts[hour] = hour_counts.get(hour, 0.0) + count
        for place, (totals, load) in enumerate(zip(self._loads, replay.loads, strict=True)):
            is_new = place == len(self._loads) - 1
            rows = replay.key_hashes if is_new else hash_names(request_parts.events.keys)
            totals.add(load)
            totals.add_rows(rows, request_parts.events.operations, request_parts.scan_requests(own=not is_new)[0])
        for totals, part, known_rows in zip(self._kinds, replay.parts, first.rows_by_kind, strict=False):
            if known_rows is not None and (kind_load := replay.load_of(part, known_rows)) is not None:
                totals.add(kind_load)
        if first.logged is not None:
            if self._totals is None:
                peaks = PeakTotals.for_replay(first.logged.traffic, replay, is_whole=True)
                self._totals = ReplayedTotals(peaks)
            self._totals.add(first.logged, replay)

    def result(self, context: Context) -> ReplayedDesign:
        """Return the load of all requests, and the model.

        Raises
        ------
        ReplayError
            As `ReplayPlan.result`.
        """
        self.context = context
        plan = self.plan
        if not len(plan.sample) or len(plan.sample) == plan.sample.total:
            return plan.result(context)
        self._count()
        first = self.first
        loads = tuple(
            totals.load(begun, rows)
            for totals, begun, rows in zip(self._loads, first.replay.loads, first.rows, strict=True)
        )
        kinds = None
        if self._kinds:
            begun = zip(self._kinds, first.replay.kind_loads, first.rows_by_kind, strict=True)
            kinds = tuple(
                replace(totals.load(load, rows), rows=load.rows) if load and rows and totals.counts else None
                for totals, load, rows in begun
            )
        replay = replace(
            first.replay, requests=self._requests, total=self._requests + self._other + self._unknown,
            other_pattern=self._other, unknown_time=self._unknown, first_s=first.windows.first_s,
            span_seconds=first.replay.log_last_s - first.replay.log_first_s, windows=first.windows, loads=loads,
            hours=self._hours, loads_by_kind=kinds, counted_rows_share=self._loads[-1].rows.share,
        )  # fmt: skip
        beside = None
        if first.logged is not None and self._totals is not None:
            beside = compare_totals(first.logged, replay, self._totals, context)
        return ReplayedDesign(plan.spec, plan.table, replay, beside)
