"""The model's figures of a table beside the replayed requests: rates, busiest rows and ranges, node time, the bill.

The model is of the middle of the log: of a table that holds what the design has written by then. The model's shares of
ranges are drawn with as many requests as the log has in each window, because chance alone makes some range the busiest.
"""

import datetime
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

import numpy as np

from designer.document import Spec
from designer.document.table import RowKind, Table
from estimator.engines import engine_of
from estimator.estimates.context import Context
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate, TablePart, TableTraffic
from estimator.results.arrays import Floats
from estimator.results.traffic import HotRow

from ..blocks import OPERATION_CODES, OPERATION_NAMES
from .chance import ChanceSpan, busiest_cell_span
from .dated_model import DatedModel, dated_model, traffic_by_rows
from .heaviest import Hashes, WindowCounts, hash_names
from .key_load import RANGES, KeyLoad, RangeLoad
from .limits import reachable_factor
from .peaks import PeakTotals
from .replay import Replay
from .replayed_cost import ReplayedCost, replayed_cost
from .replayed_work import (
    ComparedScan,
    WorkTotals,
    replayed_work,
    scan_reads,
    with_scans,
)

DAY_SECONDS = 86_400.0
ROW_REQUESTS_MIN = 20
"""So many requests for the busiest row tell how busy it is."""


@dataclass(frozen=True)
class ComparedOperation:
    """The reads, writes or deletions of a table: in the log, and in the model."""

    operation: str
    replayed_per_second: float
    modelled_per_second: float
    ranges: tuple["ComparedRange", ...]
    """The busiest range of each row kind."""
    replayed_row_share: float | None
    """None where the busiest row came too seldom to be told from chance in the model's length of time."""
    modelled_row_share: float | None
    """None where the model has none: of scans of many rows, and of what the design does not do."""
    node_seconds: float
    """Per request, as the model has it."""
    replayed_node_seconds: float
    """Per request of the log on average, by the rows that it scans."""
    has_busy_row: bool
    """True if the busiest row came often enough to be told from chance."""
    accesses: frozenset[str] = frozenset()
    """Ids of the design's writes and reads that these are."""

    @property
    def replayed_most_per_second(self) -> float | None:
        """Requests a second with which the busiest row alone takes one node, by the log's share of it. [1/s]"""
        return self._most_per_second(self.replayed_row_share, self.replayed_node_seconds) if self.has_busy_row else None

    @property
    def modelled_most_per_second(self) -> float | None:
        """The same by the model's share. [1/s]"""
        return self._most_per_second(self.modelled_row_share, self.node_seconds)

    @staticmethod
    def _most_per_second(share: float | None, node_seconds: float) -> float | None:
        return 1 / (share * node_seconds) if share and node_seconds > 0 else None


@dataclass(frozen=True)
class ComparedRange:
    """The busiest of equal ranges of the rows of one kind."""

    row_kind: str
    """Its id."""
    name: str
    """Empty where the table has one kind alone."""
    replayed_share: float
    modelled_share: float | None
    """None where the design does no such operation."""


@dataclass(frozen=True)
class PeakNodes:
    """Node time of the busiest moment: as many nodes were busy then, at least, however load is balanced."""

    window_seconds: float
    """Length of that moment: a second, or a window of the replay where a sample is too thin for seconds."""
    replayed: float
    modelled: float
    replayed_range: float
    """Of the busiest range in its busiest window: above 1, it must be split to be served."""
    modelled_range: ChanceSpan
    """The same of logs that are drawn from the model: which range and window are the busiest is partly chance."""


@dataclass(frozen=True)
class SizedNodes:
    """Busy nodes of the busiest hour, by which a cluster is sized, and the nodes that are needed then."""

    replayed_busy: float
    modelled_busy: float
    """In the busiest hour of a week on that day."""
    replayed: float | None
    """In all clusters, with the model's load of other tables; None where a rate is no number of the document."""
    modelled: float | None


@dataclass(frozen=True)
class ModelBeside:
    """The model of a table beside a replay under its key."""

    day: datetime.date
    """The day of which the model is: the middle of the log."""
    begins_with_log: bool
    """True if the model's table begins with the log, which is from before the design's start."""
    operations: tuple[ComparedOperation, ...]
    monthly_bill: Decimal | None
    """In the month of that day; None where nothing can be priced."""
    replayed_monthly_bill: Decimal | None
    """The same with the log's traffic in the place of the design's: nodes for its busiest hour."""
    currency: str
    scans: tuple[ComparedScan, ...]
    reachable: tuple[float, float] | None
    """By how much the load could grow before something is full: of the log, and of the model."""
    peak: "PeakNodes | None"
    """None where no nodes serve."""
    sized: "SizedNodes | None"
    """None where no nodes serve."""
    traffic: TableTraffic = field(compare=False, repr=False)

    def traffic_of(self, operation: str) -> TableTraffic | None:
        """Return the model's load of one operation alone; None where the design does no such."""
        ids = next(
            (candidate.accesses for candidate in self.operations if candidate.operation == operation), frozenset()
        )
        heat = self.traffic.heat.of_accesses(ids)
        return replace(self.traffic, heat=heat) if heat.loads else None

    @property
    def modelled_node_share(self) -> float:
        """Node time of the compared requests on average: 1 is one busy node."""
        return sum(operation.modelled_per_second * operation.node_seconds for operation in self.operations)

    @property
    def replayed_node_share(self) -> float:
        """The same by the log's rates, each request with the rows that it scans."""
        return sum(operation.replayed_per_second * operation.replayed_node_seconds for operation in self.operations)


