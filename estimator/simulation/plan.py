"""What a run will play: windows, tables, key ranges, and every flow with its exact shares. No random numbers here."""

import datetime
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from designer.spec import Spec, assumed, fingerprint
from designer.spec.activity import Activity, Bursts, Poisson
from designer.spec.key import as_bytes
from designer.spec.table import Table
from designer.spec.texts import N_

from .. import cost
from ..arrays import Floats
from ..compression.memory import MEASURED, Measurements
from ..cost.demand import clusters_of, serving
from ..estimate import estimate
from ..growth.tablestore import as_stored
from ..growth.timeline import MONTH_DAYS, month_dates
from ..keys import Bounds, Law, Pattern, bounds_of, codec_of, compile_pattern, range_shares
from ..results import Because, Estimate, Open, ReadPlan, TablePart
from ..traffic.flows import Flow, read_flows, write_flows
from ..traffic.heat import equal_ranges, flow_shares
from ..traffic.laws import Day, stored_law
from ..traffic.load import activity_of, busiest_weekday, flow_law, shown_day, stored_kinds
from ..traffic.profile import activity_rate, day_rates, read_rate
from ..traffic.scope import Stored
from ..traffic.stored import seconds
from .parameters import Parameters

CODE_VERSION = 2
"""Of the simulation alone, kept with a result. Runs are told apart by a hash of all that computes (`jobs.code`)."""

RANGES = 1_024
DAY_WINDOWS, MONTH_WINDOWS, MONTH_LENGTH = 96, 24, 30
NS = 1_000_000_000
DAY_S = 86_400

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

MOST_NS = 2**61
"""Node time and bytes of a window are added as 64-bit integers."""


class NothingToPlay(Open):
    """There is no traffic: no table has a write or read with a rate."""


@dataclass(frozen=True, eq=False)
class PlannedFlow:
    """One write or read over the period."""

    table: str
    flow: Flow
    pattern: Pattern
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
    def writes(self) -> bool:
        """Whether it writes."""
        return self.flow.write is not None


@dataclass(frozen=True, eq=False)
class PlannedTable:
    """One table: where its keys are cut, what is stored, what comes."""

    table: Table
    part: TablePart
    patterns: Mapping[str, Pattern]
    stored: Mapping[str, Stored]
    bounds: tuple[bytes, ...]
    stored_share: Floats
    """(ranges,) at the end of the period."""
    first_share: Floats
    """(ranges,) at its beginning."""
    flows: tuple[PlannedFlow, ...]

    @property
    def ranges(self) -> int:
        """How many key ranges there are."""
        return len(self.bounds) + 1

    @property
    def shown(self) -> Pattern:
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
    _laws: dict[tuple[str, int], Law] = field(default_factory=dict, repr=False)
    _shares: dict[tuple[str, int], Floats] = field(default_factory=dict, repr=False)
    _bounds: dict[tuple[str, int], Bounds | tuple[bytes, ...]] = field(default_factory=dict, repr=False)

    @property
    def windows(self) -> int:
        """How many there are."""
        return len(self.dates) * self.windows_per_day

    @property
    def window_seconds(self) -> float:
        """How long each is."""
        return DAY_S / self.windows_per_day

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
        """The table that a flow goes to."""
        return next(table for table in self.tables if table.table.id == flow.table)

    @cached_property
    def events(self) -> int:
        """Operations that are expected, over all seeds."""
        return round(sum(float(f.rates.sum()) for f in self.flows) * self.window_seconds) * self.parameters.seeds

    @property
    def drawn(self) -> int:
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
        counted = COUNTING_S * ranges * self.windows * self.parameters.seeds + self.drawn / DRAWN_PER_SECOND
        window_s = PLAYING_WINDOW_S + PLAYING_RANGE_S * sum(t.ranges for t in self.tables)
        return PLANNING_S + counted + window_s * self.windows * self.parameters.seeds * len(self.clusters)

    def busy(self, flow: PlannedFlow) -> float:
        """Of a window of one node, what one counted piece of an operation takes. [nodes]"""
        carried = 1.0 if self.spec.engine == "tablestore" else self.parameters.assumed("throughput_share")
        return flow.piece_ns / NS / self.window_seconds / carried

    def day(self, place: int) -> Day:
        """One of the days."""
        return Day(seconds(self.dates[place]), self.windows_per_day)

    def law(self, flow: PlannedFlow, place: int) -> Law:
        """When a flow's keys are of, and to which values it goes, on a day."""
        key = (flow.id, place)
        if key not in self._laws:
            stored = self.table_of(flow).stored[flow.flow.kind.id]
            served = None if flow.writes else self.read_plan(flow)
            self._laws[key] = flow_law(self.spec, flow.flow, flow.pattern, stored, served, self.day(place))
        return self._laws[key]

    def coded_bounds(self, flow: PlannedFlow, place: int) -> Bounds | tuple[bytes, ...]:
        """The bounds of a flow's table as codes of a day's keys; as they are where codes do not sort as keys do."""
        key = (flow.id, place)
        if key not in self._bounds:
            codec, bounds = codec_of(flow.pattern, self.law(flow, place)), self.table_of(flow).bounds
            if len(self._bounds) > 4 * len(self.flows):
                self._bounds.clear()
            self._bounds[key] = bounds_of(codec, bounds) if codec.sorts else bounds
        return self._bounds[key]

    def read_plan(self, planned: PlannedFlow) -> ReadPlan:
        """How a read is served."""
        return next(p for p in self.table_of(planned).part.reads if p.read == planned.id)

    def walks(self, flow: PlannedFlow, place: int) -> bool:
        """Whether a flow walks the key range in order, as a sorted backfill does: then no law says where it is."""
        return self.shares(flow, place).shape[1] > 1 and self.law(flow, place).time.count == 1

    def shares(self, flow: PlannedFlow, place: int) -> Floats:
        """Where a flow goes on a day: float64 (ranges, windows of a day, or 1 where it is alike all day)."""
        key = (flow.id, place)
        if key not in self._shares:
            if len(self._shares) > 4 * len(self.flows):
                self._shares.clear()
            self._shares[key] = flow_shares(
                flow.flow, flow.pattern, self.law(flow, place), self.table_of(flow).bounds, self.windows_per_day,
                activity_of(self.spec, flow.flow),
            )  # fmt: skip
        return self._shares[key]


