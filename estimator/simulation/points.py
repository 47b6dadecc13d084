"""What no split can spread: single rows, growing ends of prefixes, and on Tablestore whole partition-key values."""

import heapq
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..keys import Law, Pattern
from ..keys.cells import Cells
from ..keys.classes import _multiplicity, _spread
from ..keys.pattern import Constant
from ..keys.table import Table
from ..keys.times import Clock
from ..keys.uniform import Counter
from ..results import Floats
from ..traffic.fronts import _new_share, growing, partition_depth
from .plan import Plan, PlannedFlow, PlannedTable
from .results import Ints

MOST = 64
"""So many of each flow's busiest values are looked at; the next one has a share below any of them."""

NEGLIGIBLE_NODES = 0.005
"""What keeps less of a node busy at its peak is no obstacle to splits."""

What = Literal["row", "front", "partition"]
Texts = dict[int, list[bytes]]


@dataclass(eq=False)
class Point:
    """One thing that one node (or partition) serves alone, over the period."""

    what: What
    row_kind: str
    key: bytes
    """Where it is in its busiest window: a row's key, or the growing end's."""
    segment: str
    """The growing segment of a front; of a row or partition empty."""
    place: Ints
    """(windows,) its range."""
    share: dict[str, Floats] = field(default_factory=dict)
    """By flow, (windows,) of that flow's operations."""
    whole: bool = False
    """A front that leads the key: everything in its range is on it."""
    keys: dict[int, bytes] = field(default_factory=dict)
    """The key from each of some windows on."""

    def key_in(self, window: int) -> bytes:
        """The key in a window."""
        return self.keys.get(max((first for first in self.keys if first <= window), default=-1), self.key)

    def is_also(self, other: "Point", peak: int) -> bool:
        """Whether both are one thing: a row is its key, a front or partition its values."""
        return self.what != "row" or self.key_in(peak) == other.key_in(peak)


def points_of(plan: Plan, table: PlannedTable) -> list[Point]:
    """Everything of a table that cannot be split and is busy enough to matter."""
    found: dict[tuple[object, ...], list[Point]] = {}
    for flow in table.flows:
        peak = int(flow.rates.argmax())
        for name, point in _points(plan, table, flow):
            alike = found.setdefault((point.what, point.row_kind, point.segment, name), [])
            there = next((each for each in alike if each.is_also(point, peak)), None)
            if there is None:
                alike.append(point)
            else:
                there.share.update(point.share)
    return [point for alike in found.values() for point in alike]


def _points(plan: Plan, table: PlannedTable, flow: PlannedFlow) -> Iterator[tuple[tuple[bytes, ...], Point]]:
    peak_nodes = float(flow.rates.max(initial=0.0)) * flow.flow.seconds
    if peak_nodes < NEGLIGIBLE_NODES:
        return
    pattern = flow.pattern
    for what, depth, segment, factor in depths(plan, flow):
        least = NEGLIGIBLE_NODES / peak_nodes
        for name, point in followed(plan, table, flow, what, depth, segment, factor, least, MOST).items():
            point.whole = what == "front" and all(level.component < 0 for level in pattern.levels[:depth])
            yield name, point


def depths(plan: Plan, flow: PlannedFlow) -> Iterator[tuple[What, int, str, float]]:
    """What of a flow cannot be split: how many segments say where it is, the growing one, and the share that is new."""
    pattern, write = flow.pattern, flow.flow.write
    if pattern.inputs.columns:
        yield "partition", partition_depth(pattern), "", 1.0
        return
    if write is not None or plan.read_plan(flow).access in ("point", "multi_point"):
        yield "row", len(pattern.levels), "", 1.0
    if write is not None and not write.mode.startswith("delete"):
        place = growing(pattern.segments, pattern.facts())
        if place is not None:
            segment = pattern.segments[place]
            yield "front", place, segment.id, _new_share(pattern, plan.law(flow, 0), segment)


def followed(
    plan: Plan, table: PlannedTable, flow: PlannedFlow, what: What, depth: int, segment: str, factor: float,
    least: float, most: int,
) -> dict[tuple[bytes, ...], Point]:  # fmt: skip
    """The busiest values of a flow's first `depth` segments, followed through the windows.

    Parameters
    ----------
    factor
        Share of the operations on a value that meet in one place.
    least
        Values with a smaller share of the flow in every window are left out. [1]
    """
    points: dict[tuple[bytes, ...], Point] = {}
    best: dict[tuple[bytes, ...], float] = {}
    for day in range(len(plan.dates)):
        law = plan.law(flow, day)
        still = [each for each in lasting(flow.pattern, law, depth, most) if each.share * factor >= least]
        for group in range(law.time.count if still else 0):
            windows = _windows(plan, day, group, law.time.count)
            rates = float(flow.rates[windows].max(initial=0.0))
            window = moving(flow.pattern, Law(law.time.window(group), law.popularity), depth)
            for value in still:
                share = value.share * window.share * factor
                if share < least:
                    break
                point = points.get(value.name)
                if point is None:
                    point = Point(what, flow.flow.kind.id, b"", segment, np.zeros(plan.windows, np.int64))
                    point.share[flow.id] = np.zeros(plan.windows)
                    points[value.name] = point
                key = _key(flow.pattern, {**value.texts, **window.texts})
                point.keys[windows.start] = key
                point.place[windows] = bisect_right(table.bounds, key)
                point.share[flow.id][windows] = min(share, 1.0)
                if (load := share * rates) > best.get(value.name, -1.0):
                    best[value.name], point.key = load, key
    return points


