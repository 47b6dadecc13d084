"""Money of Tablestore designs: capacity units, bills, totals of changed designs, and limits."""

from collections.abc import Mapping
from dataclasses import replace

from designer.document import Spec
from estimator.kernels.capacity.tablestore.instance_usage import usage_of
from estimator.price_books.prices import PriceBook
from estimator.results import Bill, Estimate, TablePart

from ..money import CostResult
from .bills import bills_of
from .summary import capacity_units
from .what_if import bands, entity_limits, last_total, limits


def compute_costs(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook | None) -> CostResult:
    """Return units and bills, with the tables' parts put together once; without a book nothing that has a price."""
    use = usage_of(spec, parts)
    bills = () if book is None else bills_of(spec, use, book)
    return CostResult(bills=bills, capacity_units=capacity_units(spec, use, book))


def with_month(spec: Spec, estimate: Estimate, month: int, book: PriceBook | None) -> Estimate:
    """Return an estimate with the units of one month, from 0, in place of those of the horizon's end."""
    return replace(estimate, capacity_units=capacity_units(spec, usage_of(spec, estimate.tables).of_month(month), book))


def last_bills(spec: Spec, estimate: Estimate, book: PriceBook) -> tuple[Bill, ...]:
    """Return the last month's bill with a book, if there is one."""
    use = usage_of(spec, estimate.tables)
    return bills_of(spec, use, book, months=(use.months - 1,)) if use.months else ()


__all__ = ["bands", "compute_costs", "entity_limits", "last_bills", "last_total", "limits", "with_month"]
