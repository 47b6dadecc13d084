"""What the rules about clusters share: targets, and how many nodes would do."""

import math

import numpy as np

from designer.document import Spec, assumed
from designer.document.instance import Autoscaling, Cluster
from estimator.engines import Targets, bigtable
from estimator.results import ClusterNodes


def targets(spec: Spec) -> Targets:
    """The shares at which a cluster should run: those for batch work where nobody waits for a read."""
    reads = [read for _, kind in spec.row_kinds() for read in kind.reads]
    waits = any(assumed(spec, read, "latency") == "sensitive" for read in reads)
    return bigtable.LATENCY if waits or not reads else bigtable.BATCH


def enough_nodes(cluster: Cluster, sized: ClusterNodes) -> int:
    """Nodes that carry load and data over the whole horizon; a multiple of the cluster's scaling step."""
    needed = math.ceil(float(np.max(sized.needed_by_month)) - 1e-9)
    return math.ceil(needed / cluster.node_scaling) * cluster.node_scaling


MANY_NODES = 100
MOST_TIMES = 10.0
"""So many nodes, or so many times those that are there, somebody may just have to order; beyond, a design that somebody
set nodes for is not what they meant, and what makes the load is to be mended first."""


def in_reach(cluster: Cluster, sized: ClusterNodes, nodes: float) -> bool:
    """Whether so many nodes are an answer: to be offered, not only to be reckoned with."""
    return nodes <= max(MANY_NODES, MOST_TIMES * most_nodes(cluster, sized))


def least_nodes(most: int) -> int:
    """The least minimum that an autoscaler with this maximum may have."""
    return math.ceil(most / bigtable.LIMITS["autoscaling_span"].value)


def most_nodes(cluster: Cluster, sized: ClusterNodes) -> float:
    """The most nodes that it has at the end of the horizon: those that are set, or the autoscaler's most."""
    return float(cluster.nodes.max if isinstance(cluster.nodes, Autoscaling) else sized.nodes_by_month[-1])


def in_steps(nodes: float, cluster: Cluster) -> int:
    """Rounded up to the cluster's scaling step. [nodes]"""
    return math.ceil(max(nodes, 1) / cluster.node_scaling - 1e-9) * cluster.node_scaling
