"""All nodes of a cluster together: too much for them, nodes that come late, or nothing that suffers."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from designer.document.instance import Autoscaling
from estimator.kernels.capacity.demand import clusters_of

from ...results import Severity
from .. import sentences
from ..plan import PlannedFlow
from ..results import ClusterRun, Diagnosis
from .played_run import HOT, PlayedRun, flow_label, refused_share, uneven_windows
from .spans import Span, span_params, spans, time_of

ABOVE = 1.1
"""A mean so many times the target is told of: targets are rounded, and windows differ by chance."""

SELDOM, MUCH = 3.0, 0.25
"""A read that comes less than three times in a window, and is each time a quarter of what all nodes do in it."""


def full_clusters(run: PlayedRun) -> Iterator[Diagnosis]:
    """All nodes together are asked for more than they should do."""
    for cluster in run.clusters:
        if cluster.cpu_target is None:
            continue
        target = float(cluster.cpu_target)
        # A hot node can lift the mean above 1 by load that no other node could take; that is told of the hot node.
        hardly = uneven_windows(cluster) & (cluster.mean <= ABOVE)  # what is refused then is refused by the hot node
        for span in spans(run.plan, (cluster.mean > 1.0) & ~hardly):
            diagnosis = _on_cluster(run, cluster, span, sentences.FULL, "error", "I006")
            yield _name_rare_flow(run, diagnosis, _rare_flow(run, cluster))
        for span in spans(run.plan, (cluster.mean > ABOVE * target) & (cluster.mean <= 1.0)):
            if not cluster.scaled and span.inside.sum() > 1:
                yield _on_cluster(run, cluster, span, sentences.ABOVE_TARGET, "warning", "I006")


def late_nodes(run: PlayedRun) -> Iterator[Diagnosis]:
    """Yield diagnoses of autoscalers that are late, or at their limit."""
    clusters_by_id = (
        {}
        if run.has_partitions
        else {design_cluster.id: design_cluster for design_cluster in clusters_of(run.plan.spec)}
    )
    for cluster in run.clusters:
        nodes = clusters_by_id[cluster.cluster].nodes if cluster.cluster in clusters_by_id else None
        if not isinstance(nodes, Autoscaling) or cluster.cpu_target is None:
            continue
        # Nodes that are paid for and do not help yet matter only while something suffers.
        waiting = (cluster.working < cluster.nodes) & ((cluster.hottest > HOT) | (cluster.refused > 0))
        for span in spans(run.plan, waiting):
            refused = refused_share(cluster, np.flatnonzero(span.inside)) > 0
            yield _on_cluster(run, cluster, span, sentences.LATE_NODES[refused], "warning", "I008")
        most = (cluster.nodes >= max(nodes.max, 1)) & (cluster.mean > cluster.cpu_target)
        for span in spans(run.plan, most & (cluster.mean <= 1)):
            yield _on_cluster(run, cluster, span, sentences.AT_MOST_NODES, "warning", "I008")


def quiet_run(run: PlayedRun) -> Iterator[Diagnosis]:
    """Yield how full each cluster gets where nothing suffers."""
    for cluster in run.clusters:
        peak = int(cluster.hottest.argmax())
        params = {
            "cluster": run.cluster_name(cluster),
            "load_share": float(cluster.hottest[peak]),
            "node_count": int(cluster.working[peak]),
            "at_time": time_of(run.plan, peak),
        }
        message = sentences.QUIET_ALONE if cluster.working[peak] == 1 else sentences.QUIET[run.has_partitions]
        yield Diagnosis(
            message=message, params=params, severity="note", table="", first_range=0, last_range=0,
            first_window=peak, last_window=peak, rule="", at=cluster.cluster,
        )  # fmt: skip


def _on_cluster(
    run: PlayedRun, cluster: ClusterRun, span: Span, message: str, severity: Severity, rule: str
) -> Diagnosis:
    windows = np.flatnonzero(span.inside)
    params = {
        "cluster": run.cluster_name(cluster),
        "mean_share": float(cluster.mean[windows].max()),
        "load_share": float(cluster.hottest[windows].max()),
        "target_share": cluster.cpu_target,
        "node_count": int(cluster.nodes[windows].max()),
        "useful_seconds": run.plan.parameters.assumption("node_useful_seconds"),
        "refused_share": refused_share(cluster, windows),
        **span_params(run.plan, span),
    }
    busiest = max(run.tables, key=lambda name: int(run.tables[name].node_ns[:, windows].sum(dtype=np.float64)))
    return Diagnosis(
        message=message, params=params, severity=severity, table=busiest, first_range=0,
        last_range=len(run.tables[busiest].stored_share) - 1, first_window=span.first, last_window=span.last,
        rule=rule, at=cluster.cluster,
    )  # fmt: skip


def _rare_flow(run: PlayedRun, cluster: ClusterRun) -> PlannedFlow | None:
    """Return a flow so rare that chance decides its time, and heavy each time: a scan of a whole table."""
    place = run.cluster_index(cluster)
    seldom = (
        flow
        for flow in run.plan.flows
        if flow.flow.read is not None
        and flow.routed[place] > 0
        and float(flow.rates.max()) * run.plan.window_seconds < SELDOM
        and run.plan.node_fraction(flow) * flow.pieces / flow.lasts > MUCH * float(cluster.nodes.min())
    )
    return max(seldom, key=lambda flow: run.plan.node_fraction(flow) * flow.pieces / flow.lasts, default=None)


def _name_rare_flow(run: PlayedRun, diagnosis: Diagnosis, flow: PlannedFlow | None) -> Diagnosis:
    """Return the diagnosis with the rare flow as its subject."""
    if flow is None or flow.flow.read is None:
        return diagnosis
    params = {**diagnosis.params, "read": flow_label(flow), "work_seconds": run.work_seconds(flow)}
    return replace(diagnosis, message=sentences.FULL_OF_SELDOM, params=params, table=flow.table, at=flow.id)
