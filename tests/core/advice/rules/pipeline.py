"""The real pipeline for the rules' tests: each design is estimated once per run of the tests."""

from dataclasses import replace

from designer.document import Spec, fingerprint
from estimator.advice.questions import lint
from estimator.results import Finding, each_finding
from tests.contexts import context, estimate
from tests.core.advice.rules.made import TODAY

SEVERITIES = ("note", "question", "warning", "error")


_FOUND: dict[str, tuple[Finding, ...]] = {}


def found(spec: Spec) -> tuple[Finding, ...]:
    """All findings of a design one by one, each with its own severity, consequences after their cause."""
    content = fingerprint(spec)
    if content not in _FOUND:
        made = lint(spec, estimate(spec), context(TODAY))
        _FOUND[content] = tuple(replace(one, severity=one.single_severity) for one in each_finding(made))
    return _FOUND[content]


def worst(spec: Spec, code: str) -> str | None:
    """The gravest severity that one rule's findings have; None where it finds nothing."""
    own = [finding.severity for finding in found(spec) if finding.rule == code]
    return max(own, key=SEVERITIES.index, default=None)


def grave(spec: Spec) -> set[tuple[str, str]]:
    """Rule and element of all errors and warnings."""
    return {(f.rule, f.at) for f in found(spec) if f.severity in ("error", "warning") and f.ignored is None}
