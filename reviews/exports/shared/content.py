"""Content of an export: a document, and the results that a format needs."""

import datetime
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from designer.document import Spec, assumed, fingerprint
from estimator.advice.questions import lint
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate

if TYPE_CHECKING:
    from estimator.results import Estimate, Finding
    from reviews.pdf.pdf_request import Paper

CARRIED = ("findings", "estimate")
"""What JSON can have besides the document."""


@dataclass(frozen=True)
class Content:
    """A document. Estimate and findings are computed when they are first asked for, and nothing of them before."""

    spec: Spec
    today: datetime.date | None = None
    """On which accepted risks are judged; the document's start where no day is said."""
    carries: frozenset[str] = frozenset()
    """What of `CARRIED` is wanted."""
    context: Context | None = None
    """What it is computed in; None: nothing computed is exported."""
    made: "Estimate | None" = None
    """The estimate, where there is one already."""
    paper: "Paper | None" = None
    """What is chosen of a PDF."""

    @property
    def origin(self) -> str:
        """Header text of files for tools, which names their design."""
        return f"{self.spec.name or 'Untitled design'}: made by Keywright from the design {self.sha256}"

    @property
    def sha256(self) -> str:
        """The hash of the document's canonical JSON."""
        return fingerprint(self.spec)

    @property
    def computed_in(self) -> Context:
        """The context; ValueError if it was not given."""
        if self.context is None:
            raise ValueError("this format needs an estimate, so the content needs a context")
        return self.context

    @cached_property
    def estimate(self) -> "Estimate":
        """All that is computed of the document."""
        return self.made or estimate(self.spec, self.computed_in)

    @cached_property
    def findings(self) -> "tuple[Finding, ...]":
        """Findings of the rules."""
        day = self.today or assumed(self.spec, self.spec, "start")
        return lint(self.spec, self.estimate, replace(self.computed_in, today=day))
