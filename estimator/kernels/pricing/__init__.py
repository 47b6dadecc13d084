"""Bill lines, totals and what-ifs."""

from collections.abc import Mapping

from designer.document import Spec
from estimator.price_books.prices import BookError, Price, PriceBook, Prices, read_book
from estimator.results import Bill, ClusterNodes, TablePart

from ..capacity.demand import demand
from ..capacity.nodes import cluster_nodes
from . import tablestore
from .bills import bills_of
from .cost_models import cost_model_of
from .money import Money
from .outlooks import outlooks
from .repricing import Repricing, repricing
from .what_if import sensitivities


def bills(
    spec: Spec, parts: Mapping[str, TablePart], nodes: tuple[ClusterNodes, ...], book: PriceBook
) -> tuple[Bill, ...]:
    """One bill per month of the horizon, from the tables' parts and the nodes of `cluster_nodes`."""
    return bills_of(spec, demand(spec, parts), nodes, book)


def money(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook | None, *, what_if: bool = True) -> Money:
    """Return bills, what they are made from, what moves them and what breaks first, by the engine's cost model.

    Without a book nothing has a price; without `what_if` there are no sensitivities and outlooks.
    """
    return cost_model_of(spec).money(spec, parts, book, what_if=what_if)


__all__ = [
    "BookError", "Money", "Price", "PriceBook", "Prices", "Repricing", "bills", "cluster_nodes", "money", "outlooks",
    "read_book", "repricing", "sensitivities", "tablestore",
]  # fmt: skip
