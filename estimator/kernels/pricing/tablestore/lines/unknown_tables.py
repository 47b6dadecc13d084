"""Tables whose size is not known: they cost something, and nobody can say what."""

from collections.abc import Iterator
from decimal import Decimal

from designer.document.texts import N_
from estimator.results import BillLine

from ..month import UsageMonth
from .storage import storage_sku


def lines(month: UsageMonth) -> Iterator[BillLine]:
    """One open line per table that could not be estimated."""
    for table_usage in month.usage.tables:
        if not table_usage.is_known and not month.totals_only:
            table = table_usage.table
            yield BillLine(
                item="unknown_table", label=N_("“{table}”: the size cannot be computed yet"),
                params={"table": table.label}, at=table.id, sku=storage_sku(month), where="",
                quantity=Decimal(0), unit="GB-hour", unit_price=None, price_source="", price_seen="",
                price_origin="missing", cost=None, low=None, high=None,
                formula=N_("inputs of “{table}” are missing"),
            )  # fmt: skip
