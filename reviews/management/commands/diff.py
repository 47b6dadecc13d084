"""`keywright diff A B`: what changed between two designs, and what it leads to."""

import json
import os
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.management.base import CommandError

from designer.document import Spec
from designer.wording.formatting import english
from designer.wording.printable import printable, printable_json
from estimator.advice.questions import lint
from estimator.comparison.designs import Comparison, DesignWithEstimate, align, compare
from estimator.comparison.designs.fail_conditions import (
    FailCondition,
    InvalidFailConditionError,
    parse_fail_condition,
    violated_conditions,
)
from estimator.comparison.designs.github import github_report
from estimator.comparison.designs.nothing import NOTHING, nothing_beside
from estimator.comparison.designs.plain_data import as_data
from estimator.comparison.designs.report import as_text
from estimator.estimates.estimate import estimate
from estimator.management.commandline import FOUND, UNUSABLE, USABLE, FileCommand, add_today, file_context

MISSING = {os.devnull, "/dev/null"}
"""As git names a file that is not there."""


class Command(FileCommand):
    """Prints the comparison and ends with 1 where something that `--fail-on` names has happened."""

    help = (
        "Compare two designs: what changed, and what each change leads to (stored keys, reads, findings, money). "
        "Exit code: 0, or 1 where a limit of --fail-on is broken, or 2 for unusable input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Both files, the form, what fails."""
        none = f"{os.devnull} for a design that is not there"
        parser.add_argument("before", metavar="A", help=f"the design as it was; - reads standard input, {none}")
        parser.add_argument("after", metavar="B", help="the design as it is now")
        forms = parser.add_mutually_exclusive_group()
        forms.add_argument("--format", choices=FORMATS, default="text", help="what to print (default: text)")
        forms.add_argument("--json", dest="format", action="store_const", const="json", help="--format json")
        parser.add_argument(
            "--path", help="the design's path in its repository, where A and B are copies; names the report"
        )
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

        def side(spec: Spec) -> DesignWithEstimate:
            made = estimate(spec, context)
            return DesignWithEstimate(spec, made, lint(spec, made, context))

        was, now = (None if f in MISSING else self.read(f, today=context.today)[1] for f in (before, after))
        path = options["path"]
        names = [NOTHING if file in MISSING else path or file for file in (before, after)]
        found = _comparison(was, now, side, together=options["together"])
        violations = [english(text.message, text.params) for text in violated_conditions(found, limits)]
        self.stdout.write(FORMATS[options["format"]](found, (names[0], names[1]), violations))
        raise SystemExit(FOUND if violations else USABLE)


def _comparison(
    before: Spec | None, after: Spec | None, side: Callable[[Spec], DesignWithEstimate], *, together: bool
) -> Comparison:
    """Return both designs compared; of a design that is new or deleted, all changes at once."""
    if before is None or after is None:
        there = before or after
        if there is None:
            raise CommandError("neither of the two designs is there", returncode=UNUSABLE)
        one = side(there)
        nothing = nothing_beside(one, side)
        sides = (one, nothing) if after is None else (nothing, one)
        return compare(*sides, alignment=align(sides[0].spec, sides[1].spec))
    alignment = align(before, after)
    return compare(side(before), side(alignment.spec), alignment=alignment, compute=None if together else side)


def _text_report(found: Comparison, names: tuple[str, str], violations: Sequence[str]) -> str:
    return "".join([as_text(found, names), *(f"\n\nfails: {printable(sentence)}" for sentence in violations)])


def _json_report(found: Comparison, names: tuple[str, str], violations: Sequence[str]) -> str:
    return printable_json(json.dumps({**as_data(found), "failed": violations}, indent=1, ensure_ascii=False))


FORMATS: Mapping[str, Callable[[Comparison, tuple[str, str], Sequence[str]], str]] = {
    "text": _text_report,
    "json": _json_report,
    "github": github_report,
}


def _limit(word: str) -> FailCondition:
    try:
        return parse_fail_condition(word.strip())
    except InvalidFailConditionError as error:
        raise CommandError(f"--fail-on {error}", returncode=UNUSABLE) from error
