"""Node-hours of each cluster: fixed or as needed for every hour, autoscaled by the hours of the week.

Source: Bigtable pricing (read 2026-11-20): the most nodes of each hour, provisioned or not used alike.
"""

from collections.abc import Iterator
from decimal import Decimal

from designer.document import effective_value
from designer.document.instance import Autoscaling, Cluster, FixedNodes
from designer.document.texts import N_
from estimator.kernels.capacity.amounts import BillMonth, Charge, price_charge, round_quantity
from estimator.results import BillLine, ClusterNodes

ORDER = 10


def node_skus(month: BillMonth) -> tuple[str, ...]:
    """SKUs of a node of this instance; an HDD node is priced as any node where it has no price of its own."""
    sku = f"bigtable.node.{effective_value(month.spec, month.spec.instance, 'edition')}"
    return (f"{sku}.hdd", sku) if effective_value(month.spec, month.spec.instance, "storage") == "hdd" else (sku,)


def node_hours(month: BillMonth, place: int) -> Decimal:
    """Node-hours of one cluster in the month."""
    there = month.nodes[place]
    if isinstance(month.demand.clusters[place].nodes, Autoscaling):
        return round_quantity(float(there.node_hours_by_month[month.index + 1]))
    # Nodes of the month's end, when the need is highest under growth; rounding first, so that the line is redone by
    # hand.
    return round_quantity(float(there.nodes_by_month[month.index + 1])) * month.hours


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One line per cluster."""
    skus = node_skus(month)
    for place, (cluster, there) in enumerate(zip(month.demand.clusters, month.nodes, strict=True)):
        amount, nodes = node_hours(month, place), float(there.nodes_by_month[month.index + 1])
        scaled = isinstance(cluster.nodes, Autoscaling)
        low, high = _node_hours_range(month, cluster, there, amount)
        yield price_charge(
            month,
            Charge(
                item="node",
                label=_label(month, skus, there.region),
                at=cluster.id,
                skus=skus,
                where=there.region,
                amount=amount,
                unit="node-hour",
                formula=N_("{amount} node-hours × {unit_price}")
                if scaled
                else N_("{count_nodes} × {month_hours} × {unit_price}"),
                params={
                    "cluster": cluster.label,
                    "region": there.region,
                    "count_nodes": nodes,
                    "month_hours": month.hours,
                },
                low=low,
                high=high,
            ),
        )


def _label(month: BillMonth, skus: tuple[str, ...], region: str) -> str:
    """Return the line's label, which notes an HDD node without a price of its own, billed as any node."""
    if len(skus) == 1:
        return N_("Nodes of {cluster}")
    own = month.prices.tiers(skus[:1], region)
    return N_("HDD nodes of {cluster}") if own else N_("HDD nodes of {cluster}, at the price of SSD nodes")


def _node_hours_range(
    month: BillMonth, cluster: Cluster, nodes: ClusterNodes, amount: Decimal
) -> tuple[Decimal | None, Decimal | None]:
    """Return the least and most node hours of nodes that follow the need, from the range of nodes needed.

    An autoscaler never exceeds its maximum or falls below its minimum.
    """
    needed, hours = float(nodes.needed_by_month[-1]), float(amount)
    if isinstance(cluster.nodes, FixedNodes) or needed <= 0:
        return None, None
    # The band is known for the end of the horizon; its ratio to the need there is applied to every month.
    low, high = hours * (nodes.needed_low / needed), hours * (nodes.needed_high / needed)
    if isinstance(cluster.nodes, Autoscaling):
        low = max(low, float(cluster.nodes.min * month.hours))
        high = min(high, float(max(cluster.nodes.max, 1) * month.hours))
    return round_quantity(low), round_quantity(high)
