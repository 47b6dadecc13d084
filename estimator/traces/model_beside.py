"""The model's figures of a table beside the replayed requests: rates, busiest rows and ranges, node time, the bill.

The model is of a design's reference day, a log of the days that it covers. The model's shares of ranges are drawn with
as many requests as the log has in each window, because chance alone makes some range the busiest.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from designer.document import Spec
from designer.document.table import Table
from estimator.engines import engine_of
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.results import Estimate, TablePart, TableTraffic
from estimator.results.arrays import Floats

from .blocks import OPERATION_NAMES
from .limits import peak_seconds, reachable_factor, request_seconds
from .replay import RANGES, RangeLoad, Replay
from .replayed_work import (
    ComparedScan,
    ReplayedCost,
    ReplayedWork,
    replayed_cost,
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
    replayed_range_share: float
    modelled_range_share: float
    replayed_row_share: float
    modelled_row_share: float
    node_seconds: float
    """Per request, as the model has it."""
    replayed_node_seconds: float
    """Per request of the log on average, by the rows that it scans."""
    has_busy_row: bool
    """True if the busiest row came often enough to be told from chance."""

    @property
    def replayed_most_per_second(self) -> float | None:
        """Requests a second with which the busiest row alone takes one node, by the log's share of it. [1/s]"""
        return self._most_per_second(self.replayed_row_share, self.replayed_node_seconds) if self.has_busy_row else None

    @property
    def modelled_most_per_second(self) -> float | None:
        """The same by the model's share. [1/s]"""
        return self._most_per_second(self.modelled_row_share, self.node_seconds)

    @staticmethod
    def _most_per_second(share: float, node_seconds: float) -> float | None:
        return 1 / (share * node_seconds) if share * node_seconds > 0 else None


@dataclass(frozen=True)
class PeakNodes:
    """Node time of the busiest moment: as many nodes were busy then, at least, however load is balanced."""

    window_seconds: float
    """Length of that moment: a second, or a window of the replay where a sample is too thin for seconds."""
    replayed: float
    modelled: float
    replayed_range: float
    """Of the busiest range in its busiest window: above 1, it must be split to be served."""
    modelled_range: float


@dataclass(frozen=True)
class SizedNodes:
    """Busy nodes of the busiest hour, by which a cluster is sized, and the nodes that are needed then."""

    replayed_busy: float
    modelled_busy: float
    """In the busiest hour of the design's last month."""
    replayed: float | None
    """In all clusters, with the model's load of other tables; None where a rate is no number of the document."""
    modelled: float | None


@dataclass(frozen=True)
class ModelBeside:
    """The model of a table beside a replay under its key."""

    day: datetime.date
    """The design's reference day."""
    operations: tuple[ComparedOperation, ...]
    monthly_bill: Decimal | None
    """In the design's last month; None where nothing can be priced."""
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

    def mutation_share(self, operation: str) -> float:
        """Return the share that an operation has of those which the model's heat holds together."""
        together = ("read", "scan") if operation in ("read", "scan") else ("write", "delete")
        rates = {one.operation: one.modelled_per_second for one in self.operations if one.operation in together}
        return rates[operation] / sum(rates.values()) if rates.get(operation) else float(operation not in rates)

    @property
    def modelled_node_share(self) -> float:
        """Node time of the compared requests on average: 1 is one busy node."""
        return sum(one.modelled_per_second * one.node_seconds for one in self.operations)

    @property
    def replayed_node_share(self) -> float:
        """The same by the log's rates, each request with the rows that it scans."""
        return sum(one.replayed_per_second * one.replayed_node_seconds for one in self.operations)


def compare_with_model(spec: Spec, table: Table, replay: Replay, context: Context) -> ModelBeside | None:
    """Return the model beside a replay; None where the model has no load, as an input is missing."""
    spec = with_scans(spec, table, replay)
    table = spec.find(table.id)
    made = estimate(spec, context)
    part = made.tables[table.id]
    if part.traffic is None:
        return None
    loads = replay.loads[-1].operations
    work = replayed_work(spec, table, part, replay)
    rates = _rates(table, part, part.traffic, replay)
    operations = tuple(
        _compare(kind, loads[kind], replay, rates[kind], part.traffic, work)
        for kind in OPERATION_NAMES
        if kind in loads and kind in work.seconds
    )
    factors = {
        one.operation: one.replayed_per_second / one.modelled_per_second
        for one in operations
        if one.modelled_per_second
    }
    bill = made.bill
    cost = replayed_cost(spec, table, replay, work, factors, context)
    has_nodes = engine_of(spec).HAS_NODES and bool(operations)
    return ModelBeside(
        day=part.traffic.day,
        operations=operations,
        monthly_bill=bill.total if bill is not None else None,
        replayed_monthly_bill=cost.monthly_bill if bill is not None else None,
        currency=bill.currency if bill is not None else "",
        scans=work.rows,
        reachable=reachable_factor(spec, made, table.id, replay, work),
        peak=_peak_nodes(replay, work, part.traffic) if has_nodes else None,
        sized=_sized_nodes(made, part.traffic, cost) if has_nodes else None,
        traffic=part.traffic,
    )