def _windows(plan: Plan, day: int, group: int, count: int) -> slice:
    """The windows that one of a law's is for."""
    first, per_day = day * plan.windows_per_day, plan.windows_per_day
    return slice(first + group * per_day // count, first + (group + 1) * per_day // count)


@dataclass(frozen=True)
class Value:
    """One combination of values: its share of the operations, what tells it apart, and its texts by component."""

    share: float
    name: tuple[bytes, ...]
    texts: Texts


def tops(pattern: Pattern, law: Law, depth: int, most: int, window: int = 0) -> list[tuple[float, bytes]]:
    """The busiest values of the first `depth` segments in one of a law's windows: share, and a whole key.

    Segments behind them, and times and counted numbers among them, are where the window's events are most.
    """
    now = moving(pattern, Law(law.time.window(window), law.popularity), depth)
    return [
        (value.share * now.share, _key(pattern, {**value.texts, **now.texts}))
        for value in lasting(pattern, law, depth, most)
    ]


def lasting(pattern: Pattern, law: Law, depth: int, most: int) -> list[Value]:
    """The busiest values of what does not move with time, the first `depth` segments deep."""
    found = [Value(1.0, (), {})]
    for place, component in enumerate(pattern.components):
        if isinstance(component, Clock | Cells | Counter):
            continue
        used, columns = _used(pattern, place, depth)
        if isinstance(component, Table) and used:
            values = _rows(component, law, used, most)
            found = [
                Value(one.share * more, (*one.name, *texts[:used]), {**one.texts, place: texts})
                for one in found
                for more, texts in values
            ]
            found = heapq.nlargest(most, found, key=lambda each: each.share)
        else:
            spread = _spread(pattern, law, component, place, columns)
            share = float(_spread(pattern, law, component, place, used).classes[0][0]) if used else 1.0
            texts = list(spread.hottest)
            found = [Value(one.share * share, (*one.name, *texts[:used]), {**one.texts, place: texts}) for one in found]
    return found


def moving(pattern: Pattern, law: Law, depth: int) -> Value:
    """Where a window's times and counted numbers are most."""
    share, texts = 1.0, {}
    for place, component in enumerate(pattern.components):
        if isinstance(component, Clock | Cells | Counter):
            used, columns = _used(pattern, place, depth)
            spread = _spread(pattern, law, component, place, columns)
            texts[place] = list(spread.hottest)
            if used:
                share *= float(
                    (spread if used == columns else _spread(pattern, law, component, place, used)).classes[0][0]
                )
    return Value(share, (), texts)


def _used(pattern: Pattern, place: int, depth: int) -> tuple[int, int]:
    """How many of the first `depth` segments one component decides, and how many in all."""
    levels = [n for n, level in enumerate(pattern.levels) if level.component == place]
    return sum(n < depth for n in levels), len(levels)


def _key(pattern: Pattern, texts: Texts) -> bytes:
    at = dict.fromkeys(texts, 0)
    parts = []
    for level in pattern.levels:
        if isinstance(level.order, Constant):
            parts.append(level.order.text)
            continue
        parts.append(texts[level.component][at[level.component]])
        at[level.component] += 1
    return b"".join(parts)


def _rows(table: Table, law: Law, used: int, most: int) -> list[tuple[float, list[bytes]]]:
    """The busiest values of a table's first columns, with the texts of all its columns."""
    return table.kept(("tops", used, most, table.asked(law)), lambda: _busiest(table, law, used, most))


def _busiest(table: Table, law: Law, used: int, most: int) -> list[tuple[float, list[bytes]]]:
    starts = table.groups(used)
    shares = np.diff(table.sums(law)[starts])
    stands = _multiplicity(table, starts)
    each = shares if stands is None else shares / np.maximum(stands, 1.0)
    top = np.argpartition(-each, most)[:most] if len(each) > most else np.arange(len(each))
    top = top[np.argsort(-each[top], kind="stable")]
    found = []
    for group in top.tolist():
        row = int(starts[group])
        found.append((float(each[group]), [column.strings[column.codes[row]] for column in table.columns]))
    return found


def indivisible(
    plan: Plan, table: PlannedTable, points: Sequence[Point], counts: Sequence[Ints], loads: Floats, cluster: int
) -> Floats:
    """Node time of the busiest thing in each range that cannot be split: float64 (ranges, windows). [nodes]

    Parameters
    ----------
    counts : sequence of int64 (ranges, windows)
        Of the table's flows.
    loads : float64 (ranges, windows)
        All that the cluster serves of the table. [nodes]
    """
    most, windows = np.zeros(loads.shape), np.arange(plan.windows)
    for point in points:
        load = loads[point.place, windows] if point.whole else np.zeros(plan.windows)
        if not point.whole:
            for flow, counted in zip(table.flows, counts, strict=True):
                share = point.share.get(flow.id)
                if share is not None and flow.routed[cluster] > 0:
                    there = _there(plan, flow, point.place)
                    part = np.minimum(np.divide(share, there, out=np.zeros_like(share), where=there > 0), 1.0)
                    node_s = flow.node_ns / 1e9 / plan.window_seconds * flow.routed[cluster]
                    load += counted[point.place, windows] * part * node_s
        np.maximum.at(most, (point.place, windows), load)
    return np.minimum(most, loads)


def _there(plan: Plan, flow: PlannedFlow, place: Ints) -> Floats:
    """(windows,) share of the flow's operations in the range of each window."""
    found, per_day = np.zeros(plan.windows), plan.windows_per_day
    for day in range(len(plan.dates)):
        shares = plan.shares(flow, day)
        windows = np.arange(day * per_day, (day + 1) * per_day)
        found[windows] = shares[place[windows], (windows - day * per_day) % shares.shape[1]]
    return found


__all__ = ["Point", "depths", "followed", "indivisible", "points_of", "tops"]
