"""The pattern that the Key Visualizer would show: its documented gallery, and three names of our own.

Gallery (Key Visualizer pages, read 2026-11-20): fine grain of dark and bright is even; bands that alternate over time
are periodic; horizontal bright bands are hot ranges; dark that turns bright is a sudden increase; a bright diagonal is
sequential. Ours: a single hot row, large rows, idle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from designer.document import Spec
from designer.document.activity import Backfill
from estimator.engines import engine_of
from estimator.results import AppendPoint, HotRow, NamedPattern, PatternName, ReadPlan, TableGrowth
from estimator.results.arrays import Floats, distinct

from .operations import OperationRate

IDLE_NODE_SHARE = 1e-4
"""Below a ten-thousandth of a node (one or two rows a second) there is nothing to see."""

LISTED_SHARE = 0.05
"""What shows in less than a twentieth of the node time is not listed."""

ROW_SHARE = 0.10
"""One row that takes a tenth of a table's node time is a line of its own."""

FRONTS = 16.0
"""Up to so many growing ends are diagonals that an eye tells apart; more are fine grain."""

BANDS = 64
"""Ranges are looked at in so many bands: what is hot within one of them, as the end of each device's rows, is grain."""

HOT_FACTOR = 8.0
"""A band is hot that is so many times as busy as its stored bytes would have it."""

HOT_SHARE = 0.25
"""Hot ranges make a pattern where they take a quarter of the node time together."""

PERIODIC_FACTOR = 1.3
"""A day whose busiest quarter of an hour is so many times its mean shows bands over time."""

SUDDEN_FACTOR = 8.0
"""A rise to so many times the load within half an hour is sudden…"""

SUDDEN_HOURS = 6.0
"""…where it stays bright for no longer than this; longer is a daily rhythm."""

OURS: frozenset[PatternName] = frozenset({"single_hot_row", "large_rows", "idle"})


@dataclass(frozen=True)
class FlowOnDay:
    """One flow on the shown day."""

    flow: OperationRate
    rates: Floats
    """(windows,) operations a second."""
    load_by_range: Floats
    """(ranges,) node time per time, mean over the day."""

    @property
    def node_share(self) -> float:
        """Node time per time, mean over the day."""
        return float(self.load_by_range.sum())


def find_patterns(
    spec: Spec,
    flows: Sequence[FlowOnDay],
    stored_share: Floats,
    append_points: Sequence[AppendPoint],
    rows: Sequence[HotRow],
    plans: Mapping[str, ReadPlan],
    growth: TableGrowth,
) -> tuple[NamedPattern, ...]:
    """Return the patterns of the reference day's heatmap; mixtures list each with its share of node time.

    Parameters
    ----------
    flows : sequence of FlowOnDay
        Every write and read.
    stored_share : float64, shape (ranges,)
        Of the table's bytes.
    append_points, rows, plans, growth
        Of the same table; plans by read.

    Returns
    -------
    tuple of NamedPattern
        At least one, the largest share first. Large rows stand beside the others: they are no part of a whole.
    """
    total = sum(flow.node_share for flow in flows)
    if total < IDLE_NODE_SHARE:
        return (_pattern("idle", 1.0), *_large_rows(spec, flows, growth, total))
    moving = {flow.flow.id: _moving_share(spec, flow, append_points, plans) for flow in flows}
    shares: dict[PatternName, float] = {
        "single_hot_row": _hottest_row(flows, rows, total),
        "sequential": sum(flow.node_share * moving[flow.flow.id] for flow in flows) / total,
    }
    still = (
        sum((flow.load_by_range * (1 - moving[flow.flow.id]) for flow in flows), np.zeros_like(stored_share)) / total
    )
    shares["hot_range"] = _hot_ranges(still, stored_share, shares["single_hot_row"])
    # What no place explains is divided among patterns over time by each flow's still load, so that shares add up to 1.
    rest = max(1 - sum(shares.values()), 0.0)
    quiet = {flow.flow.id: flow.node_share * (1 - moving[flow.flow.id]) for flow in flows}
    for each in flows:
        name = time_pattern(each.rates)
        part = quiet[each.flow.id] / max(sum(quiet.values()), 1e-300)
        shares[name] = shares.get(name, 0.0) + rest * part
    patterns = [_pattern(name, share) for name, share in shares.items() if share >= LISTED_SHARE]
    return (*sorted(patterns, key=lambda p: -p.share), *_large_rows(spec, flows, growth, total))


