"""Designs and their documents."""

from typing import Any

from django.http import HttpRequest
from ninja import Body, Status

from designer.document import Spec, load
from designer.document.edits import Edit
from designer.document.texts import N_, Text
from designer.http.errors import DesignError
from designer.http.parameters import body, header
from designer.models import Design
from designer.views.editor.books import add_price_book, begin_today
from reviews.api import schemas
from reviews.api.access import design_of, require_permission, token_of
from reviews.api.errors import BODY, FAILURES, Failure
from reviews.api.site import Limit, Offset, api, document_file, is_matching_etag, list_page

DOCUMENT: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Spec"}}},
    }
}
"""Documents are read by our own loader, which says line by line what is wrong."""


class StaleDocumentError(DesignError):
    """The design is not any more what the caller saw."""

    status = 412


class MissingPreconditionError(DesignError):
    """Error for a request that does not name the document that it replaces."""

    status = 428


@api.get(
    "/designs",
    response={200: schemas.Listed[schemas.DesignInfo], **FAILURES},
    tags=["designs"],
    summary=N_("The designs of the team, most recently edited first"),
    url_name="api_designs",
)
def designs(
    request: HttpRequest,
    offset: Offset = 0,
    limit: Limit = 50,
    archived: bool = False,
) -> Any:
    token = require_permission(request, "view")
    found = Design.objects.filter(team=token.team_id, deleted=None).select_related("edited_by", "variant_of")
    if not archived:
        found = found.filter(archived=None)
    return list_page(request, found.order_by("-edited", "pk"), offset, limit, _design)


@api.post(
    "/designs",
    response={201: schemas.DesignInfo, 413: Failure, **FAILURES},
    tags=["designs"],
    summary=N_("Create a design from a document"),
    openapi_extra=DOCUMENT,
    url_name="api_designs",
)
def create(request: HttpRequest) -> Any:
    token = require_permission(request, "keep")
    words = Text(N_("created by the API token {name}"), {"name": token.name})
    made = Design.objects.start(begin_today(load(body(request))), team=token.team, by=token.by, description=words)
    return Status(201, _design(made))


@api.get(
    "/designs/{key}",
    response={200: schemas.DesignInfo, **FAILURES},
    tags=["designs"],
    summary=N_("One design"),
    url_name="api_design",
)
def design(request: HttpRequest, key: str) -> Any:
    return _design(design_of(request, key, "view"))


@api.get(
    "/designs/{key}/document",
    response={200: Spec, 304: None, **FAILURES},
    tags=["designs"],
    summary=N_("The latest document"),
    url_name="api_document",
)
def document(request: HttpRequest, key: str) -> Any:
    return document_file(request, design_of(request, key, "view").head)


@api.put(
    "/designs/{key}/document",
    response={200: schemas.Change, 412: Failure, 413: Failure, 428: Failure, **FAILURES},
    tags=["designs"],
    summary=N_("Replace the document if it matches If-Match"),
    openapi_extra=DOCUMENT,
    url_name="api_document",
)
def replace(request: HttpRequest, key: str) -> Any:
    found = design_of(request, key, "edit")
    seen = header(request, "If-Match")
    if not seen.strip():
        raise MissingPreconditionError(
            N_("Specify the document to replace: send If-Match with the ETag that you read.")
        )
    if not is_matching_etag(seen, found.head_id):
        raise StaleDocumentError(N_("The design has changed since. Read it again, then replace it."))
    token = token_of(request)
    words = Text(N_("replaced by the API token {name}"), {"name": token.name})
    saved = found.replace(load(body(request)), expected_sha256=found.head_id, by=token.by, description=words)
    return {"changed": saved.has_changed, "revision": found.number, "sha256": found.head_id}


@api.post(
    "/designs/{key}/edits",
    response={200: schemas.Change, 409: Failure, **BODY, **FAILURES},
    tags=["designs"],
    summary=N_("Apply an edit, for example the fix of a finding"),
    url_name="api_edits",
)
def edit(request: HttpRequest, key: str, edit: Body[Edit]) -> Any:
    found = design_of(request, key, "edit")
    saved = found.apply(add_price_book(found.spec, edit), by=token_of(request).by)
    return {"changed": saved.has_changed, "revision": found.number, "sha256": found.head_id}


def _design(row: Design) -> dict[str, Any]:
    return {
        "key": row.key, "name": row.title, "revision": row.number, "sha256": row.head_id, "made": row.made,
        "edited": row.edited, "edited_by": str(row.edited_by) if row.edited_by else None,
        "archived": row.archived is not None, "variant_of": row.variant_of.key if row.variant_of else None,
    }  # fmt: skip
