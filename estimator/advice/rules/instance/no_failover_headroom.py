"""After a cluster failure, the other clusters cannot serve its load.

**What** After the worst loss of one cluster, another exceeds nine tenths of its node capacity. It must serve all
writes as before, its own reads and those of the lost cluster.
**Why** With multi-cluster routing, the reads of a lost cluster move within moments. An autoscaler takes up to 20
minutes to react. A cluster that is full by then turns one outage into two.
**Instead** Give each cluster enough nodes for a failover. With two clusters, that is about half of the CPU target
in normal operation.
**Fine when** Failover is manual, and an operator adds nodes or sheds load first.
**Source** https://cloud.google.com/bigtable/docs/replication-performance (read 2026-11-20)
https://cloud.google.com/bigtable/docs/monitoring-instance (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.instance import Cluster, FixedNodes
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import bigtable
from estimator.facts.clusters import maximum_nodes, round_to_step, targets
from estimator.results import ClusterNodes, Estimate, Failover

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import Edit, all_of, change
from ..shared.examples import NEWEST_ONLY, Part, design, field_part, read_part
from ..shared.fixes import more_nodes

MOST_SHARE = bigtable.BATCH.cpu_share
"""Share of its nodes that the page lets a cluster use even where nobody waits: above it a failover is no rescue."""

BY_HAND = N_(
    "If {lost} fails and you switch its app profiles over, {cluster} must serve a load of "
    "{load_nodes} with {nodes}. Its utilisation then reaches {utilisation_share} in the busiest "
    "hour. The threshold is {limit_share}. Provide {enough_nodes}."
)
ENOUGH = N_("Give each cluster enough nodes for a failover ({cluster}: {enough_nodes})")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """One finding, at the cluster that a loss fills the most; its fix gives all of them enough."""
    sized = {node.cluster: node for node in estimate.nodes}
    full = []
    for failover in estimate.failovers:
        cluster, there = spec.by_id.get(failover.cluster), sized.get(failover.cluster)
        if isinstance(cluster, Cluster) and there is not None:
            nodes = max(maximum_nodes(cluster, there), 1.0)
            if failover.load_nodes / nodes > MOST_SHARE:
                full.append((failover.load_nodes / nodes, cluster, there, failover))
    if full:
        yield _build_violation(
            spec,
            *max(full, key=lambda entry: entry[0]),
            all_of([_enough_nodes_edit(spec, c, f) for _, c, _, f in full]),
        )


def _build_violation(
    spec: Spec, share: float, cluster: Cluster, remaining: ClusterNodes, failover: Failover, fix: Edit
) -> Violation:
    nodes = max(maximum_nodes(cluster, remaining), 1.0)
    by_itself = failover.automatic_nodes / nodes > MOST_SHARE
    return Violation(
        at=cluster.id,
        field="nodes",
        params={
            "lost": element_label(spec, failover.lost),
            "cluster": cluster.label,
            "load_nodes": failover.load_nodes,
            "nodes": nodes,
            "utilisation_share": share,
            "limit_share": MOST_SHARE,
            "enough_nodes": _needed_nodes(spec, cluster, failover),
        },
        effect=share,
        severity="warning" if by_itself else "note",
        message="" if by_itself else BY_HAND,
        fix=fix,
        fix_safe=True,
        fix_label=ENOUGH,
    )


def _needed_nodes(spec: Spec, cluster: Cluster, failover: Failover) -> int:
    return round_to_step(failover.load_nodes / targets(spec, cluster).cpu_share, cluster)


def _enough_nodes_edit(spec: Spec, cluster: Cluster, failover: Failover) -> Edit:
    """Build the edit that sets enough nodes, as a fixed number or as the autoscaler's maximum."""
    count = _needed_nodes(spec, cluster, failover)
    return more_nodes(cluster, count) or change(cluster, "nodes", FixedNodes(count=count))


def _two_clusters_design(nodes: int) -> Spec:
    """Two clusters that share lookups of some six nodes' work."""
    there: Part = {"nodes": {"kind": "fixed", "count": nodes}}
    return design(
        field_part("device"),
        per_second=100,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=(read_part(binds=("device",), rate_per_second=100_000),),
        clusters=(
            {"id": "cluster", "name": "west", "region": "us-west1", **there},
            {"id": "central", "name": "central", "region": "us-central1", **there},
        ),
    )


RULE = Rule(
    code="I003",
    severity="warning",
    message=N_(
        "If {lost} fails, {cluster} must serve a load of {load_nodes} with {nodes}. Its utilisation then "
        "reaches {utilisation_share} in the busiest hour. The threshold is {limit_share}. Provide "
        "{enough_nodes}."
    ),
    check=check,
    bad=lambda: _two_clusters_design(6),
    good=lambda: _two_clusters_design(11),
    near_miss=lambda: _two_clusters_design(7),
    engines=BIGTABLE,
)
