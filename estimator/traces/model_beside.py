"""The model's figures of a table beside the replayed requests: rates, busiest rows and ranges, node time, the bill.

The model is of a design's reference day, a log of the days that it covers. The model's shares of ranges are drawn with
as many requests as the log has in each window, because chance alone makes some range the busiest.
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.table import Table
from estimator.engines import engine_of
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.results import Estimate, TablePart, TableTraffic
from estimator.results.arrays import Floats

from .blocks import OPERATION_NAMES
from .limits import ComparedScan, reachable_factor, scanned_rows
from .replay import RANGES, RangeLoad, Replay

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
    has_busy_row: bool
    """True if the busiest row came often enough to be told from chance."""

    @property
    def replayed_most_per_second(self) -> float | None:
        """Requests a second with which the busiest row alone takes one node, by the log's share of it. [1/s]"""
        return self._most_per_second(self.replayed_row_share) if self.has_busy_row else None

    @property
    def modelled_most_per_second(self) -> float | None:
        """The same by the model's share. [1/s]"""
        return self._most_per_second(self.modelled_row_share)

    def _most_per_second(self, share: float) -> float | None:
        return 1 / (share * self.node_seconds) if share * self.node_seconds > 0 else None


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
class ModelBeside:
    """The model of a table beside a replay under its key."""

    day: datetime.date
    """The design's reference day."""
    operations: tuple[ComparedOperation, ...]
    monthly_bill: Decimal | None
    """In the design's last month; None where nothing can be priced."""
    replayed_monthly_bill: Decimal | None
    """The same with the log's rates in the place of the design's."""
    currency: str
    scans: tuple[ComparedScan, ...]
    reachable: tuple[float, float] | None
    """By how much the load could grow before something is full: of the log, and of the model."""
    peak: "PeakNodes | None"
    """None where no nodes serve."""
    traffic: TableTraffic = field(compare=False, repr=False)

    def mutation_share(self, operation: str) -> float:
        """Return the share that writes or deletions have of both, which the model's heat holds together."""
        rates = {one.operation: one.modelled_per_second for one in self.operations if one.operation != "read"}
        return rates[operation] / sum(rates.values()) if operation in rates else 1.0

    @property
    def modelled_node_share(self) -> float:
        """Node time of the compared requests on average: 1 is one busy node."""
        return sum(one.modelled_per_second * one.node_seconds for one in self.operations)

    @property
    def replayed_node_share(self) -> float:
        """The same by the log's rates."""
        return sum(one.replayed_per_second * one.node_seconds for one in self.operations)


def compare_with_model(spec: Spec, table: Table, replay: Replay, context: Context) -> ModelBeside | None:
    """Return the model beside a replay; None where the model has no load, as an input is missing."""
    made = estimate(spec, context)
    part = made.tables[table.id]
    if part.traffic is None:
        return None
    loads = replay.loads[-1].operations
    deleting = frozenset(write.id for kind in table.row_kinds for write in kind.writes if write.deletes)
    rates = {kind: _rates(kind, part, part.traffic, deleting) for kind in OPERATION_NAMES if kind in loads}
    found = (_compare(kind, loads[kind], replay, rates[kind], part.traffic) for kind in rates)
    operations = tuple(one for one in found if one is not None)
    bill = made.bill
    replayed = _bill_with_rates(spec, table, operations, context) if bill is not None else None
    node_seconds = {one.operation: one.node_seconds for one in operations}
    return ModelBeside(
        day=part.traffic.day,
        operations=operations,
        monthly_bill=bill.total if bill is not None else None,
        replayed_monthly_bill=replayed,
        currency=bill.currency if bill is not None else "",
        scans=tuple(scanned_rows(spec, table.row_kinds, part.reads, replay)),
        reachable=reachable_factor(spec, made, table.id, replay, node_seconds),
        peak=_peak_nodes(replay, node_seconds, part.traffic) if engine_of(spec).HAS_NODES and node_seconds else None,
        traffic=part.traffic,
    )


