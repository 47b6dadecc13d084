"""Tables whose size is not known: they cost something, and nobody can say what."""

from collections.abc import Iterator
from decimal import Decimal

from designer.document.texts import N_
from estimator.kernels.capacity.amounts import BillMonth
from estimator.results import BillLine

from .storage import storage_sku

ORDER = 28


def lines(month: BillMonth) -> Iterator[BillLine]:
    """One open line per table that could not be estimated."""
    for table, is_known in zip(month.demand.tables, month.demand.is_stored_known, strict=True):
        if not is_known:
            yield BillLine(
                item="unknown_table", label=N_("“{table}”: the size cannot be computed yet"),
                params={"table": table.label}, at=table.id, sku=storage_sku(month), where="",
                quantity=Decimal(0), unit="GiB-month", unit_price=None, price_source="", price_seen="",
                price_origin="missing", cost=None, low=None, high=None,
                formula=N_("inputs of “{table}” are missing"),
            )  # fmt: skip
