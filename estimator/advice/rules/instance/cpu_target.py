"""A cluster has fewer nodes than its load needs.

**What** The fixed node count, or the autoscaler's maximum, is below the CPU target's need. Or one node is full
because the load does not spread.
**Why** Above the CPU target, latency rises quickly, without room for compactions, a restart or a peak. Above
capacity, requests fail.
**Instead** Allow more nodes. If only one node is full, fix the key instead. More nodes do not reduce a load that
cannot be split.
**Fine when** These hours are few, and the work can wait.
**Source** https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
https://cloud.google.com/bigtable/docs/autoscaling (read 2026-11-20)
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from designer.document import Spec
from designer.document.access import Read
from designer.document.instance import Cluster
from designer.document.texts import N_, Text
from designer.wording import element_label
from estimator.engines import bigtable
from estimator.facts.clusters import enough_nodes, is_realistic_count
from estimator.facts.default_skew import assumed_length_sentence
from estimator.facts.reading import RowKindFacts, compute_once, row_kinds
from estimator.facts.scans import WAIT_SECONDS_WARNING
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import ClusterNodes, Estimate, Placement, ReadPlan

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import all_of
from ..shared.examples import readings_on_nodes
from ..shared.fixes import more_nodes

SKEWED = N_(
    "The load on {table} does not spread, so {cluster} cannot carry its load: {reachable_share} is served at "
    "the peak. What no split can divide would need {solid_share} of a node. Adding nodes does not help."
)
OVERLOADED = N_(
    "{cluster} cannot carry its load: {served_share} is served in the busiest hour. From {date}, the load "
    "needs up to {load_nodes}; the cluster has {nodes}. Provide {enough_nodes}."
)
OVERLOADED_BY_READ = N_(
    "{cluster} cannot carry its load: {served_share} is served in the busiest hour. Adding nodes does not "
    "solve this: {read} on {table} causes {load_share} of the load. Each request takes "
    "{request_seconds} of node CPU time.{guess}"
)
CROWDED = N_(
    "The hottest node of {cluster} reaches {utilisation_share} utilisation at the peak, because the "
    "load on {table} does not spread. Adding nodes does not help."
)
SHARED = N_(
    "The hottest node of {cluster} reaches {utilisation_share} utilisation at the peak, because the "
    "load on {table} does not spread. {solid_share} of a node cannot be split; the rest comes from "
    "other tablets on the node. More nodes relieve only the rest. Run a simulation to see the effect "
    "of splits and moves."
)
ONE_READ = N_(
    "From {date}, {cluster} has too few nodes. The load in the busiest hour needs up to {load_nodes}; the "
    "cluster has {nodes}. Adding nodes does not solve this: {read} on {table} causes {load_share} of "
    "the load. Each request takes {request_seconds} of node CPU time.{guess}"
)
SKEWED_IN_ALL = N_(
    "The load on {table} does not spread, so {count_clusters} cannot carry their load: {names}. In {cluster}, "
    "{reachable_share} is served at the peak, and what no split can divide would need {solid_share} of a node. Adding "
    "nodes does not help."
)
CROWDED_IN_ALL = N_(
    "The hottest nodes of {count_clusters} ({names}) reach up to {utilisation_share} utilisation at the peak, because "
    "the load on {table} does not spread. Adding nodes does not help."
)
SHARED_IN_ALL = N_(
    "The hottest nodes of {count_clusters} ({names}) reach up to {utilisation_share} utilisation at the peak, because "
    "the load on {table} does not spread. In {cluster}, {solid_share} of a node cannot be split; the rest comes from "
    "other tablets on the node. More nodes relieve only the rest. Run a simulation to see the effect of splits and "
    "moves."
)
SHORT_IN_ALL = N_(
    "{count_clusters} have too few nodes: {names}. In {cluster}, the load in the busiest hour needs up to "
    "{load_nodes} from {date}; it has {nodes} and exceeds its CPU target for {short_hours} a month. Provide "
    "{enough_nodes} there."
)
OVERLOADED_IN_ALL = N_(
    "{count_clusters} cannot carry their load: {names}. In {cluster}, {served_share} is served in the busiest hour. "
    "From {date}, the load there needs up to {load_nodes}; the cluster has {nodes}. Provide {enough_nodes}."
)
OVERLOADED_BY_READ_IN_ALL = N_(
    "{count_clusters} cannot carry their load: {names}. In {cluster}, {served_share} is served in the busiest hour. "
    "Adding nodes does not solve this: {read} on {table} causes {load_share} of the load. Each request takes "
    "{request_seconds} of node CPU time.{guess}"
)
ONE_READ_IN_ALL = N_(
    "{count_clusters} have too few nodes: {names}. In {cluster}, the load in the busiest hour needs up to "
    "{load_nodes} from {date}; it has {nodes}. Adding nodes does not solve this: {read} on {table} causes "
    "{load_share} of the load. Each request takes {request_seconds} of node CPU time.{guess}"
)
IN_ALL = {
    SKEWED: SKEWED_IN_ALL, CROWDED: CROWDED_IN_ALL, SHARED: SHARED_IN_ALL, "": SHORT_IN_ALL,
    OVERLOADED: OVERLOADED_IN_ALL, OVERLOADED_BY_READ: OVERLOADED_BY_READ_IN_ALL, ONE_READ: ONE_READ_IN_ALL,
}  # fmt: skip
"""By the message about one cluster that about several."""
ASSUMED = Text(N_("the assumed cluster"))
TINY = 1e-9
"""A load below it is none. [nodes]"""
LOAD_SHARE = 0.5
"""Of the load, from which one read is said to make it."""
MORE = N_("Scale {cluster} to {enough_nodes}")
MORE_IN_ALL = N_("Scale {count_clusters} to the nodes that each needs")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding for all clusters with the same trouble: too few nodes, or a hottest node full from skew."""
    groups: dict[tuple[object, ...], list[Violation]] = defaultdict(list)
    for violation in _violations(spec, estimate):
        groups[violation.cause, violation.message, violation.severity].append(violation)
    yield from map(_in_all_clusters, groups.values())


