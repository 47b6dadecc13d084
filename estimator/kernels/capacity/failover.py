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
        for place, routed in enumerate(_routed_without(demand, lost)[0]):
            if place != lost:
                # The worst loss can be another one in each month, as reads grow at different rates.
                max_loads[place] = np.maximum(max_loads[place], demand.load_for_shares(routed).max(axis=1))
    return max_loads


def _loads_without(demand: Demand, lost: int) -> Floats:
    """Busy nodes of each cluster in its busiest hour: (2, clusters), by themselves and when all has been switched."""
    loads = demand.write_load[:, -1] + demand.read_load[:, -1] * _routed_without(demand, lost)
    loads[:, lost] = 0.0
    return np.asarray((loads @ demand.week).max(axis=-1))


def _routed_without(demand: Demand, lost: int) -> Floats:
    """Share of a table's reads that each cluster serves: (2, clusters, tables), by themselves and all switched."""
    remaining = tuple(cluster for place, cluster in enumerate(demand.clusters) if place != lost)
    here = [place for place in range(len(demand.clusters)) if place != lost]
    places = {table.id: place for place, table in enumerate(demand.tables)}
    routed, total = np.zeros((2, len(demand.clusters), len(demand.tables))), np.zeros(len(demand.tables))
    for flow in demand.reads:
        load, table = float(flow.load[-1]), places[flow.table]
        total[table] += load
        shares = load * flow.served_share(remaining)
        routed[1, here, table] += shares
        routed[0, here, table] += 0.0 if _is_pinned_to(demand, flow, lost) else shares
    # A table without reads has zeros above, and 0 / 1 keeps them.
    routed /= np.where(total > 0, total, 1.0)
    return routed


def _is_pinned_to(demand: Demand, flow: ReadFlow, place: int) -> bool:
    """Return True if the flow's app profile routes it to this cluster and no other."""
    single = flow.profile is not None and flow.profile.routing == "single"
    return single and bool(flow.served_share(demand.clusters)[place])
