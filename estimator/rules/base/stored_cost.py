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
    if bill is None or bill.stored_gib_price is None:
        return None
    return bill.money((bill.stored_gib_price * Decimal(physical_bytes / GiB)).quantize(Decimal("0.01")))
