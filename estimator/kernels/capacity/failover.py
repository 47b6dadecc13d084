"""Load on the remaining clusters after one is lost: all writes as before, plus the reads it served."""

import numpy as np

from estimator.results import Failover
from estimator.results.arrays import Floats

from .demand import Demand, ReadFlow


def failovers_of(demand: Demand) -> tuple[Failover, ...]:
    """Per cluster the loss of another that brings it the most, at the end of the horizon; none for a single cluster.

    Reads through multi-cluster routing move by themselves to the nearest cluster that is left; those of a profile
    with single-cluster routing once somebody switches it over.
    """
    if len(demand.clusters) < 2:
        return ()
    loads = np.array([_loads_without(demand, lost) for lost in range(len(demand.clusters))])
    failovers = []
    for place, cluster in enumerate(demand.clusters):
        # Shape (lost clusters, 2, clusters): the second index is 0 for what moves by itself and 1 for all that is
        # switched over.
        worst = int(np.argmax(loads[:, 1, place]))  # the lost one itself has nothing to do
        automatic, whole = loads[worst, :, place]
        failovers.append(
            Failover(cluster.id, demand.clusters[worst].id, load_nodes=float(whole), automatic_nodes=float(automatic))
        )
    return tuple(failovers)


def loads_after_loss(demand: Demand) -> Floats:
    """Busy nodes in each month's busiest hour after the worst loss, of what moves by itself: (clusters, months + 1)."""
    max_loads = np.zeros((len(demand.clusters), demand.months + 1))
    for lost in range(len(demand.clusters)):
        for place, served in enumerate(_served_without(demand, lost)[0]):
            if place != lost:
                # The worst loss can be another one in each month, as reads grow at different rates.
                max_loads[place] = np.maximum(max_loads[place], demand.loads.highest(served))
    return max_loads


def _loads_without(demand: Demand, lost: int) -> Floats:
    """Busy nodes of each cluster in its busiest hour: (2, clusters), by themselves and when all has been switched."""
    shares, last = _served_without(demand, lost), demand.last().loads
    loads = [[last.highest(served)[-1] for served in of_clusters] for of_clusters in shares]
    return np.array(loads)


def _served_without(demand: Demand, lost: int) -> Floats:
    """Share of each access that each cluster serves: (2, clusters, accesses), by themselves and all switched."""
    remaining = tuple(cluster for place, cluster in enumerate(demand.clusters) if place != lost)
    shares = np.insert(demand.served_shares(remaining), lost, 0.0, axis=0)
    pinned = {flow.read.id for flow in demand.reads if _is_pinned_to(demand, flow, lost)}
    moves = np.array([access.read not in pinned for access in demand.loads.accesses], dtype=np.bool_)
    return np.stack([shares * moves, shares])


def _is_pinned_to(demand: Demand, flow: ReadFlow, place: int) -> bool:
    """Return True if the flow's app profile routes it to this cluster and no other."""
    single = flow.profile is not None and flow.profile.routing == "single"
    return single and bool(flow.served_share(demand.clusters)[place])
