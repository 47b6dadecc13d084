"""Money of Bigtable designs: nodes, bills, what moves them and what breaks first."""

from collections.abc import Mapping

from designer.document import Spec
from estimator.price_books.prices import PriceBook
from estimator.results import Bill, Estimate, TablePart

from ..capacity.demand import demand
from ..capacity.failover import failovers_of
from ..capacity.nodes import nodes_of
from .bills import bills_of
from .money import Money
from .outlooks import outlooks_of
from .what_if import sensitivities_of


def money(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook | None, *, what_if: bool = True) -> Money:
    """Return nodes, bills, what moves them and what breaks first, with the tables' parts put together once.

    Without a book there are nodes and nothing that has a price; without `what_if` the first two alone.
    """
    given = demand(spec, parts)
    nodes = nodes_of(spec, given)
    if book is None:
        return Money(nodes=nodes, failovers=failovers_of(given))
    return Money(
        bills=bills_of(spec, given, nodes, book),
        sensitivities=sensitivities_of(spec, given, book) if what_if else (),
        outlooks=outlooks_of(spec, parts, given, book) if what_if else (),
        nodes=nodes,
        failovers=failovers_of(given),
    )


def last_bills(spec: Spec, estimate: Estimate, book: PriceBook) -> tuple[Bill, ...]:
    """Return the last month's bill with a book, if there is one."""
    given = demand(spec, estimate.tables)
    return bills_of(spec, given, estimate.nodes, book, months=(given.months - 1,)) if given.months else ()
