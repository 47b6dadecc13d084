"""`manage.py advise FILE --table T`: other keys for a table's rows, each with what it would do and what must change."""

import datetime
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from designer.document.money import Money
from designer.document.texts import Text
from designer.wording.formatting import english, formatted
from estimator.advice.advisor import MOST, Advice, Candidate, advise
from estimator.management.commandline import FileCommand, aligned, file_context, table_named
from estimator.presentation.locations import place_of
from estimator.presentation.plain_data import plain

HEAD = ("", "key", "busiest", "can grow", "node time", "largest", "errors", "warnings", "a month")


class Command(FileCommand):
    """Prints the present key and the best candidates, measured alike; `--json` with the edit of each."""

    help = "Advise on the row keys of a table. Exit code: 0, or 2 for unusable input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the table and the number of keys to try."""
        super().add_arguments(parser)
        parser.add_argument("--table", metavar="T", help="name or id; needed where the design has several tables")
        parser.add_argument("--most", type=int, default=MOST, metavar="N", help=f"keys to try (default: {MOST})")
        day = "the day on which accepted risks are judged (default: today, UTC)"
        parser.add_argument("--today", type=datetime.date.fromisoformat, help=day)

    def handle(self, *, file: str, **options: Any) -> None:
        """Advises on every row kind of the table."""
        _, spec = self.read(file)
        table = table_named(spec, options["table"])
        context = file_context(options["today"])
        found = [advise(spec, kind.id, context, most=options["most"]) for kind in table.row_kinds]
        if options["json"]:
            self.stdout.write(json.dumps([_data(advice) for advice in found], indent=1))
            return
        for advice in found:
            self.stdout.write(f"{place_of(spec, advice.kind)}: {advice.tried} other keys tried")
            self.stdout.write("\n".join(_lines(advice)))


def _lines(advice: Advice) -> Iterator[str]:
    every = [*([advice.present] if advice.present else []), *advice.candidates]
    if every:
        rows = [_row(one, advice, place) for place, one in enumerate(every)]
        yield aligned([HEAD, *rows], right=range(2, len(HEAD)))
    for place, one in enumerate(every):
        for sign, texts in (("+", one.why), ("!", one.unsafe)):
            for text in texts:
                yield f"  {place} {sign} {_said(text)}"
    for because in advice.missing:
        yield f"  open: {english(because.message, because.params)}"


def _said(text: Text) -> str:
    return english(text.message, text.params)


def _row(one: Candidate, advice: Advice, place: int) -> tuple[str, ...]:
    m = one.measures
    sign = "now" if place == 0 else f"{place} {'better' if one.better else 'trade-off'}"
    return (
        sign,
        one.text,
        formatted("factor", m.burden),
        formatted("factor", m.reachable_factor),
        formatted("share", m.node_share),
        formatted("bytes", m.largest_bytes),
        str(m.errors),
        str(m.warnings),
        "–" if m.cost is None else english("{month_cost}", {"month_cost": Money(m.cost, advice.currency)}),
    )


def _data(advice: Advice) -> dict[str, Any]:
    """Without the load of every range and window, and the row kind, which the edit makes."""
    every = [*([advice.present] if advice.present else []), *advice.candidates]
    keys = [
        {
            "key": one.text,
            "better": one.better,
            "only_the_key_changes": one.safe if one.edit else None,
            "why": [_said(text) for text in one.why],
            "unsafe": [_said(text) for text in one.unsafe],
            "measures": plain(one.measures),
            "edit": plain(one.edit),
        }
        for one in every
    ]
    missing = [english(because.message, because.params) for because in advice.missing]
    return {
        "row_kind": advice.kind,
        "tried": advice.tried,
        "currency": advice.currency,
        "present": keys[0] if advice.present else None,
        "candidates": keys[1:] if advice.present else keys,
        "missing": missing,
    }
