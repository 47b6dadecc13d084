"""Prices in the editor: the books that a design can be priced with, and each line's price with one of one's own."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from designer.document import Spec
from designer.document.instance import PriceOverride
from designer.document.money import Currency
from designer.editing import forms
from estimator.contexts import current_context
from estimator.presentation.design_page import DesignPage
from estimator.results import Bill, BillLine

from .sources import source


@require_safe
def books(request: HttpRequest, **where: str) -> HttpResponse:
    """Return the names of the price books for the design's engine, as options of a list."""
    about = source(request, where)
    return render(
        request, "estimator/prices/books.html", {"books": current_context().price_books.of_engine(about.spec.engine)}
    )


@dataclass(frozen=True)
class PriceEntry:
    """One price of the form: a line of the bill, or a price that was entered for something else."""

    place: int
    """In the list of entered prices."""
    sku: str
    where: str
    entered: Decimal | None
    currency: Currency
    source: str
    line: BillLine | None


@require_safe
def prices(request: HttpRequest, **where: str) -> HttpResponse:
    """Each price of the bill with its source and day, and room for one of one's own."""
    about = source(request, where)
    context = about.context
    view: DesignPage = context["page"]
    bill, spec = view.estimate.bill, about.spec
    context |= {
        "entries": tuple(_entries(spec, bill)), "bill": bill, "at": "", "spec": spec,
        "control": forms.control(spec, "", "instance.prices"),
    }  # fmt: skip
    return render(request, "estimator/prices/prices.html", context)


def _entries(spec: Spec, bill: Bill | None) -> Iterator[PriceEntry]:
    entered = {(price.sku, price.where): (place, price) for place, price in enumerate(spec.instance.prices)}
    free, visited = len(spec.instance.prices), set[Any]()
    for line in bill.lines if bill else ():
        key = (line.sku, line.where)
        if key in visited or line.price_origin == "free" or not line.sku:
            continue
        visited.add(key)
        place, override = entered.pop(key, (free, None))
        free += override is None
        yield _entry(place, key, override, line=line, currency=bill.currency if bill else "USD")
    for key, (place, override) in entered.items():
        yield _entry(place, key, override, line=None, currency="USD")


def _entry(
    place: int, key: tuple[str, str], one: PriceOverride | None, *, line: BillLine | None, currency: Currency
) -> PriceEntry:
    if one is None:
        return PriceEntry(place, *key, None, currency, "", line)
    return PriceEntry(place, *key, one.price.amount, one.price.currency, one.source, line)
