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
    known: dict[tuple[str, str], int] = {}
    for one in each_finding(before):
        rank = SEVERITIES.index(one.single_severity)
        # Severities are in falling order, so the least index is the gravest that is there already.
        known[one.rule, one.at] = min(rank, known.get((one.rule, one.at), rank))
    return tuple(
        one
        for one in each_finding(after)
        if one.ignored is None
        and one.single_severity in GRAVE
        and SEVERITIES.index(one.single_severity) < known.get((one.rule, one.at), len(SEVERITIES))
    )


def findings_added_by(spec: Spec, found: Iterable[Finding], edit: Edit, context: Context) -> tuple[Finding, ...] | None:
    """Return the errors and warnings that a design has after an edit only; None if the edit does not apply."""
    try:
        following, _ = apply(spec, edit)
    except EditConflictError:
        return None
    return added_findings(found, lint(following, estimate(following, context), context))
