"""The bill of each month of a Tablestore instance."""

from collections.abc import Sequence

from designer.document import Spec
from estimator.kernels.capacity.tablestore.instance_usage import Use
from estimator.kernels.population.timeline import month_dates
from estimator.price_books.prices import PriceBook, Prices
from estimator.results import Bill

from ..bills import added_up
from .lines import LINES
from .month import UseMonth


def bills_of(
    spec: Spec, use: Use, book: PriceBook, *, months: Sequence[int] | None = None, totals_only: bool = False
) -> tuple[Bill, ...]:
    """One bill per month of the use; empty where there is no table.

    `totals_only` leaves out lines that have no price, for those who look at nothing but totals.
    """
    if not use.tables:
        return ()
    first = len(month_dates(spec)) - 1 - use.months
    prices = Prices(book, spec.instance.prices)
    found = []
    for index in range(use.months) if months is None else months:
        month = UseMonth(spec, use, prices, index, use.dates[index], totals_only)
        lines = tuple(line for made in LINES for line in made(month))
        found.append(added_up(first + index, month.first_day, lines, currency=book.currency))
    return tuple(found)
