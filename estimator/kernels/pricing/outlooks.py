"""Limits of a Bigtable design that a larger workload may exceed: nodes, storage, rows, load that cannot be split."""

import dataclasses
from collections.abc import Iterator, Mapping

from designer.document import Spec
from designer.document.instance import Autoscaling, Cluster, FixedNodes
from designer.document.texts import N_
from estimator.engines import bigtable
from estimator.results import ClusterNodes, TablePart

from ..capacity.demand import Demand, build_demand, reads_by_cluster
from ..capacity.nodes import SizingRule, nodes_of, sizing_rule
from .limit_headroom import Limit

MOST_NODES = 1e18
"""As many as a document can say."""


def with_needed_nodes(spec: Spec, demand: Demand) -> Demand:
    """Return the demand on clusters whose fixed nodes are raised to the number needed."""
    needed = [int(min(there.needed_by_month[-1], MOST_NODES)) for there in nodes_of(spec, demand)]
    clusters = tuple(
        cluster.model_copy(update={"nodes": FixedNodes(count=max(cluster.nodes.count, count))})
        if isinstance(cluster.nodes, FixedNodes)
        else cluster
        for cluster, count in zip(demand.clusters, needed, strict=True)
    )
    return dataclasses.replace(demand, clusters=clusters)


def limits(spec: Spec, parts: Mapping[str, TablePart]) -> Iterator[Limit]:
    """Yield the limits of rows, of load that cannot be split and of clusters at the end of the horizon."""
    yield from entity_limits(spec, parts)
    demand = build_demand(spec, parts)
    for place, (cluster, nodes) in enumerate(zip(demand.clusters, nodes_of(spec, demand), strict=True)):
        rule = sizing_rule(spec, cluster, waiting=demand.is_awaited[place])
        match cluster.nodes:
            case FixedNodes():
                most = float(cluster.nodes.count)
            case Autoscaling():
                most = rule.max_nodes
            case _:
                continue
        yield from _cluster_limits(cluster, most, rule, nodes, float(demand.stored_gib()[-1]))


def _cluster_limits(
    cluster: Cluster, most: float, rule: SizingRule, nodes: ClusterNodes, gib: float
) -> Iterator[Limit]:
    """Yield the limits of load and storage of a cluster with at most so many nodes."""
    yield Limit(
        cluster.id,
        N_("{cluster} needs {needed_nodes} for its CPU target; the maximum is {most_nodes}"),
        float(nodes.load_by_month[-1]),
        most * rule.cpu_target,
        {"cluster": cluster.label, "needed_nodes": float(nodes.needed_by_month[-1]), "most_nodes": most},
    )
    yield Limit(
        cluster.id,
        N_("{cluster} is full: {stored_gib} on {most_nodes} of {limit_gib} each"),
        gib,
        most * rule.node_gib,
        {"cluster": cluster.label, "stored_gib": round(gib, 1), "most_nodes": most, "limit_gib": rule.node_gib},
    )


def entity_limits(spec: Spec, parts: Mapping[str, TablePart], factor: float = 1.0) -> Iterator[Limit]:
    """Yield the limits that no number of nodes helps: of the largest rows, and of load in one place.

    `factor`: how many times as large the largest entity is taken; then its row's load is what cannot be split.
    """
    clusters = reads_by_cluster(spec)
    for table in spec.tables:
        part = parts.get(table.id)
        for kind in part.growth.kinds if part is not None and part.growth is not None else ():
            limit = bigtable.LIMITS["row_bytes"].value
            # Else a larger entity has more rows, not larger ones.
            used = float(kind.largest_bytes[-1]) * (factor if kind.events_per_row > REPEATS else 1.0)
            params = {"table": table.label, "entity": kind.largest_entity, "limit_bytes": limit, "row_bytes": used}
            yield Limit(
                kind.row_kind, N_("the largest row of “{table}” exceeds {limit_bytes}"), used, float(limit), params
            )
        if part is not None and part.traffic is not None:
            hottest = part.traffic.indivisible_share_in(clusters)
            # A larger entity heats its own row only, so the append points of all entities are left out.
            if factor > 1:
                hottest = factor * part.traffic.row_share_in(clusters)
            yield Limit(
                table.id,
                N_("the load in “{table}” that cannot be split exceeds {limit_share} of one node"),
                hottest,
                bigtable.HOTTEST_NODE_SHARE,
                {"table": table.label, "limit_share": bigtable.HOTTEST_NODE_SHARE, "node_share": hottest},
            )


REPEATS = 1.5
"""Rows of more events than so many grow with their entity; others only become more."""
