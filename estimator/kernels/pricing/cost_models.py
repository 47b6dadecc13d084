"""The cost model of each engine."""

from collections.abc import Mapping
from typing import Protocol

from designer.document import Engine, Spec
from estimator.price_books.prices import PriceBook
from estimator.results import Bill, Estimate, TablePart

from . import bigtable, tablestore
from .money import Money


class CostModel(Protocol):
    """Cost model of an engine, as its module implements it."""

    def money(
        self, spec: Spec, parts: Mapping[str, TablePart], book: PriceBook | None, *, what_if: bool = True
    ) -> Money:
        """Return bills and what they are made from; without a book nothing that has a price."""

    def last_bills(self, spec: Spec, estimate: Estimate, book: PriceBook) -> tuple[Bill, ...]:
        """Return the last month's bill with a book, if there is one."""


MODELS: Mapping[Engine, CostModel] = {"bigtable": bigtable, "tablestore": tablestore}


def cost_model_of(spec: Spec) -> CostModel:
    """Return the cost model of a design's engine."""
    return MODELS[spec.engine]
