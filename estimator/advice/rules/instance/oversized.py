"""A cluster has far more nodes than it needs.

**What** The node count is fixed and more than twice the maximum that load and data need within the horizon. It also
exceeds the need at half the published node performance.
**Why** Nodes are billed by the hour, idle or not, and they are most of the bill.
**Instead** Use fewer nodes, or enable autoscaling.
**Fine when** A launch, a migration or a load test is planned that the design does not include yet.
**Source** https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
https://cloud.google.com/bigtable/pricing (read 2026-11-20)
"""

from collections.abc import Iterator

import numpy as np

from designer.document import Spec
from designer.document.instance import Cluster, FixedNodes
from designer.document.texts import N_
from estimator.facts.billing import item_name, node_line, share_of_line
from estimator.facts.clusters import round_to_step, targets
from estimator.results import ClusterNodes, Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import readings_on_nodes

FAR = 2.0
"""Times the need above which it is far above it: room for a peak of twice the usual load is good practice."""

NO_PRICE = N_(
    "{cluster} has {nodes} but needs at most {needed_nodes}, or {prudent_nodes} at half the "
    "published node performance. The other {spare_nodes} are idle. Their cost is open: there is no "
    "price for {item}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per cluster with far too many fixed nodes; failover load counts as needed."""
    for sized in estimate.nodes:
        cluster = spec.by_id.get(sized.cluster)
        if not isinstance(cluster, Cluster) or not isinstance(cluster.nodes, FixedNodes):
            continue
        nodes, needed = cluster.nodes.count, _needed_nodes(spec, estimate, cluster, sized)
        prudent = max(needed, int(sized.needed_high))
        if nodes > FAR * needed and nodes > prudent and _is_load_known(estimate):
            yield _build_violation(estimate, cluster, needed, prudent)


def _needed_nodes(spec: Spec, estimate: Estimate, cluster: Cluster, sized: ClusterNodes) -> int:
    after_loss = [f.load_nodes for f in estimate.failovers if f.cluster == cluster.id]
    for_loss = round_to_step(max(after_loss, default=0.0) / targets(spec, cluster).cpu_share, cluster)
    return max(int(np.max(sized.needed_by_month)), for_loss, 1)


def _is_load_known(estimate: Estimate) -> bool:
    parts = estimate.tables.values()
    return bool(parts) and all(part.traffic is not None and part.growth is not None for part in parts)


def _build_violation(estimate: Estimate, cluster: Cluster, needed: int, prudent: int) -> Violation:
    nodes = cluster.nodes.count if isinstance(cluster.nodes, FixedNodes) else 0
    line = node_line(estimate, cluster.id)
    spare = nodes - prudent
    cost = share_of_line(estimate, line, spare / nodes) if line else None
    return Violation(
        at=cluster.id,
        field="nodes",
        params={
            "cluster": cluster.label,
            "nodes": nodes,
            "needed_nodes": needed,
            "prudent_nodes": prudent,
            "spare_nodes": spare,
            "spare_cost": cost,
            "item": item_name(line) if line else "",
        },
        effect=float(spare),
        message="" if cost is not None else NO_PRICE,
    )


RULE = Rule(
    code="I007",
    severity="note",
    message=N_(
        "{cluster} has {nodes} but needs at most {needed_nodes}, or {prudent_nodes} at half the "
        "published node performance. The other {spare_nodes} are idle and cost {spare_cost} a month."
    ),
    check=check,
    bad=lambda: readings_on_nodes(20),
    good=lambda: readings_on_nodes(4),
    near_miss=lambda: readings_on_nodes(6),
    engines=BIGTABLE,
)
