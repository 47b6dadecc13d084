"""One cause, one finding: consequences are listed under their cause."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from estimator.results import Finding

from .rule import Found, Rule

SEVERITIES = ("error", "warning", "note")
"""Gravest first."""


@dataclass(frozen=True)
class Judged:
    """A finding together with what its rule said about causes."""

    rule: Rule
    found: Found
    finding: Finding

    @property
    def cause(self) -> str:
        """The element by which this finding is looked for in a graver one's `about`."""
        return self.found.cause or (self.found.about[0] if self.found.about else "")


def judged(rule: Rule, found: Found) -> Judged:
    """What a check yielded, as a finding."""
    finding = Finding(
        rule=rule.code,
        severity=found.severity or rule.severity,
        at=found.at,
        field=found.field,
        message=found.message or rule.message,
        params=found.params,
        effect=found.effect,
        fix=found.fix,
        fix_safe=found.fix_safe,
        fix_label=found.fix_label,
    )
    return Judged(rule, found, finding)


def under_their_causes(all_judged: Sequence[Judged]) -> tuple[Finding, ...]:
    """The findings that stand on their own, each with its consequences under it.

    A consequence stands under the first rule of its `under` that has a finding about the same element. It stays on
    its own where that finding is milder: a note hides no warning.
    """
    heads: list[Judged] = []
    below: dict[int, list[Finding]] = {}
    for one in sorted(all_judged, key=lambda j: len(j.rule.under)):
        head = _head(one, heads)
        if head is None:
            heads.append(one)
        else:
            below.setdefault(id(head), []).append(one.finding)
    return tuple(replace(head.finding, under=tuple(below.get(id(head), ()))) for head in heads)


def _head(one: Judged, heads: Iterable[Judged]) -> Judged | None:
    for code in one.rule.under:
        for head in heads:
            if head.rule.code == code and one.cause in head.found.about and _as_grave(head.finding, one.finding):
                return head
    return None


def _as_grave(head: Finding, below: Finding) -> bool:
    return SEVERITIES.index(head.severity) <= SEVERITIES.index(below.severity)
