"""`manage.py diff A.json B.json`: what changed between two designs, and what it leads to."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from designer.document import Spec
from designer.wording.formatting import english
from designer.wording.printable import printable, printable_json
from estimator.advice.questions import lint
from estimator.comparison.designs import DesignWithEstimate, align, compare
from estimator.comparison.designs.fail_conditions import (
    FailCondition,
    InvalidFailConditionError,
    parse_fail_condition,
    violated_conditions,
)
from estimator.comparison.designs.plain_data import as_data
from estimator.comparison.designs.report import as_markdown, as_text
from estimator.estimates.estimate import estimate
from estimator.management.commandline import FOUND, UNUSABLE, USABLE, FileCommand, add_today, file_context


class Command(FileCommand):
    """Prints the comparison and ends with 1 where something that `--fail-on` names has happened."""

    help = (
        "Compare two designs: what changed, and what each change leads to (stored keys, reads, findings, money). "
        "Exit code: 0, or 1 where a limit of --fail-on is broken, or 2 for unusable input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Both files, the form, what fails."""
        parser.add_argument("before", metavar="A", help="the design as it was, as JSON; - reads standard input")
        parser.add_argument("after", metavar="B", help="the design as it is now")
        forms = parser.add_mutually_exclusive_group()
        forms.add_argument("--json", action="store_true", help="print JSON instead of text")
        forms.add_argument("--markdown", action="store_true", help="print Markdown, for a pull request")
        parser.add_argument(
            "--fail-on",
            metavar="LIMIT",
            action="append",
            default=[],
            help="end with 1 on: cost (any rise of the monthly bill), cost:+5%%, cost:+100 (in its currency; each also "
            "where a line comes that has no price, or the bills cannot be compared), findings (any that come and are "
            "not accepted), errors, warnings or notes (so grave or graver), keys (stored keys must be rewritten), "
            "scans (a read comes to scan a whole table); may be given several times or with commas",
        )
        together = "compute all changes at once, not what each leads to: quicker"
        parser.add_argument("--together", action="store_true", help=together)
        add_today(parser)

    def handle(self, *, before: str, after: str, **options: Any) -> None:
        """Print the differences between two designs."""
        limits = tuple(_limit(word) for given in options["fail_on"] for word in given.split(","))
        if before == after == "-":
            raise CommandError("only one of the two can be standard input", returncode=UNUSABLE)
        context = file_context(options["today"])
        specs = [self.read(file, today=context.today)[1] for file in (before, after)]

        def side(spec: Spec) -> DesignWithEstimate:
            made = estimate(spec, context)
            return DesignWithEstimate(spec, made, lint(spec, made, context))

        alignment = align(*specs)
        sides = side(specs[0]), side(alignment.spec)
        found = compare(*sides, alignment=alignment, compute=None if options["together"] else side)
        broken = [english(text.message, text.params) for text in violated_conditions(found, limits)]
        if options["json"]:
            told = json.dumps({**as_data(found), "failed": broken}, indent=1, ensure_ascii=False)
            self.stdout.write(printable_json(told))
        else:
            write = as_markdown if options["markdown"] else as_text
            self.stdout.write(write(found, (before, after)))
            sign = "\n❌ " if options["markdown"] else "\nfails: "
            for sentence in broken:
                self.stdout.write(f"{sign}{printable(sentence)}")
        raise SystemExit(FOUND if broken else USABLE)


def _limit(word: str) -> FailCondition:
    try:
        return parse_fail_condition(word.strip())
    except InvalidFailConditionError as error:
        raise CommandError(f"--fail-on {error}", returncode=UNUSABLE) from error
