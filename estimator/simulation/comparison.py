"""Two simulations side by side: what differs, in words, and one scale for both."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from designer.spec.money import Currency, Money
from designer.spec.texts import N_, Text

from ..results import Params
from ..words import PATTERNS
from .reading import offered_operations
from .results import METRICS, ClusterRun, Metric, Simulation, TableRun

SMALL = 0.05
"""What differs by less than a twentieth is alike: two seeds of one design differ by as much."""

Better = Literal["first", "second", ""]


@dataclass(frozen=True)
class Difference:
    """One thing that differs."""

    message: str
    """Template; its parameters end in `_first` and `_second` before their unit: `first_share`, `second_share`."""
    params: Params
    better: Better
    table: str = ""
    cluster: str = ""

    def __str__(self) -> str:
        return self.message.format(**self.params)


@dataclass(frozen=True)
class Comparison:
    """What `compare` found."""

    differences: tuple[Difference, ...]
    most: Mapping[str, Mapping[Metric, int]]
    """By table and metric, the largest value of both: the scale that both heatmaps share. 0 where grids are absent."""
    utilisation: float
    """The hottest node of both: the scale of nodes over time."""
    nodes: int
    same_period: bool
    """Windows of both are of the same length and number; else grids cannot be laid beside each other cell by cell."""


def compare(first: Simulation, second: Simulation) -> Comparison:
    """What the second has otherwise than the first; tables and clusters are matched by id, else by name."""
    found = [*_money(first, second)]
    for one, other in _pairs(first, second, [c.cluster for c in first.clusters], [c.cluster for c in second.clusters]):
        found += _clusters(_cluster(first, one), _cluster(second, other), first.names.get(one, one))
    tables = list(_pairs(first, second, list(first.tables), list(second.tables)))
    for one, other in tables:
        found += _tables(first.tables[one], second.tables[other], first.names.get(one, one))
    found += _only(first, second, tables)
    return Comparison(
        differences=tuple(found),
        most={
            one: {m: max(_most(first.tables[one], m), _most(second.tables[other], m)) for m in METRICS}
            for one, other in tables
        },
        utilisation=max((float(c.hottest.max()) for c in (*first.clusters, *second.clusters)), default=0.0),
        nodes=max((int(c.nodes.max()) for c in (*first.clusters, *second.clusters)), default=0),
        same_period=len(first.window_starts) == len(second.window_starts)
        and first.window_seconds == second.window_seconds,
    )


def _pairs(first: Simulation, second: Simulation, ones: list[str], others: list[str]) -> Iterator[tuple[str, str]]:
    """Ids that go together: equal ones, equal names, or the only ones that there are."""
    names = {second.names.get(other, other): other for other in others}
    for one in ones:
        if one in others:
            yield one, one
        elif first.names.get(one, one) in names:
            yield one, names[first.names.get(one, one)]
        elif len(ones) == len(others) == 1:
            yield one, others[0]


def _cluster(simulation: Simulation, name: str) -> ClusterRun:
    return next(each for each in simulation.clusters if each.cluster == name)


def _most(table: TableRun, metric: Metric) -> int:
    return int(table.grid(metric).max(initial=0))


def _money(first: Simulation, second: Simulation) -> Iterator[Difference]:
    if first.cost is None or second.cost is None or first.currency != second.currency:
        return
    if first.cost_at_least or second.cost_at_least:
        return
    currency: Currency = first.currency  # type: ignore[assignment]
    params = {"first": Money(first.cost, currency), "second": Money(second.cost, currency)}
    if first.cost != second.cost:
        better: Better = "first" if first.cost < second.cost else "second"
        yield Difference(N_("The month costs {second} instead of {first}."), params, better)


def _clusters(first: ClusterRun, second: ClusterRun, name: str) -> Iterator[Difference]:
    one, other = float(first.hottest.max()), float(second.hottest.max())
    if _differ(one, other):
        yield Difference(
            N_("{cluster}: the hottest node is {second_share} busy at its peak instead of {first_share}."),
            {"cluster": name, "first_share": one, "second_share": other}, _less(one, other), cluster=first.cluster,
        )  # fmt: skip
    one, other = _refused(first), _refused(second)
    if _differ(one, other) and max(one, other) >= 0.0005:
        yield Difference(
            N_("{cluster}: {second_share} of the operations are refused instead of {first_share}."),
            {"cluster": name, "first_share": one, "second_share": other}, _less(one, other), cluster=first.cluster,
        )  # fmt: skip
    one, other = _finite(first.reachable), _finite(second.reachable)
    if _differ(one, other) and max(one, other) < np.inf:
        yield Difference(
            N_("{cluster}: the load could be {second_factor} what it is, instead of {first_factor}."),
            {"cluster": name, "first_factor": one, "second_factor": other}, _less(other, one), cluster=first.cluster,
        )  # fmt: skip
    one, other = float(first.nodes.mean()), float(second.nodes.mean())
    if _differ(one, other):
        yield Difference(
            N_("{cluster}: {second_nodes} on average instead of {first_nodes}."),
            {"cluster": name, "first_nodes": one, "second_nodes": other}, _less(one, other), cluster=first.cluster,
        )  # fmt: skip


def _refused(cluster: ClusterRun) -> float:
    """Share of all operations of the period."""
    offered = offered_operations(cluster.refused, cluster.refused_share)
    return float(cluster.refused.sum()) / offered if offered > 0 else 0.0


def _finite(factors: Any) -> float:
    return float(np.min(factors, initial=np.inf))


def _tables(first: TableRun, second: TableRun, name: str) -> Iterator[Difference]:
    names = tuple(p.name for p in first.patterns[:1]), tuple(p.name for p in second.patterns[:1])
    if names[0] != names[1] and all(names):
        params: dict[str, Any] = {
            "table": name,
            "first": Text(PATTERNS[names[0][0]]),
            "second": Text(PATTERNS[names[1][0]]),
        }
        good = {"evenly_spread", "periodic", "idle"}
        better: Better = "second" if names[1][0] in good and names[0][0] not in good else (
            "first" if names[0][0] in good and names[1][0] not in good else ""
        )  # fmt: skip
        yield Difference(N_("{table}: the pattern is “{second}” instead of “{first}”."), params, better, first.table)
    one, other = (max((k.share for k in t.hot_keys[:1]), default=0.0) for t in (first, second))
    if _differ(one, other) and max(one, other) >= 0.01:
        yield Difference(
            N_("{table}: the hottest row takes {second_share} of the node time instead of {first_share}."),
            {"table": name, "first_share": one, "second_share": other}, _less(one, other), first.table,
        )  # fmt: skip
    one, other = (max((float(k.largest_bytes[-1]) for k in t.days.kinds), default=0.0) for t in (first, second))
    if _differ(one, other) and max(one, other) >= 2**20:
        yield Difference(
            N_("{table}: the largest row has {second_bytes} instead of {first_bytes}."),
            {"table": name, "first_bytes": one, "second_bytes": other}, _less(one, other), first.table,
        )  # fmt: skip
    one, other = (float(t.days.physical_bytes[-1]) for t in (first, second))
    if _differ(one, other):
        yield Difference(
            N_("{table}: {second_bytes} are stored instead of {first_bytes}."),
            {"table": name, "first_bytes": one, "second_bytes": other}, _less(one, other), first.table,
        )  # fmt: skip


def _only(first: Simulation, second: Simulation, pairs: list[tuple[str, str]]) -> Iterator[Difference]:
    for name in first.tables.keys() - {one for one, _ in pairs}:
        message = N_("Only the first has the table “{table}”.")
        yield Difference(message, {"table": first.names.get(name, name)}, "", name)
    for name in second.tables.keys() - {other for _, other in pairs}:
        message = N_("Only the second has the table “{table}”.")
        yield Difference(message, {"table": second.names.get(name, name)}, "", name)


def _differ(one: float, other: float) -> bool:
    return abs(one - other) > SMALL * max(abs(one), abs(other)) if np.isfinite([one, other]).all() else one != other


def _less(one: float, other: float) -> Better:
    return "first" if one < other else "second"
