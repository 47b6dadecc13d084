"""`keywright lint FILE…`: the findings of designs, for people, for programs and for CI."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from designer.document import Spec
from designer.document.edits import EditConflictError, apply
from designer.document.load import is_compact, load
from designer.management.base import CommandError
from designer.wording.printable import printable_lines
from estimator.advice.questions import RuleFailure, lint
from estimator.comparison.fixes import findings_added_by
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.management.commandline import FAILED, FOUND, UNUSABLE, USABLE, FileCommand, add_today, file_context
from estimator.management.design_files import canonical_text, find_designs
from estimator.presentation.lint_reports import (
    FORMATS,
    CheckedDesign,
    UncheckedFile,
    lines_of_elements,
    report,
)
from estimator.presentation.lint_reports.line_changes import FileLines, line_changes
from estimator.results import Finding, each_finding

MOST_FIXES = 20
"""A design is checked again with so many fixes, of the gravest findings: each takes about a tenth of a second."""
WITH_FIXES = ("text", "json", "sarif")
"""Formats that tell fixes."""
REPORT = "This is an error in Keywright, not in the design."
LEVELS = ("note", "warning", "error")


class Command(FileCommand):
    """Prints what the rules find and ends with 1 where something is at or above `--fail-on`."""

    help = (
        "Check designs against every rule. Exit code: 0 nothing at or above --fail-on, 1 found, 2 unusable input, "
        "3 a rule or the estimate failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files, the options for output and those for failure."""
        files = (
            "a design (JSON or YAML), a folder of *.keywright.json and .yaml, or a pattern such as '**/*.keywright.*'; "
        )
        parser.add_argument("files", metavar="FILE", nargs="+", help=f"{files}- reads standard input")
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--format", choices=FORMATS, default="text", help="what to print (default: text)")
        for name in ("json", "sarif"):
            form.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=f"--format {name}")
        parser.add_argument("--baseline", metavar="FILE", help="leave out what an earlier --format json has in FILE")
        parser.add_argument(
            "--fail-on",
            choices=(*LEVELS, "never"),
            default="warning",
            help="lowest severity that fails (default: warning)",
        )
        add_today(parser)

    def handle(self, *, files: list[str], baseline: str | None, **options: Any) -> None:
        """Print the findings; accepted ones are shown but never fail. A file that cannot be used hides no other."""
        only_new = _baseline_filter(baseline) if baseline else None
        context = file_context(options["today"])
        checked: list[CheckedDesign] = []
        refused: dict[str, CommandError] = {}
        for file in find_designs(files):
            try:
                text, spec = self.read(file, today=context.today)
                design = check_design(file, text, spec, context, with_fixes=options["format"] in WITH_FIXES)
                if options["format"] == "sarif":
                    design = replace(design, fixed=_lines_of_fixes(file, text, design.findings))
            except CommandError as error:
                refused[file] = error
            else:
                checked.append(design if only_new is None else only_new(design))
        # A file of a report that is not written, or empty, is an error of its own to those that read it.
        if checked or options["format"] != "text":
            unchecked = [
                UncheckedFile.of_error(file, error, is_failure=error.returncode == FAILED)
                for file, error in refused.items()
            ]
            self.stdout.write(report(options["format"], checked, unchecked))
        # A command about one file behaves as the other commands do: the error itself decides the exit code.
        if not checked and len(refused) == 1:
            raise next(iter(refused.values()))
        for sentence in (*refused.values(), *(failure for design in checked for failure in design.failures)):
            self.stderr.write(printable_lines(str(sentence)))
        raise SystemExit(_exit_code(checked, list(refused.values()), options["fail_on"]))