def plan(
    spec: Spec, parameters: Parameters, book: cost.PriceBook | None = None, *, measured: Measurements = MEASURED
) -> Plan:
    """Windows, ranges, flows and shares of a run; bytes on disk by what has been measured.

    Raises
    ------
    NothingToPlay
        If no table has traffic.
    Open
        Why there is no estimate of a table that has some.
    """
    at = _as_of(spec, parameters)
    made = estimate(at, book=book, measured=measured, what_if=False)
    _check(at, made)
    tables = {t.id: as_stored(t) if at.engine == "tablestore" else t for t in at.tables if made.tables[t.id].traffic}
    patterns = {
        t.id: {kind.id: compile_pattern(at, kind.id) for kind in t.row_kinds if kind.id in made.tables[t.id].keys}
        for t in tables.values()
    }
    flows = {id_: _flows(at, t, patterns[id_], made.tables[id_]) for id_, t in tables.items()}
    dates, per_day = _dates(at, parameters, [flow for each in flows.values() for flow in each])
    if not any(flow.per_second > 0 for each in flows.values() for flow in each):
        raise NothingToPlay(Because(N_("There is nothing to simulate: no write and no read has a rate yet.")))
    planned = tuple(
        _table(at, t, made.tables[id_], patterns[id_], flows[id_], dates, per_day, parameters)
        for id_, t in tables.items()
    )
    clusters = ("",) if at.engine == "tablestore" else tuple(c.id for c in clusters_of(at))
    found = Plan(
        spec=at, sha256=fingerprint(spec), parameters=parameters, estimate=made, dates=dates, windows_per_day=per_day,
        new=parameters.from_day == 0 and not any(has_history(at, t) for t in tables.values()),
        tables=planned, clusters=clusters, steady=parameters.from_day is None,
    )  # fmt: skip
    _countable(found)
    return found


def _as_of(spec: Spec, parameters: Parameters) -> Spec:
    """The design with its horizon at the end of the period."""
    if parameters.from_day is None:
        return spec
    days = parameters.from_day + (1 if parameters.kind == "day" else MONTH_LENGTH)
    return spec.model_copy(update={"horizon_months": max(math.ceil(days / MONTH_DAYS - 1e-9), 1)})


