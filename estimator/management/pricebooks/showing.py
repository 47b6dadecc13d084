"""`prices list` and `prices show`: which books there are, and what is in one."""

import datetime
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from designer.document.money import Money
from estimator.kernels.pricing import BookError, Price, PriceBook
from estimator.management.commandline import align_columns, with_format
from estimator.presentation.plain_data import to_plain
from estimator.price_books.shelf import ShelvedBook, list_shelf, load_book

from .files import load_named_book


def arguments_of_list(parser: ArgumentParser) -> None:
    """Add the option for the output format."""
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def list_(options: dict[str, Any]) -> Iterator[str]:
    """Every book, with its age; a file that is none says why."""
    today = datetime.datetime.now(datetime.UTC).date()
    rows = [_row(book, today) for book in list_shelf()]
    if options["json"]:
        yield json.dumps(with_format("prices-list", {"books": rows}), indent=1)
        return
    head = ("book", "engine", "date", "currency", "prices", "from", "")
    yield from align_columns(
        [head, *(tuple("" if row.get(n) is None else row[n] for n in (*head[:-1], "said")) for row in rows)], right=[4]
    )


def _row(shelved: ShelvedBook, today: datetime.date) -> dict[str, Any]:
    place = "the application" if shelved.shipped else str(shelved.path.parent)
    try:
        book = shelved.read()
    except BookError as error:
        return {"book": shelved.name, "from": place, "said": str(error)}
    days = book.outdated_days(today)
    return {
        "book": book.name, "engine": book.engine, "date": book.date.isoformat(), "currency": book.currency,
        "prices": sum(map(len, book.prices.values())), "from": place,
        "said": None if days is None else f"{days} days old: its prices may have changed",
    }  # fmt: skip


def arguments_of_show(parser: ArgumentParser) -> None:
    """Add the arguments for the book and the selection of its figures."""
    default = "a book's name, or its file (default: the newest that comes with the application)"
    parser.add_argument("book", metavar="BOOK", nargs="?", help=default)
    parser.add_argument("--region", help="only prices of this region, and those that hold everywhere")
    parser.add_argument("--sku", help="only SKUs that begin so: bigtable.node")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def show(options: dict[str, Any]) -> Iterator[str]:
    """Yield the figures of a book with their sources."""
    book = load_named_book(options["book"]) if options["book"] else load_book()
    prices = list(_selected_prices(book, options["region"], options["sku"] or ""))
    if options["json"]:
        head = {
            "book": book.name,
            "engine": book.engine,
            "date": book.date,
            "currency": book.currency,
            "note": book.note,
        }
        yield json.dumps(with_format("prices-show", to_plain({**head, "prices": prices})), indent=1)
        return
    days = book.outdated_days(datetime.datetime.now(datetime.UTC).date())
    old = "" if days is None else f", {days} days old: its prices may have changed"
    yield f"{book.name}  (of {book.date}, {book.currency}{old})"
    if book.note:
        yield book.note
    rows = [(p.sku, p.where or "everywhere", figure(p), p.unit, volume(p), p.seen, p.source) for p in prices]
    yield from align_columns(rows, right=[2]) if rows else ["no such price in it"]


def _selected_prices(book: PriceBook, region: str | None, sku: str) -> Iterator[Price]:
    for (name, where), tiers in sorted(book.prices.items()):
        if name.startswith(sku) and (region is None or where in ("", region) or where.startswith(f"{region}>")):
            yield from tiers


def figure(price: Price) -> str:
    """Return the figure with its currency's sign."""
    return str(Money(price.amount, price.currency))


def volume(price: Price) -> str:
    """Return the monthly volume that it applies to, where relevant."""
    if price.to_gb is None:
        return f"from {price.from_gb:,f} GiB" if price.from_gb else ""
    return f"{price.from_gb:,f} to {price.to_gb:,f} GiB"
