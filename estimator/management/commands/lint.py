"""`manage.py lint FILE`: the findings of a design, for people, as JSON, or as SARIF for code scanning."""

import datetime
import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from designer.document import Spec
from designer.wording.formatting import english
from estimator.advice.questions import RuleFailure, lint
from estimator.advice.rules import RULES
from estimator.estimates.estimate import estimate
from estimator.management.commandline import FAILED, FOUND, USABLE, FileCommand, file_context
from estimator.presentation.locations import element_path
from estimator.presentation.plain_data import to_plain
from estimator.presentation.sarif import lines_of_elements, sarif
from estimator.results import Finding

REPORT = "This is an error in Keywright, not in the design."
LEVELS = ("note", "warning", "error")
SIGNS = ("error", "warning", "question", "note", "accepted")


class Command(FileCommand):
    """Prints what the rules find and ends with 1 where something is at or above `--fail-on`."""

    help = (
        "Check a design against every rule. Exit code: 0 nothing at or above --fail-on, 1 found, 2 unusable input, "
        "3 a rule or the estimate failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for output and for failure."""
        super().add_arguments(parser)
        parser.add_argument("--sarif", action="store_true", help="print SARIF 2.1.0 instead of text")
        parser.add_argument(
            "--fail-on",
            choices=(*LEVELS, "never"),
            default="warning",
            help="lowest severity that fails (default: warning)",
        )
        day = "the day on which accepted risks are judged (default: today, UTC)"
        parser.add_argument("--today", type=datetime.date.fromisoformat, help=day)

    def handle(self, *, file: str, **options: Any) -> None:
        """Print the findings; accepted ones are shown but never fail."""
        text, spec = self.read(file)
        context = file_context(options["today"])
        failures: list[RuleFailure] = []
        try:
            made = estimate(spec, context)
            found = lint(spec, made, context, failures)
        except Exception as error:
            reason = f"{file} could not be checked: {_reason(error)}. {REPORT}"
            raise CommandError(reason, returncode=FAILED) from error
        line_of = lines_of_elements(text, spec)
        if options["sarif"]:
            self.stdout.write(json.dumps(sarif(file, line_of, spec, found), indent=1))
        elif options["json"]:
            data = {
                "findings": [_data(spec, line_of, each) for each in found],
                "open": to_plain(_open_findings(spec, made)),
                "failed": [_failure_text(each) for each in failures],
            }
            self.stdout.write(json.dumps(data, indent=1))
        else:
            self.stdout.write(_for_people(file, spec, found))
            for because in _open_findings(spec, made):
                self.stdout.write(
                    f"  open: {english(because.message, because.params)} ({element_path(spec, because.at)})"
                )
        for failure in failures:
            self.stderr.write(_failure_text(failure))
        if failures:
            raise SystemExit(FAILED)
        raise SystemExit(FOUND if _has_failure(found, options["fail_on"]) else USABLE)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _failure_text(failure: RuleFailure) -> str:
    rule = failure.rule
    return f"{rule.code} {rule.name} could not be checked: {_reason(failure.error)}. {REPORT}"


def _open_findings(spec: Spec, made: Any) -> list[Any]:
    return [*made.because, *(because for part in made.tables.values() for because in part.because)]


def _has_failure(found: tuple[Finding, ...], level: str) -> bool:
    if level == "never":
        return False
    failing = LEVELS[LEVELS.index(level) :]  # a question never fails
    return any(f.ignored is None and f.severity in failing for f in found)


def _data(spec: Spec, line_of: Mapping[str, int], finding: Finding) -> dict[str, Any]:
    """Return a finding as data: its sentences in English, its place and line, its consequences and answers alike."""
    return {
        **to_plain(finding),
        "title": RULES[finding.rule].title,
        "sentence": english(finding.message, finding.params),
        "place": element_path(spec, finding.at),
        "line": line_of.get(finding.at, 1),
        "fix_sentence": english(finding.fix_label, finding.params) if finding.fix is not None else "",
        "choices": [{**to_plain(each), "sentence": english(each.label, each.params)} for each in finding.choices],
        "under": [_data(spec, line_of, each) for each in finding.under],
    }


def _for_people(file: str, spec: Spec, found: tuple[Finding, ...]) -> str:
    counts = Counter("accepted" if f.ignored else f.severity for f in found)
    summary = ", ".join(_count_text(counts[sign], sign) for sign in SIGNS if counts[sign])
    lines = [f"{spec.name or file}: {summary or 'nothing found'}"]
    for finding in found:
        lines += ["", *_lines(spec, finding, "  ")]
    return "\n".join(lines)


def _count_text(count: int, sign: str) -> str:
    return f"{count} {sign}{'s' if count > 1 and sign != 'accepted' else ''}"


def _lines(spec: Spec, finding: Finding, indent: str) -> list[str]:
    sign = "accepted" if finding.ignored else finding.severity
    inner = indent + " " * 5
    lines = [f"{indent}{finding.rule} {sign}  {element_path(spec, finding.at)}"]
    lines.append(inner + english(finding.message, finding.params))
    if finding.fix is not None:
        safety = "safe" if finding.fix_safe else "unsafe"
        lines.append(f"{inner}fix ({safety}): {english(finding.fix_label, finding.params)}")
    if finding.ignored:
        lines.append(f"{inner}accepted by {finding.ignored.owner}: {finding.ignored.reason}")
    if finding.choices:
        answers = " · ".join(english(choice.label, choice.params) for choice in finding.choices)
        lines.append(f"{inner}answers: {answers}")
    for part in finding.under:
        one_line = finding.is_summary and part.rule == finding.rule
        lines += [_on_one_line(spec, part, inner)] if one_line else _lines(spec, part, inner)
    return lines


def _on_one_line(spec: Spec, finding: Finding, indent: str) -> str:
    return f"{indent}{element_path(spec, finding.at)}: {english(finding.message, finding.params)}"
