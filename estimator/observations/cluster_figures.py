"""Clusters and reads, measured beside designed."""

from collections.abc import Iterator

from designer.document.texts import N_, Text

from . import metrics
from .designed import DesignedCluster, DesignedState
from .figures import SAME, ComparedCluster, ComparedFigure, ComparedRead, build_figure
from .measurements import ClusterDescription, Observation, ReadStats


def compare_clusters(state: DesignedState, observation: Observation) -> Iterator[ComparedCluster]:
    """Yield each cluster that was measured."""
    described = {cluster.cluster: cluster for cluster in observation.clusters}
    in_series = {series.labels["cluster"] for series in observation.series if "cluster" in series.labels}
    for name in dict.fromkeys([*described, *sorted(in_series)]):
        planned = _find_cluster(state, name, described.get(name), is_only=len({*described, *in_series}) == 1)
        figures = tuple(_cluster_figures(observation, name, described.get(name), planned))
        if figures:
            yield ComparedCluster(planned.cluster if planned else "", name, figures)


def _find_cluster(
    state: DesignedState, name: str, described: ClusterDescription | None, *, is_only: bool
) -> DesignedCluster | None:
    """Return the cluster with this name or in this zone; the only one if there is one on both sides."""
    by_id = {cluster.cluster: cluster for cluster in state.clusters}
    for cluster in state.spec.instance.clusters:
        if name in (cluster.name, cluster.id) or (described and cluster.zone and cluster.zone == described.location):
            return by_id.get(cluster.id)
    return state.clusters[0] if is_only and len(state.clusters) == 1 else None


def _cluster_figures(
    observation: Observation, name: str, described: ClusterDescription | None, planned: DesignedCluster | None
) -> Iterator[ComparedFigure]:
    series = observation.series
    count = metrics.newest_point(metrics.find_series(series, metrics.NODES, cluster=name))
    nodes = count if count is not None else described.nodes if described else None
    if nodes is not None:
        yield build_figure("nodes", N_("Nodes"), "nodes", planned.nodes if planned else None, nodes)
    # As the designed load, which is of the busiest hour.
    busiest = metrics.peak_mean(metrics.find_series(series, metrics.CPU, cluster=name), minutes=60)
    if busiest is not None:
        cpu = planned.load_nodes / max(planned.nodes, 1.0) if planned else None
        yield build_figure(
            "cpu_share", N_("CPU in the busiest hour"), "share", cpu, busiest, _cpu_cause(planned, nodes)
        )
    # As long as a window of the designed day.
    hottest = metrics.peak_mean(metrics.find_series(series, metrics.HOTTEST, cluster=name), minutes=15)
    if hottest is not None:
        share = planned.hottest_share if planned else None
        yield build_figure(
            "hottest_node_share",
            N_("CPU of the hottest node"),
            "share",
            share,
            hottest,
            _hottest_cause(observation, name),
        )
    stored = metrics.newest_point(metrics.find_series(series, metrics.STORAGE, cluster=name))
    if stored is not None:
        yield build_figure(
            "storage_share", N_("Storage used"), "share", planned.storage_share if planned else None, stored
        )


def _cpu_cause(planned: DesignedCluster | None, nodes: float | None) -> Text | None:
    """Return what the designed load would take of the nodes that are there."""
    if planned is None or not nodes or abs(nodes / max(planned.nodes, 1.0) - 1) < SAME:
        return None
    message = N_("on {measured_nodes}, the designed load takes {cpu_share}")
    return Text(message, {"measured_nodes": int(nodes), "cpu_share": planned.load_nodes / nodes})


def _hottest_cause(observation: Observation, cluster: str) -> Text | None:
    mine = [hot_tablet for hot_tablet in observation.hot_tablets if hot_tablet.cluster in ("", cluster)]
    if not mine:
        return None
    hottest = max(mine, key=lambda tablet: tablet.cpu_share)
    message = N_("a single tablet of {table} took {cpu_share} of a node")
    return Text(message, {"table": hottest.table, "cpu_share": hottest.cpu_share})


# --- request stats ---


def compare_read(state: DesignedState, stats: ReadStats, read: str) -> ComparedRead:
    """Return what a read saw, beside the plan of the read with this id, or of the only one."""
    plans = [plan for part in state.estimate.tables.values() for plan in part.reads]
    plan = next((plan for plan in plans if plan.read == read), plans[0] if len(plans) == 1 and not read else None)
    figures = [
        build_figure("rows_seen", N_("Rows scanned"), "rows", plan.rows_scanned if plan else None, stats.rows_seen),
        build_figure(
            "rows_returned",
            N_("Rows returned"),
            "rows",
            plan.rows_returned if plan else None,
            stats.rows_returned,
        ),
        build_figure("cells_seen", N_("Cells scanned"), "", None, stats.cells_seen),
        build_figure(
            "cells_returned",
            N_("Cells returned"),
            "",
            plan.cells_returned if plan else None,
            stats.cells_returned,
        ),
    ]
    if stats.latency_seconds is not None:
        figures.append(build_figure("latency_seconds", N_("Server latency"), "seconds", None, stats.latency_seconds))
    return ComparedRead(plan.read if plan else "", tuple(figures))
