"""Designs and their documents."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Body, Status

from designer.document import InvalidDocumentError, Spec, load
from designer.document.edits import Edit, EditConflictError, InvalidResultError, Set
from designer.document.texts import N_, Text
from designer.http.beside import read_beside
from designer.http.errors import DesignError
from designer.http.parameters import body, header
from designer.models import Design
from designer.views.designs.designs import copy_design
from designer.views.editor.books import add_price_book, begin_today
from designer.views.editor.effort import check_effort
from reviews.api import schemas
from reviews.api.access import design_of, record_act, require_permission, token_of
from reviews.api.errors import BODY, FAILURES, Failure
from reviews.api.site import TAKES_KEY, Limit, Offset, api, creation_answer, document_file, is_matching_etag, list_page

DOCUMENT: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Spec"}}},
    }
}
"""Documents are read by our own loader, which says line by line what is wrong."""
STALE = N_("The design has changed since. Read it again, then replace it.")


class StaleDocumentError(DesignError):
    """The design is not any more what the caller saw."""

    status = 412


class MissingPreconditionError(DesignError):
    """Error for a request that does not name the document that it replaces."""

    status = 428


def _load(request: HttpRequest) -> Spec:
    """Return the document of a request's body."""
    data = body(request)
    spec: Spec = read_beside(load, data, length=len(data), raises=(InvalidDocumentError,))
    return spec


@api.get(
    "/designs",
    response={200: schemas.Listed[schemas.DesignInfo], **FAILURES},
    tags=["designs"],
    operation_id="listDesigns",
    summary=N_("The designs of the team, most recently edited first"),
    url_name="api_designs",
)
def designs(
    request: HttpRequest,
    response: HttpResponse,
    offset: Offset = 0,
    limit: Limit = 50,
    archived: bool = False,
    deleted: bool = False,
) -> Any:
    token = require_permission(request, "view")
    matches = Design.objects.filter(team=token.team_id, deleted__isnull=not deleted)
    if not archived and not deleted:
        matches = matches.filter(archived=None)
    rows = matches.select_related("edited_by", "variant_of").order_by("-edited", "pk")
    return list_page(request, response, rows, offset=offset, limit=limit, to_data=design_info)


@api.post(
    "/designs",
    response={201: schemas.DesignInfo, 413: Failure, **FAILURES},
    tags=["designs"],
    operation_id="createDesign",
    summary=N_("Create a design from a document"),
    openapi_extra=DOCUMENT,
    url_name="api_designs",
)
def create(request: HttpRequest, response: HttpResponse) -> Any:
    token = require_permission(request, "keep")
    words = Text(N_("created by the API token {name}"), {"name": token.name})
    design = Design.objects.start(begin_today(_load(request)), team=token.team, by=token.by, description=words)
    return creation_answer(response, design_info(design), "api_design", design.key)


@api.get(
    "/designs/{key}",
    response={200: schemas.DesignInfo, **FAILURES},
    tags=["designs"],
    operation_id="getDesign",
    summary=N_("One design"),
    url_name="api_design",
)
def design(request: HttpRequest, key: str) -> Any:
    return design_info(design_of(request, key, "view"))


@api.patch(
    "/designs/{key}",
    response={200: schemas.DesignInfo, 409: Failure, **BODY, **FAILURES},
    tags=["designs"],
    operation_id="changeDesign",
    summary=N_("Rename a design, put it into the archive or take it out"),
    url_name="api_design",
)
def change(request: HttpRequest, key: str, asked: schemas.DesignChange) -> Any:
    with transaction.atomic():
        if asked.name is not None:
            design = design_of(request, key, "edit")
            # Renaming is an edit of the document like any other, so that it is in the history; archiving is not.
            design.apply(Set(at="", name="name", value=asked.name, was=design.spec.name), by=token_of(request).by)
        design = design_of(request, key, "keep" if asked.archived is not None else "edit")
        if asked.archived is not None and asked.archived != (design.archived is not None):
            design.set_archived(asked.archived)
            record_act(request, "design_archived" if asked.archived else "design_unarchived", design)
    return design_info(design)


