"""Load that no split can spread: rows, append points of prefixes, and Tablestore partition-key values."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from estimator.kernels.keys import EventDistribution, KeyPattern, key_summary
from estimator.kernels.keys.distribution.classes import represented_values, spread_of
from estimator.kernels.keys.patterns.cells import TimeSpans
from estimator.kernels.keys.patterns.pattern import Constant
from estimator.kernels.keys.patterns.table import ValueTable
from estimator.kernels.keys.patterns.times import EventTime
from estimator.kernels.keys.patterns.uniform import CountedValues
from estimator.kernels.traffic.append_points import find_growing_segment, new_share, partition_depth
from estimator.results.arrays import Floats, Ints

from .plan import Plan, PlannedFlow, PlannedTable
from .servers import servers_of

MOST = 64
"""So many of each flow's busiest values are looked at; the next one has a share below any of them."""

LOOKED_FOR_DAYS = 7
"""Who is busiest is looked for once a week, where in the key they write each window."""

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
        """Return the key in a window."""
        return self.keys.get(max((first for first in self.keys if first <= window), default=-1), self.key)

    def is_same(self, other: "Point", peak: int) -> bool:
        """Return True if both are the same.

        A row is identified by its key, an append point or partition by its values.
        """
        return self.what != "row" or self.key_in(peak) == other.key_in(peak)


def find_points(plan: Plan, table: PlannedTable, report_progress: Callable[[], None] = lambda: None) -> list[Point]:
    """Everything of a table that cannot be split and is busy enough to matter.

    `report_progress` is called before each flow.
    """
    points: dict[tuple[object, ...], list[Point]] = {}
    for flow in table.flows:
        report_progress()
        peak = int(flow.rates.argmax())
        for name, point in _points(plan, table, flow):
            alike = points.setdefault((point.what, point.row_kind, point.segment, name), [])
            there = next((candidate for candidate in alike if candidate.is_same(point, peak)), None)
            if there is None:
                alike.append(point)
            else:
                there.share.update(point.share)
    return [point for alike in points.values() for point in alike]


def _points(plan: Plan, table: PlannedTable, flow: PlannedFlow) -> Iterator[tuple[tuple[bytes, ...], Point]]:
    # A flow that keeps less than 0.5 % of a node busy in all cannot have a part that matters.
    peak_nodes = float(flow.rates.max(initial=0.0)) * flow.flow.seconds
    negligible = servers_of(plan.spec).NEGLIGIBLE_SHARE
    if peak_nodes < negligible:
        return
    pattern = flow.pattern
    if plan.is_ordered_walk(flow, 0):
        yield (b"",), _walking_point(plan, table, flow)
        return
    for what, depth, segment, factor in indivisible_parts(plan, flow):
        # A value with a smaller share of the flow stays below the negligible load even in the flow's peak.
        least = negligible / peak_nodes
        for name, point in follow_values(plan, table, flow, what, depth, segment, factor, least, MOST).items():
            point.whole = what == "front" and all(level.component < 0 for level in pattern.levels[:depth])
            yield name, point


def _walking_point(plan: Plan, table: PlannedTable, flow: PlannedFlow) -> Point:
    """Return the point of a walking flow: its place in each window.

    The point has the full load, though within a window it may pass through several ranges.
    """
    place = np.concatenate([plan.shares(flow, day).argmax(axis=0) for day in range(len(plan.dates))])
    peak = int(flow.rates.argmax())
    key = bytes(table.bounds[min(int(place[peak]), len(table.bounds) - 1)]) if table.bounds else b""
    point = Point("front", flow.flow.kind.id, key, "", place)
    point.share[flow.id] = np.ones(plan.windows)
    return point


def indivisible_parts(plan: Plan, flow: PlannedFlow) -> Iterator[tuple[What, int, str, float]]:
    """Yield the parts of a flow that cannot be split.

    Each has its kind, the number of segments that place it, the growing segment, and the share that is new.
    """
    pattern, write = flow.pattern, flow.flow.write
    if pattern.inputs.columns:
        yield "partition", partition_depth(pattern), "", 1.0
    elif write is not None or plan.read_plan(flow).access in ("point", "multi_point"):
        yield "row", len(pattern.levels), "", 1.0
    if write is not None and not write.deletes:
        assumed = plan.parameters.assumption
        front_s, lead_s = assumed("front_seconds"), assumed("front_lead_seconds")
        segments = pattern.segments[: partition_depth(pattern)]
        place = find_growing_segment(segments, key_summary(pattern), append_point_s=front_s, lead_s=lead_s)
        if place is not None:
            segment = pattern.segments[place]
            yield (
                "front",
                place,
                segment.id,
                new_share(pattern, plan.distribution(flow, 0), segment, append_point_s=front_s),
            )


