"""Judging designs in files against every rule, for `lint` and for agents."""

import pickle
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from designer.document import Spec, fingerprint
from designer.document.edits import EditConflictError, apply
from designer.document.load import is_compact, load
from designer.management.base import CommandError
from estimator.advice.questions import RuleFailure, lint
from estimator.comparison.fixes import findings_added_by
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.management.answers import AnswerCache
from estimator.management.commandline import FAILED, FOUND, UNUSABLE, USABLE, read_file
from estimator.management.design_files import canonical_text
from estimator.presentation.lint_reports import report
from estimator.presentation.lint_reports.baseline import read_baseline, without_baseline
from estimator.presentation.lint_reports.checked_design import CheckedDesign
from estimator.presentation.lint_reports.element_lines import lines_of_elements
from estimator.presentation.lint_reports.line_changes import FileLines, line_changes
from estimator.presentation.lint_reports.unchecked_file import UncheckedFile
from estimator.results import Finding, UnknownReason, each_finding

MOST_FIXES = 20
"""A design is checked again with so many fixes, of the gravest findings: each takes about a tenth of a second."""
WITH_FIXES = ("text", "json", "sarif")
"""Formats that tell fixes."""
REPORT = "This is an error in Keywright, not in the design."


@dataclass(frozen=True)
class LintOutcome:
    """Answer of `lint`."""

    report: str | None
    """None if there is nothing to report on."""
    code: int
    errors: tuple[CommandError, ...]
    """Of the files that could not be checked."""
    failures: tuple[str, ...]
    """Sentences about rules that failed."""


@dataclass(frozen=True)
class _Judgement:
    """Findings of a design, wherever it stands."""

    findings: tuple[Finding, ...]
    unknown: tuple[UnknownReason, ...]
    missing: tuple[UnknownReason, ...]
    failures: tuple[str, ...]
    added: Mapping[tuple[str, str], tuple[Finding, ...]] = field(default_factory=dict)


def lint_files(
    files: Sequence[str],
    form: str,
    failing: Sequence[str],
    baseline: str | None,
    context: Context,
    answers: AnswerCache,
) -> LintOutcome:
    """Return the report on files in a format; open findings of a severity that is failing decide the exit code.

    A file that cannot be used hides no other.
    """
    only_new = _baseline_filter(baseline) if baseline else None
    checked: list[CheckedDesign] = []
    refused: dict[str, CommandError] = {}
    for file in files:
        try:
            text, spec = read_file(file, today=context.today)
            design = check_design(file, text, spec, context, with_fixes=form in WITH_FIXES, answers=answers)
            if form == "sarif":
                design = replace(design, fixed=_lines_of_fixes(file, text, design.findings))
        except CommandError as error:
            refused[file] = error
        else:
            checked.append(design if only_new is None else only_new(design))
    unchecked = [
        UncheckedFile.of_error(file, error, is_failure=error.returncode == FAILED) for file, error in refused.items()
    ]
    return LintOutcome(
        # A file of a report that is not written, or empty, is an error of its own to those that read it.
        report(form, checked, unchecked) if checked or form != "text" else None,
        _exit_code(checked, list(refused.values()), failing),
        tuple(refused.values()),
        tuple(failure for design in checked for failure in design.failures),
    )


def check_design(
    file: str, text: str, spec: Spec, context: Context, *, with_fixes: bool = False, answers: AnswerCache | None = None
) -> CheckedDesign:
    """Return what the rules find in a design, and what fixes add to it; rules that fail are named in it.

    Raises
    ------
    CommandError
        If the estimate fails.
    """
    question = ("judgement", fingerprint(spec), with_fixes)
    answer = answers.get(*question) if answers else None
    judgement: _Judgement = _judge(file, spec, context, with_fixes) if answer is None else pickle.loads(answer)
    if answers and answer is None and not judgement.failures:
        answers.put(pickle.dumps(judgement), *question)
    return CheckedDesign(
        file,
        spec,
        lines_of_elements(text, spec, file),
        judgement.findings,
        judgement.unknown,
        judgement.missing,
        judgement.failures,
        added=judgement.added,
    )


def _judge(file: str, spec: Spec, context: Context, with_fixes: bool) -> _Judgement:
    failures: list[RuleFailure] = []
    try:
        figures = estimate(spec, context)
        findings = lint(spec, figures, context, failures)
    except Exception as error:
        reason = f"{file} could not be checked: {_reason(error)}. {REPORT}"
        raise CommandError(reason, returncode=FAILED) from error
    reasons = (*figures.because, *(reason for part in figures.tables.values() for reason in part.because))
    unknown = {(reason.message, reason.at): reason for reason in reasons}  # tables can lack the same
    return _Judgement(
        findings,
        tuple(unknown.values()),
        figures.missing_inputs if spec.tables else figures.because,
        tuple(_failure_text(failure) for failure in failures),
        _added_by_fixes(spec, findings, context) if with_fixes else {},
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


def _exit_code(checked: Sequence[CheckedDesign], refused: Sequence[CommandError], failing: Sequence[str]) -> int:
    # A failure of the program is told first: CI must not take it for findings of the design, nor for a clean design.
    if any(design.failures for design in checked) or any(error.returncode == FAILED for error in refused):
        return FAILED
    if refused:
        return UNUSABLE
    findings = (finding for design in checked for finding in design.findings)
    return FOUND if any(f.ignored is None and f.severity in failing for f in findings) else USABLE
