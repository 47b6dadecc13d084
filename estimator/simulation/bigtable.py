"""Bigtable's servers: the nodes of each cluster, which carry tablets."""

import math
from collections.abc import Callable, Mapping

from designer.document import Spec
from designer.document.instance import Cluster
from designer.document.key import as_bytes
from designer.document.table import Table
from estimator.kernels.capacity.demand import build_demand, clusters_of, serving_share
from estimator.kernels.capacity.nodes import SizingRule, sizing_rule
from estimator.kernels.traffic.operations import OperationRate
from estimator.results import Estimate, PatternName, ReadPlan
from estimator.results.arrays import Floats

from . import scaling
from .scaling import Scaler

NEGLIGIBLE_SHARE = 0.005
SIZE_ASSUMPTION = "tablet_bytes"
ABSENT_ASSUMPTIONS = frozenset(("partition_bytes", "partition_operations"))
ASSUMPTION_WORDS: Mapping[str, tuple[str, str, str]] = {}
ADVICE: Mapping[PatternName, str] = {}


def cluster_ids(spec: Spec) -> tuple[str, ...]:
    """Return the ids of the clusters."""
    return tuple(cluster.id for cluster in clusters_of(spec))


def cluster(spec: Spec, place: int) -> Cluster | None:
    """Return the cluster in a place."""
    return clusters_of(spec)[place]


def initial_split_keys(table: Table) -> list[bytes]:
    """Return the split keys that a table is created with."""
    return [key for key in map(as_bytes, table.split_keys) if key]


def can_be_split_at_first() -> bool:
    """Return True: a table can be created with split keys."""
    return True


def usable_share(assumed: Callable[[str], float]) -> float:
    """Return how much of its published throughput a node has."""
    return assumed("throughput_share")


def windows_per_read(flow: OperationRate, plan: ReadPlan, seconds_per_window: float) -> int:
    """Return in how many windows one read is served: each of its ranges has so much node time in a window."""
    # Ranges of one request run beside each other, each on one node; within a range the rows come in order.
    return max(math.ceil(flow.seconds / max(plan.ranges, 1.0) / seconds_per_window - 1e-9), 1)


def routed_shares(spec: Spec, flow: OperationRate) -> tuple[float, ...]:
    """Return what each cluster serves: every write counts in every cluster, reads where they are routed."""
    clusters = clusters_of(spec)
    if flow.write is not None or flow.read is None:
        return (1.0,) * len(clusters)
    profile = None if flow.read.app_profile is None else spec.find(flow.read.app_profile)
    return tuple(float(share) for share in serving_share(clusters, profile, flow.read.where))


def sizing_rules(spec: Spec, estimate: Estimate) -> tuple[SizingRule, ...]:
    """Return the rule that each cluster is sized by."""
    waiting = build_demand(spec, estimate.tables).is_awaited
    return tuple(
        sizing_rule(spec, cluster, waiting=waits) for cluster, waits in zip(clusters_of(spec), waiting, strict=True)
    )


def scaler(
    spec: Spec, estimate: Estimate, place: int, rule: SizingRule,
    *, assumed: Callable[[str], float], load: float, stored_bytes: float, cold_bytes: float, window_seconds: float,
) -> Scaler:  # fmt: skip
    """Return what decides how many nodes a cluster has in each window."""
    cluster = clusters_of(spec)[place]
    sized = next((n for n in estimate.nodes if n.cluster == cluster.id), None)
    return scaling.scaler(
        cluster,
        rule,
        needed=float(sized.nodes_by_month[-1]) if sized is not None else 1.0,
        load=load,
        stored_bytes=stored_bytes,
        cold_bytes=cold_bytes,
        window_seconds=window_seconds,
        useful_seconds=assumed("node_useful_seconds"),
        down_share_per_hour=assumed("scale_down_share_per_hour"),
        down_wait_seconds=assumed("scale_down_wait_seconds"),
    )


def split_load(load: Floats, operations: Floats, *, assumed: Callable[[str], float], window_seconds: float) -> Floats:
    """Return the node time: tablets are split by it."""
    return load
