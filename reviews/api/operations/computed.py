"""Results computed from a design or from one of its revisions."""

from typing import Any

from django.http import HttpRequest

from designer.document.texts import N_
from reviews.api import schemas
from reviews.api.access import design_of
from reviews.api.computed import estimate_of, findings_of
from reviews.api.errors import FAILURES
from reviews.api.site import Number, api, find_revision


@api.get(
    "/designs/{key}/findings",
    response={200: schemas.Findings, **FAILURES},
    tags=["computed"],
    operation_id="getFindings",
    summary=N_("Findings of the rules"),
    url_name="api_findings",
)
def findings(request: HttpRequest, key: str, revision: Number | None = None) -> Any:
    return findings_of(find_revision(design_of(request, key, "view"), revision).document.spec)


@api.get(
    "/designs/{key}/estimate",
    response={200: schemas.EstimateInfo, **FAILURES},
    tags=["computed"],
    operation_id="getEstimate",
    summary=N_("Bill, nodes, rows and load"),
    url_name="api_estimate",
)
def estimate(request: HttpRequest, key: str, revision: Number | None = None) -> Any:
    return estimate_of(find_revision(design_of(request, key, "view"), revision).document.spec)
