"""Money of Tablestore designs: capacity units, bills, what moves them and what breaks first."""

from collections.abc import Mapping

from designer.document import Spec
from estimator.kernels.capacity.tablestore.instance_usage import use_of
from estimator.price_books.prices import PriceBook
from estimator.results import Bill, Estimate, TablePart

from ..money import Money
from .bills import bills_of
from .summary import capacity_units
from .what_if import outlooks_of, sensitivities_of


def money(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook | None, *, what_if: bool = True) -> Money:
    """Return units, bills, what moves them and what breaks first, with the tables' parts put together once.

    Without a book there are units and nothing that has a price; without `what_if` the first two alone.
    """
    use = use_of(spec, parts)
    if book is None:
        return Money(capacity_units=capacity_units(spec, use, None))
    return Money(
        bills=bills_of(spec, use, book),
        sensitivities=sensitivities_of(spec, use, book) if what_if else (),
        outlooks=outlooks_of(spec, parts, use, book) if what_if else (),
        capacity_units=capacity_units(spec, use, book),
    )


def last_bills(spec: Spec, estimate: Estimate, book: PriceBook) -> tuple[Bill, ...]:
    """Return the last month's bill with a book, if there is one."""
    use = use_of(spec, estimate.tables)
    return bills_of(spec, use, book, months=(use.months - 1,)) if use.months else ()


__all__ = ["last_bills", "money"]
