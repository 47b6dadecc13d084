"""Data of a run that diagnoses read, and figures of it that several of them use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from estimator.engines import engine_of
from estimator.kernels.capacity.demand import clusters_of
from estimator.results.arrays import Flags, Floats, Ints

from ..assumptions import TOLERANCE
from ..plan import Plan, PlannedFlow, PlannedTable
from ..points import Point
from ..reading import offered_operations
from ..results import ClusterRun, TableRun
from ..serving import ServingResult

HOT = 0.9
"""The hottest node should stay below this (performance page, read 2026-11-20)."""

HALF = 0.5
"""More than half of something is most of it."""


@dataclass(frozen=True)
class PlayedRun:
    """A run that was played, and what was planned of it."""

    plan: Plan
    tables: Mapping[str, TableRun]
    clusters: Sequence[ClusterRun]
    served: Sequence[ServingResult]
    points: Mapping[str, Sequence[Point]]
    _loads: dict[int, Floats] = field(default_factory=dict)
    """What `point_load` has found of each point."""

    @property
    def has_partitions(self) -> bool:
        """True if the engine shows partitions, and no nodes."""
        return not engine_of(self.plan.spec).HAS_NODES

    def cluster_name(self, cluster: ClusterRun) -> str:
        names = (
            {}
            if self.has_partitions
            else {design_cluster.id: design_cluster.name for design_cluster in clusters_of(self.plan.spec)}
        )
        return names.get(cluster.cluster) or cluster.cluster

    def cluster_index(self, cluster: ClusterRun) -> int:
        """Return the index of a cluster; clusters hold arrays, so `==` cannot find them."""
        return next(i for i, other in enumerate(self.clusters) if other is cluster)

    def work_seconds(self, flow: PlannedFlow) -> float:
        """Return the seconds for which one operation keeps one node busy."""
        return self.plan.node_fraction(flow) * flow.pieces * self.plan.window_seconds

    def point_load(self, table: PlannedTable, point: Point) -> Floats:
        """Return the expected node time of an indivisible load, in nodes: (windows,)."""
        if id(point) not in self._loads:
            total = np.zeros(self.plan.windows)
            for flow in table.flows:
                if flow.id in point.share:
                    node_seconds = self.plan.node_fraction(flow) * self.plan.window_seconds * flow.pieces
                    total += flow.rates * point.share[flow.id] * node_seconds * max(flow.routed, default=0.0)
            self._loads[id(point)] = total
        return self._loads[id(point)]


def flow_label(flow: PlannedFlow) -> str:
    """Return the name of a read, or the flow's id where it is none."""
    return flow.flow.read.label if flow.flow.read is not None else flow.id


def refused_share(cluster: ClusterRun, windows: Ints) -> float:
    """Return the share of the operations that came to a cluster in some windows that was refused."""
    offered = offered_operations(cluster.refused[windows], cluster.refused_share[windows])
    return float(cluster.refused[windows].sum()) / offered if offered > 0 else 0.0


def uneven_windows(cluster: ClusterRun) -> Flags:
    """Windows in which one node has about all that it can do, and far more than the others."""
    return (cluster.hottest > HOT) & (cluster.hottest > TOLERANCE * cluster.mean)
