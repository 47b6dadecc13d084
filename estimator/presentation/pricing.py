"""Statements about an estimate's prices: their age, and the effect of a newer book on the bill."""

from dataclasses import dataclass

from designer.document import Spec
from estimator.estimates.context import Context
from estimator.kernels import pricing as cost
from estimator.results import Estimate


@dataclass(frozen=True)
class Pricing:
    """The price book of an estimate on a day."""

    old_days: int | None
    """Its age, if it should be renewed."""
    newer: cost.Repricing | None
    """The bill with the newest book, if that is another one."""


def pricing(spec: Spec, made: Estimate, context: Context) -> Pricing | None:
    """Return the state of the prices; None where there is no bill."""
    if not made.bills:
        return None
    try:
        book = context.price_books.load(made.price_book, engine=spec.engine)
    except cost.BookError:
        return None
    newest = context.price_books.newest(spec.engine, book.currency, today=context.today)
    newer = newest is not None and (newest.date, newest.name) > (book.date, book.name)
    found = cost.repricing(spec, made, old=book, new=newest) if newest is not None and newer else None
    return Pricing(book.old_days(context.today), found)


def book_age(spec: Spec, made: Estimate, context: Context) -> int | None:
    """Return the age of a bill's price book, if it should be renewed [day]."""
    if not made.bills:
        return None
    try:
        return context.price_books.load(made.price_book, engine=spec.engine).old_days(context.today)
    except cost.BookError:
        return None
