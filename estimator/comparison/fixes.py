"""Consequences of a fix besides its finding: the whole design is checked again with it."""

from collections.abc import Iterable

from designer.document import Spec
from designer.document.edits import Edit, EditConflictError, apply
from estimator.advice.questions import lint
from estimator.advice.rules.shared.root_causes import SEVERITIES
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.results import Finding, each_finding

GRAVE = ("error", "warning")


def added_findings(before: Iterable[Finding], after: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the open errors and warnings of `after` that `before` does not have, or has less grave."""
    gravest: dict[tuple[str, str], int] = {}
    for finding in each_finding(before):
        rank = SEVERITIES.index(finding.single_severity)
        # Severities are in falling order, so the least index is the gravest that is there already.
        gravest[finding.rule, finding.at] = min(rank, gravest.get((finding.rule, finding.at), rank))
    return tuple(
        candidate
        for candidate in each_finding(after)
        if candidate.ignored is None
        and candidate.single_severity in GRAVE
        and SEVERITIES.index(candidate.single_severity) < gravest.get((candidate.rule, candidate.at), len(SEVERITIES))
    )


def findings_added_by(
    spec: Spec, findings: Iterable[Finding], edit: Edit, context: Context
) -> tuple[Finding, ...] | None:
    """Return the errors and warnings that a design has after an edit only; None if the edit does not apply."""
    try:
        following, _ = apply(spec, edit)
    except EditConflictError:
        return None
    return added_findings(findings, lint(following, estimate(following, context), context))
