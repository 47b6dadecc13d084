"""A finding's rule in reports: one of the catalogue, or drift, which is found beside the running tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from estimator.advice.rules import RULES, Explanation, Rule
from estimator.advice.rules.shared.explanation import SourceReference
from estimator.results import Severity

DRIFT = "drift"


@dataclass(frozen=True)
class ComparisonRule:
    """A rule that needs more than a design, and so is not in the catalogue."""

    code: str
    name: str
    severity: Severity
    explanation: Explanation

    @property
    def title(self) -> str:
        """The rule in a sentence."""
        return self.explanation.title


ReportedRule = Rule | ComparisonRule
OTHERS: Mapping[str, ComparisonRule] = {
    DRIFT: ComparisonRule(
        DRIFT,
        "what-runs-differs",
        "error",
        Explanation(
            title="What runs differs from the design.",
            what="A definition that the cloud's tools print is not the one that the design makes.",
            why="Estimates, findings and approvals are about the design, not about what runs.",
            instead="Deploy the design again, or change it to what runs.",
            fine_when="Somebody else decides it: leave its place out with --ignore.",
            sources=(SourceReference("https://cloud.google.com/bigtable/docs/managing-tables", "2026-11-21"),),
        ),
    )
}


def rule_of_code(code: str) -> ReportedRule:
    """Return the rule of a finding."""
    return OTHERS[code] if code in OTHERS else RULES[code]


def rules_of_reports(codes: Iterable[str]) -> tuple[ReportedRule, ...]:
    """Return the rules that a report on findings with these codes was made by."""
    others = {code for code in codes if code in OTHERS}
    return tuple(OTHERS[code] for code in sorted(others)) or tuple(RULES.values())
