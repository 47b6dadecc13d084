"""Money of Bigtable designs: nodes, bills, totals of changed designs, and limits."""

from collections.abc import Mapping
from dataclasses import replace

from designer.document import Spec
from estimator.price_books.prices import PriceBook
from estimator.results import Bill, Estimate, TablePart

from ..capacity.demand import build_demand
from ..capacity.failover import failovers_of
from ..capacity.nodes import nodes_of
from ..population.timeline import month_dates
from .bills import bills_of
from .money import CostResult
from .outlooks import entity_limits, limits
from .what_if import bands, last_total


def compute_costs(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook | None) -> CostResult:
    """Return nodes and bills, with the tables' parts put together once; without a book nothing that has a price."""
    demand = build_demand(spec, parts)
    nodes = nodes_of(spec, demand)
    bills = () if book is None else bills_of(spec, demand, nodes, book)
    return CostResult(bills=bills, nodes=nodes, failovers=failovers_of(demand), demand=demand)


def with_month(spec: Spec, estimate: Estimate, month: int, book: PriceBook | None) -> Estimate:
    """Return an estimate with the nodes of one month, from 0, in place of those of the horizon's end."""
    demand = build_demand(spec, estimate.tables).of_month(month)
    return replace(estimate, nodes=nodes_of(spec, demand, dates=month_dates(spec)[month : month + 2]))


def last_bills(spec: Spec, estimate: Estimate, book: PriceBook) -> tuple[Bill, ...]:
    """Return the last month's bill with a book, if there is one."""
    demand = build_demand(spec, estimate.tables)
    return bills_of(spec, demand, estimate.nodes, book, months=(demand.months - 1,)) if demand.months else ()


__all__ = ["bands", "compute_costs", "entity_limits", "last_bills", "last_total", "limits", "with_month"]