def _pattern(name: PatternName, share: float) -> NamedPattern:
    return NamedPattern(name, min(share, 1.0), name in OURS)


def time_pattern(rates: Floats) -> PatternName:
    """Return the name of an evenly spread load's pattern over the day.

    `rates` is float64, shape (windows,), in any unit.

    >>> time_pattern(np.ones(96))
    'evenly_spread'
    """
    mean, most = float(rates.mean()), float(rates.max())
    if mean <= 0 or most < PERIODIC_FACTOR * mean:
        return "evenly_spread"
    hour = len(rates) / 24
    bright_hours = float((rates >= most / 2).sum()) / hour
    # The load half an hour before; `roll` takes the evening before for the first windows, as days are alike.
    before = np.roll(rates, max(round(hour / 2), 1))
    rises = (rates >= most / 2) & (rates >= SUDDEN_FACTOR * before)
    return "sudden_increase" if rises.any() and bright_hours <= SUDDEN_HOURS else "periodic"


def _moving_share(
    spec: Spec, flow_on_day: FlowOnDay, append_points: Sequence[AppendPoint], plans: Mapping[str, ReadPlan]
) -> float:
    """Share of a flow's load that moves along the key range as the day goes."""
    if flow_on_day.flow.write is not None:
        activity = spec.find(flow_on_day.flow.write.activity or "")
        if isinstance(activity.arrival, Backfill):
            return 1.0 if activity.arrival.sorted else 0.0
        front = next((front for front in append_points if front.write == flow_on_day.flow.id), None)
        return 1.0 if front is not None and front.effective <= FRONTS else 0.0
    plan = plans[flow_on_day.flow.id]
    if flow_on_day.flow.read is None or plan.access not in ("range", "multi_range"):
        return 0.0
    recent = flow_on_day.flow.read.newest_rows is not None or (
        flow_on_day.flow.read.time is not None and flow_on_day.flow.read.time.days <= 1
    )
    ends = [f for f in append_points if f.segment == plan.open_at and f.effective <= FRONTS]
    return 1.0 if recent and ends else 0.0


def _hottest_row(flows: Sequence[FlowOnDay], rows: Sequence[HotRow], total: float) -> float:
    """Share of the node time on the busiest row, if it stands out."""
    load = {flow.flow.id: (flow.flow.kind.id, flow.node_share) for flow in flows}
    by_row: dict[tuple[str, bytes], float] = {}
    for row in rows:
        kind, node_share = load[row.access]
        by_row[kind, row.key] = by_row.get((kind, row.key), 0.0) + row.share * node_share / total
    most = max(by_row.values(), default=0.0)
    return most if most >= ROW_SHARE else 0.0


def _hot_ranges(load: Floats, stored_share: Floats, row_share: float) -> float:
    """Share of the node time on ranges far busier than their bytes, beyond that of a single row named already."""
    starts = distinct(np.linspace(0, len(load), BANDS, endpoint=False).astype(np.int64))
    load, stored_share = np.add.reduceat(load, starts), np.add.reduceat(stored_share, starts)
    # A band with hardly any bytes would be hot under any load, so a quarter of an even band is the least that counts.
    hot = load >= HOT_FACTOR * np.maximum(stored_share, 1 / (4 * len(starts)))
    # The hottest row lies in a hot band and is named already.
    share = float(load[hot].sum()) - row_share
    return share if share >= HOT_SHARE else 0.0


def _large_rows(spec: Spec, flows: Sequence[FlowOnDay], growth: TableGrowth, total: float) -> tuple[NamedPattern, ...]:
    """Rows that the engine cannot read in full; its share is the node time of their row kinds."""
    engine = engine_of(spec)
    limit = max((engine.LIMITS[name].value for name in engine.ROW_LIMITS), default=np.inf)
    kinds = {kind.row_kind for kind in growth.kinds if kind.largest_bytes[-1] > limit}
    if not kinds:
        return ()
    load = sum(flow.node_share for flow in flows if flow.flow.kind.id in kinds)
    return (_pattern("large_rows", load / total if total > 0 else 1.0),)
