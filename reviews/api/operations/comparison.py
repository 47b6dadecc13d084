"""Two designs, or two revisions of one, beside each other; and a variant that becomes the design."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from designer.document.edits import EditConflictError
from designer.document.texts import N_
from designer.models import Design
from estimator.comparison.cached import cached_comparison
from estimator.comparison.designs.plain_data import as_data
from estimator.contexts import current_context
from reviews.api import schemas
from reviews.api.access import design_of, token_of
from reviews.api.errors import BODY, FAILURES, Failure, PlacedError
from reviews.api.site import TAKES_KEY, Limit, Offset, api, list_page
from reviews.views.sides import Deadline, default_side, find_side
from reviews.views.variants import DesignChangedError

from .designs import design_info


@api.get(
    "/designs/{key}/comparison",
    response={200: schemas.ComparisonInfo, **FAILURES},
    tags=["computed"],
    operation_id="compareDesigns",
    summary=N_("What changed between two revisions or designs, and what each change leads to"),
    url_name="api_comparison",
)
def comparison(request: HttpRequest, key: str, before: str = "", after: str = "now") -> Any:
    design = design_of(request, key, "view")

    def find(other: str) -> Design:
        return design_of(request, other, "view")

    first, other = find_side(find, design, before or default_side(design)), find_side(find, design, after)
    result = cached_comparison(first.spec, other.spec, current_context(), is_late=Deadline())
    return {"before": first.token, "after": other.token, "report": {**as_data(result), "failed": []}}


@api.get(
    "/designs/{key}/variants",
    response={200: schemas.Listed[schemas.DesignInfo], **FAILURES},
    tags=["designs"],
    operation_id="listVariants",
    summary=N_("The variants of a design, most recently edited first"),
    url_name="api_variants",
)
def variants(request: HttpRequest, response: HttpResponse, key: str, offset: Offset = 0, limit: Limit = 50) -> Any:
    design = design_of(request, key, "view")
    designs = Design.objects.filter(team=design.team_id, deleted=None, variant_of=design)
    rows = designs.select_related("edited_by", "variant_of").order_by("-edited", "pk")
    return list_page(request, response, rows, offset=offset, limit=limit, to_data=design_info)


@api.post(
    "/designs/{key}/adopt",
    response={200: schemas.Change, 409: Failure, **BODY, **FAILURES},
    tags=["designs"],
    operation_id="adoptVariant",
    summary=N_("Replace the design with the current state of a variant; the design keeps its name"),
    openapi_extra=TAKES_KEY,
    url_name="api_adopt",
)
def adopt(request: HttpRequest, key: str, asked: schemas.AdoptAsked) -> Any:
    design = design_of(request, key, "edit")
    variant = Design.objects.filter(team=design.team_id, deleted=None, variant_of=design, key=asked.variant).first()
    if variant is None:
        raise PlacedError(N_("This design has no such variant."), place=("variant",))
    try:
        saved = design.adopt(variant, expected_sha256=asked.was, by=token_of(request).by)
    except EditConflictError:
        raise DesignChangedError(N_("The design has changed since. Read it again, then replace it.")) from None
    return {"changed": saved.has_changed, "revision": design.number, "sha256": design.head_id}
