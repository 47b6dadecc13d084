"""Two designs, or two revisions of one, beside each other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from designer.document.texts import N_, Text
from designer.http.pages import page
from designer.http.parameters import query
from designer.models import Design
from designer.views.access import can_edit, design_for
from estimator.comparison.cached import cached_comparison
from estimator.contexts import current_context
from reviews.presentation.comparison_page import ComparisonOptions, ComparisonPage

from .sides import ComparisonSide, Deadline, default_side, find_side, names_in_sentences, offers, visible_designs


@require_safe
def choose(request: HttpRequest, key: str) -> HttpResponse:
    """Redirect to the comparison that the form asks for, or to the usual one."""
    design = design_for(request, key, "view")
    parameters = query(request)
    first, other = parameters.get("a") or default_side(design), parameters.get("b") or "now"
    for token in (first, other):
        find_side(visible_designs(request), design, token)  # refuses what is not there, before it is an address
    return redirect("comparison", key, first, other)


@require_safe
def comparison(request: HttpRequest, key: str, before: str, after: str) -> HttpResponse:
    """Show the changes between two designs, their consequences, and the difference of the bills."""
    design = design_for(request, key, "view")
    find = visible_designs(request)
    first, other = find_side(find, design, before), find_side(find, design, after)
    parameters = query(request).lists()
    context: dict[str, Any] = {
        "design": design,
        "may_edit": can_edit(request, design),
        "before_side": first,
        "after_side": other,
        "names": names_in_sentences(first, other),
        "offers": offers(request, design),
        "comparison_page": ComparisonPage(
            cached_comparison(first.spec, other.spec, current_context(), is_late=Deadline()),
            ComparisonOptions.from_query(parameters),
            today=current_context().today,
        ),
        "opens": _editable_key(other),
        "query": urlencode(parameters, doseq=True),
        "swapped": reverse("comparison", args=[key, after, before]),
        "decisions": tuple(_decisions(design, first, other)) if can_edit(request, design) else (),
    }
    return page(request, "reviews/comparison/compare.html", context, part="reviews/comparison/_body.html")


@dataclass(frozen=True)
class Decision:
    """A side that can become the design as it is now, and the form that does it."""

    label: Text
    action: str
    fields: tuple[tuple[str, str], ...] = ()


def _decisions(design: Design, first: ComparisonSide, other: ComparisonSide) -> Iterator[Decision]:
    for compared_side in (first, other):
        if compared_side.design is None or compared_side.sha256 == design.head_id:
            continue
        if compared_side.design == design:
            number = compared_side.number
            label = Text(N_("Restore revision {number}"), {"number": str(number)})
            yield Decision(label, reverse("restore", args=[design.key, number]))
        elif compared_side.design.variant_of_id == design.pk and compared_side.is_now:
            label = Text(N_("Use variant: {name}"), {"name": compared_side.design.title})
            fields = (("variant", compared_side.design.key), ("was", design.head_id))
            yield Decision(label, reverse("adopt", args=[design.key]), fields)


def _editable_key(compared_side: ComparisonSide) -> str:
    """Return the key of the design in whose editor a changed element can be opened.

    Return "" for a document that is not a head.
    """
    design = compared_side.design
    return design.key if design is not None and compared_side.sha256 == design.head_id else ""
