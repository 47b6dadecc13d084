"""The node count, or the autoscaler's bounds or targets, are invalid.

**What** The minimum nodes are below 1 or below a tenth of the maximum. Or a node count is odd with 2× node scaling. Or
the CPU target is outside 10–80 %, or the storage target is outside the range of the storage type.
**Why** The engine rejects the configuration, and the cluster with it.
**Instead** Stay within the bounds. If a ratio of ten to one is too narrow, change the bounds on a schedule.
**Fine when** Never. The engine rejects the cluster with these settings.
**Source** https://cloud.google.com/bigtable/docs/autoscaling (read 2026-11-20)
"""

from collections.abc import Iterator
from typing import Any

from designer.document import Spec, effective_value
from designer.document.instance import Autoscaling, Cluster, FixedNodes
from designer.document.texts import N_, Text
from estimator.engines import bigtable
from estimator.facts.clusters import minimum_nodes
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import Part, field_part, readings, time_part

LEAST = N_("a minimum of {least_nodes} for a maximum of {most_nodes} (now {given_nodes})")
STEPS = N_("even node counts with 2× node scaling")
CPU = N_("a CPU target from {low_share} to {high_share} (now {given_share})")
STORAGE = N_("a storage target from {low_gib} to {high_gib} per node (now {given_gib})")
ODD = N_("The engine rejects {cluster} with {nodes}: 2× node scaling requires an even number.")
EVEN = N_("Set the next even number of nodes for {cluster}")
WITHIN = N_("Set the autoscaler of {cluster} within its bounds")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per cluster, with all of its problems and one fix for them."""
    for cluster in spec.instance.clusters:
        if isinstance(cluster.nodes, FixedNodes) and cluster.nodes.count % cluster.node_scaling:
            yield _odd_count(cluster, cluster.nodes.count)
        if not isinstance(cluster.nodes, Autoscaling):
            continue
        reasons, mended = [], cluster.nodes
        for reason, changed in _broken_requirements(spec, cluster, cluster.nodes):
            reasons.append(reason)
            mended = mended.model_copy(update=changed)
        if reasons:
            yield Violation(
                at=cluster.id,
                field="nodes",
                params={"cluster": cluster.label, "wanted": tuple(reasons)},
                effect=float(len(reasons)),
                fix=change(cluster, "nodes", mended),
                fix_safe=True,
                fix_label=WITHIN,
            )


def _odd_count(cluster: Cluster, count: int) -> Violation:
    return Violation(
        at=cluster.id,
        field="nodes",
        params={"cluster": cluster.label, "nodes": count},
        effect=1.0,
        message=ODD,
        fix=change(cluster, "nodes", FixedNodes(count=count + 1)),
        fix_safe=True,
        fix_label=EVEN,
    )


def _broken_requirements(spec: Spec, cluster: Cluster, scaler: Autoscaling) -> Iterator[tuple[Text, dict[str, Any]]]:
    """Yield each requirement of the engine that is not met, with the values that meet it."""
    limits, step = bigtable.LIMITS, cluster.node_scaling
    most = max(scaler.max, step)
    most += most % step  # up to a multiple: a step is 1 or 2
    least = max(minimum_nodes(most), int(limits["autoscaling_min_nodes"].value), scaler.min)
    if least > scaler.min:
        params = {"least_nodes": least, "most_nodes": most, "given_nodes": scaler.min}
        yield Text(LEAST, params), {"min": least + least % step, "max": most}
    elif scaler.min % step or scaler.max % step:
        yield Text(STEPS), {"min": scaler.min + scaler.min % step, "max": most}
    cpu, low, high = scaler.cpu_target, limits["autoscaling_cpu_min"].value, limits["autoscaling_cpu"].value
    if cpu is not None and not low <= cpu <= high:
        shares = {"low_share": low, "high_share": high, "given_share": cpu}
        yield Text(CPU, shares), {"cpu_target": min(max(cpu, low), high)}
    storage = effective_value(spec, spec.instance, "storage")
    gib = scaler.storage_target_gib
    low, high = (limits[f"autoscaling_{storage}_gib{end}"].value for end in ("_min", ""))
    if gib is not None and not low <= gib <= high:
        sizes = {"low_gib": low, "high_gib": high, "given_gib": gib}
        yield Text(STORAGE, sizes), {"storage_target_gib": min(max(gib, low), high)}


def _autoscaling_design(minimum: int, maximum: int, **targets: float) -> Spec:
    nodes: Part = {"kind": "autoscaling", "min": minimum, "max": maximum, **targets}
    clusters = ({"id": "cluster", "name": "main", "region": "us-central1", "nodes": nodes},)
    return readings(field_part("device", "#"), time_part(), per_second=5_000, clusters=clusters)


RULE = Rule(
    code="I008",
    severity="error",
    message=N_("The engine rejects the autoscaler settings of {cluster}. It requires {wanted}."),
    check=check,
    bad=lambda: _autoscaling_design(1, 11, cpu_target=0.85),
    good=lambda: _autoscaling_design(2, 11, cpu_target=0.6),
    near_miss=lambda: _autoscaling_design(1, 10, cpu_target=0.8),
    engines=BIGTABLE,
)
