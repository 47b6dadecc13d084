"""Tablets of all tables placed on the nodes of a cluster on the shown day, and what limits the load first."""

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from estimator.results import ClusterNodes, Placement, TablePart, TableTraffic
from estimator.results.arrays import Floats, Ints

from ..traffic.assumptions import TABLET_LOAD
from .demand import Demand

NODES_SHOWN = 1024
"""Nodes beyond so many, and beyond one per tablet, hold no tablet and are not listed."""


@dataclass(frozen=True)
class TableService:
    """One table as one cluster serves it."""

    table: str
    traffic: TableTraffic
    served: Mapping[str, float] = field(default_factory=dict)
    """Share of each read that is routed to the cluster, by its id; every write counts in every cluster."""

    @cached_property
    def load(self) -> Floats:
        """(ranges,) node time per time, mean over the day."""
        return self.traffic.heat.node_share_of_ranges(self.served)

    def load_between(self, first: Ints, end: Ints) -> Floats:
        """(spans, windows) node time per time of the ranges first[i] … end[i] - 1 together."""
        return self.traffic.heat.node_share_between(first, end, served=self.served)

    @property
    def load_of_windows(self) -> Floats:
        """(windows,) node time per time, all ranges."""
        return np.asarray(self.load_between(np.array([0]), np.array([len(self.load)]))[0])


def placements(demand: Demand, parts: Mapping[str, TablePart], nodes: Sequence[ClusterNodes]) -> tuple[Placement, ...]:
    """One placement per cluster, on the nodes that it has at the peak of the horizon's end; none without traffic."""
    result = []
    for place, cluster in enumerate(demand.clusters):
        sized = next((n for n in nodes if n.cluster == cluster.id), None)
        served = {flow.read.id: float(flow.served_share(demand.clusters)[place]) for flow in demand.reads}
        services = [
            TableService(table.id, traffic, served)
            for table in demand.tables
            if (traffic := parts[table.id].traffic) is not None
        ]
        if sized is not None and services:
            count = max(math.ceil(float(sized.nodes_by_month[-1]) - 1e-9), 1)
            result.append(place_tablets(cluster.id, services, count))
    return tuple(result)


def place_tablets(cluster: str, services: Sequence[TableService], nodes: int) -> Placement:
    """Return a greedy placement of fixed, equal tablets: busiest first, each on the least loaded node.

    Parameters
    ----------
    cluster : str
    services : sequence of TableService
        At least one table. Windows of tables whose busiest weekdays differ are laid over each other by the hour.
    nodes : int
        At least 1.

    Returns
    -------
    Placement
        Load is open: a node is offered what its tablets get, also beyond what it can do.
    """
    quiet = sum(float(service.load.sum()) for service in services) / nodes * PLACED_NODE_SHARE
    firsts = [first_ranges(service, quiet) for service in services]
    loads = [np.add.reduceat(service.load, first) for service, first in zip(services, firsts, strict=True)]
    # One node per placed unit is the most that can be busy; the rest would be rows of zeros.
    used = min(nodes, max(sum(map(len, firsts)), NODES_SHOWN))
    homes = assign_greedily(np.concatenate(loads), used)
    spans = [
        service.load_between(first, np.append(first[1:], len(service.load)))
        for service, first in zip(services, firsts, strict=True)
    ]
    order = np.argsort(homes, kind="stable")
    busy, starts = np.unique(homes[order], return_index=True)
    utilisation = np.zeros((used, services[0].traffic.heat.windows))
    utilisation[busy] = np.add.reduceat(np.concatenate(spans)[order], starts, axis=0)
    by_node = utilisation.mean(axis=1)
    total = float(by_node.sum())
    share = by_node / total if total > 0 else np.full(used, 1 / used)
    factor, limited_by, table = reachable_throughput(services, nodes)
    return Placement(
        cluster=cluster,
        nodes=nodes,
        windows_per_day=utilisation.shape[1],
        utilisation=utilisation,
        hottest_node_share=float(share.max()),
        peak_utilisation=float(utilisation.max()),
        effective_nodes=effective_nodes(utilisation) if total > 0 else float(nodes),
        reachable_factor=factor,
        limited_by=limited_by,
        limiting_table=table,
    )