def _check(spec: Spec, made: Estimate) -> None:
    """Raises what keeps a table with accesses from having an estimate."""
    wanted = [t for t in spec.tables if any(kind.writes or kind.reads for kind in t.row_kinds)]
    for table in wanted:
        part = made.tables[table.id]
        if part.traffic is None and part.because:
            raise Open(part.because[0])
    if not wanted:
        raise NothingToPlay(Because(N_("There is nothing to simulate: no table has a write or a read yet.")))


def _flows(spec: Spec, table: Table, patterns: Mapping[str, Pattern], part: TablePart) -> tuple[Flow, ...]:
    return (*write_flows(spec, table, patterns), *read_flows(spec, table, part.reads))


def _dates(spec: Spec, parameters: Parameters, flows: list[Flow]) -> tuple[tuple[datetime.date, ...], int]:
    ends = month_dates(spec)
    day, one = parameters.kind == "day", datetime.timedelta(days=1)
    if parameters.from_day is not None:
        first = ends[0] + one * parameters.from_day
    else:
        first = shown_day(ends[-1], busiest_weekday(flows)) if day else ends[-1] - one * MONTH_LENGTH
    if day:
        return (first,), DAY_WINDOWS
    return tuple(first + one * each for each in range(MONTH_LENGTH)), MONTH_WINDOWS


def has_history(spec: Spec, table: Table) -> bool:
    return bool(assumed(spec, table, "history_months") or table.rows_stored or table.gib_stored)


def _table(
    spec: Spec, table: Table, part: TablePart, patterns: Mapping[str, Pattern], flows: tuple[Flow, ...],
    dates: tuple[datetime.date, ...], per_day: int, parameters: Parameters,
) -> PlannedTable:  # fmt: skip
    stored = stored_kinds(spec, table, patterns, part.sizes)
    first_s, end_s = seconds(dates[0]), seconds(dates[-1]) + DAY_S
    ranges = equal_ranges(stored, patterns, *_moments(stored, first_s, end_s), ranges=RANGES)
    bounds, share = ranges.bounds, ranges.stored_share
    split = own_splits(spec, table)
    if set(split) - set(bounds):
        bounds = tuple(sorted({*bounds, *split}))
        share = stored_shares(patterns, stored, bounds, end_s)
    months = None if parameters.from_day is None and parameters.kind == "day" else month_dates(spec)[0]
    plans = {p.read: p for p in part.reads}
    at_once = parameters.assumed("scan_nodes") * parameters.assumed("throughput_share") * DAY_S / per_day
    return PlannedTable(
        table=table, part=part, patterns=patterns, stored=stored, bounds=bounds, stored_share=share,
        first_share=stored_shares(patterns, stored, bounds, first_s),
        flows=tuple(
            replace(planned, lasts=_lasts(spec, planned, plans.get(planned.id), at_once))
            for planned in (
                _planned(spec, table, f, patterns[f.kind.id], dates, per_day, months, plans.get(f.id), len(bounds) + 1)
                for f in flows
            )
        ),
    )  # fmt: skip


MOST_MOMENTS = 31


def _moments(stored: Mapping[str, Stored], first_s: float, end_s: float) -> list[float]:
    """When what is stored is looked at to make ranges of it: at the end of a day; of a month so often that what is
    written early and goes before its end is seen, too, and not in one range before all that is left.
    """
    kept_s = min((float(np.ptp(each.time.edges_s)) for each in stored.values()), default=DAY_S)
    period_s = end_s - first_s
    step_s = max(kept_s, period_s / MOST_MOMENTS)
    often = math.ceil(period_s / step_s) if period_s > DAY_S else 1
    return [end_s - step_s * back for back in reversed(range(often))]


def own_splits(spec: Spec, table: Table) -> list[bytes]:
    """The split keys that a table is created with, as bytes; Tablestore takes none."""
    return [] if spec.engine == "tablestore" else [key for key in map(as_bytes, table.split_keys) if key]


