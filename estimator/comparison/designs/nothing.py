"""The counterpart of a new design in a comparison, and of a deleted one: an empty design, which costs nothing."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.load import from_data
from estimator.results import Bill

from .effects import DesignWithEstimate

NOTHING = "nothing"
"""Its name."""


def empty_counterpart(other: DesignWithEstimate, compute: Callable[[Spec], DesignWithEstimate]) -> DesignWithEstimate:
    """Return a design without elements, named as the other, with a bill of 0 in the other's currency."""
    plain = to_plain_data(other.spec)
    empty = compute(from_data({name: value for name, value in plain.items() if not isinstance(value, list | dict)}))
    bills = tuple(_empty_bill(bill) for bill in other.estimate.bills)
    estimate = replace(
        empty.estimate,
        bills=bills,
        currency=other.estimate.currency,
        price_book=other.estimate.price_book,
        price_book_date=other.estimate.price_book_date,
    )
    return replace(empty, estimate=estimate)


def _empty_bill(bill: Bill) -> Bill:
    none = Decimal("0.00")
    return replace(bill, lines=(), open_lines=(), total=none, low=none, high=none)