def _violations(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    for sized in estimate.nodes:
        cluster = spec.by_id.get(sized.cluster)
        if isinstance(cluster, Cluster) and sized.short_from is not None:
            yield _shortage_violation(cluster, sized, compute_once("heaviest_read", _heaviest_read, spec, estimate))
    for placement in estimate.placements:
        if placement.limited_by != "cluster" and placement.peak_utilisation > bigtable.HOTTEST_NODE_SHARE:
            yield _skew_violation(spec, placement)


def _heaviest_read(spec: Spec, estimate: Estimate) -> tuple[RowKindFacts, Read, ReadPlan, float] | None:
    """Return the read with the most node CPU time and its share of all reads and writes; None if not long.

    Reads through Data Boost use no nodes.
    """
    reads = [
        (plan.node_seconds * plan.per_second, rows, read, plan)
        for rows in row_kinds(spec, estimate)
        for read, plan in rows.reads
        if plan.per_second is not None and plan.has_actual_rows and not has_data_boost(spec, read)
    ]
    busy, rows, read, plan = max(reads, key=lambda entry: entry[0], default=(0.0, None, None, None))
    # Many short requests spread over more nodes; one request that takes a node for seconds is what should be
    # shortened.
    if rows is None or read is None or plan is None or plan.node_seconds < WAIT_SECONDS_WARNING:
        return None
    whole = sum(float(p.traffic.week_node_share.mean()) for p in estimate.tables.values() if p.traffic is not None)
    return rows, read, plan, busy / max(whole, busy)


def _shortage_violation(
    cluster: Cluster, sized: ClusterNodes, heaviest: tuple[RowKindFacts, Read, ReadPlan, float] | None
) -> Violation:
    enough = enough_nodes(cluster, sized)
    params: dict[str, object] = {}
    if heaviest is not None and heaviest[3] >= LOAD_SHARE and not is_realistic_count(cluster, sized, enough):
        rows, read, plan, load_share = heaviest
        params = {"read": read.label, "table": rows.table.label, "load_share": load_share}
        params |= {"request_seconds": plan.node_seconds, "guess": assumed_length_sentence(rows, read)}
    fix = None if params else more_nodes(cluster, enough)
    # By month, because load and nodes both change: the worst month is not always the last.
    coverage = float(np.min(sized.nodes_by_month / np.maximum(sized.load_by_month, TINY)))
    message = ONE_READ if params else ""
    if coverage < 1:
        message = OVERLOADED_BY_READ if params else OVERLOADED
    return Violation(
        at=cluster.id,
        field="nodes",
        params={
            "cluster": cluster.label,
            "date": sized.short_from,
            "short_hours": sized.short_hours_per_month,
            "load_nodes": float(np.max(sized.load_by_month)),
            "nodes": float(np.max(sized.nodes_by_month)),
            "enough_nodes": enough,
            "served_share": coverage,
            **params,
        },
        message=message,
        severity="error" if coverage < 1 else None,
        effect=sized.short_hours_per_month,
        fix=fix,
        fix_safe=True,
        fix_label=MORE if fix is not None else "",
        cause=heaviest[1].id if params and heaviest is not None else "",
    )


def _skew_violation(spec: Spec, placement: Placement) -> Violation:
    # A design without clusters is placed on an assumed one, which has no element to point at. A load that can grow by
    # a factor of 4 before its indivisible part fills a node fills a quarter of one now.
    declared, solid = placement.cluster in spec.by_id, 1 / placement.reachable_factor
    alone = CROWDED if solid > bigtable.HOTTEST_NODE_SHARE else SHARED
    return Violation(
        at=placement.cluster if declared else placement.limiting_table or "",
        params={
            "cluster": element_label(spec, placement.cluster) if declared else ASSUMED,
            "table": element_label(spec, placement.limiting_table or ""),
            "utilisation_share": placement.peak_utilisation,
            "reachable_share": min(placement.reachable_factor, 1.0),
            "solid_share": solid,
        },
        message=SKEWED if placement.reachable_factor < 1 else alone,
        severity="error" if placement.peak_utilisation > 1 else None,
        effect=solid if placement.reachable_factor < 1 else placement.peak_utilisation,
        cause=placement.limiting_table or "",
    )


def _in_all_clusters(violations: list[Violation]) -> Violation:
    """Return one finding about what several clusters have in common, with the figures of the worst of them."""
    if len(violations) == 1:
        return violations[0]
    worst = max(violations, key=lambda violation: violation.effect or 0.0)
    names = tuple(violation.params["cluster"] for violation in violations)
    params = {**worst.params, "count_clusters": len(violations), "names": names}
    fixes = [violation.fix for violation in violations if violation.fix is not None]
    fix = all_of(fixes) if len(fixes) == len(violations) else None
    label = "" if fix is None else MORE_IN_ALL
    return replace(worst, at=violations[0].at, params=params, message=IN_ALL[worst.message], fix=fix, fix_label=label)


RULE = Rule(
    code="I006",
    severity="warning",
    message=N_(
        "From {date}, {cluster} has too few nodes. The load in the busiest hour needs up to {load_nodes}; the "
        "cluster has {nodes}. It exceeds its CPU target for {short_hours} a month. Provide "
        "{enough_nodes}."
    ),
    check=check,
    bad=lambda: readings_on_nodes(2),
    good=lambda: readings_on_nodes(6),
    near_miss=lambda: readings_on_nodes(4),
    engines=BIGTABLE,
    under=("K004", "K005", "K026", "K013", "K014", "Q001", "K007", "K021", "Q002"),
)
