"""A price is unknown.

**What** The price book has no price for the region and SKU of a bill line, and no price was entered.
**Why** An unknown price is not zero. Until you enter it, the total is only a lower bound.
**Instead** Enter the unit price and its source from your contract or the provider's console.
**Fine when** The line is small, and a lower bound is sufficient.
**Source** https://cloud.google.com/bigtable/pricing (read 2026-11-20)
"""

from collections.abc import Iterator
from itertools import groupby

from designer.document import Spec
from designer.document.texts import N_, Text, TextList
from estimator.facts.billing import item_name
from estimator.results import BillLine, Estimate

from ..shared import Rule, Violation
from ..shared.examples import design, field_part, read_part, time_part

NO_TOTAL = N_("The price book has no price for {open}. Without it, the month has no total.")
ONE = N_("{item} in {where} ({quantity} {unit})")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per element with unpriced lines in the last month's bill, one for all its prices.

    A line is also unpriced while its quantity is unknown (it then reads 0): that has another rule; no price
    fixes it.
    """
    bill = estimate.bill
    # Reversed, so that of lines with one price the first of the bill stays.
    lines = {(line.sku, line.where): line for line in reversed(bill.open_lines if bill else ()) if line.quantity > 0}
    for at, of_one in groupby(sorted(lines.values(), key=_price_key), key=lambda line: line.at):
        prices = tuple(_missing_price_text(tuple(same)) for _, same in groupby(of_one, key=_price_key))
        total = bill.money(bill.total) if bill and bill.total > 0 else None
        yield Violation(at=at, params={"open": prices, "total_cost": total}, message=NO_TOTAL if total is None else "")


def _missing_price_text(lines: tuple[BillLine, ...]) -> Text:
    """One price with all places that it is asked for; lines of one price count once."""
    return Text(
        ONE,
        {
            "item": item_name(lines[0]),
            "where": TextList(line.where for line in lines),
            "quantity": float(sum(line.quantity for line in lines)),
            "unit": Text(lines[0].unit),
        },
    )


def _price_key(line: BillLine) -> tuple[str, str]:
    return line.at, line.sku


RULE = Rule(
    code="I015",
    severity="note",
    message=N_("The price book has no price for {open}. The month's total is at least {total_cost}."),
    check=check,
    bad=lambda: _region_design("africa-south1"),
    good=lambda: _region_design("us-central1"),
    near_miss=lambda: _region_design("us-central1"),
)


def _region_design(region: str) -> Spec:
    return design(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
        clusters=({"id": "cluster", "name": "main", "region": region},),
    )