@dataclass(frozen=True)
class LoggedModel:
    """The model of a table on the day of a log."""

    model: DatedModel
    """With a read for each prefix that the log reads."""
    traffic: TableTraffic
    busiest: Mapping[str, HotRow]
    """By operation, its busiest row or prefix."""

    @classmethod
    def of_replay(cls, spec: Spec, table: Table, replay: Replay, context: Context) -> "LoggedModel | None":
        """Return the model for a replay; None where it has no load, as an input is missing."""
        with_reads = with_scans(spec, table, replay)
        model = dated_model(with_reads, table, replay.log_first_s, replay.log_last_s, context)
        traffic = model.part.traffic
        if traffic is None or model.billed.tables[table.id].traffic is None:
            return None
        return cls(model, traffic, _busiest_rows(model, traffic, replay))


@dataclass
class ReplayedTotals:
    """Node time of replayed requests, and of their busiest moments."""

    peaks: PeakTotals
    work: WorkTotals = field(default_factory=WorkTotals)
    rows: dict[str, WindowCounts] = field(default_factory=dict)
    """By operation, of those whose busiest row is another one in each window of time."""

    def add(self, logged: LoggedModel, replay: Replay) -> None:
        """Add the requests of a replay."""
        model = logged.model
        work = replayed_work(model.spec, model.table, model.part, replay)
        self.work.add(work)
        self.peaks.add(model.spec, logged.traffic, replay, work)
        for kind, busiest in logged.busiest.items():
            if busiest.span_seconds is not None:
                names, times_s = _named_requests(kind, replay)
                windows = (times_s // busiest.span_seconds).astype(np.int64)
                self.rows.setdefault(kind, WindowCounts()).add(names, windows)


def compare_with_model(spec: Spec, table: Table, replay: Replay, context: Context) -> ModelBeside | None:
    """Return the model beside a replay; None where the model has no load, as an input is missing."""
    logged = LoggedModel.of_replay(spec, table, replay, context)
    if logged is None:
        return None
    totals = ReplayedTotals(PeakTotals.for_replay(logged.traffic, replay, is_whole=replay.is_whole))
    totals.add(logged, replay)
    return compare_totals(logged, replay, totals, context)


def compare_totals(logged: LoggedModel, replay: Replay, totals: ReplayedTotals, context: Context) -> ModelBeside:
    """Return the model beside the node time of replayed requests; `replay` tells the rest of them."""
    model, work = logged.model, totals.work
    table, part, billed = model.table, model.part, model.billed
    whole = billed.tables[table.id]
    assert whole.traffic is not None
    loads = replay.loads[-1].operations
    rates = _rates(model.spec, table, part, logged.traffic, replay)
    ranges = _RangesBeside(model, replay, context)
    operations = tuple(
        _compare(kind, loads[kind], replay, rates[kind], work, ranges, logged.busiest.get(kind), totals.rows.get(kind))
        for kind in OPERATION_NAMES
        if kind in loads and kind in work.seconds
    )
    ends = {
        name: sum(rate for _, rate, _ in access_rates)
        for name, access_rates in _rates(model.spec, table, whole, whole.traffic, replay).items()
    }
    factors = {
        operation.operation: operation.replayed_per_second / ends[operation.operation]
        for operation in operations
        if ends[operation.operation]
    }
    bill = billed.bill
    # Of operations that the design has not, nobody knows what they take.
    cost = replayed_cost(model.month, table, replay, work, factors, context) if operations else None
    has_nodes = engine_of(model.spec).HAS_NODES and bool(operations)
    return ModelBeside(
        day=model.day,
        begins_with_log=model.begins_with_log,
        operations=operations,
        monthly_bill=bill.total if bill is not None else None,
        replayed_monthly_bill=cost.monthly_bill if cost is not None and bill is not None else None,
        currency=bill.currency if bill is not None else "",
        scans=tuple(work.scans.values()),
        reachable=reachable_factor(model.made, table.id, replay, work, totals.peaks) if operations else None,
        peak=_peak_nodes(replay, totals.peaks, logged.traffic, ranges.whole or logged.traffic) if has_nodes else None,
        sized=_sized_nodes(billed, logged.traffic, cost) if has_nodes and cost is not None else None,
        traffic=logged.traffic,
    )


def _sized_nodes(estimate: Estimate, traffic: TableTraffic, cost: ReplayedCost) -> "SizedNodes":
    needed = float(sum(node.needed_by_month[-1] for node in estimate.nodes)) if estimate.nodes else None
    return SizedNodes(cost.busiest_hour_nodes, float(traffic.node_share_by_month[-1]), cost.nodes, needed)


def _compare(
    kind: str, load: RangeLoad, replay: Replay, rates: Sequence[tuple[str, float, float]],
    work: WorkTotals, ranges: "_RangesBeside", busiest: HotRow | None, counts: WindowCounts | None,
) -> ComparedOperation:  # fmt: skip
    rate, weights = sum(per_second for _, per_second, _ in rates), _weights(rates)
    ids = weights.keys()
    node_seconds = sum(per_second * seconds for _, per_second, seconds in rates) / rate if rate else work.mean(kind)
    return ComparedOperation(
        kind,
        replay.per_second(kind),
        rate,
        tuple(ranges.compare(kind, ids, {access: weights[access] for access in ids})),
        _row_share(load, replay, counts, None if busiest is None else busiest.span_seconds),
        None if busiest is None else busiest.share * weights[busiest.access],
        node_seconds,
        work.mean(kind),
        kind != "scan" and load.busiest_row_share * load.requests >= ROW_REQUESTS_MIN,
        frozenset(access for access, weight in weights.items() if weight),
    )


def _row_share(
    load: RangeLoad, replay: Replay, counts: WindowCounts | None, span_seconds: float | None
) -> float | None:
    """Return the share of the busiest row, or prefix, in windows of a length: over the whole log if that is None."""
    if span_seconds is None:
        return load.busiest_row_share
    if counts is None or replay.span_seconds < span_seconds:
        return None
    # With fewer requests the busiest of many equal rows is busy by chance: among 1,000 rows with a mean of 1 request,
    # one has 5 or more.
    return counts.busiest_share(ROW_REQUESTS_MIN)


def _named_requests(kind: str, replay: Replay) -> tuple[Hashes, Floats]:
    """Return a hash of the row, or of the prefix, of each request of an operation, and the requests' times."""
    if kind != "scan":
        is_such = replay.events.operations == OPERATION_CODES[kind]
        return replay.key_hashes[is_such], replay.events.times_s[is_such]
    if not replay.scans:
        return hash_names(()), np.zeros(0)
    prefixes = [prefix for scan in replay.scans for prefix in scan.prefixes]
    return hash_names(prefixes), np.concatenate([scan.times_s for scan in replay.scans])


def _busiest_rows(model: DatedModel, traffic: TableTraffic, replay: Replay) -> dict[str, HotRow]:
    """Return the model's busiest row, or prefix, of each operation; without those of which it is not known."""
    rows = dict[str, HotRow]()
    for kind, rates in _rates(model.spec, model.table, model.part, traffic, replay).items():
        weights = _weights(rates)
        hot = [row for row in traffic.hot_rows if weights.get(row.access) and row.is_range == (kind == "scan")]
        # With one access unknown, the busiest of the others may not be the busiest.
        if hot and {row.access for row in hot} == {access for access, weight in weights.items() if weight}:
            rows[kind] = max(hot, key=lambda row: row.share * weights[row.access])
    return rows


def _weights(rates: Sequence[tuple[str, float, float]]) -> dict[str, float]:
    """Return each access's part of an operation's requests."""
    rate = sum(per_second for _, per_second, _ in rates)
    return {access: per_second / rate if rate else 0.0 for access, per_second, _ in rates}


def _rates(
    spec: Spec, table: Table, part: TablePart, traffic: TableTraffic, replay: Replay
) -> dict[str, list[tuple[str, float, float]]]:
    """Return each write, deletion, read and scan with its rate and its node time per request."""
    deleting = frozenset(write.id for kind in table.row_kinds for write in kind.writes if write.deletes)
    scanning = scan_reads(table, replay)
    rates: dict[str, list[tuple[str, float, float]]] = {name: [] for name in OPERATION_NAMES}
    for write_load in traffic.writes:
        name = "delete" if write_load.write in deleting else "write"
        rates[name].append((write_load.write, write_load.rows_per_second, write_load.node_seconds_per_row))
    for plan in part.reads:
        if plan.refused is None:
            name = "scan" if plan.read in scanning else "read"
            seconds = 0.0 if has_data_boost(spec, spec.find(plan.read)) else plan.node_seconds
            rates[name].append((plan.read, plan.per_second or 0.0, seconds))
    return rates


class _RangesBeside:
    """The busiest ranges of the rows of each kind, in the log and in the model of a table with this kind alone."""

    def __init__(self, model: DatedModel, replay: Replay, context: Context) -> None:
        self._model, self._replay = model, replay
        several = len(model.table.row_kinds) > 1
        self.whole = traffic_by_rows(model, context)
        """The load in ranges of equally many rows, of all kinds together."""
        self._kinds: list[tuple[RowKind, str, KeyLoad, TableTraffic | None]] = []
        for part, load in zip(replay.parts, replay.kind_loads, strict=True):
            if load is not None:
                kind = next(row_kind for row_kind in model.table.row_kinds if row_kind.key == part.key)
                traffic = traffic_by_rows(model, context, kind) if several else self.whole
                self._kinds.append((kind, kind.label if several else "", load, traffic))

    def compare(
        self, operation: str, accesses: Collection[str], weights: Mapping[str, float]
    ) -> Iterator[ComparedRange]:
        """Yield the busiest range of an operation by row kind; `weights` are the shares of its accesses."""
        for kind, name, load, traffic in self._kinds:
            if operation in load.operations:
                ids = {write.id for write in (*kind.writes, *kind.reads)} & set(accesses)
                share = None
                if traffic is not None and any(weights[access] for access in ids):
                    range_count = self._count_ranges(operation, {access: weights[access] for access in ids}, load.rows)
                    share = self._modelled_share(load.operations[operation], load.rows, traffic, ids, range_count)
                yield ComparedRange(kind.id, name, load.operations[operation].busiest_share, share)

    def _count_ranges(self, operation: str, weights: Mapping[str, float], rows: int) -> float:
        """Return the ranges that a request of the model passes in the mean, at least 1."""
        if operation != "scan":
            return 1.0
        groups, total = min(RANGES, rows), sum(weights.values())
        plans = {plan.read: plan for plan in self._model.part.reads}
        shares = {
            read: min(plans[read].rows_scanned / max(plans[read].rows_total or 1.0, 1.0), 1.0) for read in weights
        }
        return sum(weight * max(groups * shares[read], 1.0) for read, weight in weights.items()) / total

    def _modelled_share(
        self, load: RangeLoad, rows: int, traffic: TableTraffic, accesses: Collection[str], range_count: float
    ) -> float | None:
        """Return the mean share of the busiest range, of as many requests as the log has in each window."""
        heat = traffic.heat.of_accesses(accesses)
        shares = _by_range(traffic, heat.reads_per_second + heat.writes_per_second, min(RANGES, rows))
        if not shares.sum() > 0:
            return None
        random, busiest, all_drawn = np.random.default_rng(1), 0.0, 0
        for number, requests in enumerate(load.window_requests):
            moment = (self._replay.first_s + (number + 0.5) * self._replay.window_seconds) % DAY_SECONDS
            mine = shares[:, int(moment / DAY_SECONDS * heat.windows) % heat.windows]
            # A scan counts in each range that it passes, in the log and here.
            draws = round(requests * range_count)
            busiest += int(random.multinomial(draws, _shares_of_window(mine, shares)).max())
            all_drawn += draws
        return busiest / max(all_drawn, 1)


def _peak_nodes(replay: Replay, peaks: PeakTotals, traffic: TableTraffic, by_rows: TableTraffic) -> PeakNodes:
    """Return the node time of the busiest moment and range, each request with the rows that it scans."""
    accesses = {load.access for load in traffic.heat.loads}
    heat = by_rows.heat.of_accesses(accesses)
    modelled = _by_range(by_rows, heat.node_share, min(RANGES, replay.loads[-1].rows))
    return PeakNodes(
        window_seconds=peaks.moment_seconds,
        replayed=peaks.busiest_moment,
        modelled=float(traffic.heat.node_share_of_windows.max()),
        replayed_range=peaks.busiest_range,
        modelled_range=busiest_cell_span(modelled, peaks.window_seconds, traffic, replay),
    )


def _by_range(traffic: TableTraffic, values: Floats, groups: int) -> Floats:
    """Return values of the model's ranges added up to so many with equally many rows."""
    heat = traffic.heat
    # The model's ranges hold equal bytes and the log's equally many rows, so each goes where its middle lies.
    middles = np.cumsum(heat.stored_share) - heat.stored_share / 2
    places = np.minimum((middles * groups).astype(np.int64), groups - 1)
    totals = np.zeros((groups, heat.windows))
    np.add.at(totals, places, values)
    return totals


def _shares_of_window(mine: Floats, shares: Floats) -> Floats:
    """Return the shares that ranges have of one window, which add up to 1; of one without load, those of the day."""
    chosen = mine if mine.sum() > 0 else shares.sum(axis=1)
    return np.asarray(chosen / chosen.sum()) if chosen.sum() > 0 else np.full(chosen.size, 1 / chosen.size)
