"""Findings of lint in one file, as every report of it needs them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from designer.document import Spec
from designer.wording.formatting import english
from estimator.results import Finding, UnknownReason, each_finding

from ..locations import element_path
from .line_changes import FileLines
from .reported_rules import rule_of_code


@dataclass(frozen=True)
class CheckedDesign:
    """A design's file with its findings."""

    file: str
    spec: Spec
    line_of: Mapping[str, int]
    """The line of the file on which an element begins, by its id."""
    findings: tuple[Finding, ...]
    unknown: tuple[UnknownReason, ...]
    """What could not be computed, and so not be judged."""
    missing: tuple[UnknownReason, ...] = ()
    """Those of it that are inputs which the design lacks."""
    failures: tuple[str, ...] = ()
    """Sentences about rules that failed."""
    known: int = 0
    """How many findings are left out because the baseline has them."""

    added: Mapping[tuple[str, str], tuple[Finding, ...]] = field(default_factory=dict)
    """By rule and element of a finding: the errors and warnings that its fix adds, where that was checked."""

    fixed: Mapping[tuple[str, str], tuple[FileLines, ...]] = field(default_factory=dict)
    """By rule and element of a finding: the lines of the file that its fix changes, where that was asked for."""

    def added_by_fix(self, finding: Finding) -> tuple[Finding, ...] | None:
        """Return the errors and warnings that a finding's fix adds; None if there is no fix or it is not known."""
        return self.added.get((finding.rule, finding.at)) if finding.fix is not None else None

    def data_of_fix(self, finding: Finding) -> list[dict[str, str]] | None:
        """Return the errors and warnings that a finding's fix adds, as plain data; None if they are not known."""
        added = self.added_by_fix(finding)
        return None if added is None else [self._brief_data(new_finding) for new_finding in added]

    @property
    def missing_text(self) -> str:
        """Number of inputs that the design lacks to be judged; empty if none."""
        return missing_inputs_text(len(self.missing))

    @property
    def missing_reasons(self) -> list[str]:
        """Each input that the design lacks, with its place."""
        return [self.reason_text(reason) for reason in self.missing]

    @property
    def missing_line(self) -> int:
        """The line of the first of them."""
        return self.line_of.get(self.missing[0].at, 1) if self.missing else 1

    def reason_text(self, reason: UnknownReason) -> str:
        """Return why something is not known, with its place."""
        return f"{english(reason.message, reason.params)} ({element_path(self.spec, reason.at)})"

    def _brief_data(self, finding: Finding) -> dict[str, str]:
        names = {"rule": finding.rule, "severity": finding.severity}
        return {**names, "place": self.place(finding), "sentence": sentence(finding)}

    def line(self, finding: Finding) -> int:
        """Return the line that the finding is about."""
        return self.line_of.get(finding.at, 1)

    def place(self, finding: Finding) -> str:
        """Return the names on the path to the element that the finding is about."""
        return element_path(self.spec, finding.at)


def missing_inputs_text(count: int) -> str:
    """Return that so many inputs are missing; empty for none."""
    if not count:
        return ""
    return f"{count} {'things are' if count > 1 else 'thing is'} needed before load and cost can be judged"


def sentence(finding: Finding) -> str:
    """Return what the finding says, in English."""
    return english(finding.message, finding.params)


def rule_text(finding: Finding) -> str:
    """Return the code and the name of the finding's rule."""
    return f"{finding.rule} {rule_of_code(finding.rule).name}"


def each_single(designs: Sequence[CheckedDesign]) -> Iterator[tuple[CheckedDesign, Finding]]:
    """Yield each rule's remarks one by one, with the design that they are about."""
    for design in designs:
        for finding in each_finding(design.findings):
            yield design, finding
