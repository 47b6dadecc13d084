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
from reviews.api.site import Limit, Number, Offset, api, document_file, find_revision, list_page


@api.get(
    "/designs/{key}/revisions",
    response={200: schemas.Listed[schemas.RevisionInfo], **FAILURES},
    tags=["revisions"],
    summary=N_("History, newest first"),
    url_name="api_revisions",
)
def revisions(request: HttpRequest, key: str, offset: Offset = 0, limit: Limit = 50) -> Any:
    found = design_of(request, key, "view").revisions.select_related("by").order_by("-number")
    return list_page(request, found, offset, limit, _revision)


@api.get(
    "/designs/{key}/revisions/{number}",
    response={200: schemas.RevisionInfo, **FAILURES},
    tags=["revisions"],
    summary=N_("One revision"),
    url_name="api_revision",
)
def revision(request: HttpRequest, key: str, number: Number) -> Any:
    return _revision(find_revision(design_of(request, key, "view"), number))


@api.get(
    "/designs/{key}/revisions/{number}/document",
    response={200: Spec, 304: None, **FAILURES},
    tags=["revisions"],
    summary=N_("The document of a revision"),
    url_name="api_revision_document",
)
def revision_document(request: HttpRequest, key: str, number: Number) -> Any:
    return document_file(request, find_revision(design_of(request, key, "view"), number).document)


def _revision(row: Revision) -> dict[str, Any]:
    return {
        "number": row.number, "name": row.name, "sha256": row.document_id, "at": row.at,
        "by": str(row.by) if row.by else None, "what": say(row.text.message, row.text.params),
    }  # fmt: skip
