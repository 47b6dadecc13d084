"""Factor by which the requests of a log could grow under a key before something is full.

A row, the growing end of a prefix, and a short range that is read as a whole are what no split divides. Rows are those
that came in the log; a scan takes its node time in all rows that it passes.
"""

from estimator.results import Estimate

from ..hours import busiest_hour_rate
from .peaks import PeakTotals
from .replay import Replay
from .replayed_work import WorkTotals


def reachable_factor(
    estimate: Estimate, table: str, replayed: Replay, work: WorkTotals, peaks: PeakTotals
) -> tuple[float, float] | None:
    """Return by how much the load could grow before something is full: of the log, and of the model.

    The table's load is that of the log's busiest hour, or of its busiest window if all requests are replayed. Other
    tables have the model's load. None where the design has several clusters or none with nodes.
    """
    traffic = estimate.tables[table].traffic
    if traffic is None or len(estimate.placements) != 1:
        return None
    placement = estimate.placements[0]
    others = sum(
        float(part.traffic.heat.node_share_of_windows.max())
        for name, part in estimate.tables.items()
        if name != table and part.traffic is not None
    )
    whole = busiest_hour_rate(work.total_by_hour(), replayed.log_first_s, replayed.log_last_s)
    if replayed.is_whole:
        whole = max(whole, peaks.busiest_window)
    alone = 1 / peaks.busiest_name if peaks.busiest_name > 0 else float("inf")
    return min(placement.nodes / (whole + others), alone), float(placement.reachable_factor)
