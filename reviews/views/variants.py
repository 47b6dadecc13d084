"""Up to four designs beside one baseline, and making one of its variants the design."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from designer.document.edits import EditConflictError
from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.pages import page
from designer.http.parameters import form, query
from designer.models import Design
from designer.views.access import can_edit, current_person, design_for
from estimator.comparison.cached import unredacted_side
from estimator.comparison.designs import align
from estimator.comparison.designs.figures import rows
from estimator.contexts import current_context
from estimator.presentation.design_page import analyze

from .sides import ComparisonSide, find_side, offers, visible_designs

MOST = 4
"""So many stand beside the baseline."""


class DesignChangedError(DesignError):
    """The design is not what it was when the variants were shown."""

    status = 409


@require_safe
def variants(request: HttpRequest, key: str) -> HttpResponse:
    """Key figures of a design and of what is named (`?with=`); its variants, where nothing is."""
    design = design_for(request, key, "view")
    tokens = list(dict.fromkeys(token for token in query(request).texts("with") if token))[:MOST]
    find = visible_designs(request)
    beside = [find_side(find, design, token) for token in tokens or _default_tokens(request, design)]
    baseline = find_side(find, design, "now")
    specs = [baseline.spec, *(align(baseline.spec, side.spec).spec for side in beside)]
    figure_rows = rows([unredacted_side(spec, analyze(spec, current_context())) for spec in specs])
    may_edit = can_edit(request, design)
    context: dict[str, Any] = {
        "design": design,
        "may_edit": may_edit,
        "columns": (baseline, *beside),
        "own": _adoptable_tokens(design, beside) if may_edit else (),
        "rows": figure_rows if "all" in query(request) else tuple(row for row in figure_rows if row.differs),
        "same": sum(1 for row in figure_rows if not row.differs),
        "all": "all" in query(request),
        "offers": offers(request, design),
        "chosen": [side.token for side in beside],
        "slots": [*(side.token for side in beside), *[""] * (MOST - len(beside))],
    }
    return page(request, "reviews/variants/variants.html", context)


def _default_tokens(request: HttpRequest, design: Design) -> list[str]:
    """Return a design's variants, last edited first, after its origin if it is a variant."""
    mine = Design.objects.visible_to(current_person(request)).filter(variant_of=design).order_by("-edited")
    origin = ["origin"] if design.variant_of is not None and not design.variant_of.deleted else []
    return (origin + list(mine.distinct().values_list("key", flat=True)))[:MOST]


def _adoptable_tokens(design: Design, variant_sides: list[ComparisonSide]) -> tuple[str, ...]:
    """Tokens of the variants that can become the design."""
    return tuple(
        variant_side.token
        for variant_side in variant_sides
        if variant_side.design and variant_side.design.variant_of_id == design.pk and variant_side.is_now
    )


@require_POST
def adopt(request: HttpRequest, key: str) -> HttpResponse:
    """Make what a variant is now the design, in one edit that can be undone; the design keeps its name."""
    design = design_for(request, key, "edit")
    variant = design_for(request, form(request).get("variant", ""), "view")
    if variant.variant_of_id != design.pk:
        raise Http404
    try:
        design.adopt(variant, expected_sha256=form(request).get("was", ""), by=current_person(request))
    except EditConflictError:
        raise DesignChangedError(
            N_("The design has changed since you opened its variants. Review them again, then decide.")
        ) from None
    return redirect("editor", design.key)
