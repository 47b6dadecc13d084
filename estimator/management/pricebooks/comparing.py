"""`prices diff OLD NEW`: figures that came, went and changed."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from designer.management.base import CommandError
from estimator.kernels.pricing import BookError, Price
from estimator.management.commandline import UNUSABLE, align_columns, with_format
from estimator.price_books.comparison import BookChanges, PriceChange, book_changes

from .files import load_named_book
from .showing import figure, volume


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments for the two books."""
    parser.add_argument("old", metavar="OLD", help="a book's name, or its file")
    parser.add_argument("new", metavar="NEW", help="a book's name, or its file")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(options: dict[str, Any]) -> Iterator[str]:
    """Says what differs."""
    old, new = load_named_book(options["old"]), load_named_book(options["new"])
    try:
        changes = book_changes(old, new)
    except BookError as error:
        raise CommandError(str(error), returncode=UNUSABLE) from error
    if options["json"]:
        parts = {name: list(map(_as_json, getattr(changes, name))) for name in ("added", "removed", "changed")}
        head = {"old": old.name, "new": new.name, "currency": new.currency}
        yield json.dumps(with_format("prices-diff", {**head, **parts}), indent=1)
        return
    yield f"{old.name} (of {old.date}) → {new.name} (of {new.date})"
    yield from _for_people(changes)


def percent(share: Decimal | None) -> str:
    """Return a change in per cent, with its sign."""
    return "" if share is None else f"{share * 100:+,.1f} %"


def _for_people(book_changes: BookChanges) -> Iterator[str]:
    rows = []
    for sign, changes in (("~", book_changes.changed), ("+", book_changes.added), ("-", book_changes.removed)):
        for change in changes:
            figures = " → ".join(figure(price) for price in (change.old, change.new) if price is not None)
            where = change.any_price.where or "everywhere"
            rows.append(
                (
                    sign,
                    change.any_price.sku,
                    where,
                    volume(change.any_price),
                    figures,
                    change.any_price.unit,
                    percent(change.share),
                )
            )
    if rows:
        yield from align_columns(rows, right=[4, 6])
    counts = (
        f"{len(book_changes.changed)} changed, {len(book_changes.added)} added, {len(book_changes.removed)} removed"
    )
    yield counts if rows else "no figure differs"


def _as_json(change: PriceChange) -> dict[str, Any]:
    price = change.any_price
    return {
        "sku": price.sku,
        "where": price.where,
        "unit": price.unit,
        "from_gb": str(price.from_gb),
        "old": _amount(change.old),
        "new": _amount(change.new),
        "share": None if change.share is None else f"{change.share:.6f}",
    }


def _amount(price: Price | None) -> str | None:
    return None if price is None else str(price.amount)
