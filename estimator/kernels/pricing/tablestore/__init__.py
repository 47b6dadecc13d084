"""Money of Tablestore designs: capacity units, bills, what moves them and what breaks first."""

from collections.abc import Mapping
from typing import NamedTuple

from designer.document import Spec
from estimator.kernels.capacity.tablestore.instance_usage import use_of
from estimator.price_books.prices import PriceBook
from estimator.results import Bill, CapacityUnits, Outlook, Sensitivity, TablePart

from .bills import bills_of
from .summary import capacity_units
from .what_if import outlooks_of, sensitivities_of


class Money(NamedTuple):
    """All that an instance's tables cost together."""

    capacity_units: tuple[CapacityUnits, ...]
    bills: tuple[Bill, ...]
    sensitivities: tuple[Sensitivity, ...]
    outlooks: tuple[Outlook, ...]


def money(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook | None, *, what_if: bool = True) -> Money:
    """Units, bills, what moves them and what breaks first, with the tables' parts put together once.

    Without a book there are units and nothing that has a price; without `what_if` the first two alone.
    """
    use = use_of(spec, parts)
    if book is None:
        return Money(capacity_units(spec, use, None), (), (), ())
    return Money(
        capacity_units(spec, use, book),
        bills_of(spec, use, book),
        sensitivities_of(spec, use, book) if what_if else (),
        outlooks_of(spec, parts, use, book) if what_if else (),
    )


__all__ = ["Money", "money"]