def effective_nodes(utilisation: Floats) -> float:
    """Return the effective number of busy nodes: 1 ÷ Σ share² per window, averaged by the windows' load.

    Parameters
    ----------
    utilisation : float64, shape (nodes, windows)

    Returns
    -------
    float
        1 … nodes; all nodes where there is no load. A load that wanders from node to node over the day is one node.
    """
    load = utilisation.sum(axis=0)
    if not load.any():
        return float(len(utilisation))
    squares = np.maximum((utilisation**2).sum(axis=0), 1e-300)
    # (Σ u)² / Σ u² is 1 / Σ share²: 10 equally busy nodes count as 10, one busy node among 10 as 1.
    return float(np.average(load**2 / squares, weights=load))


PLACED_NODE_SHARE = 1 / 32
"""Neighbouring tablets that together are less than this share of a node's mean load are placed as one: that costs the
balance no more, and tables with thousands of quiet tablets are placed at once."""


def first_ranges(service: TableService, quiet: float) -> Ints:
    """Return the first range of each placed unit: a tablet, or neighbouring tablets of at most `quiet` load.

    A tablet consists of neighbouring key ranges until they reach a tablet's bytes or a tablet's load; a single
    range may exceed both and is then one tablet.

    Returns
    -------
    int64, shape (placed,)
    """
    first = first_ranges_of_tablets(service)
    if quiet <= 0:
        return first
    load = np.add.reduceat(service.load, first)
    # A tablet belongs to the group in which its middle lies, so one heavy tablet does not push its neighbours out of
    # theirs.
    group = np.floor((np.cumsum(load) - load / 2) / quiet)
    return first[np.flatnonzero(np.diff(group, prepend=-1.0))]


def first_ranges_of_tablets(service: TableService) -> Ints:
    """Return the first range of each tablet: int64, shape (tablets,)."""
    size = service.traffic.heat.stored_share * service.traffic.tablets
    # A tablet is split by bytes or by load, whichever comes first; both are in units of one tablet here.
    filled = np.maximum(size, service.load / TABLET_LOAD.value)
    tablet = np.floor(np.cumsum(filled) - filled / 2 + 1e-9)
    return np.flatnonzero(np.diff(tablet, prepend=-1.0))


def assign_greedily(load: Floats, nodes: int) -> Ints:
    """Return the node of each tablet, longest processing time first; ties go to the node with fewer tablets.

    >>> assign_greedily(np.array([3.0, 3.0, 2.0, 2.0, 2.0]), 2).tolist()
    [0, 1, 0, 1, 0]
    """
    home = np.zeros(len(load), dtype=np.int64)
    if nodes == 1:
        return home
    # Tuples order by load, then by number of tablets, so that tablets without load are spread, too.
    heap = [(0.0, 0, node) for node in range(nodes)]
    for tablet in np.argsort(-load, kind="stable").tolist():
        busy, count, node = heap[0]
        home[tablet] = node
        heapq.heapreplace(heap, (busy + float(load[tablet]), count + 1, node))
    return home


def reachable_throughput(
    services: Sequence[TableService], nodes: int
) -> tuple[float, Literal["row", "front", "cluster"], str | None]:
    """λ*: by how much all load could grow before something is full, what that is, and in which table.

    The least of capacity ÷ load, over the cluster as a whole in its busiest window and over each thing that one node
    must serve alone. Infinite where there is no load.
    """
    peak = float(sum((service.load_of_windows for service in services), np.zeros(1)).max())
    best: tuple[float, Literal["row", "front", "cluster"], str | None]
    best = (nodes / peak if peak > 0 else math.inf, "cluster", None)
    for each in services:
        load, kind = each.traffic.busiest_indivisible(each.served)
        if load > 0 and 1 / load < best[0]:
            best = (1 / load, kind, each.table)
    return best
