"""Nodes, bills, what moves them and what breaks first: money from the parts of the tables, cheaply and purely."""

from collections.abc import Mapping

from designer.spec import Spec

from ..results import Bill, ClusterNodes, TablePart
from .bills import bills_of
from .demand import demand
from .nodes import cluster_nodes
from .prices import BookError, Price, PriceBook, Prices, load_book, read_book
from .what_if import outlooks, sensitivities


def bills(
    spec: Spec, parts: Mapping[str, TablePart], nodes: tuple[ClusterNodes, ...], book: PriceBook
) -> tuple[Bill, ...]:
    """One bill per month of the horizon, from the tables' parts and the nodes of `cluster_nodes`."""
    return bills_of(spec, demand(spec, parts), nodes, book)


__all__ = [
    "BookError", "Price", "PriceBook", "Prices", "bills", "cluster_nodes", "load_book", "outlooks", "read_book",
    "sensitivities",
]  # fmt: skip
