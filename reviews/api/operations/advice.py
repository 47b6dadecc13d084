"""Other keys for the rows of a table, measured beside the present one."""

from typing import Any

from django.http import Http404, HttpRequest

from designer.document.table import RowKind
from designer.document.texts import N_
from estimator.contexts import current_context
from estimator.presentation.advice_data import advice_data
from estimator.presentation.advisor_page import advice_page
from reviews.api import schemas
from reviews.api.access import design_of
from reviews.api.errors import FAILURES
from reviews.api.site import Number, api, find_revision


@api.get(
    "/designs/{key}/advice/{row_kind}",
    response={200: schemas.AdviceInfo, **FAILURES},
    tags=["computed"],
    operation_id="getAdvice",
    summary=N_("Other keys for a row kind, each with what it would do and the edit that makes it"),
    url_name="api_advice",
)
def advice(request: HttpRequest, key: str, row_kind: str, revision: Number | None = None) -> Any:
    found = find_revision(design_of(request, key, "view"), revision)
    if not isinstance(found.spec.by_id.get(row_kind), RowKind):
        raise Http404
    page = advice_page(found.spec, row_kind, current_context())
    return {"sha256": found.document_id, "report": advice_data(page.light_advice)}
