"""`prices reprice FILE`: what another book makes of a design's bill; `--write` lets the design name that book."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from designer.document import Spec
from designer.document.edits import apply
from designer.document.load import is_compact, load
from designer.document.money import Money
from designer.document.validation_errors import InvalidDocumentError
from designer.management.base import CommandError
from designer.management.writing import write_atomically
from designer.wording.formatting import english
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.kernels.pricing import BookError, PriceBook, Repricing, reprice
from estimator.management.commandline import UNUSABLE, align_columns, current_day, file_context, with_format
from estimator.management.design_files import canonical_text
from estimator.presentation.plain_data import to_plain
from estimator.price_books.shelf import load_book
from estimator.results import BillLine

from .files import load_named_book, text_of


def arguments(parser: ArgumentParser) -> None:
    """Add the arguments for the design, the book and writing the change."""
    parser.add_argument("file", metavar="FILE", help="a design as JSON or YAML; - reads standard input")
    parser.add_argument("--book", help="the book to price it with (default: the newest of its engine and currency)")
    parser.add_argument("--write", action="store_true", help="let the design name that book, in its file")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(options: dict[str, Any]) -> Iterator[str]:
    """Says old against new by line; changes the file only with `--write`."""
    file = options["file"]
    if options["write"] and file == "-":
        raise CommandError("--write needs a file: standard input cannot be written", returncode=UNUSABLE)
    text = text_of(file)
    spec = _design(text, file)
    context = file_context()
    old = _book(spec, context)
    new = load_named_book(options["book"]) if options["book"] else _newest(spec, old, context)
    if new.engine != spec.engine:
        raise CommandError(f"{new.name} is for {new.engine}, not for {spec.engine}", returncode=UNUSABLE)
    found = reprice(spec, estimate(spec, context), old=old, new=new)
    if found is None:
        raise CommandError("the design has no table, so there is no bill to compare", returncode=UNUSABLE)
    changed, _ = apply(spec, found.edit)
    yield _as_json(found) if options["json"] else "\n".join(_for_people(spec, found))
    if options["write"] and changed is not spec:
        try:
            # --book can be a file that is on no shelf. A design that named it could not be priced any more.
            load_book(new.name, engine=spec.engine)
            form = "yaml" if is_compact(text, file) else "json"
            write_atomically(Path(file), canonical_text(text, changed, form, file).encode())
        except (OSError, BookError) as error:
            raise CommandError(f"{file} is left as it is: {error}", returncode=UNUSABLE) from error
        if not options["json"]:
            yield f"{file}: written"


def _newest(spec: Spec, old: PriceBook, context: Context) -> PriceBook:
    return context.price_books.newest(spec.engine, old.currency, today=context.today) or old


def _design(text: str, file: str) -> Spec:
    try:
        return load(text, name="" if file == "-" else file).with_default_start(current_day())
    except InvalidDocumentError as error:
        raise CommandError(str(error), returncode=UNUSABLE) from error


def _book(spec: Spec, context: Context) -> PriceBook:
    try:
        return context.price_books.load_for(spec)
    except BookError as error:
        raise CommandError(str(error), returncode=UNUSABLE) from error


def _for_people(spec: Spec, found: Repricing) -> Iterator[str]:
    old, new = found.old_book, found.new_book
    pinned = spec.instance.price_book is not None
    yield f"{spec.name or 'The design'}: priced with {old.name} of {old.date}{'' if pinned else ', by default'}"
    yield f"{new.name} of {new.date}, month {found.new.month + 1}:"
    if found.is_comparable:
        rows = [
            (
                english(c.line.label, c.line.params),
                _cost(found, c.old),
                _cost(found, c.new),
                _signed_text(found, c.difference),
            )
            for c in found.lines
        ]
        total = ("total", _total(found, old=True), _total(found, old=False), _signed_text(found, found.difference))
        yield from align_columns([("line", "old", "new", "difference"), *rows, total], right=[1, 2, 3])
        # Lines that only one book prices are said apart: as a difference, they would look like a change of price.
        yield from _gaps(found)
    else:
        totals = f"{_total(found, old=True)} and {_total(found, old=False)}"
        yield f"  {totals}: nothing is converted, so they are not compared"
    if spec.instance.price_book == new.name:
        yield f"The design names {new.name} already."
    else:
        yield f'edit: set instance.price_book to "{new.name}" (it was {"unset" if not pinned else old.name})'


def _gaps(found: Repricing) -> Iterator[str]:
    if found.newly_priced_count:
        yield (
            f"  {found.newly_priced_count} more lines have a price with {found.new_book.name}; they are in no "
            "difference"
        )
    if found.unpriced_count:
        yield f"  {found.unpriced_count} fewer lines have a price with {found.new_book.name}; they are in no difference"


def _cost(found: Repricing, line: BillLine | None) -> str:
    return "-" if line is None else "no price" if line.cost is None else str(found.old.money(line.cost))


def _total(found: Repricing, *, old: bool) -> str:
    bill = found.old if old else found.new
    return f"{'≥ ' if bill.open_lines else ''}{bill.money(bill.total)}"


def _signed_text(found: Repricing, difference: Any) -> str:
    if difference is None:
        return "?"
    return f"{'+' if difference > 0 else ''}{Money(difference, found.new.currency)}"


def _as_json(found: Repricing) -> str:
    lines = [
        {
            "item": c.line.item, "at": c.line.at, "where": c.line.where, "old": c.old and c.old.cost,
            "new": c.new and c.new.cost, "difference": c.difference,
        }
        for c in found.lines
    ]  # fmt: skip
    said = {
        "old_book": found.old_book.name,
        "new_book": found.new_book.name,
        "old_currency": found.old.currency,
        "new_currency": found.new.currency,
        "old_total": found.old.total,
        "new_total": found.new.total,
        "difference": found.difference,
        "gained_prices": found.newly_priced_count,
        "lost_prices": found.unpriced_count,
        "lines": lines,
        "edit": found.edit.model_dump(mode="json"),
    }
    return json.dumps(with_format("prices-reprice", to_plain(said)), indent=1)
