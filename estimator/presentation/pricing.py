"""Statements about an estimate's prices: their age, and the effect of a newer book on the bill."""

from collections.abc import Sequence
from dataclasses import dataclass

from designer.document import Spec
from designer.document.engines import description_of
from designer.document.texts import N_, Text, build_text
from estimator.estimates.context import Context
from estimator.kernels import pricing as cost
from estimator.kernels.capacity.refusals import NO_FIGURES
from estimator.price_books.catalogue.kinds import KINDS
from estimator.results import BillLine, Estimate, Refusal

FETCH = "keywright prices fetch"
FETCH_NETWORK = "keywright prices fetch --network-from BOOK"
_IN_CATALOGUE = {kind.sku for kind in KINDS}


@dataclass(frozen=True)
class PriceStatus:
    """The price book of an estimate on a day."""

    old_days: int | None
    """Its age, if it should be renewed."""
    newer: cost.Repricing | None
    """The bill with the newest book, if that is another one."""


def price_status(spec: Spec, estimate: Estimate, context: Context) -> PriceStatus | None:
    """Return the state of the prices; None where there is no bill."""
    if not estimate.bills:
        return None
    try:
        book = context.price_books.load(estimate.price_book, engine=spec.engine)
    except cost.BookError:
        return None
    newest = context.price_books.newest(spec.engine, book.currency, today=context.today)
    newer = newest is not None and (newest.date, newest.name) > (book.date, book.name)
    repricing = cost.reprice(spec, estimate, old=book, new=newest) if newest is not None and newer else None
    return PriceStatus(book.outdated_days(context.today), repricing)


def missing_bill(spec: Spec, estimate: Estimate) -> Text:
    """Return why there is no bill: what no engine can serve has none, whatever else is entered."""
    for reason in estimate.because:
        if isinstance(reason, Refusal) or reason.message == NO_FIGURES:
            return Text(reason.message, reason.params)
    if estimate.price_book and estimate.price_book_date is None:
        message = N_("No bill: the price book {book} is not available. Import it, or specify another price book.")
        return Text(message, {"book": estimate.price_book})
    return Text(description_of(spec).terms["no bill"])


def book_age(spec: Spec, estimate: Estimate, context: Context) -> int | None:
    """Return the age of a bill's price book, if it should be renewed [day]."""
    if not estimate.bills:
        return None
    try:
        return context.price_books.load(estimate.price_book, engine=spec.engine).outdated_days(context.today)
    except cost.BookError:
        return None


def ways_to_close(lines: Sequence[BillLine]) -> tuple[Text, ...]:
    """Return what gives lines without a price one: commands, where the public catalogue has it, and by hand."""
    skus = {line.sku for line in lines if line.price_origin == "missing"}
    if not skus:
        return ()
    ways = []
    if skus & _IN_CATALOGUE:
        ways.append(build_text(N_("`{command}` brings every price of the public catalogue"), command=FETCH))
    if any(sku.startswith("network.") for sku in skus):
        ways.append(build_text(N_("`{command}` takes network prices from another book"), command=FETCH_NETWORK))
    example = f"sku={min(skus)}, amount=…, currency=…, source=…"
    ways.append(build_text(N_("enter one in `prices` of the instance: `{example}`"), example=example))
    return tuple(ways)
