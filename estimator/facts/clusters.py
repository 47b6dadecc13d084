"""Facts shared by the rules about clusters: targets, and the number of nodes that would do."""

import math
from dataclasses import replace

import numpy as np

from designer.document import Spec, effective_value
from designer.document.instance import Autoscaling, Cluster
from estimator.engines import Targets, bigtable
from estimator.kernels.capacity.demand import reads_by_cluster
from estimator.results import ClusterNodes, HotRow, TableTraffic

from .routing import reads, served_shares


def targets(spec: Spec, cluster: Cluster | None = None) -> Targets:
    """Return the shares at which a cluster should run: those for batch work if none of its reads is waited for.

    Without a cluster, of the reads of the whole design.
    """
    own_reads = [read for _, read in reads(spec) if cluster is None or cluster.id in served_shares(spec, read)]
    is_awaited = any(effective_value(spec, read, "latency") == "sensitive" for read in own_reads)
    return bigtable.LATENCY if is_awaited or not own_reads else bigtable.BATCH


def enough_nodes(cluster: Cluster, sized: ClusterNodes) -> int:
    """Nodes that carry load and data over the whole horizon; a multiple of the cluster's scaling step."""
    return round_to_step(float(np.max(sized.needed_by_month)), cluster)


MANY_NODES = 100
MOST_TIMES = 10.0
"""So many nodes, or so many times those that are there, somebody may just have to order; beyond, a design that somebody
set nodes for is not what they meant, and what makes the load is to be mended first."""


def is_realistic_count(cluster: Cluster, sized: ClusterNodes, nodes: float) -> bool:
    """Return True if this number of nodes is realistic enough to be offered."""
    return nodes <= max(MANY_NODES, MOST_TIMES * maximum_nodes(cluster, sized))


def minimum_nodes(maximum: int) -> int:
    """Return the least minimum that an autoscaler with this maximum may have."""
    return math.ceil(maximum / bigtable.LIMITS["autoscaling_span"].value)


def maximum_nodes(cluster: Cluster, sized: ClusterNodes) -> float:
    """Return the most nodes at the end of the horizon: those that are set, or the autoscaler's maximum."""
    return float(cluster.nodes.max if isinstance(cluster.nodes, Autoscaling) else sized.nodes_by_month[-1])


def round_to_step(nodes: float, cluster: Cluster) -> int:
    """Return the number of nodes rounded up to the cluster's scaling step, from a thousand on to three digits."""
    # Rounding orders no node.
    grain = max(cluster.node_scaling, round(10.0 ** (math.floor(math.log10(max(nodes, 1))) - 2)))
    return math.ceil(max(nodes, 1) / grain - 1e-9) * grain


def indivisible_share(spec: Spec, traffic: TableTraffic) -> float:
    """Return the node time of the busiest thing that one node serves alone, in the cluster in which it is the busiest.

    On Tablestore, of a partition-key value.
    """
    return traffic.indivisible_share_in(reads_by_cluster(spec))


def hot_rows(spec: Spec, traffic: TableTraffic) -> tuple[HotRow, ...]:
    """Return the busiest row of each write and read; of a read, with the share of its requests that one cluster has."""
    return tuple(_in_one_cluster(spec, row) for row in traffic.hot_rows)


def _in_one_cluster(spec: Spec, row: HotRow) -> HotRow:
    most = max(share_by_read.get(row.access, 1.0) for share_by_read in reads_by_cluster(spec))
    return replace(row, per_second=row.per_second * most, node_share=row.node_share * most) if most < 1 else row
