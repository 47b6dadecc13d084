"""Items of the last month's bill for one cluster: messages use the bill's own prices."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from designer.document import Spec
from designer.document.money import Money
from designer.document.texts import N_, Text
from estimator.engines import GiB
from estimator.results import Bill, BillLine, Estimate

from .reading import compute_once

CENT = Decimal("0.01")
CLUSTER_ITEMS = ("node", "storage", "infrequent_access")
"""Lines that each cluster has for itself."""


ITEMS: Mapping[str, str] = {
    "node": N_("nodes"),
    "storage": N_("storage"),
    "infrequent_access": N_("infrequent access storage"),
    "in_memory": N_("in-memory tier"),
    "backup": N_("backups"),
    "replication": N_("replication"),
    "egress": N_("egress"),
    "internet_egress": N_("internet egress"),
    "other_region": N_("requests to another region"),
    "data_boost": N_("Data Boost"),
    "change_stream": N_("change streams"),
    "stream_read": N_("stream reads"),
    "stream_storage": N_("stream storage"),
}
"""Names of what a line bills; any other is called by its SKU."""


class PartialCost(NamedTuple):
    """A sum of lines, or the SKUs of which a price lacks."""

    cost: Money | None
    missing: tuple[Text, ...]
    """Names of the lines without a price."""


def cluster_cost(bill: Bill, cluster: str) -> PartialCost:
    """Nodes and storage of one cluster in the month."""
    lines = [line for line in bill.lines if line.at == cluster and line.item in CLUSTER_ITEMS]
    missing = tuple(
        item_name(line)
        for line in {line.sku: line for line in lines if line.cost is None and line.quantity > 0}.values()
    )
    if missing or not lines:
        return PartialCost(None, missing)
    return PartialCost(bill.money(sum((line.cost for line in lines if line.cost is not None), Decimal(0))), ())


def item_name(line: BillLine) -> Text:
    """Return the name of what a line bills."""
    return Text(ITEMS.get(line.item, line.sku))


def node_line(estimate: Estimate, cluster: str) -> BillLine | None:
    """Return the line of a cluster's nodes in the last month; None while nothing is billed."""
    lines = estimate.bill.lines if estimate.bill else ()
    return next((line for line in lines if line.at == cluster and line.item == "node"), None)


def nodes_used(spec: Spec, estimate: Estimate) -> float:
    """Return the busy nodes of all clusters together, mean over the week: reads once, writes in every cluster."""
    return compute_once("node_load", _nodes_used, spec, estimate)


def _nodes_used(spec: Spec, estimate: Estimate) -> float:
    clusters, total = max(len(spec.instance.clusters), 1), 0.0
    for part in estimate.tables.values():
        if part.traffic is not None and part.traffic.accesses:
            total += sum(hours.last_mean * (clusters if hours.is_write else 1) for hours in part.traffic.accesses)
        elif part.traffic is not None:
            # Only the week of all accesses is known: the reads' part is taken to be that of its busiest hour.
            mean, peak = float(part.traffic.week_node_share.mean()), float(part.traffic.node_share_by_month[-1])
            reading = float(part.traffic.read_node_share_by_month[-1]) / peak if peak > 0 else 0.0
            total += mean * (reading + (1 - reading) * clusters)
    return total


def nodes_cost(estimate: Estimate, share: float) -> Money | None:
    """Return a share of what all nodes cost in the last month; None while a price lacks."""
    lines = [line for line in estimate.bill.lines if line.item == "node"] if estimate.bill else []
    if estimate.bill is None or not lines or any(line.cost is None for line in lines):
        return None
    whole = sum((line.cost for line in lines if line.cost is not None), Decimal(0))
    # By its shortest digits: the exact value of a float has dozens.
    return estimate.bill.money((whole * Decimal(repr(share))).quantize(CENT))


def share_of_line(estimate: Estimate, line: BillLine, share: float) -> Money | None:
    """Return a share of a line's amount; None where its price is not known."""
    if estimate.bill is None or line.cost is None:
        return None
    return estimate.bill.money((line.cost * Decimal(repr(share))).quantize(CENT))


def stored_cost(estimate: Estimate, physical_bytes: float) -> Money | None:
    """Return a month's cost of physical bytes in every cluster; None while nothing is priced or a price is open.

    Where storage is not billed by the GiB and month (Tablestore), it is their share of what is stored at the end.
    """
    bill = estimate.bill
    if bill is None:
        return None
    if bill.stored_gib_price is not None:
        return bill.money((bill.stored_gib_price * Decimal(physical_bytes / GiB)).quantize(CENT))
    lines = [line for line in bill.lines if line.item == "storage" and line.unit != "GiB-month"]
    stored = sum(float(part.growth.physical_bytes[-1]) for part in estimate.tables.values() if part.growth)
    if not lines or stored <= 0 or any(line.cost is None for line in lines):
        return None
    cost = sum((line.cost for line in lines if line.cost is not None), Decimal(0))
    return bill.money((cost * Decimal(physical_bytes / stored)).quantize(CENT))