@api.delete(
    "/designs/{key}",
    response={204: None, **FAILURES},
    tags=["designs"],
    operation_id="deleteDesign",
    summary=N_("Delete a design; for 30 days it can be restored"),
    url_name="api_design",
)
def delete(request: HttpRequest, key: str) -> Any:
    design = design_of(request, key, "keep")
    with transaction.atomic():
        design.set_deleted(True)
        record_act(request, "design_deleted", design)
    return Status(204, None)


@api.post(
    "/designs/{key}/undelete",
    response={200: schemas.DesignInfo, **FAILURES},
    tags=["designs"],
    operation_id="undeleteDesign",
    summary=N_("Restore a deleted design"),
    openapi_extra=TAKES_KEY,
    url_name="api_undelete",
)
def undelete(request: HttpRequest, key: str) -> Any:
    design = design_of(request, key, "keep", deleted=True)
    with transaction.atomic():
        design.set_deleted(False)
        record_act(request, "design_brought_back", design)
    return design_info(design)


@api.post(
    "/designs/{key}/copies",
    response={201: schemas.DesignInfo, **BODY, **FAILURES},
    tags=["designs"],
    operation_id="copyDesign",
    summary=N_("Copy a design, as a variant that knows its origin or on its own"),
    url_name="api_copies",
)
def copy(request: HttpRequest, response: HttpResponse, key: str, asked: schemas.CopyAsked) -> Any:
    design, token = design_of(request, key, "keep"), token_of(request)
    with transaction.atomic():
        new_design = copy_design(design, team=token.team, by=token.by, as_variant=asked.variant, name=asked.name)
        record_act(request, "design_copied", design, f"{design.title}: {new_design.key} {new_design.title}")
    return creation_answer(response, design_info(new_design), "api_design", new_design.key)


@api.get(
    "/designs/{key}/document",
    response={200: Spec, 304: None, **FAILURES},
    tags=["designs"],
    operation_id="getDocument",
    summary=N_("The latest document"),
    url_name="api_document",
)
def document(request: HttpRequest, key: str) -> Any:
    return document_file(request, design_of(request, key, "view").head)


@api.put(
    "/designs/{key}/document",
    response={200: schemas.Change, 412: Failure, 413: Failure, 428: Failure, **FAILURES},
    tags=["designs"],
    operation_id="replaceDocument",
    summary=N_("Replace the document if it matches If-Match"),
    openapi_extra=DOCUMENT,
    url_name="api_document",
)
def replace(request: HttpRequest, key: str) -> Any:
    design = design_of(request, key, "edit")
    etag = header(request, "If-Match")
    # RFC 6585: 428 keeps a client that forgets If-Match from overwriting what others changed (the lost update).
    if not etag.strip():
        raise MissingPreconditionError(
            N_("Specify the document to replace: send If-Match with the ETag that you read.")
        )
    if not is_matching_etag(etag, design.head_id):
        raise StaleDocumentError(STALE)
    token = token_of(request)
    words = Text(N_("replaced by the API token {name}"), {"name": token.name})
    try:
        # The comparison above was a moment ago; this one is part of the conditional UPDATE.
        saved = design.replace(_load(request), expected_sha256=design.head_id, by=token.by, description=words)
    except InvalidResultError:
        raise
    except EditConflictError:
        raise StaleDocumentError(STALE) from None
    return {"changed": saved.has_changed, "revision": design.number, "sha256": design.head_id}


@api.post(
    "/designs/{key}/edits",
    response={200: schemas.Change, 409: Failure, **BODY, **FAILURES},
    tags=["designs"],
    operation_id="applyEdit",
    summary=N_("Apply an edit, for example the fix of a finding"),
    openapi_extra=TAKES_KEY,
    url_name="api_edits",
)
def edit(request: HttpRequest, key: str, edit: Body[Edit]) -> Any:
    design = design_of(request, key, "edit")
    check_effort(edit, design.spec)
    saved = design.apply(add_price_book(design.spec, edit), by=token_of(request).by)
    return {"changed": saved.has_changed, "revision": design.number, "sha256": design.head_id}


def design_info(row: Design) -> dict[str, Any]:
    """Return the list entry of a design."""
    return {
        "key": row.key, "name": row.title, "revision": row.number, "sha256": row.head_id, "made": row.made,
        "edited": row.edited, "edited_by": str(row.edited_by) if row.edited_by else None,
        "archived": row.archived is not None, "variant_of": row.variant_of.key if row.variant_of else None,
    }  # fmt: skip
