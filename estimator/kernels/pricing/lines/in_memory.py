"""The in-memory tier, where the team or its book has a price of it.

An Enterprise Plus node includes 40,000 point reads per second in memory, more than a node that is sized for SSD is
asked for; what is beyond is a multiple of the node price that was not found, and `engines/bigtable.py` says so. Source:
Bigtable, in-memory overview (preview; read 2026-11-20).
"""

from collections.abc import Iterator

from designer.document import effective_value
from designer.document.texts import N_
from estimator.kernels.capacity.amounts import BillMonth, Charge, price_charge
from estimator.results import BillLine

from .nodes import node_hours

ORDER = 75
SKUS = ("bigtable.in_memory.node_hour",)


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per cluster of an instance with the tier, if it has a price."""
    if not effective_value(month.spec, month.spec.instance, "in_memory"):
        return
    for place, (cluster, there) in enumerate(zip(month.demand.clusters, month.nodes, strict=True)):
        if not month.prices.tiers(SKUS, there.region):
            continue
        yield price_charge(
            month,
            Charge(
                item="in_memory",
                label=N_("In-memory tier of {cluster}"),
                at=cluster.id,
                skus=SKUS,
                where=there.region,
                amount=node_hours(month, place),
                unit="node-hour",
                formula=N_("{amount} node-hours × {unit_price}"),
                params={"cluster": cluster.label},
            ),
        )
