"""`manage.py advise FILE --table T`: other keys for a table's rows, each with what it would do and what must change."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from designer.document.money import Money
from designer.document.texts import Text
from designer.wording.formatting import english, format_value
from designer.wording.printable import printable
from estimator.advice.advisor import MOST, Advice, Candidate, advise
from estimator.management.commandline import FileCommand, align_columns, file_context, find_table, with_format
from estimator.management.days import add_today
from estimator.presentation.advice_data import advice_data
from estimator.presentation.locations import element_path

HEAD = ("", "key", "busiest", "can grow", "node time", "largest", "errors", "warnings", "a month")


class Command(FileCommand):
    """Prints the present key and the best candidates, measured alike; `--json` with the edit of each."""

    help = "Advise on the row keys of a table. Exit code: 0, or 2 for unusable input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the table and the number of keys to try."""
        super().add_arguments(parser)
        parser.add_argument("--table", metavar="T", help="name or id; needed where the design has several tables")
        parser.add_argument("--most", type=int, default=MOST, metavar="N", help=f"keys to try (default: {MOST})")
        add_today(parser)

    def handle(self, *, file: str, **options: Any) -> None:
        """Advises on every row kind of the table."""
        context = file_context(options["today"])
        _, spec = self.read(file, today=context.today)
        table = find_table(spec, options["table"])
        advices = [advise(spec, kind.id, context, maximum=options["most"]) for kind in table.row_kinds]
        if options["json"]:
            self.stdout.write(
                json.dumps(with_format("advise", {"row_kinds": list(map(advice_data, advices))}), indent=1)
            )
            return
        for advice in advices:
            self.stdout.write(printable(f"{element_path(spec, advice.kind)}: {advice.tried} other keys tried"))
            self.stdout.write("\n".join(map(printable, _lines(advice))))


def _lines(advice: Advice) -> Iterator[str]:
    every = [*([advice.present] if advice.present else []), *advice.candidates]
    if every:
        rows = [_row(entry, advice, place) for place, entry in enumerate(every)]
        yield from align_columns([HEAD, *rows], right=range(2, len(HEAD)))
    for place, candidate in enumerate(every):
        for sign, texts in (("+", candidate.why), ("!", candidate.unsafe)):
            for text in texts:
                yield f"  {place} {sign} {_cell_text(text)}"
    for because in advice.missing:
        yield f"  open: {english(because.message, because.params)}"


def _cell_text(text: Text) -> str:
    return english(text.message, text.params)


def _row(candidate: Candidate, advice: Advice, place: int) -> tuple[str, ...]:
    m = candidate.measures
    sign = "now" if place == 0 else f"{place} {'better' if candidate.better else 'trade-off'}"
    return (
        sign,
        candidate.text,
        format_value("factor", m.burden),
        format_value("factor", m.reachable_factor),
        format_value("share", m.node_share),
        format_value("bytes", m.largest_bytes),
        str(m.errors),
        str(m.warnings),
        "–" if m.cost is None else english("{month_cost}", {"month_cost": Money(m.cost, advice.currency)}),
    )