def check_design(file: str, text: str, spec: Spec, context: Context, *, with_fixes: bool = False) -> CheckedDesign:
    """Return what the rules find in a design, and what fixes add to it; rules that fail are named in it.

    Raises
    ------
    CommandError
        If the estimate fails.
    """
    failures: list[RuleFailure] = []
    try:
        figures = estimate(spec, context)
        findings = lint(spec, figures, context, failures)
    except Exception as error:
        reason = f"{file} could not be checked: {_reason(error)}. {REPORT}"
        raise CommandError(reason, returncode=FAILED) from error
    reasons = (*figures.because, *(reason for part in figures.tables.values() for reason in part.because))
    unknown = {(reason.message, reason.at): reason for reason in reasons}  # tables can lack the same
    sentences = tuple(_failure_text(failure) for failure in failures)
    return CheckedDesign(
        file,
        spec,
        lines_of_elements(text, spec, file),
        findings,
        tuple(unknown.values()),
        figures.missing_inputs if spec.tables else figures.because,
        sentences,
        added=_added_by_fixes(spec, findings, context) if with_fixes else {},
    )


def _added_by_fixes(
    spec: Spec, findings: tuple[Finding, ...], context: Context
) -> dict[tuple[str, str], tuple[Finding, ...]]:
    """Return the errors and warnings that the first fixes add, by rule and element of their findings."""
    fixes = {(finding.rule, finding.at): finding.fix for finding in each_finding(findings) if finding.fix is not None}
    added: dict[tuple[str, str], tuple[Finding, ...]] = {}
    # Findings are in order of gravity, so the first fixes are those of the gravest.
    for place, fix in islice(fixes.items(), MOST_FIXES):
        with suppress(Exception):  # a rule fails on the changed design: what the fix adds is not known
            more = findings_added_by(spec, findings, fix, context)
            added |= {} if more is None else {place: more}
    return added


def _lines_of_fixes(
    file: str, text: str, findings: tuple[Finding, ...]
) -> Mapping[tuple[str, str], tuple[FileLines, ...]]:
    """Return the lines that the first fixes change, by rule and element; of a file that ends within a line, none."""
    spec = load(text, name="" if file == "-" else file)  # as it is written, without a start that is assumed
    form = "yaml" if is_compact(text, file) else "json"
    # The same choice as `_added_by_fixes` makes.
    fixes = {(finding.rule, finding.at): finding.fix for finding in each_finding(findings) if finding.fix is not None}
    lines = dict[tuple[str, str], tuple[FileLines, ...]]()
    for place, fix in islice(fixes.items(), MOST_FIXES if text.endswith("\n") else 0):
        # A fix that cannot be written into this file is still described in words: only its lines are missing.
        with suppress(EditConflictError, CommandError):
            new_text = canonical_text(text, apply(spec, fix)[0], form, file)
            lines[place] = tuple(line_changes(text, new_text))
    return lines


def _baseline_filter(file: str) -> Callable[[CheckedDesign], CheckedDesign]:
    """Return a function that leaves out of a design's findings those of an earlier output."""
    from estimator.presentation.lint_reports.baseline import read_baseline, without_baseline

    try:
        baseline = read_baseline(Path(file).read_text(encoding="utf-8"))
        return lambda design: without_baseline(design, baseline)
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror or error}", returncode=UNUSABLE) from error
    except ValueError as error:
        reason = f"{file} is no output of `lint --format json`: {error}"
        raise CommandError(reason, returncode=UNUSABLE) from error


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _failure_text(failure: RuleFailure) -> str:
    rule = failure.rule
    return f"{rule.code} {rule.name} could not be checked: {_reason(failure.error)}. {REPORT}"


def _exit_code(checked: Sequence[CheckedDesign], refused: Sequence[CommandError], level: str) -> int:
    # A failure of the program is told first: CI must not take it for findings of the design, nor for a clean design.
    if any(design.failures for design in checked) or any(error.returncode == FAILED for error in refused):
        return FAILED
    if refused:
        return UNUSABLE
    return FOUND if any(_has_failure(design.findings, level) for design in checked) else USABLE


def _has_failure(findings: tuple[Finding, ...], level: str) -> bool:
    if level == "never":
        return False
    failing = LEVELS[LEVELS.index(level) :]  # a question never fails
    return any(f.ignored is None and f.severity in failing for f in findings)
