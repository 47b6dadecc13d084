"""The bill of each month: every kind of line, added up as they stand."""

import datetime
from collections.abc import Sequence
from decimal import Decimal

from designer.document import Spec
from designer.document.money import Currency
from estimator.price_books.prices import PriceBook, Prices
from estimator.results import Bill, BillLine, ClusterNodes

from ..capacity.amounts import BillMonth
from ..capacity.demand import Demand
from ..population.timeline import month_dates
from .lines import line_kinds


def bills_of(
    spec: Spec,
    demand: Demand,
    nodes: tuple[ClusterNodes, ...],
    book: PriceBook,
    *,
    months: Sequence[int] | None = None,
    totals_only: bool = False,
) -> tuple[Bill, ...]:
    """One bill per month of the demand; empty where there is no table.

    `totals_only` leaves out lines that have no price, for those who look at nothing but totals.
    """
    if not demand.tables:
        return ()
    days = month_dates(spec)[-demand.months - 1 :]
    first = len(month_dates(spec)) - 1 - demand.months  # a demand of the last month alone keeps its number
    prices = Prices(book, spec.instance.prices)
    return tuple(
        _bill(BillMonth(spec, prices, i, days[i], totals_only, demand, nodes), first + i)
        for i in (range(demand.months) if months is None else months)
    )


def _bill(month: BillMonth, number: int) -> Bill:
    lines = tuple(line for _, kind_lines in line_kinds() for line in kind_lines(month))
    return total_bill(number, month.first_day, lines, currency=month.prices.book.currency)


def total_bill(
    month: int, first_day: datetime.date, lines: tuple[BillLine, ...], *, currency: Currency = "USD"
) -> Bill:
    """Return the bill of these lines: totals of those that have a price, and the lines that have none."""
    zero = Decimal("0.00")
    return Bill(
        month=month,
        first_day=first_day,
        lines=lines,
        total=sum((line.cost for line in lines if line.cost is not None), zero),
        low=sum((line.low for line in lines if line.low is not None), zero),
        high=sum((line.high for line in lines if line.high is not None), zero),
        open_lines=tuple(line for line in lines if line.cost is None),
        currency=currency,
    )
