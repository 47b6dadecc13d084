"""Up to four designs beside one baseline, and making one of its variants the design."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from designer.document.dump import plain
from designer.document.edits import Conflict, ReplaceAll
from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.pages import page
from designer.models import Design
from designer.permissions import may
from designer.views.access import design_for, person
from estimator.comparison.cached import whole
from estimator.comparison.designs import aligned
from estimator.comparison.designs.figures import rows
from estimator.contexts import current_context
from estimator.presentation.design_page import answer

from .sides import Shown, offers, side

MOST = 4
"""So many stand beside the baseline."""


class Changed(DesignError):
    """The design is not what it was when the variants were shown."""

    status = 409


@require_safe
def variants(request: HttpRequest, key: str) -> HttpResponse:
    """Key figures of a design and of what is named (`?with=`); its variants, where nothing is."""
    design = design_for(request, key, "view")
    tokens = list(dict.fromkeys(token for token in request.GET.getlist("with") if token))[:MOST]
    beside = [side(request, design, token) for token in tokens or _usual(request, design)]
    baseline = side(request, design, "now")
    specs = [baseline.spec, *(aligned(baseline.spec, one.spec).spec for one in beside)]
    found = rows([whole(spec, answer(spec, current_context())) for spec in specs])
    context: dict[str, Any] = {
        "design": design,
        "columns": (baseline, *beside),
        "own": _own(design, beside) if may(person(request).role_in(design.team_id), "edit") else (),
        "rows": found if "all" in request.GET else tuple(row for row in found if row.differs),
        "same": sum(1 for row in found if not row.differs),
        "all": "all" in request.GET,
        "offers": offers(request, design),
        "chosen": [one.token for one in beside],
        "slots": [*(one.token for one in beside), *[""] * (MOST - len(beside))],
    }
    return page(request, "reviews/variants/variants.html", context)


def _usual(request: HttpRequest, design: Design) -> list[str]:
    """Return a design's variants, last edited first, after its origin if it is a variant."""
    mine = Design.objects.seen_by(person(request)).filter(variant_of=design).order_by("-edited")
    origin = ["origin"] if design.variant_of is not None and not design.variant_of.deleted else []
    return (origin + list(mine.distinct().values_list("key", flat=True)))[:MOST]


def _own(design: Design, beside: list[Shown]) -> tuple[str, ...]:
    """Tokens of the variants that can become the design."""
    return tuple(one.token for one in beside if one.design and one.design.variant_of_id == design.pk and one.is_now)


@require_POST
def adopt(request: HttpRequest, key: str) -> HttpResponse:
    """Make what a variant is now the design, in one edit that can be undone; the design keeps its name."""
    design = design_for(request, key, "edit")
    variant = design_for(request, request.POST.get("variant", ""), "view")
    if variant.variant_of_id != design.pk:
        raise Http404
    named = variant.spec.model_copy(update={"name": design.spec.name})
    try:
        design.apply(ReplaceAll(document=plain(named), was=request.POST.get("was", "")), by=person(request))
    except Conflict:
        raise Changed(
            N_("The design has changed since you opened its variants. Review them again, then decide.")
        ) from None
    return redirect("editor", design.key)
