"""Cost of stored bytes: all rules about surplus bytes and money use the bill's own prices."""

from decimal import Decimal

from designer.document.money import Money
from estimator.engines import GiB
from estimator.results import Estimate

CENT = Decimal("0.01")


def stored_cost(estimate: Estimate, physical_bytes: float) -> Money | None:
    """So many physical bytes for a month, in every cluster; None while nothing is priced or a price is open.

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
