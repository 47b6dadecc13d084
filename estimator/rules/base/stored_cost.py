"""What stored bytes cost: all rules that speak of surplus bytes and money speak of the bill's own prices."""

from decimal import Decimal

from designer.spec.money import Money
from estimator.engines import GiB
from estimator.results import Estimate


def stored_cost(estimate: Estimate, physical_bytes: float) -> Money | None:
    """So many physical bytes for a month, in every cluster; None while nothing is priced or a price is open.

    Where storage is not billed by the GiB and month (Tablestore), it is their share of what is stored at the end.
    """
    bill = estimate.bill
    lines = [line for line in bill.lines if line.item == "storage"] if bill else []
    if bill is None or not lines or any(line.unit_price is None for line in lines):
        return None
    if any(line.unit != "GiB-month" for line in lines):
        stored = sum(float(part.growth.physical_bytes[-1]) for part in estimate.tables.values() if part.growth)
        cost = sum((line.cost for line in lines if line.cost is not None), Decimal(0))
        share = Decimal(physical_bytes / stored) if stored > 0 else Decimal(0)
        return bill.money((cost * share).quantize(Decimal("0.01")))
    per_gib = sum((line.unit_price for line in lines if line.unit_price is not None), Decimal(0))
    return bill.money((per_gib * Decimal(physical_bytes / GiB)).quantize(Decimal("0.01")))
