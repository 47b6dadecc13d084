"""The in-memory tier beyond what an Enterprise Plus node includes: a multiple of the node price that was not found.

Source: Bigtable, in-memory overview (preview; read 2026-11-20).
"""

from collections.abc import Iterator

from designer.document import effective_value
from designer.document.texts import N_
from estimator.kernels.capacity.amounts import BillMonth, Charge, price_charge
from estimator.results import BillLine

from .nodes import node_hours

ORDER = 75


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per cluster of an instance with the tier."""
    if not effective_value(month.spec, month.spec.instance, "in_memory"):
        return
    for place, (cluster, there) in enumerate(zip(month.demand.clusters, month.nodes, strict=True)):
        yield price_charge(
            month,
            Charge(
                item="in_memory",
                label=N_("In-memory tier of {cluster}"),
                at=cluster.id,
                skus=("bigtable.in_memory.node_hour",),
                where=there.region,
                amount=node_hours(month, place),
                unit="node-hour",
                formula=N_("{amount} node-hours × {unit_price}"),
                params={"cluster": cluster.label},
            ),
        )
