"""What a page says about the prices of an estimate: how old they are, and what a newer book would make of the bill."""

import datetime
from dataclasses import dataclass

from designer.document import Spec
from estimator.kernels import pricing as cost
from estimator.results import Estimate


@dataclass(frozen=True)
class Pricing:
    """The price book of an estimate on a day."""

    old_days: int | None
    """Its age, if it should be renewed."""
    newer: cost.Repricing | None
    """The bill with the newest book, if that is another one."""


def pricing(spec: Spec, made: Estimate, *, today: datetime.date) -> Pricing | None:
    """How the prices stand; None where there is no bill."""
    if not made.bills:
        return None
    try:
        book = cost.load_book(made.price_book, engine=spec.engine)
    except cost.BookError:
        return None
    newest = cost.newest_book(spec.engine, book.currency, today=today)
    newer = newest is not None and (newest.date, newest.name) > (book.date, book.name)
    found = cost.repricing(spec, made, old=book, new=newest) if newest is not None and newer else None
    return Pricing(book.old_days(today), found)


def book_age(spec: Spec, made: Estimate, *, today: datetime.date) -> int | None:
    """How many days old the price book of a bill is, if it should be renewed."""
    if not made.bills:
        return None
    try:
        return cost.load_book(made.price_book, engine=spec.engine).old_days(today)
    except cost.BookError:
        return None
