"""Content of an export: a document, and the results that a format needs."""

import datetime
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from designer.document import Spec, effective_value, fingerprint
from estimator.advice.questions import lint
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate

if TYPE_CHECKING:
    from estimator.results import Estimate, Finding
    from reviews.pdf.pdf_request import PdfOptions

CARRIED = ("findings", "estimate")
"""What JSON can have besides the document."""
CODE_LANGUAGES = {"python": "Python", "typescript": "TypeScript", "go": "Go", "java": "Java"}
"""Languages in which there is code for keys, with their own names, the usual one first."""


@dataclass(frozen=True)
class ExportContent:
    """A document. Estimate and findings are computed when they are first asked for, and nothing of them before."""

    spec: Spec
    today: datetime.date | None = None
    """On which accepted risks are judged; the document's start where no day is said."""
    included_parts: frozenset[str] = frozenset()
    """What of `CARRIED` is wanted."""
    context: Context | None = None
    """What it is computed in; None: nothing computed is exported."""
    known_estimate: "Estimate | None" = None
    """The estimate, where there is one already."""
    known_findings: "tuple[Finding, ...] | None" = None
    """The findings, where there are some already."""
    pdf_options: "PdfOptions | None" = None
    """What is chosen of a PDF."""
    adopts: bool = False
    """Whether Terraform takes over what runs already: `import` blocks beside the resources."""
    code_language: str = next(iter(CODE_LANGUAGES))
    """In which code for keys is written."""

    @property
    def origin(self) -> str:
        """Header text of files for tools, which names their design."""
        return f"{self.spec.name or 'Untitled design'}: made by Keywright from the design {self.sha256}"

    @property
    def sha256(self) -> str:
        """The hash of the document's canonical JSON."""
        return fingerprint(self.spec)

    @property
    def required_context(self) -> Context:
        """The context; ValueError if it was not given."""
        if self.context is None:
            raise ValueError("this format needs an estimate, so the content needs a context")
        return self.context

    @cached_property
    def estimate(self) -> "Estimate":
        """All that is computed of the document."""
        return self.known_estimate or estimate(self.spec, self.required_context)

    @cached_property
    def findings(self) -> "tuple[Finding, ...]":
        """Findings of the rules."""
        if self.known_findings is not None:
            return self.known_findings
        day = self.today or effective_value(self.spec, self.spec, "start")
        return lint(self.spec, self.estimate, replace(self.required_context, today=day))
