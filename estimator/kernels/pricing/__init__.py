"""Nodes, bills, what moves them and what breaks first: money from the parts of the tables, cheaply and purely."""

from collections.abc import Mapping
from typing import NamedTuple

from designer.document import Spec
from estimator.price_books.prices import BookError, Price, PriceBook, Prices, read_book
from estimator.price_books.shelf import book_of, books_for, is_here, load_book, newest_book, shelf
from estimator.results import Bill, ClusterNodes, Failover, Outlook, Sensitivity, TablePart

from ..capacity.demand import demand
from ..capacity.failover import failovers_of
from ..capacity.nodes import cluster_nodes, nodes_of
from . import tablestore
from .bills import bills_of
from .outlooks import outlooks, outlooks_of
from .repricing import Repricing, repricing
from .what_if import sensitivities, sensitivities_of


def bills(
    spec: Spec, parts: Mapping[str, TablePart], nodes: tuple[ClusterNodes, ...], book: PriceBook
) -> tuple[Bill, ...]:
    """One bill per month of the horizon, from the tables' parts and the nodes of `cluster_nodes`."""
    return bills_of(spec, demand(spec, parts), nodes, book)


class Money(NamedTuple):
    """All that an instance's tables cost together."""

    nodes: tuple[ClusterNodes, ...]
    bills: tuple[Bill, ...]
    sensitivities: tuple[Sensitivity, ...]
    outlooks: tuple[Outlook, ...]
    failovers: tuple[Failover, ...]


def money(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook | None, *, what_if: bool = True) -> Money:
    """Nodes, bills, what moves them and what breaks first, with the tables' parts put together once.

    Without a book there are nodes and nothing that has a price; without `what_if` the first two alone.
    """
    given = demand(spec, parts)
    nodes = nodes_of(spec, given)
    if book is None:
        return Money(nodes, (), (), (), failovers_of(given))
    return Money(
        nodes,
        bills_of(spec, given, nodes, book),
        sensitivities_of(spec, given, book) if what_if else (),
        outlooks_of(spec, parts, given, book) if what_if else (),
        failovers_of(given),
    )


__all__ = [
    "BookError", "Money", "Price", "PriceBook", "Prices", "Repricing", "bills", "book_of", "books_for",
    "cluster_nodes", "is_here", "load_book", "money", "newest_book", "outlooks", "read_book", "repricing",
    "sensitivities", "shelf", "tablestore",
]  # fmt: skip
