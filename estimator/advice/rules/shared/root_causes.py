"""One cause, one finding: consequences are listed under their cause."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from designer.document import Engine
from designer.document.money import Money
from estimator.results import Finding
from estimator.results.unknown import Params

from .rule import Rule, Violation

SEVERITIES = ("error", "warning", "question", "note")
"""Gravest first."""


BILLED = ("total_cost", "fee_cost")
"""Parameters of these names are the total of a bill and a fee in it, to the cent."""


@dataclass(frozen=True)
class Judgment:
    """A finding together with what its rule said about causes."""

    rule: Rule
    found: Violation
    finding: Finding

    @property
    def cause(self) -> str:
        """The element by which this finding is looked for in a graver one's `about`."""
        return self.found.cause or (self.found.about[0] if self.found.about else "")


def to_judgment(rule: Rule, violation: Violation, engine: Engine) -> Judgment:
    """Build a finding from the result of a check."""
    finding = Finding(
        rule=rule.code,
        severity=violation.severity or rule.severity,
        at=violation.at,
        field=violation.field,
        message=rule.message_of(violation, engine),
        params=_with_modelled_money(violation.params),
        effect=violation.effect,
        fix=violation.fix,
        fix_safe=violation.fix_safe,
        fix_label=violation.fix_label,
        choices=violation.choices,
    )
    return Judgment(rule, violation, finding)


def _with_modelled_money(params: Params) -> Params:
    """Return parameters of a finding: what follows from a design is modelled, all money but what is billed."""
    return {
        name: replace(value, is_modelled=True) if isinstance(value, Money) and name not in BILLED else value
        for name, value in params.items()
    }


def group_by_cause(all_judged: Sequence[Judgment]) -> tuple[Finding, ...]:
    """Return the independent findings, each with its consequences under it.

    A consequence is placed under the first rule of its `under` that has a finding about the same element, if possible
    one that is as grave; where that is a consequence too, beside it. What is only worth a note is no cause of an error.
    """
    rules = {entry.rule.code: entry.rule for entry in all_judged}
    depths = {code: _depth(rule, rules) for code, rule in rules.items()}
    heads: list[tuple[Judgment, list[Finding]]] = []
    explained: dict[tuple[str, str], list[int]] = defaultdict(list)
    """By rule and element: places of the heads under which (or as which) that rule's findings about it stand."""
    # Causes first, so that a consequence finds its head in the list.
    for judgment in sorted(all_judged, key=lambda j: depths[j.rule.code]):
        head = _head(judgment, explained, heads)
        if head is None:
            head = len(heads)
            heads.append((judgment, []))
        else:
            heads[head][1].append(judgment.finding)
        for element in judgment.found.about:
            explained[judgment.rule.code, element].append(head)
    return tuple(replace(head.finding, under=tuple(below)) if below else head.finding for head, below in heads)


def _depth(rule: Rule, rules: Mapping[str, Rule]) -> int:
    """Causes come before their consequences."""
    return 1 + max((_depth(rules[code], rules) for code in rule.under if code in rules), default=0)


def _head(
    judgment: Judgment, explained: Mapping[tuple[str, str], list[int]], heads: Sequence[tuple[Judgment, list[Finding]]]
) -> int | None:
    possible = [head for code in judgment.rule.under for head in explained.get((code, judgment.cause), ())]
    grave = next((head for head in possible if is_as_grave(heads[head][0].finding, judgment.finding)), None)
    if grave is not None or not possible:
        return grave
    is_note = heads[possible[0]][0].finding.severity == "note"
    return None if is_note and judgment.finding.severity == "error" else possible[0]


def is_as_grave(finding: Finding, other: Finding) -> bool:
    """Return whether a finding is at least as grave as another."""
    return SEVERITIES.index(finding.severity) <= SEVERITIES.index(other.severity)


def with_gravest(finding: Finding) -> Finding:
    """Return the finding with the severity of its gravest open consequence, if that is graver."""
    severities = (below.severity for below in finding.under if below.ignored is None)
    worst = min((finding.severity, *severities), key=SEVERITIES.index)
    if finding.ignored is not None or worst == finding.severity:
        return finding
    return replace(finding, severity=worst, own_severity=finding.severity)
