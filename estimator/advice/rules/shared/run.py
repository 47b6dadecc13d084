"""All rules over one design and its estimate."""

import datetime
from collections.abc import Iterable, Sequence

from designer.document import Spec
from estimator.results import Estimate, Finding

from .accepted_risks import apply_acceptances
from .root_causes import SEVERITIES, Judgment, group_by_cause, to_judgment, with_gravest
from .rule import Rule
from .similar_findings import summarize


def judge(rules: Iterable[Rule], spec: Spec, estimate: Estimate) -> list[Judgment]:
    """Return what the rules find, each by itself, in the order of the rules."""
    fitting = [rule for rule in rules if spec.engine in rule.engines]
    return [to_judgment(rule, found, spec.engine) for rule in fitting for found in rule.check(spec, estimate)]


def arrange(
    rules: Iterable[Rule], spec: Spec, every: Sequence[Judgment], today: datetime.date,
    *, questions: Sequence[Finding] = (),
) -> tuple[Finding, ...]:  # fmt: skip
    """Return the findings, gravest first, then in document order; accepted ones are marked and come last.

    Consequences stand under their cause. Questions keep their order. `today` is the day on which accepted risks are
    judged: there is no clock here.
    """
    places = {id: place for place, id in enumerate(spec.by_id)}  # noqa: A001
    ranks = {(question.rule, question.at, question.field): rank for rank, question in enumerate(questions)}

    def order(finding: Finding) -> tuple[bool, int, int, int, str]:
        rank = ranks.get((finding.rule, finding.at, finding.field), len(ranks))
        severity = SEVERITIES.index(finding.severity)
        return finding.ignored is not None, severity, rank, places.get(finding.at, -1), finding.rule

    titles = {rule.code: rule.title for rule in rules}
    found = sorted(map(with_gravest, apply_acceptances(spec, (*group_by_cause(every), *questions), today)), key=order)
    return tuple(sorted(summarize(spec, found, titles), key=order))