def _sized_nodes(made: Estimate, traffic: TableTraffic, cost: ReplayedCost) -> "SizedNodes":
    needed = float(sum(one.needed_by_month[-1] for one in made.nodes)) if made.nodes else None
    return SizedNodes(cost.busiest_hour_nodes, float(traffic.node_share_by_month[-1]), cost.nodes, needed)


def _compare(
    kind: str, load: RangeLoad, replay: Replay, rates: Sequence[tuple[str, float, float]], traffic: TableTraffic,
    work: ReplayedWork,
) -> ComparedOperation:  # fmt: skip
    rate = sum(per_second for _, per_second, _ in rates)
    ids = {access for access, _, _ in rates}
    weights = {access: per_second / rate if rate else 0.0 for access, per_second, _ in rates}
    hot = [row for row in traffic.hot_rows if row.access in ids and row.is_range == (kind == "scan")]
    rows = [row.share * weights[row.access] for row in hot]
    node_seconds = sum(per_second * seconds for _, per_second, seconds in rates) / rate if rate else work.mean(kind)
    return ComparedOperation(
        kind,
        replay.per_second(kind),
        rate,
        load.busiest_share,
        _modelled_range_share(kind, load, replay, traffic),
        load.busiest_row_share,
        max(rows, default=0.0),
        node_seconds,
        work.mean(kind),
        kind != "scan" and load.busiest_row_share * load.requests >= ROW_REQUESTS_MIN,
    )


def _rates(
    table: Table, part: TablePart, traffic: TableTraffic, replay: Replay
) -> dict[str, list[tuple[str, float, float]]]:
    """Return each write, deletion, read and scan with its rate and its node time per request."""
    deleting = frozenset(write.id for kind in table.row_kinds for write in kind.writes if write.deletes)
    scanning = scan_reads(table, replay)
    found: dict[str, list[tuple[str, float, float]]] = {name: [] for name in OPERATION_NAMES}
    for one in traffic.writes:
        name = "delete" if one.write in deleting else "write"
        found[name].append((one.write, one.rows_per_second, one.node_seconds_per_row))
    for plan in part.reads:
        if plan.refused is None:
            name = "scan" if plan.read in scanning else "read"
            found[name].append((plan.read, plan.per_second or 0.0, plan.node_seconds))
    return found


def _modelled_range_share(kind: str, load: RangeLoad, replay: Replay, traffic: TableTraffic) -> float:
    """Return the mean share of the busiest range, of as many requests as the log has in each window."""
    heat = traffic.heat
    per_second = heat.reads_per_second if kind in ("read", "scan") else heat.writes_per_second
    shares = _by_range(traffic, per_second, min(RANGES, replay.loads[-1].rows))
    random, busiest = np.random.default_rng(1), 0
    for number, requests in enumerate(load.window_requests):
        moment = (replay.first_s + (number + 0.5) * replay.window_seconds) % DAY_SECONDS
        mine = shares[:, int(moment / DAY_SECONDS * heat.windows) % heat.windows]
        busiest += int(random.multinomial(requests, _normalized(mine, shares)).max())
    return busiest / max(load.requests, 1)


def _peak_nodes(replay: Replay, work: ReplayedWork, traffic: TableTraffic) -> PeakNodes:
    """Return the node time of the busiest moment and range, each request with the rows that it scans."""
    load, events = replay.loads[-1], replay.events
    taken = request_seconds(replay, work)
    length = peak_seconds(traffic, replay)
    window = min(length, max(replay.span_seconds, 1.0)) * replay.sampled_share
    groups = load.places * min(RANGES, load.rows) // load.rows
    cells = ((events.times_s - replay.first_s) // length).astype(np.int64) * RANGES + groups
    _, cells = np.unique(cells, return_inverse=True)
    moment, times = 1.0 if replay.is_whole else length, np.concatenate([*work.times_s.values()])
    all_taken = np.concatenate([*work.seconds.values()])
    _, moments = np.unique(np.floor((times - (0 if moment == 1 else replay.first_s)) / moment), return_inverse=True)
    modelled = _by_range(traffic, traffic.heat.node_share, min(RANGES, load.rows))
    return PeakNodes(
        window_seconds=moment,
        replayed=float(np.bincount(moments, all_taken).max()) / (1.0 if moment == 1 else window),
        modelled=float(traffic.heat.node_share_of_windows.max()),
        replayed_range=float(np.bincount(cells, taken).max()) / window,
        modelled_range=float(modelled.max()),
    )


def _by_range(traffic: TableTraffic, values: Floats, groups: int) -> Floats:
    """Return values of the model's ranges added up to so many with equally many rows."""
    heat = traffic.heat
    middles = np.cumsum(heat.stored_share) - heat.stored_share / 2
    places = np.minimum((middles * groups).astype(np.int64), groups - 1)
    found = np.zeros((groups, heat.windows))
    np.add.at(found, places, values)
    return found


def _normalized(mine: Floats, shares: Floats) -> Floats:
    """Return shares of one window that add up to 1; of a window without load, those of the day."""
    chosen = mine if mine.sum() > 0 else shares.sum(axis=1)
    return np.asarray(chosen / chosen.sum()) if chosen.sum() > 0 else np.full(chosen.size, 1 / chosen.size)
