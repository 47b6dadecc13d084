"""Bill lines, totals and limits."""

from collections.abc import Mapping

from designer.document import Spec
from estimator.price_books.prices import BookError, Price, PriceBook, Prices, read_book
from estimator.results import Bill, ClusterNodes, TablePart

from ..capacity.demand import build_demand
from ..capacity.nodes import cluster_nodes
from ..capacity.refusals import demand_refusal, nodes_refusal
from . import tablestore
from .bills import bills_of
from .cost_models import cost_model_of
from .money import CostResult
from .repricing import Repricing, reprice


def build_bills(
    spec: Spec, parts: Mapping[str, TablePart], nodes: tuple[ClusterNodes, ...], book: PriceBook
) -> tuple[Bill, ...]:
    """One bill per month of the horizon, from the tables' parts and the nodes of `cluster_nodes`."""
    return bills_of(spec, build_demand(spec, parts), nodes, book)


def compute_costs(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook | None) -> CostResult:
    """Return bills and what they are made from, by the engine's cost model; without a book nothing has a price."""
    if (refused := demand_refusal(spec, parts)) is not None:
        return CostResult(refused=refused)
    costs = cost_model_of(spec).compute_costs(spec, parts, book)
    refused = nodes_refusal(spec, costs.nodes)
    return costs if refused is None else CostResult(refused=refused)


__all__ = [
    "BookError",
    "CostResult",
    "Price",
    "PriceBook",
    "Prices",
    "Repricing",
    "build_bills",
    "cluster_nodes",
    "compute_costs",
    "cost_model_of",
    "read_book",
    "reprice",
    "tablestore",
]  # fmt: skip
