"""`keywright diff A B`: what changed between two designs, and what it leads to."""

import json
import os
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from designer.document import Spec
from designer.management.base import CommandError
from designer.wording.formatting import english
from designer.wording.printable import printable, printable_json, printable_lines
from estimator.advice.questions import lint
from estimator.comparison.designs import Comparison, DesignWithEstimate, align, compare
from estimator.comparison.designs.fail_conditions import (
    FailCondition,
    InvalidFailConditionError,
    parse_fail_condition,
    violated_conditions,
)
from estimator.comparison.designs.github import github_comment, github_report, problem_report
from estimator.comparison.designs.nothing import NOTHING, empty_counterpart
from estimator.comparison.designs.plain_data import as_data
from estimator.comparison.designs.report import as_text
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.management.commandline import (
    FOUND,
    UNUSABLE,
    USABLE,
    FileCommand,
    check_standard_input,
    file_context,
    read_design,
)
from estimator.management.days import add_today
from estimator.management.git_changes import changed_designs, fork_commit, read_after, read_before

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
        files = (
            f"the design as it was and as it is now; - reads standard input, {os.devnull} stands for none. "
            "With --since: files, folders or patterns such as '**/*.keywright.*' (default: all designs)"
        )
        parser.add_argument("files", metavar="FILE", nargs="*", help=files)
        since = "compare with what git has at REVISION, or where the work parted from it"
        parser.add_argument("--since", metavar="REVISION", help=since)
        forms = parser.add_mutually_exclusive_group()
        forms.add_argument("--format", choices=FORMATS, default="text", help="what to print (default: text)")
        forms.add_argument("--json", dest="format", action="store_const", const="json", help="--format json")
        parser.add_argument(
            "--path", help="the design's path in its repository, where the files are copies of it; names the report"
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

    def handle(self, *, files: list[str], since: str | None, **options: Any) -> None:
        """Print the differences between two designs, or between all designs and an earlier revision of them."""
        limits = tuple(_limit(word) for option in options["fail_on"] for word in option.split(","))
        compare_pair = PairComparer(file_context(options["today"]), limits, options["format"], options["together"])
        if since is not None:
            self._compare_since(since, files, compare_pair)
        check_standard_input(files)
        if len(files) != 2:
            raise CommandError("name two designs", returncode=UNUSABLE)
        names = [NOTHING if file in MISSING else options["path"] or file for file in files]
        day = compare_pair.context.today
        was, now = (None if file in MISSING else self.read(file, today=day)[1] for file in files)
        report, is_bad = compare_pair((names[0], names[1]), was, now)
        self.stdout.write(report)
        raise SystemExit(FOUND if is_bad else USABLE)

    def _compare_since(self, revision: str, files: Sequence[str], compare_pair: "PairComparer") -> NoReturn:
        """Print what became of each changed design; one that cannot be used hides no other."""
        if compare_pair.form == "json":
            raise CommandError("--since has no JSON form: compare two files", returncode=UNUSABLE)
        commit, day = fork_commit(revision), compare_pair.context.today
        reports, code = list[str](), USABLE
        for file in changed_designs(commit, files):
            was, now = file.before, file.after
            try:
                # `and` keeps None and "" as they are: a design that is new or deleted has one side only.
                sides = (
                    was and read_design(read_before(commit, was), was, today=day),
                    now and read_design(read_after(now), now, today=day),
                )
                report, is_bad = compare_pair((was or NOTHING, now or NOTHING), sides[0] or None, sides[1] or None)
                reports.append(report)
                code = max(code, FOUND if is_bad else USABLE)
            except CommandError as error:
                self.stderr.write(printable_lines(str(error)))
                # In the report as well, as a comment in a pull request shows nothing of standard error.
                reports.append(problem_report(now or was or "", str(error)))
                code = UNUSABLE
        self.stdout.write(github_comment(reports) if compare_pair.form == "github" else "\n\n".join(reports))
        raise SystemExit(code)


@dataclass(frozen=True)
class PairComparer:
    """Compares two designs in one way."""

    context: Context
    limits: tuple[FailCondition, ...]
    form: str
    together: bool

    def __call__(self, names: tuple[str, str], before: Spec | None, after: Spec | None) -> tuple[str, bool]:
        """Return the report on two designs, of which one may be missing, and whether a limit is broken."""
        comparison = _comparison(before, after, self._side, together=self.together)
        violations = [english(text.message, text.params) for text in violated_conditions(comparison, self.limits)]
        return FORMATS[self.form](comparison, names, violations), bool(violations)

    def _side(self, spec: Spec) -> DesignWithEstimate:
        figures = estimate(spec, self.context)
        return DesignWithEstimate(spec, figures, lint(spec, figures, self.context))


def _comparison(
    before: Spec | None, after: Spec | None, side: Callable[[Spec], DesignWithEstimate], *, together: bool
) -> Comparison:
    """Return both designs compared; of a design that is new or deleted, all changes at once."""
    if before is None or after is None:
        there = before or after
        if there is None:
            raise CommandError("neither of the two designs is there", returncode=UNUSABLE)
        existing = side(there)
        nothing = empty_counterpart(existing, side)
        sides = (existing, nothing) if after is None else (nothing, existing)
        return compare(*sides, alignment=align(sides[0].spec, sides[1].spec))
    alignment = align(before, after)
    return compare(side(before), side(alignment.spec), alignment=alignment, compute=None if together else side)


def _text_report(comparison: Comparison, names: tuple[str, str], violations: Sequence[str]) -> str:
    return "".join([as_text(comparison, names), *(f"\n\nfails: {printable(sentence)}" for sentence in violations)])


def _json_report(comparison: Comparison, names: tuple[str, str], violations: Sequence[str]) -> str:
    return printable_json(json.dumps({**as_data(comparison), "failed": violations}, indent=1, ensure_ascii=False))


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
