"""The history of a design."""

from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse

from designer.document import Spec
from designer.document.texts import N_
from designer.http.parameters import one_line
from designer.models import Revision
from designer.templatetags.keywright import translate
from reviews.api import schemas
from reviews.api.access import design_of, record_act, token_of
from reviews.api.errors import BODY, FAILURES
from reviews.api.site import TAKES_KEY, Limit, Number, Offset, api, document_file, find_revision, list_page


@api.get(
    "/designs/{key}/revisions",
    response={200: schemas.Listed[schemas.RevisionInfo], **FAILURES},
    tags=["revisions"],
    operation_id="listRevisions",
    summary=N_("History, newest first"),
    url_name="api_revisions",
)
def revisions(request: HttpRequest, response: HttpResponse, key: str, offset: Offset = 0, limit: Limit = 50) -> Any:
    rows = design_of(request, key, "view").revisions.select_related("by").order_by("-number")
    return list_page(request, response, rows, offset=offset, limit=limit, to_data=_revision)


@api.get(
    "/designs/{key}/revisions/{number}",
    response={200: schemas.RevisionInfo, **FAILURES},
    tags=["revisions"],
    operation_id="getRevision",
    summary=N_("One revision"),
    url_name="api_revision",
)
def revision(request: HttpRequest, key: str, number: Number) -> Any:
    return _revision(find_revision(design_of(request, key, "view"), number))


@api.patch(
    "/designs/{key}/revisions/{number}",
    response={200: schemas.RevisionInfo, **BODY, **FAILURES},
    tags=["revisions"],
    operation_id="nameRevision",
    summary=N_("Set or remove the name of a revision"),
    url_name="api_revision",
)
def name(request: HttpRequest, key: str, number: Number, asked: schemas.RevisionChange) -> Any:
    design = design_of(request, key, "edit")
    if not design.name_revision(number, one_line(asked.name)[:100]):
        raise Http404
    return _revision(find_revision(design, number))


@api.post(
    "/designs/{key}/revisions/{number}/restore",
    response={200: schemas.Change, **FAILURES},
    tags=["revisions"],
    operation_id="restoreRevision",
    summary=N_("Restore the document of an earlier revision"),
    openapi_extra=TAKES_KEY,
    url_name="api_restore",
)
def restore(request: HttpRequest, key: str, number: Number) -> Any:
    design = design_of(request, key, "edit")
    find_revision(design, number)
    with transaction.atomic():
        saved = design.restore(number, by=token_of(request).by)
        record_act(request, "revision_restored", design, f"{design.title}: {number}")
    return {"changed": saved.has_changed, "revision": design.number, "sha256": design.head_id}


@api.get(
    "/designs/{key}/revisions/{number}/document",
    response={200: Spec, 304: None, **FAILURES},
    tags=["revisions"],
    operation_id="getRevisionDocument",
    summary=N_("The document of a revision"),
    url_name="api_revision_document",
)
def revision_document(request: HttpRequest, key: str, number: Number) -> Any:
    return document_file(request, find_revision(design_of(request, key, "view"), number).document)


def _revision(row: Revision) -> dict[str, Any]:
    return {
        "number": row.number, "name": row.name, "sha256": row.document_id, "at": row.at,
        "by": str(row.by) if row.by else None, "what": translate(row.text.message, row.text.params),
    }  # fmt: skip
