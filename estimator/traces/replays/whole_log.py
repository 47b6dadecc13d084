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
        for name, one in load.operations.items():
            for totals, counts in ((self.counts, one.counts), (self.even_counts, one.even_counts)):
                totals[name] = totals[name] + counts if name in totals else counts
            self.requests[name] = self.requests.get(name, 0) + one.requests

    def add_rows(self, rows: Hashes, operations: Any, prefixes: Sequence[bytes]) -> None:
        """Add the rows of some requests, and the prefixes of scans."""
        self.rows.add(rows, operations)
        if prefixes:
            self.prefixes.add(hash_names(prefixes), np.full(len(prefixes), OPERATION_CODES["scan"]))

    def load(self, begun: KeyLoad, known: LoggedRows) -> KeyLoad:
        """Return the load of all requests; `begun` is that of a sample."""
        found = dict[str, RangeLoad]()
        for name in sorted(self.counts):
            counter = self.prefixes if name == "scan" else self.rows
            busiest = counter.busiest_of(OPERATION_CODES[name])
            found[name] = RangeLoad.of_counts(self.counts[name], self.even_counts[name], self.requests[name], busiest)
        number = min(len(known.keys), next(iter(self.counts.values())).shape[1])
        bounds = tuple(known.keys[-(-place * len(known.keys) // number)] for place in range(number))
        share = self.rows.busiest / max(self.rows.total, 1)
        return replace(begun, rows=self.rows.rows, busiest_row_share=share, operations=found, bounds=bounds)


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
        found = replay_kinds(sample, spec, plan.keys)
        longest_first = sorted(plan.keys, key=lambda pair: -len(pair[0]))
        texts = key_texts(spec, plan.keys)
        rows = [sampled_rows(spec, sample, longest_first, own_keys=not place) for place in range(len(texts))]
        pairs = zip(rows, (found.events.keys, found.keys), found.loads, strict=False)
        known = tuple(one if one.keys else _rows_of(keys, load, found) for one, keys, load in pairs)
        by_kind: tuple[LoggedRows | None, ...] = ()
        if len(found.parts) > 1:
            made = zip(found.parts, found.kind_loads, strict=True)
            by_kind = tuple(None if load is None else _rows_of(part.requests.keys, load, found) for part, load in made)
        windows = time_windows(np.array([sample.first_s, sample.last_s]))
        logged = LoggedModel.of_replay(spec, plan.table, found, context)
        return cls(found, longest_first, texts, windows, known, by_kind, logged)

    def batch(self, made: RequestParts) -> Replay:
        """Return the replay of a part of the log."""
        loads = loads_under(self.texts, made, self.windows, self.rows)
        found, requests = self.replay, made.times_s.size
        return replace(
            found, requests=requests, total=requests + made.other_pattern + made.unknown_time,
            other_pattern=made.other_pattern, unknown_time=made.unknown_time, first_s=self.windows.first_s,
            span_seconds=found.log_last_s - found.log_first_s, windows=self.windows, loads=loads, parts=made.parts,
            scans=made.scans, hours=made.hours(), row_sample=found.row_sample,
        )  # fmt: skip


def _rows_of(keys: Sequence[bytes], load: KeyLoad, found: Replay) -> LoggedRows:
    """Return the rows of a sample of requests."""
    return LoggedRows([keys[place] for place in load.row_requests.tolist()], load.there, found.sampled_share)


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
        made = take_apart(events, self.plan.spec, first.keys)
        self._other, self._unknown = self._other + made.other_pattern, self._unknown + made.unknown_time
        if not made.times_s.size:
            return
        found = first.batch(made)
        self._requests += found.requests
        for name, hours in found.hours.items():
            known = self._hours.setdefault(name, {})
            for hour, count in hours.items():
                known[hour] = known.get(hour, 0.0) + count
        for place, (totals, load) in enumerate(zip(self._loads, found.loads, strict=True)):
            is_new = place == len(self._loads) - 1
            rows = found.key_hashes if is_new else hash_names(made.events.keys)
            totals.add(load)
            totals.add_rows(rows, made.events.operations, made.scan_requests(own=not is_new)[0])
        for totals, part, known_rows in zip(self._kinds, found.parts, first.rows_by_kind, strict=False):
            if known_rows is not None and (one := found.load_of(part, known_rows)) is not None:
                totals.add(one)
        if first.logged is not None:
            if self._totals is None:
                peaks = PeakTotals.for_replay(first.logged.traffic, found, is_whole=True)
                self._totals = ReplayedTotals(peaks)
            self._totals.add(first.logged, found)

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
        found = replace(
            first.replay, requests=self._requests, total=self._requests + self._other + self._unknown,
            other_pattern=self._other, unknown_time=self._unknown, first_s=first.windows.first_s,
            span_seconds=first.replay.log_last_s - first.replay.log_first_s, windows=first.windows, loads=loads,
            hours=self._hours, loads_by_kind=kinds, counted_rows_share=self._loads[-1].rows.share,
        )  # fmt: skip
        beside = None
        if first.logged is not None and self._totals is not None:
            beside = compare_totals(first.logged, found, self._totals, context)
        return ReplayedDesign(plan.spec, plan.table, found, beside)
