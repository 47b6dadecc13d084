"""Subject of an estimator page: an example, or one content of a design."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from designer.document import Spec
from designer.http.errors import OutdatedDocumentError
from designer.http.parameters import cookie_number
from designer.models import Design
from designer.views.access import can_edit, design_for
from designer.views.designs.gallery import find_example
from estimator.contexts import current_context
from estimator.models import Measured
from estimator.presentation.design_page import design_page

MEASURED_COOKIE = "measured"
"""The newest measurement that a browser has seen. Pages of a content are kept by browsers for each value of it."""


@dataclass(frozen=True)
class DesignSource:
    """Subject of a page: a document, its name and story, and the address of its pages."""

    spec: Spec
    title: str
    story: str
    base: str
    design: Design | None = None
    may_edit: bool = False

    @property
    def context(self) -> dict[str, Any]:
        """For the read parts, which examples, one's own designs and reviews share."""
        names = ("title", "story", "base", "design", "may_edit")
        return {
            **{name: getattr(self, name) for name in names},
            "page": design_page(self.spec, current_context()),
            "maps": True,
        }


def _example(request: HttpRequest, *, slug: str) -> DesignSource:
    example = find_example(slug)
    return DesignSource(example.spec, example.title, example.story, reverse("design", args=[slug]))


def _content(request: HttpRequest, *, key: str, sha256: str) -> DesignSource:
    """One content of a design; the address holds its hash, so what stands there never changes."""
    design = design_for(request, key, "view")
    document = design.head if design.head_id == sha256 else None
    if document is None:
        of_history, of_runs = design.revisions.filter(document=sha256), design.runs.filter(document=sha256)
        holder = of_history.select_related("document").first() or of_runs.select_related("document").first()
        if holder is None:
            raise OutdatedDocumentError  # typing has gone on: an answer to it would only be dropped
        document = holder.document
    spec = document.spec
    base = reverse("content", args=[key, sha256])
    return DesignSource(spec, spec.name, spec.description, base, design, can_edit(request, design))


def source(request: HttpRequest, where: dict[str, str]) -> DesignSource:
    """Return the source that an address names."""
    Measured.refresh(cookie_number(request, MEASURED_COOKIE))
    return _example(request, **where) if "slug" in where else _content(request, **where)
