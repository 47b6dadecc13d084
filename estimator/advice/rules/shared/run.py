"""All rules over one design and its estimate."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from designer.document import Spec
from designer.document.money import Money
from designer.wording import speaking_label
from estimator.results import Estimate, Finding

from .accepted_risks import apply_acceptances
from .root_causes import SEVERITIES, Judgment, group_by_cause, to_judgment, with_gravest
from .rule import Rule, Violation
from .similar_findings import summarize


@dataclass(frozen=True)
class RuleFailure:
    """A rule that ended with an unexpected exception, which is an error of the program."""

    rule: Rule
    error: Exception


def judge(
    rules: Iterable[Rule], spec: Spec, estimate: Estimate, failures: list[RuleFailure] | None = None
) -> list[Judgment]:
    """Return what the rules find, each by itself, in the order of the rules.

    A rule that fails is added to `failures` where a list is given, and finds nothing; without a list it raises.
    """
    fitting = [rule for rule in rules if spec.engine in rule.engines]
    return [
        to_judgment(rule, _with_names(spec, violation), spec.engine)
        for rule in fitting
        for violation in _check(rule, spec, estimate, failures)
    ]


def _with_names(spec: Spec, violation: Violation) -> Violation:
    """Return the result of a check without ids that were made by the editor or of a place in a file."""
    return replace(violation, params={name: speaking_label(spec, value) for name, value in violation.params.items()})


def _check(rule: Rule, spec: Spec, estimate: Estimate, failures: list[RuleFailure] | None) -> Iterable[Violation]:
    if failures is None:
        # Tests pass no list and see the exception with its traceback.
        return rule.check(spec, estimate)
    try:
        return tuple(rule.check(spec, estimate))
    except Exception as error:  # whatever it is, the other rules are still judged
        if all(failure.rule != rule for failure in failures):
            failures.append(RuleFailure(rule, error))
        return ()


def arrange(
    rules: Iterable[Rule], spec: Spec, every: Sequence[Judgment], today: datetime.date,
    *, questions: Sequence[Finding] = (),
) -> tuple[Finding, ...]:  # fmt: skip
    """Return the findings, gravest first, then in document order; accepted ones are marked and come last.

    Consequences stand under their cause. Questions come by the money that they decide, then in their order. `today` is
    the day on which accepted risks are judged: there is no clock here.
    """
    places = {id: place for place, id in enumerate(spec.by_id)}  # noqa: A001
    ranks = {(question.rule, question.at, question.field): rank for rank, question in enumerate(questions)}

    def order(finding: Finding) -> tuple[bool, int, Decimal, int, int, str]:
        rank = ranks.get((finding.rule, finding.at, finding.field), len(ranks))
        severity = SEVERITIES.index(finding.severity)
        swing = finding.params.get("rounded_cost")
        # Negated, because the sort is ascending and the largest amount comes first.
        money = -swing.amount if isinstance(swing, Money) and finding.severity == "question" else Decimal(0)
        return finding.ignored is not None, severity, money, rank, places.get(finding.at, -1), finding.rule

    titles = {rule.code: rule.title for rule in rules}
    findings = sorted(
        map(with_gravest, apply_acceptances(spec, (*group_by_cause(every), *questions), today)), key=order
    )
    # Sorted again: a summary stands at the first of its elements, which can be before other findings.
    return tuple(sorted(summarize(spec, findings, titles), key=order))
