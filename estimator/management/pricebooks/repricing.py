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
from estimator.management.commandline import UNUSABLE, align_columns, file_context, with_format
from estimator.management.days import current_day
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
    repricing = reprice(spec, estimate(spec, context), old=old, new=new)
    if repricing is None:
        raise CommandError("the design has no table, so there is no bill to compare", returncode=UNUSABLE)
    changed, _ = apply(spec, repricing.edit)
    yield _as_json(repricing) if options["json"] else "\n".join(_for_people(spec, repricing))
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


def _for_people(spec: Spec, repricing: Repricing) -> Iterator[str]:
    old, new = repricing.old_book, repricing.new_book
    pinned = spec.instance.price_book is not None
    yield f"{spec.name or 'The design'}: priced with {old.name} of {old.date}{'' if pinned else ', by default'}"
    yield f"{new.name} of {new.date}, month {repricing.new.month + 1}:"
    if repricing.is_comparable:
        rows = [
            (
                english(c.line.label, c.line.params),
                _cost(repricing, c.old),
                _cost(repricing, c.new),
                _signed_text(repricing, c.difference),
            )
            for c in repricing.lines
        ]
        total = (
            "total",
            _total(repricing, old=True),
            _total(repricing, old=False),
            _signed_text(repricing, repricing.difference),
        )
        yield from align_columns([("line", "old", "new", "difference"), *rows, total], right=[1, 2, 3])
        # Lines that only one book prices are said apart: as a difference, they would look like a change of price.
        yield from _gaps(repricing)
    else:
        totals = f"{_total(repricing, old=True)} and {_total(repricing, old=False)}"
        yield f"  {totals}: nothing is converted, so they are not compared"
    if spec.instance.price_book == new.name:
        yield f"The design names {new.name} already."
    else:
        yield f'edit: set instance.price_book to "{new.name}" (it was {"unset" if not pinned else old.name})'


def _gaps(result: Repricing) -> Iterator[str]:
    if result.newly_priced_count:
        yield (
            f"  {result.newly_priced_count} more lines have a price with {result.new_book.name}; they are in no "
            "difference"
        )
    if result.unpriced_count:
        count, book = result.unpriced_count, result.new_book.name
        yield f"  {count} fewer lines have a price with {book}; they are in no difference"


def _cost(repricing: Repricing, line: BillLine | None) -> str:
    return "-" if line is None else "no price" if line.cost is None else str(repricing.old.money(line.cost))


def _total(repricing: Repricing, *, old: bool) -> str:
    bill = repricing.old if old else repricing.new
    return f"{'≥ ' if bill.open_lines else ''}{bill.money(bill.total)}"


def _signed_text(repricing: Repricing, difference: Any) -> str:
    if difference is None:
        return "?"
    return f"{'+' if difference > 0 else ''}{Money(difference, repricing.new.currency)}"


def _as_json(repricing: Repricing) -> str:
    lines = [
        {
            "item": c.line.item, "at": c.line.at, "where": c.line.where, "old": c.old and c.old.cost,
            "new": c.new and c.new.cost, "difference": c.difference,
        }
        for c in repricing.lines
    ]  # fmt: skip
    content = {
        "old_book": repricing.old_book.name,
        "new_book": repricing.new_book.name,
        "old_currency": repricing.old.currency,
        "new_currency": repricing.new.currency,
        "old_total": repricing.old.total,
        "new_total": repricing.new.total,
        "difference": repricing.difference,
        "gained_prices": repricing.newly_priced_count,
        "lost_prices": repricing.unpriced_count,
        "lines": lines,
        "edit": repricing.edit.model_dump(mode="json"),
    }
    return json.dumps(with_format("prices-reprice", to_plain(content)), indent=1)
