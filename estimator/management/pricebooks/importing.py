"""`prices import FILE`: a dated book from the JSON of the Cloud Billing Catalog."""

import datetime
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from estimator.management.commandline import UNUSABLE, aligned
from estimator.price_books.catalogue import CatalogueError, Made, made
from estimator.price_books.catalogue.build import ANOTHER_SERVICE
from estimator.price_books.folders import folders
from estimator.price_books.regions import area

from .files import book_named, place_for, shelve, text_of


def arguments(parser: ArgumentParser) -> None:
    """Add the file and the options for its import."""
    parser.add_argument("file", metavar="FILE", help="what services.skus.list answers; several pages may stand in it")
    options(parser)


def options(parser: ArgumentParser) -> None:
    """Add the options for the book's name, date and default values."""
    day = "the prices in effect on this day (default: today, UTC)"
    parser.add_argument("--date", type=datetime.date.fromisoformat, help=day)
    parser.add_argument("--name", help="what designs call the book (default: bigtable-DATE-catalog)")
    parser.add_argument("--out", metavar="FILE", help="where to (default: the folder that designs find books in)")
    network = "take network prices that the catalogue lacks from this book, with their own sources"
    parser.add_argument("--network-from", metavar="BOOK", help=network)
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(options: dict[str, Any]) -> Iterator[str]:
    """Build the book."""
    yield from book_from(text_of(options["file"]), options)


def book_from(text: str, options: dict[str, Any]) -> Iterator[str]:
    """Build the book from a catalogue's text, store it, and yield what was left out."""
    name, path = place_for(options["name"], options["out"])
    besides = book_named(options["network_from"]) if options["network_from"] else None
    today = datetime.datetime.now(datetime.UTC).date()
    try:
        found = made(text, day=options["date"] or today, seen=today, name=name, besides=besides)
    except CatalogueError as error:
        raise CommandError(str(error), returncode=UNUSABLE) from error
    path, new = shelve(found.book, found.text, path)
    yield _as_json(found, path) if options["json"] else "\n".join(_for_people(found, path, new=new))


def _as_json(found: Made, path: Path) -> str:
    left = [
        {"sku": one.sku, "description": one.description, "where": one.where, "why": one.why} for one in found.left_out
    ]
    prices = sum(map(len, found.book.prices.values()))
    return json.dumps({"book": found.book.name, "file": str(path), "prices": prices, "left_out": left}, indent=1)


def _for_people(found: Made, path: Path, *, new: bool) -> Iterator[str]:
    book = found.book
    regions = len({where for _, where in book.prices if area(where) and ">" not in where})
    prices = sum(map(len, book.prices.values()))
    state, places = "" if new else "unchanged, ", "1 region" if regions == 1 else f"{regions} regions"
    yield f"{path}: {state}{prices} prices in {book.currency}, of {places}"
    if path.parent.resolve() not in {folder.resolve() for folder in folders()}:
        yield f"Designs find it by its name once it lies in {folders()[0]}."
    else:
        yield f'A design is priced with it when its instance.price_book is "{book.name}".'
        yield f"What that changes: prices reprice FILE --book {book.name}"
    if not any(sku.startswith("network.") for sku, _ in book.prices):
        yield "It has no network prices, so traffic stays open: --network-from BOOK takes them from another book."
    left = [one for one in found.left_out if not one.why.startswith(ANOTHER_SERVICE)]
    if left:
        yield f"Left out, {len(left)} of the catalogue's SKUs:"
        yield aligned([(one.sku, one.description, one.where, one.why) for one in left])
    if elsewhere := len(found.left_out) - len(left):
        yield f"Left out, {elsewhere:,} SKUs of other services than Bigtable (--json lists them)"
