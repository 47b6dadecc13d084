"""All that an instance's tables cost together, whatever engine it is of."""

from typing import NamedTuple

from estimator.results import Bill, CapacityUnits, ClusterNodes, Failover, UnknownReason

from ..capacity.demand import Demand


class CostResult(NamedTuple):
    """All that an instance's tables cost together; what the engine has not is empty."""

    bills: tuple[Bill, ...] = ()
    nodes: tuple[ClusterNodes, ...] = ()
    failovers: tuple[Failover, ...] = ()
    capacity_units: tuple[CapacityUnits, ...] = ()
    demand: Demand | None = None
    refused: UnknownReason | None = None
    """Why the engine cannot serve the tables: then there is nothing else."""
