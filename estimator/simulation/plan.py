"""Plan of a run: windows, tables, key ranges, and every flow with its exact shares; no random numbers."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from designer.document import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.table import Table
from estimator.kernels.keys import EventDistribution, KeyPattern, RangeBounds, bounds_of, codec_of
from estimator.kernels.traffic.distributions import ReferenceDay
from estimator.kernels.traffic.heat import flow_shares
from estimator.kernels.traffic.load import activity_of, flow_distribution
from estimator.kernels.traffic.operations import OperationRate
from estimator.kernels.traffic.scope import StoredRows
from estimator.kernels.traffic.storage_age import date_seconds
from estimator.results.arrays import Floats

from ..results import Estimate, ReadPlan, TablePart
from .parameters import Parameters
from .servers import servers_of

CODE_VERSION = 3
"""Of the simulation alone, kept with a result. Runs are told apart by a hash of all that computes (`jobs.code`)."""

NS = 1_000_000_000

PLANNING_S = 0.2
COUNTING_S = 1.5e-7
"""One flow in one range and window."""
DRAWN_PER_SECOND = 2e7
"""Events that are drawn one by one."""
PLAYING_WINDOW_S, PLAYING_RANGE_S = 4e-4, 1e-6
"""A window of one cluster, and each range in it. All of these are rough, of one core: they tell a person how long it
takes and keep runs below their limits; `benchmarks/simulation.py` measures what it does take."""

GRIDS_HELD = 8
"""Arrays of a table, ranges × windows, that playing holds at once."""
PROGRAM_BYTES = 96 << 20
"""A process that has nothing planned yet."""


@dataclass(frozen=True, eq=False)
class PlannedFlow:
    """One write or read over the period."""

    table: str
    flow: OperationRate
    pattern: KeyPattern
    rates: Floats
    """(windows,) operations a second."""
    pieces: int
    """Key ranges that one operation is spread over, as a scan is: so many pieces are counted, each in its place."""
    piece_ns: int
    """Node time of a piece. [ns]"""
    piece_bytes: float
    """Written by it, or returned."""
    routed: tuple[float, ...]
    """(clusters,) share of it that each cluster serves: all of a write, what is routed of a read."""
    burst: int
    """Operations that share one key; 1: each draws its own."""
    poisson: bool
    """Whether operations come independently; else exactly at the rate."""
    lasts: int = 1
    """Windows that one takes: a scan that is longer than a window goes on in the next, at a later part of its keys."""

    @property
    def id(self) -> str:
        """Of the write or read."""
        return self.flow.id

    @property
    def is_write(self) -> bool:
        """True if the flow writes."""
        return self.flow.write is not None


@dataclass(frozen=True, eq=False)
class PlannedTable:
    """One table: where its keys are cut, what is stored, what comes."""

    table: Table
    part: TablePart
    patterns: Mapping[str, KeyPattern]
    stored: Mapping[str, StoredRows]
    bounds: tuple[bytes, ...]
    stored_share: Floats
    """(ranges,) at the end of the period."""
    first_share: Floats
    """(ranges,) at its beginning."""
    flows: tuple[PlannedFlow, ...]

    @property
    def ranges(self) -> int:
        """Number of key ranges."""
        return len(self.bounds) + 1

    @property
    def display_pattern(self) -> KeyPattern:
        """One that knows how keys are shown."""
        return next(iter(self.patterns.values()))


@dataclass(frozen=True, eq=False)
class Plan:
    """All that counting and playing need."""

    spec: Spec
    """As it is at the end of the period: its horizon ends there."""
    sha256: str
    parameters: Parameters
    estimate: Estimate
    dates: tuple[datetime.date, ...]
    """The days that are played."""
    windows_per_day: int
    new: bool
    """The period begins with an empty table at the design's start."""
    tables: tuple[PlannedTable, ...]
    clusters: tuple[str, ...]
    """Ids; on Tablestore one without a name: the service."""
    steady: bool = True
    """The live estimate's own day."""
    _laws: dict[tuple[str, int], EventDistribution] = field(default_factory=dict, repr=False)
    _shares: dict[tuple[str, int], Floats] = field(default_factory=dict, repr=False)
    _bounds: dict[tuple[str, int], RangeBounds | tuple[bytes, ...]] = field(default_factory=dict, repr=False)

    @property
    def windows(self) -> int:
        """Number of windows."""
        return len(self.dates) * self.windows_per_day

    @property
    def window_seconds(self) -> float:
        """Length of a window, in seconds."""
        return DAY_SECONDS / self.windows_per_day

    @property
    def window_starts(self) -> tuple[datetime.datetime, ...]:
        """(windows,) UTC."""
        first = datetime.datetime.combine(self.dates[0], datetime.time(), datetime.UTC)
        return tuple(first + datetime.timedelta(seconds=self.window_seconds) * w for w in range(self.windows))

    @cached_property
    def flows(self) -> tuple[PlannedFlow, ...]:
        """Of all tables, in document order."""
        return tuple(flow for table in self.tables for flow in table.flows)

    def table_of(self, flow: PlannedFlow) -> PlannedTable:
        """Return the table that a flow goes to."""
        return next(table for table in self.tables if table.table.id == flow.table)

    @cached_property
    def events(self) -> int:
        """Operations that are expected, over all seeds."""
        return round(sum(float(f.rates.sum()) for f in self.flows) * self.window_seconds) * self.parameters.seeds

    @property
    def drawn_events(self) -> int:
        """Of these, those that are drawn one by one."""
        if self.parameters.counting == "computed":
            return 0
        return (
            round(sum(float(f.rates.sum()) * f.pieces for f in self.flows) * self.window_seconds)
            * self.parameters.seeds
        )

    @property
    def memory_bytes(self) -> int:
        """Most memory that one process needs for it, beside what compiled keys take."""
        cells = sum(table.ranges * len(table.flows) for table in self.tables) * self.windows
        grids = sum(table.ranges for table in self.tables) * self.windows
        return 8 * (cells * (self.parameters.seeds + 1) + GRIDS_HELD * grids) + PROGRAM_BYTES

    @property
    def seconds(self) -> float:
        """About how long it takes in one process."""
        ranges = sum(table.ranges * len(table.flows) for table in self.tables)
        counting_s = COUNTING_S * ranges * self.windows * self.parameters.seeds + self.drawn_events / DRAWN_PER_SECOND
        window_s = PLAYING_WINDOW_S + PLAYING_RANGE_S * sum(t.ranges for t in self.tables)
        return PLANNING_S + counting_s + window_s * self.windows * self.parameters.seeds * len(self.clusters)

    def node_fraction(self, flow: PlannedFlow) -> float:
        """Return the part of one node's window that one counted piece of an operation takes, in nodes."""
        carried = servers_of(self.spec).usable_share(self.parameters.assumption)
        return flow.piece_ns / NS / self.window_seconds / carried

    def day(self, place: int) -> ReferenceDay:
        """One of the days."""
        return ReferenceDay(date_seconds(self.dates[place]), self.windows_per_day)

    def distribution(self, flow: PlannedFlow, place: int) -> EventDistribution:
        """Return the distribution of a flow's keys on a day, over times and values."""
        key = (flow.id, place)
        if key not in self._laws:
            stored = self.table_of(flow).stored[flow.flow.kind.id]
            read_plan = None if flow.is_write else self.read_plan(flow)
            self._laws[key] = flow_distribution(flow.flow, flow.pattern, stored, read_plan, self.day(place))
        return self._laws[key]

    def coded_bounds(self, flow: PlannedFlow, place: int) -> RangeBounds | tuple[bytes, ...]:
        """Return the bounds of a flow's table as a day's codes; unchanged if codes do not sort as keys do."""
        key = (flow.id, place)
        if key not in self._bounds:
            codec, bounds = codec_of(flow.pattern, self.distribution(flow, place)), self.table_of(flow).bounds
            # A month has 30 days of bounds per flow, of which only the latest few are used again.
            if len(self._bounds) > 4 * len(self.flows):
                self._bounds.clear()
            self._bounds[key] = bounds_of(codec, bounds) if codec.is_order_preserving else bounds
        return self._bounds[key]

    def read_plan(self, flow: PlannedFlow) -> ReadPlan:
        """Return the plan by which a read is served."""
        return next(p for p in self.table_of(flow).part.reads if p.read == flow.id)

    def is_ordered_walk(self, flow: PlannedFlow, place: int) -> bool:
        """Return True if a flow walks the key range in order, as a sorted backfill does.

        No distribution then tells its position.
        """
        return self.shares(flow, place).shape[1] > 1 and self.distribution(flow, place).time.count == 1

    def shares(self, flow: PlannedFlow, place: int) -> Floats:
        """Return a flow's shares on a day: float64 (ranges, windows of a day, or 1 if alike all day)."""
        key = (flow.id, place)
        if key not in self._shares:
            if len(self._shares) > 4 * len(self.flows):
                self._shares.clear()
            self._shares[key] = flow_shares(
                flow.flow,
                flow.pattern,
                self.distribution(flow, place),
                self.table_of(flow).bounds,
                self.windows_per_day,
                activity_of(self.spec, flow.flow),
            )
        return self._shares[key]