def stored_shares(
    patterns: Mapping[str, Pattern], stored: Mapping[str, Stored], bounds: tuple[bytes, ...], at_s: float
) -> Floats:
    """Share of the bytes that are there at a time in each range: float64 (ranges,)."""
    weight = {kind: each.size.rows * each.size.bytes_stored for kind, each in stored.items()}
    total = sum(weight.values())
    if total <= 0:
        weight, total = dict.fromkeys(weight, 1.0), float(len(weight))
    share = np.zeros(len(bounds) + 1)
    for kind, each in stored.items():
        if weight[kind] > 0:
            share += weight[kind] / total * range_shares(patterns[kind], stored_law(each, at_s), bounds)[0]
    return share


def _planned(
    spec: Spec, table: Table, flow: Flow, pattern: Pattern, dates: tuple[datetime.date, ...], per_day: int,
    start: datetime.date | None, served: ReadPlan | None, ranges: int,
) -> PlannedFlow:  # fmt: skip
    activity = activity_of(spec, flow)
    arrival = activity.arrival if activity is not None else None
    pieces = 1 if served is None else _pieces(served, ranges)
    return PlannedFlow(
        table=table.id, flow=flow, pattern=pattern,
        rates=np.concatenate([_rates(spec, flow, activity, date, per_day, start) for date in dates]),
        pieces=pieces,
        piece_ns=round(flow.seconds * NS / pieces),
        piece_bytes=(flow.bytes if served is None else served.bytes_returned) / pieces,
        routed=_routed(spec, flow),
        burst=arrival.size if isinstance(arrival, Bursts) else 1,
        poisson=arrival is None or isinstance(arrival, Poisson | Bursts),
    )  # fmt: skip


def _rates(
    spec: Spec, flow: Flow, activity: Activity | None, date: datetime.date, per_day: int, start: datetime.date | None
) -> Floats:
    """(windows of a day,) operations a second: at the end of the horizon, or as they are on the day."""
    if start is None:
        return flow.per_second * day_rates(flow.profile, date.weekday(), per_day)
    months = (date - start).days / MONTH_DAYS
    if activity is not None and flow.write is not None:
        rate = activity_rate(spec, activity, months) * float(assumed(spec, flow.write, "rows_per_event"))
    else:
        assert flow.read is not None
        rate = read_rate(spec, flow.read, months) or 0.0
    peak = max((p.factor for p in flow.peak_days if p.date == date), default=1.0)
    return rate * peak * day_rates(flow.profile, date.weekday(), per_day)


def _lasts(spec: Spec, planned: PlannedFlow, served: ReadPlan | None, at_once: float) -> int:
    """Windows that one read takes: each of its ranges has so many seconds of node time served in a window."""
    if served is None or spec.engine == "tablestore":
        return 1
    return max(math.ceil(planned.flow.seconds / max(served.ranges, 1.0) / at_once - 1e-9), 1)


def _pieces(served: ReadPlan, ranges: int) -> int:
    """Over how many key ranges one request is spread: its separate keys, or what its scan covers."""
    covered = served.rows_scanned / served.rows_total * ranges if served.rows_total else 1.0
    return int(min(max(served.ranges, covered, 1.0), ranges))


def _routed(spec: Spec, flow: Flow) -> tuple[float, ...]:
    """(clusters,) share that each serves: every write counts in every cluster, reads where they are routed."""
    if spec.engine == "tablestore":
        return (1.0,)
    clusters = clusters_of(spec)
    if flow.write is not None or flow.read is None:
        return (1.0,) * len(clusters)
    profile = None if flow.read.app_profile is None else spec.find(flow.read.app_profile)
    region = flow.read.where.region if flow.read.where else None
    return tuple(float(share) for share in serving(clusters, profile, region))


def _countable(found: Plan) -> None:
    """Raises where a window's node time or bytes would not fit into 64 bits."""
    for flow in found.flows:
        most = (
            float(flow.rates.max(initial=0.0))
            * found.window_seconds
            * flow.pieces
            * max(flow.piece_ns, flow.piece_bytes, 1)
        )
        if most > MOST_NS / len(found.flows):
            params = {"access": flow.id, "rate_per_second": float(flow.rates.max())}
            raise Open(
                Because(N_("{access}: {rate_per_second} are more than a simulation can count."), flow.id, params)
            )


__all__ = ["CODE_VERSION", "NothingToPlay", "Plan", "PlannedFlow", "PlannedTable", "plan", "stored_shares"]
