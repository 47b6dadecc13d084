"""`keywright propose SENTENCE …`: whole schemas for what an application does; the design of one of them as YAML."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, get_args

from designer.application.reading import SentencesError, read_application
from designer.document import Engine, Spec
from designer.management.base import CommandError, FilesCommand
from designer.wording import key_of
from designer.wording.formatting import english
from designer.wording.printable import printable
from estimator.advice.schemas import ProposedSchema, SchemaAdvice, empty_design, nearest_rows, search_schemas
from estimator.estimates.context import Context
from estimator.management.commandline import UNUSABLE, align_columns, file_context
from estimator.management.days import add_today
from estimator.presentation.advice_data import design_text, schemas_data


class Command(FilesCommand):
    """Prints two or three schemas, the recommended one first; `--take N` prints one of them as a design."""

    help = (
        "Propose whole schemas for what an application does, a sentence for each thing that is written or read: "
        "'200,000 devices each report every 10 s, kept 90 days' 'show the latest of one device 50/s'. "
        "Exit code: 0, or 2 for sentences that are not understood."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the sentences and what the schemas are for."""
        parser.add_argument("sentences", metavar="SENTENCE", nargs="+", help="- reads standard input, one on each line")
        parser.add_argument("--engine", choices=get_args(Engine), default=Spec().engine, help="default: %(default)s")
        parser.add_argument("--region", default="", help="region of the instance, such as europe-west1")
        parser.add_argument("--name", default="", help="name of the design")
        parser.add_argument("--take", type=int, metavar="N", help="print the design of schema N as YAML")
        parser.add_argument("--json", action="store_true", help="print JSON instead of text")
        add_today(parser)

    def handle(self, *, sentences: list[str], **options: Any) -> None:
        """Search and print."""
        lines = sys.stdin.read().splitlines() if sentences == ["-"] else sentences
        context = file_context(options["today"])
        advice = propose(lines, context, engine=options["engine"], region=options["region"], name=options["name"])
        choice = options["take"]
        if choice is not None:
            if not 1 <= choice <= len(advice.schemas):
                raise CommandError(f"There are {len(advice.schemas)} schemas: --take 1 to {len(advice.schemas)}.")
            self.stdout.write(design_text(advice.schemas[choice - 1].spec))
        elif options["json"]:
            self.stdout.write(json.dumps(schemas_data(advice), ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(map(printable, _lines(advice))))


def propose(lines: list[str], context: Context, *, engine: Engine, region: str, name: str) -> SchemaAdvice:
    """Return the schemas for sentences; a design starts on the context's day.

    Raises
    ------
    CommandError
        If a sentence is not understood, with its number and the nearest one.
    """
    try:
        application = read_application(lines)
    except SentencesError as error:
        problems = (english(problem.message, problem.params) for problem in error.problems)
        raise CommandError("\n".join(problems), returncode=UNUSABLE) from error
    base = empty_design(engine, region).model_copy(update={"start": context.today})
    return search_schemas(application, context, name=name, base=base)


def _lines(advice: SchemaAdvice) -> Iterator[str]:
    for number, schema in enumerate(advice.schemas, 1):
        yield from _schema_lines(number, schema)
        yield ""
    for title, texts in (("Assumed", advice.assumptions), ("Rejected", advice.rejected)):
        if texts:
            yield title
            yield from (f"  {english(text.message, text.params)}" for text in texts)
    yield f"{advice.measured_keys} keys measured. Print a design with --take N."


def _cost(schema: ProposedSchema) -> str:
    if schema.cost is None:
        return "no instance can serve this" if schema.estimate.bill is None else "no price"
    return english("at least {cost} a month" if schema.has_open_lines else "{cost} a month", {"cost": schema.cost})


def _schema_lines(number: int, schema: ProposedSchema) -> Iterator[str]:
    yield f"{number}. {_cost(schema)}"
    if schema.why:
        yield f"   {english(schema.why.message, schema.why.params)}"
    rows = [("table", "key", "index of", "writes", "a month")]
    for table, proposed in zip(schema.spec.tables, schema.tables, strict=True):
        writes = english("{writes_per_second}", {"writes_per_second": proposed.writes_per_second})
        share = "–" if proposed.cost is None else english("{cost}", {"cost": proposed.cost})
        rows.append((table.name, key_of(schema.spec, table.row_kinds[0]), proposed.index_of or "–", writes, share))
    yield from align_columns(rows, right=(3, 4), indent="   ")
    reads = [("read", "table", "served by", "rows", "in time")]
    for question in schema.questions:
        returned = english("{rows}", {"rows": nearest_rows(question.plan.rows_to_return)})
        service = question.served_by.replace("_", " ")
        reads.append((question.name, question.table, service, returned, "yes" if question.is_in_time else "no"))
    yield from align_columns(reads, right=(3,), indent="   ")
