"""A rule's remark about a design."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from .unknown import Params

Severity = Literal["error", "warning", "question", "note"]
"""A question is about an assumed value on which errors and warnings depend."""


@dataclass(frozen=True)
class Choice:
    """One answer to a question."""

    label: str
    params: Params
    edit: Any
    """The change of the document, as data, that gives this answer."""


@dataclass(frozen=True)
class Finding:
    """One rule's remark about one element, with its measured effect; `under` are consequences of the same cause."""

    rule: str
    severity: Severity
    at: str
    """Id of the element that it is about."""
    field: str
    """Name of that element's field, or empty."""
    message: str
    params: Params
    effect: float | None
    """One number that measures it (more is worse), for accepted risks to be compared with."""
    fix: Any | None
    """An edit, as data, that silences it; None where there is none or it is uncertain."""
    fix_safe: bool
    fix_label: str
    under: tuple["Finding", ...] = ()
    ignored: Any | None = None
    """The `Ignore` that accepts it."""
    own_severity: Severity | None = None
    """The rule's severity, if a graver consequence raised `severity`."""
    is_summary: bool = False
    """True if it sums up equal findings about several elements, which are in `under`."""
    choices: tuple[Choice, ...] = ()
    """Answers to a question; a fix is not one of them."""

    @property
    def single_severity(self) -> Severity:
        """The severity without that of its consequences."""
        return self.own_severity or self.severity

    def __str__(self) -> str:
        return self.message.format(**self.params)


def each_finding(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield each rule's remarks one by one: consequences after their causes, no summaries."""
    for finding in findings:
        if not finding.is_summary:
            yield finding
        yield from each_finding(finding.under)