def follow_values(
    plan: Plan, table: PlannedTable, flow: PlannedFlow, what: What, depth: int, segment: str, factor: float,
    minimum: float, maximum: int,
) -> dict[tuple[bytes, ...], Point]:  # fmt: skip
    """Return the busiest values of a flow's first `depth` segments, followed through the windows.

    Parameters
    ----------
    factor
        Share of the operations on a value that meet in one place.
    minimum
        Values with a smaller share of the flow in every window are left out. [1]
    """
    points: dict[tuple[bytes, ...], Point] = {}
    best: dict[tuple[bytes, ...], float] = {}
    still: list[ValueCombination] = []
    for day in range(len(plan.dates)):
        law = plan.distribution(flow, day)
        # Who is busiest changes slowly; where their keys are changes with each window, and is followed below.
        if day % LOOKED_FOR_DAYS == 0:
            still = [
                lasting_value
                for lasting_value in lasting_values(flow.pattern, law, depth, maximum)
                if lasting_value.share * factor >= minimum
            ]
        for group in range(law.time.count if still else 0):
            windows = _windows(plan, day, group, law.time.count)
            rates = float(flow.rates[windows].max(initial=0.0))
            window = moving_value(flow.pattern, EventDistribution(law.time.window(group), law.popularity), depth)
            for value in still:
                # Lasting values and moving ones are of independent components, so their shares multiply.
                share = value.share * window.share * factor
                if share < minimum:
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
    """Return the windows to which one window of a distribution applies."""
    first, per_day = day * plan.windows_per_day, plan.windows_per_day
    return slice(first + group * per_day // count, first + (group + 1) * per_day // count)


@dataclass(frozen=True)
class ValueCombination:
    """One combination of values: its share of the operations, what tells it apart, and its texts by component."""

    share: float
    name: tuple[bytes, ...]
    texts: Texts


def busiest_keys(
    pattern: KeyPattern, law: EventDistribution, depth: int, maximum: int, window: int = 0
) -> list[tuple[float, bytes]]:
    """Return the busiest values of the first `depth` segments in one window: share, and a full key.

    Segments behind them, and times and counted numbers among them, are at their most frequent values.
    """
    now = moving_value(pattern, EventDistribution(law.time.window(window), law.popularity), depth)
    return [
        (value.share * now.share, _key(pattern, {**value.texts, **now.texts}))
        for value in lasting_values(pattern, law, depth, maximum)
    ]


def lasting_values(pattern: KeyPattern, law: EventDistribution, depth: int, maximum: int) -> list[ValueCombination]:
    """Return the busiest values of the parts that do not move with time, the first `depth` segments deep."""
    shares, chosen = np.ones(1), np.zeros((1, 0), dtype=np.int64)
    parts: list[tuple[int, int, Sequence[list[bytes]]]] = []
    for place, component in enumerate(pattern.components):
        if isinstance(component, EventTime | TimeSpans | CountedValues):
            continue
        used, columns = _component_segments(pattern, place, depth)
        if isinstance(component, ValueTable) and used:
            part_shares, texts = _rows(component, law, used, maximum)
        else:
            spread = spread_of(pattern, law, component, place, columns)
            share = spread_of(pattern, law, component, place, used).classes[0][:1] if used else np.ones(1)
            part_shares, texts = share, [list(spread.hottest)]
        parts.append((place, used, texts))
        shares, chosen = _combine_values(shares, chosen, part_shares, maximum)
    combinations = []
    for value, numbers in zip(shares.tolist(), chosen.tolist(), strict=True):
        of = {place: texts[number] for (place, _, texts), number in zip(parts, numbers, strict=True)}
        name = tuple(text for place, used, _ in parts for text in of[place][:used])
        combinations.append(ValueCombination(float(value), name, of))
    return combinations


def _combine_values(shares: Floats, chosen: Ints, more: Floats, maximum: int) -> tuple[Floats, Ints]:
    """Return the busiest pairs of present and added values, and their indices: (values,), (values, parts)."""
    # The best pairs of two ranked lists are among the pairs of their best `maximum` entries, so cutting each time is
    # exact.
    product = np.outer(shares, more).ravel()
    top = np.argpartition(-product, maximum)[:maximum] if len(product) > maximum else np.arange(len(product))
    top = top[np.argsort(-product[top], kind="stable")]
    return product[top], np.concatenate([chosen[top // len(more)], (top % len(more))[:, None]], axis=1)


def moving_value(pattern: KeyPattern, law: EventDistribution, depth: int) -> ValueCombination:
    """Return the most frequent times and counted numbers of a window."""
    share, texts = 1.0, {}
    for place, component in enumerate(pattern.components):
        if isinstance(component, EventTime | TimeSpans | CountedValues):
            used, columns = _component_segments(pattern, place, depth)
            spread = spread_of(pattern, law, component, place, columns)
            texts[place] = list(spread.hottest)
            if used:
                share *= float(
                    (spread if used == columns else spread_of(pattern, law, component, place, used)).classes[0][0]
                )
    return ValueCombination(share, (), texts)


def _component_segments(pattern: KeyPattern, place: int, depth: int) -> tuple[int, int]:
    """Return the number of the first `depth` segments that one component decides, and of all segments."""
    levels = [n for n, level in enumerate(pattern.levels) if level.component == place]
    return sum(n < depth for n in levels), len(levels)


def _key(pattern: KeyPattern, texts: Texts) -> bytes:
    at = dict.fromkeys(texts, 0)
    parts = []
    for level in pattern.levels:
        if isinstance(level.order, Constant):
            parts.append(level.order.text)
            continue
        parts.append(texts[level.component][at[level.component]])
        at[level.component] += 1
    return b"".join(parts)


Rows = tuple[Floats, list[list[bytes]]]


def _rows(table: ValueTable, law: EventDistribution, used: int, maximum: int) -> Rows:
    """Shares of the busiest values of a table's first columns, and for each the texts of all its columns."""
    return table.get_or_compute(
        ("tops", used, maximum, table.share_inputs(law)), lambda: _busiest(table, law, used, maximum)
    )


def _busiest(table: ValueTable, law: EventDistribution, used: int, maximum: int) -> Rows:
    starts = table.groups(used)
    shares = np.diff(table.cumulative_shares(law)[starts])
    stands = represented_values(table, starts)
    value_shares = shares if stands is None else shares / np.maximum(stands, 1.0)
    top = (
        np.argpartition(-value_shares, maximum)[:maximum]
        if len(value_shares) > maximum
        else np.arange(len(value_shares))
    )
    top = top[np.argsort(-value_shares[top], kind="stable")]
    rows = starts[top].tolist()
    return value_shares[top], [[column.strings[column.codes[row]] for column in table.columns] for row in rows]


def indivisible_load(
    plan: Plan, table: PlannedTable, points: Sequence[Point], counts: Sequence[Ints], loads: Floats, cluster: int
) -> tuple[Floats, Floats]:
    """Node time of the busiest thing that cannot be split, where it is and in all.

    Parameters
    ----------
    counts : sequence of int64 (ranges, windows)
        Of the table's flows.
    loads : float64 (ranges, windows)
        All that the cluster serves of the table. [nodes]

    Returns
    -------
    float64, shape (ranges, windows)
        In each range. A front that crosses into the next one has a part in either. [nodes]
    float64, shape (windows,)
        Of the busiest thing as a whole. [nodes]
    """
    there, most, windows = np.zeros(loads.shape), np.zeros(plan.windows), np.arange(plan.windows)
    for point in points:
        here, whole = np.zeros(plan.windows), np.zeros(plan.windows)
        for flow, operations in zip(table.flows, counts, strict=True):
            share = point.share.get(flow.id)
            if share is not None and flow.routed[cluster] > 0:
                of_range = _window_shares(plan, flow, point.place)
                # The point's share of its own range's operations: counts of the range times this follow the drawn
                # numbers.
                part = np.minimum(np.divide(share, of_range, out=np.zeros_like(share), where=of_range > 0), 1.0)
                node_s = plan.node_fraction(flow) * flow.routed[cluster]
                here += operations[point.place, windows] * part * node_s
                # A front in a window can cross into the next range, so its load as a whole is taken of all ranges.
                whole += operations.sum(axis=0) * share * node_s
        if point.whole:
            beside = loads[point.place, windows] - here
            here, whole = here + beside, whole + beside
        # Points in one range are not added: two hot rows there can be split from each other.
        np.maximum.at(there, (point.place, windows), here)
        most = np.maximum(most, here if point.what == "row" else np.maximum(whole, here))
    return np.minimum(there, loads), most


def _window_shares(plan: Plan, flow: PlannedFlow, place: Ints) -> Floats:
    """(windows,) share of the flow's operations in the range of each window."""
    result, per_day = np.zeros(plan.windows), plan.windows_per_day
    for day in range(len(plan.dates)):
        shares = plan.shares(flow, day)
        windows = np.arange(day * per_day, (day + 1) * per_day)
        result[windows] = shares[place[windows], (windows - day * per_day) % shares.shape[1]]
    return result


__all__ = ["Point", "busiest_keys", "find_points", "follow_values", "indivisible_load", "indivisible_parts"]
