"""The bill of each month of a Tablestore instance."""

from collections.abc import Sequence

from designer.document import Spec
from estimator.kernels.capacity.tablestore.instance_usage import InstanceUsage
from estimator.kernels.population.timeline import month_dates
from estimator.price_books.prices import PriceBook, Prices
from estimator.results import Bill

from ..bills import total_bill
from .lines import LINES
from .month import UsageMonth


def bills_of(
    spec: Spec, usage: InstanceUsage, book: PriceBook, *, months: Sequence[int] | None = None, totals_only: bool = False
) -> tuple[Bill, ...]:
    """One bill per month of the use; empty where there is no table.

    `totals_only` leaves out lines that have no price, for those who look at nothing but totals.
    """
    if not usage.tables:
        return ()
    first = len(month_dates(spec)) - 1 - usage.months  # use of the last month alone keeps its number
    prices = Prices(book, spec.instance.prices)
    bills = []
    for index in range(usage.months) if months is None else months:
        month = UsageMonth(spec, prices, index, usage.dates[index], totals_only, usage)
        lines = tuple(line for kind_lines in LINES for line in kind_lines(month))
        bills.append(total_bill(first + index, month.first_day, lines, currency=book.currency))
    return tuple(bills)
