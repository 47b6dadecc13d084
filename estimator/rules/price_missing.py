"""A price is not known.

**What** A line of the bill has no public price for its region and item, and none has been entered.
**Why** An unknown price is not zero: until it is entered, the total is only a lower bound.
**Instead** Enter the unit price from your contract or the provider's console, with its source.
**Fine when** The line is small, and a lower bound is enough.
**Source** https://cloud.google.com/bigtable/pricing (read 2026-11-20)
"""

from collections.abc import Iterator
from itertools import groupby

from designer.spec import Spec
from designer.spec.texts import N_, Text
from estimator.results import BillLine, Estimate

from .base import Found, Rule
from .base.examples import design, of, read, time


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """A finding per element and price of the last month's bill's open lines; lines of one price count once.

    A line is also open while its quantity is not known (it then reads 0): that is said elsewhere; no price mends it.
    """
    bill = estimate.bill
    lines = {(line.sku, line.where): line for line in reversed(bill.open_lines if bill else ()) if line.quantity > 0}
    for (at, sku), same in groupby(sorted(lines.values(), key=_asked_for), key=_asked_for):
        wanted = tuple(same)
        yield Found(
            at=at,
            params={
                "sku": sku,
                "where": ", ".join(line.where for line in wanted),
                "quantity": sum(line.quantity for line in wanted),
                "unit": Text(wanted[0].unit),
                "total_cost": bill.money(bill.total) if bill else None,
            },
        )


def _asked_for(line: BillLine) -> tuple[str, str]:
    return line.at, line.sku


RULE = Rule(
    code="I015",
    severity="note",
    message=N_(
        "No public price is known for {sku} in {where}. {quantity} {unit} stay open, and the month's total is at least "
        "{total_cost}."
    ),
    check=check,
    bad=lambda: _in("africa-south1"),
    good=lambda: _in("us-central1"),
    near_miss=lambda: _in("us-central1"),
)


def _in(region: str) -> Spec:
    return design(
        of("device", "#"),
        time(),
        per_second=100,
        reads=(read(binds=("device",), time={"days": 1 / 24}),),
        clusters=({"id": "cluster", "name": "main", "region": region},),
    )