def _compare(
    kind: str, load: RangeLoad, replay: Replay, rates: Sequence[tuple[str, float, float]], traffic: TableTraffic
) -> ComparedOperation | None:
    rate = sum(per_second for _, per_second, _ in rates)
    if not rate:
        return None
    ids = {access for access, _, _ in rates}
    weights = {access: per_second / rate for access, per_second, _ in rates}
    rows = [row.share * weights[row.access] for row in traffic.hot_rows if row.access in ids and not row.is_range]
    return ComparedOperation(
        kind,
        load.requests / replay.sampled_share / max(replay.span_seconds, 1.0),
        rate,
        load.busiest_share,
        _modelled_range_share(kind, load, replay, traffic),
        load.busiest_row_share,
        max(rows, default=0.0),
        sum(per_second * node_seconds for _, per_second, node_seconds in rates) / rate,
        load.busiest_row_share * load.requests >= ROW_REQUESTS_MIN,
    )


def _rates(
    kind: str, part: TablePart, traffic: TableTraffic, deleting: frozenset[str]
) -> Sequence[tuple[str, float, float]]:
    """Return each write, deletion or read with its rate and its node time per request."""
    if kind != "read":
        mine = [one for one in traffic.writes if (one.write in deleting) == (kind == "delete")]
        return [(one.write, one.rows_per_second, one.node_seconds_per_row) for one in mine]
    return [(one.read, one.per_second or 0.0, one.node_seconds) for one in part.reads if one.refused is None]


def _modelled_range_share(kind: str, load: RangeLoad, replay: Replay, traffic: TableTraffic) -> float:
    """Return the mean share of the busiest range, of as many requests as the log has in each window."""
    heat = traffic.heat
    per_second = heat.reads_per_second if kind == "read" else heat.writes_per_second
    shares = _by_range(traffic, per_second, min(RANGES, replay.loads[-1].rows))
    random, busiest = np.random.default_rng(1), 0
    for number, requests in enumerate(load.window_requests):
        moment = (replay.first_s + (number + 0.5) * replay.window_seconds) % DAY_SECONDS
        mine = shares[:, int(moment / DAY_SECONDS * heat.windows) % heat.windows]
        busiest += int(random.multinomial(requests, _normalized(mine, shares)).max())
    return busiest / max(load.requests, 1)


def _peak_nodes(replay: Replay, node_seconds: Mapping[str, float], traffic: TableTraffic) -> PeakNodes:
    """Return the node time of the busiest moment and range, with the model's time of each request."""
    loads = replay.loads[-1].operations
    per_cell = np.sum([loads[name].counts * node_seconds[name] for name in node_seconds], axis=0)
    window = min(replay.window_seconds, max(replay.span_seconds, 1.0)) * replay.sampled_share
    seconds, most = window, float(per_cell.sum(axis=1).max())
    if replay.sampled_share == 1:
        events = replay.events
        taken = np.array([node_seconds.get(name, 0.0) for name in OPERATION_NAMES])[events.operations]
        _, moments = np.unique(np.floor(events.times_s), return_inverse=True)
        seconds, most = 1.0, float(np.bincount(moments, taken).max())
    modelled = _by_range(traffic, traffic.heat.node_share, min(RANGES, replay.loads[-1].rows))
    return PeakNodes(
        window_seconds=1.0 if seconds == 1 else replay.window_seconds,
        replayed=most / seconds,
        modelled=float(traffic.heat.node_share_of_windows.max()),
        replayed_range=float(per_cell.max()) / window,
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


def _bill_with_rates(
    spec: Spec, table: Table, operations: Sequence[ComparedOperation], context: Context
) -> Decimal | None:
    """Return the last month's bill with the log's rates; None where a rate is not a number of the document."""
    data: Any = to_plain_data(spec)
    factors = {one.operation: one.replayed_per_second / one.modelled_per_second for one in operations}
    activities = {
        write.activity: "delete" if write.deletes else "write"
        for kind in table.row_kinds
        for write in sorted(kind.writes, key=lambda one: not one.deletes)
    }
    scaled = [(one, activities[one["id"]]) for one in data.get("activities", ()) if one["id"] in activities]
    of_table = next(one for one in data["tables"] if one["id"] == table.id)
    scaled += [(read, "read") for kind in of_table["row_kinds"] for read in kind.get("reads", ())]
    for element, kind in scaled:
        if kind in factors:
            if element.get("rate_per_second") is None:
                return None
            element["rate_per_second"] *= factors[kind]
    made: Estimate = estimate(Spec.model_validate(data), context)
    return made.bill.total if made.bill is not None else None
