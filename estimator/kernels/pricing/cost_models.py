"""The cost model of each engine."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Protocol

from designer.document import Engine, Spec
from estimator.price_books.prices import PriceBook
from estimator.results import Bill, Estimate, TablePart

from . import bigtable, tablestore
from .limit_headroom import Limit
from .money import CostResult
from .sensitivities import Input


class CostModel(Protocol):
    """Cost model of an engine, as its module implements it."""

    def compute_costs(self, spec: Spec, parts: Mapping[str, TablePart], book: PriceBook | None) -> CostResult:
        """Return bills and what they are made from; without a book nothing that has a price."""

    def with_month(self, spec: Spec, estimate: Estimate, month: int, book: PriceBook | None) -> Estimate:
        """Return an estimate with the nodes or units of one month, from 0, in place of those of the horizon's end."""

    def last_bills(self, spec: Spec, estimate: Estimate, book: PriceBook) -> tuple[Bill, ...]:
        """Return the last month's bill with a book, if there is one."""

    def last_total(
        self, spec: Spec, parts: Mapping[str, TablePart], book: PriceBook, *, with_enough: bool = False
    ) -> Decimal | None:
        """Return the last month's total, if there is one; `with_enough`: with as many fixed nodes as are needed."""

    def bands(self, spec: Spec, parts: Mapping[str, TablePart], book: PriceBook) -> Iterator[Input]:
        """Yield the uncertain inputs that need no new estimate."""

    def limits(self, spec: Spec, parts: Mapping[str, TablePart]) -> Iterator[Limit]:
        """Yield the limits that more traffic or more time may exceed."""

    def entity_limits(self, spec: Spec, parts: Mapping[str, TablePart], factor: float = 1.0) -> Iterator[Limit]:
        """Yield the limits that a largest entity so many times as large may exceed."""


MODELS: Mapping[Engine, CostModel] = {"bigtable": bigtable, "tablestore": tablestore}


def cost_model_of(spec: Spec) -> CostModel:
    """Return the cost model of a design's engine."""
    return MODELS[spec.engine]
