"""`prices import FILE`: a dated book from the JSON of the Cloud Billing Catalog."""

import datetime
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from designer.management.base import CommandError
from estimator.management.commandline import UNUSABLE, align_columns, with_format
from estimator.management.days import parse_day
from estimator.price_books.catalogue import CatalogueError, ImportedBook, build_price_book
from estimator.price_books.catalogue.build import ANOTHER_SERVICE
from estimator.price_books.folders import book_folders
from estimator.price_books.regions import area

from .files import load_named_book, place_for, shelve, text_of


def arguments(parser: ArgumentParser) -> None:
    """Add the file and the options for its import."""
    parser.add_argument("file", metavar="FILE", help="an answer of services.skus.list, with one or more pages")
    options(parser)


def options(parser: ArgumentParser) -> None:
    """Add the options for the book's name, date and default values."""
    day = "the prices in effect on this day (default: today, UTC)"
    parser.add_argument("--date", type=parse_day, help=day)
    parser.add_argument("--name", help="what designs call the book (default: bigtable-DATE-catalog)")
    parser.add_argument("--out", metavar="FILE", help="where to (default: the folder that designs find books in)")
    network = "take network prices that the catalogue lacks from this book, with their own sources"
    parser.add_argument("--network-from", metavar="BOOK", help=network)
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(options: dict[str, Any]) -> Iterator[str]:
    """Build the book."""
    yield from build_and_store(text_of(options["file"]), options)


def build_and_store(text: str, options: dict[str, Any]) -> Iterator[str]:
    """Build the book from a catalogue's text, store it, and yield what was left out."""
    name, path = place_for(options["name"], options["out"])
    besides = load_named_book(options["network_from"]) if options["network_from"] else None
    today = datetime.datetime.now(datetime.UTC).date()
    try:
        result = build_price_book(text, day=options["date"] or today, read_on=today, name=name, besides=besides)
    except CatalogueError as error:
        raise CommandError(str(error), returncode=UNUSABLE) from error
    path, new = shelve(result.book, result.text, path)
    yield _as_json(result, path) if options["json"] else "\n".join(_for_people(result, path, new=new))


def _as_json(imported: ImportedBook, path: Path) -> str:
    skipped_skus = [
        {"sku": omission.sku, "description": omission.description, "where": omission.where, "why": omission.why}
        for omission in imported.left_out
    ]
    prices = sum(map(len, imported.book.prices.values()))
    data = {"book": imported.book.name, "file": str(path), "prices": prices, "left_out": skipped_skus}
    return json.dumps(with_format("prices-import", data), indent=1)


def _for_people(imported: ImportedBook, path: Path, *, new: bool) -> Iterator[str]:
    book = imported.book
    regions = len({where for _, where in book.prices if area(where) and ">" not in where})
    prices = sum(map(len, book.prices.values()))
    state, places = "" if new else "unchanged, ", "1 region" if regions == 1 else f"{regions} regions"
    yield f"{path}: {state}{prices} prices in {book.currency}, of {places}"
    if path.parent.resolve() not in {folder.resolve() for folder in book_folders()}:
        yield f"Designs find it by its name once it lies in {book_folders()[0]}."
    else:
        yield f'A design is priced with it when its instance.price_book is "{book.name}".'
        yield f"What that changes: prices reprice FILE --book {book.name}"
    if not any(sku.startswith("network.") for sku, _ in book.prices):
        yield "It has no network prices, so traffic stays open: --network-from BOOK takes them from another book."
    skipped_skus = [omission for omission in imported.left_out if not omission.why.startswith(ANOTHER_SERVICE)]
    if skipped_skus:
        yield f"Left out, {len(skipped_skus)} of the catalogue's SKUs:"
        yield from align_columns(
            [(omission.sku, omission.description, omission.where, omission.why) for omission in skipped_skus]
        )
    if elsewhere := len(imported.left_out) - len(skipped_skus):
        yield f"Left out, {elsewhere:,} SKUs of other services than Bigtable (--json lists them)"
