"""One node has far more to do than the others."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from ...results import Severity
from .. import sentences
from ..plan import PlannedFlow, PlannedTable
from ..points import Point
from ..results import ClusterRun, Diagnosis
from ..serving import ServingResult
from .played_run import HALF, PlayedRun, flow_label, refused_share, uneven_windows
from .spans import Span, span_params, spans
from .unsplit import busiest_point, cause

SEEN = 0.1
"""A node with more than half of the writes, or reads, is told of, if it is busy for a tenth at all…"""

OFTEN = 1 / 24
"""…and for more than an hour of a day."""


def hot_nodes(run: PlayedRun) -> Iterator[Diagnosis]:
    """One node has far more than the others, and about as much as it can do."""
    for cluster, service in zip(run.clusters, run.served, strict=True):
        hot = uneven_windows(cluster)
        for span in spans(run.plan, hot):
            yield _hot_node(run, cluster, service, span, "warning")
        share = np.maximum(cluster.hottest_write_share, cluster.hottest_read_share)
        # Of two nodes one always has at least half; twice the even share makes it remarkable.
        alone = (share > np.maximum(HALF, 2 / cluster.working)) & (cluster.hottest > SEEN)
        if not hot.any() and int(alone.sum()) > OFTEN * len(alone):
            yield _hot_node(run, cluster, service, Span.around(alone), "note")


def _hot_node(run: PlayedRun, cluster: ClusterRun, service: ServingResult, span: Span, severity: Severity) -> Diagnosis:
    windows = np.flatnonzero(span.inside)
    peak = int(windows[cluster.hottest[windows].argmax()])
    number = service.hot_ranges[peak][0]
    table = run.plan.tables[number]
    # The hottest tablet can be of another table from window to window; the diagnosis is about that of the peak.
    there = [(w, *service.hot_ranges[w][1:]) for w in windows.tolist() if service.hot_ranges[w][0] == number]
    point, in_the_way = _indivisible_point(run, cluster, table, there, peak)
    of = "writes" if point is not None and point.what == "front" else _dominant_access(run, table, there)
    share = cluster.hottest_write_share if of == "writes" else cluster.hottest_read_share
    refused = refused_share(cluster, windows)
    params = {
        f"{of[:-1]}_share": float(share[windows].mean()),
        "node_share": float(cluster.hottest_share[windows].mean()),
        "node_count": int(cluster.working[peak]),
        "load_share": float(cluster.hottest[peak]),
        "refused_share": refused,
        "table": table.table.label,
        **span_params(run.plan, span),
    }
    message = sentences.HOT_NODE[run.has_partitions, of, refused > 0]
    rule, at = cause(table, point)
    if not in_the_way:
        message, is_new = _late_moves(run, table, span, refused=refused > 0)
        if not is_new and (passing := _passing_scan(run, cluster, table)) is not None:
            message, rule, at = sentences.PASSING[refused > 0], "", passing.id
            params |= {"read": flow_label(passing), "work_seconds": run.work_seconds(passing)}
        elif is_new or point is None or point.what != "front":
            rule, at = "", table.table.id
    elif refused > 0:
        severity = "error"
    return Diagnosis(
        message=message, params=params, severity=severity, table=table.table.id,
        first_range=min(low for _, low, _ in there), last_range=max(high for *_, high in there),
        first_window=span.first, last_window=span.last, rule=rule, at=at,
    )  # fmt: skip


def _dominant_access(run: PlayedRun, table: PlannedTable, places: Sequence[tuple[int, int, int]]) -> str:
    """Return "writes" or "reads", whichever takes more node time in these places.

    A place is a window with a first and a last range.
    """
    ran, took = run.tables[table.table.id], {}
    for of, grid in (("writes", ran.writes), ("reads", ran.reads)):
        operations = sum(float(grid[low : high + 1, window].sum()) for window, low, high in places)
        took[of] = operations * _mean_node_seconds(table, writes=of == "writes")
    return "writes" if took["writes"] >= took["reads"] else "reads"


def _mean_node_seconds(table: PlannedTable, *, writes: bool) -> float:
    """Node time of a mean write, or read."""
    mine = [flow for flow in table.flows if flow.is_write == writes]
    rates = sum(float(flow.rates.sum()) for flow in mine)
    return sum(float(flow.rates.sum()) * flow.flow.seconds for flow in mine) / rates if rates > 0 else 0.0


def _indivisible_point(
    run: PlayedRun, cluster: ClusterRun, table: PlannedTable, places: Sequence[tuple[int, int, int]], peak: int
) -> tuple[Point | None, bool]:
    """Return the point on a hot node that cannot be split, and True if it keeps the node busy.

    It is that of the busiest window; else of most of them: an append point may just have moved to the next range.
    """
    point_by_window = {}
    for window, first, last in sorted(places, key=lambda place: place[0] != peak):
        point = busiest_point(run, table, first, last, window)
        blocks = _is_obstacle(run, table, point, window, float(cluster.hottest[window]))
        point_by_window[window] = (point, blocks)
        if window == peak and blocks:
            return point, True
    # By identity, as points hold arrays, which have no truth value to be compared by.
    often = Counter(id(point) for point, blocks in point_by_window.values() if blocks).most_common(1)
    if often and often[0][1] > HALF * len(places):
        return next(point for point, _ in point_by_window.values() if id(point) == often[0][0]), True
    return point_by_window[peak]


def _is_obstacle(run: PlayedRun, table: PlannedTable, point: Point | None, window: int, busy: float) -> bool:
    """Return True if an indivisible load keeps a node so busy; otherwise splits and moves are late."""
    return point is not None and (point.whole or float(run.point_load(table, point)[window]) >= HALF * busy)


def _passing_scan(run: PlayedRun, cluster: ClusterRun, table: PlannedTable) -> PlannedFlow | None:
    """Return a scan of the table that lasts several windows, passing from node to node."""
    place = run.cluster_index(cluster)
    scans = (flow for flow in table.flows if flow.lasts > 1 and flow.routed[place] > 0)
    return max(scans, key=lambda flow: flow.lasts, default=None)


def _late_moves(run: PlayedRun, table: PlannedTable, span: Span, *, refused: bool) -> tuple[str, bool]:
    """Return the message about late splits and moves, and True if the reason is that the table is new."""
    is_new = run.plan.new and refused and not table.table.split_keys and span.first == 0
    return (sentences.NEW_TABLE if is_new else sentences.LATE_MOVES[refused]), is_new
