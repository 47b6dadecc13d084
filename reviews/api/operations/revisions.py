"""The history of a design."""

from typing import Any

from django.http import HttpRequest

from designer.document import Spec
from designer.document.texts import N_
from designer.models import Revision
from designer.templatetags.keywright import say
from reviews.api import schemas
from reviews.api.access import design_of
from reviews.api.errors import FAILURES
from reviews.api.site import Limit, Number, Offset, api, document_file, listed, revision_of


@api.get(
    "/designs/{key}/revisions",
    response={200: schemas.Listed[schemas.RevisionInfo], **FAILURES},
    tags=["revisions"],
    summary=N_("History, newest first"),
    url_name="api_revisions",
)
def revisions(request: HttpRequest, key: str, offset: Offset = 0, limit: Limit = 50) -> Any:
    found = design_of(request, key, "view").revisions.select_related("by").order_by("-number")
    return listed(request, found, offset, limit, _revision)


@api.get(
    "/designs/{key}/revisions/{number}",
    response={200: schemas.RevisionInfo, **FAILURES},
    tags=["revisions"],
    summary=N_("One revision"),
    url_name="api_revision",
)
def revision(request: HttpRequest, key: str, number: Number) -> Any:
    return _revision(revision_of(design_of(request, key, "view"), number))


@api.get(
    "/designs/{key}/revisions/{number}/document",
    response={200: Spec, 304: None, **FAILURES},
    tags=["revisions"],
    summary=N_("The document of a revision"),
    url_name="api_revision_document",
)
def revision_document(request: HttpRequest, key: str, number: Number) -> Any:
    return document_file(request, revision_of(design_of(request, key, "view"), number).document)


def _revision(one: Revision) -> dict[str, Any]:
    return {
        "number": one.number, "name": one.name, "sha256": one.document_id, "at": one.at,
        "by": str(one.by) if one.by else None, "what": say(one.text.message, one.text.params),
    }  # fmt: skip
