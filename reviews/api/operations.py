"""What can be asked of the API. An operation finds what the token reaches, then calls what the pages call too."""

from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from ninja import Body, NinjaAPI, Status
from pydantic import Field

from config.errors import DesignError
from designer.models import Design, Document, Revision
from designer.spec import Spec, load
from designer.spec.dump import dump
from designer.spec.edits import Edit
from designer.spec.texts import N_, Text
from designer.templatetags.keywright import say
from designer.views.books import pinned, with_book
from estimator.jobs.kinds import KINDS
from estimator.models import Run
from reviews.exports import every

from . import schemas
from .access import ByToken, allowed, design_of, token_of
from .computed import estimate_of, findings_of
from .errors import FAILURES, Failure, install
from .handed import exported, format_info
from .running import run_info, run_result

MOST_AT_ONCE = 100
Offset = Annotated[int, Field(ge=0)]
Limit = Annotated[int, Field(ge=1, le=MOST_AT_ONCE)]

api = NinjaAPI(
    title="Keywright",
    version="1",
    description=N_("Designs of wide-column schemas with their history, findings and estimates, for programs."),
    auth=ByToken(),
    docs_url=None,
    openapi_url=None,
    urls_namespace="api",
)
install(api)

DOCUMENT: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Spec"}}},
    }
}
"""Documents are read by our own loader, which says line by line what is wrong."""


class Moved(DesignError):
    """The design is not any more what the caller saw."""

    status = 412


class Unsaid(DesignError):
    """Which document is to be replaced was not said."""

    status = 428


class NoKind(DesignError):
    """There is no such computation."""

    status = 422


class NotDone(DesignError):
    """A run has no result yet, or never."""

    status = 409


# --- designs ------------------------------------------------------------------------------------------------------


@api.get(
    "/designs",
    response={200: schemas.Listed[schemas.DesignInfo], **FAILURES},
    tags=["designs"],
    summary=N_("The designs of the team, the last edited first"),
    url_name="api_designs",
)
def designs(
    request: HttpRequest,
    offset: Offset = 0,
    limit: Limit = 50,
    archived: bool = False,
) -> Any:
    token = allowed(request, "view")
    found = Design.objects.filter(team=token.team_id, deleted=None).select_related("edited_by", "variant_of")
    if not archived:
        found = found.filter(archived=None)
    return _listed(request, found.order_by("-edited", "pk"), offset, limit, _design)


@api.post(
    "/designs",
    response={201: schemas.DesignInfo, **FAILURES},
    tags=["designs"],
    summary=N_("Make a design of a document"),
    openapi_extra=DOCUMENT,
    url_name="api_designs",
)
def create(request: HttpRequest) -> Any:
    token = allowed(request, "keep")
    words = Text(N_("made by the API token {name}"), {"name": token.name})
    made = Design.objects.start(pinned(load(request.body)), team=token.team, by=token.by, words=words)
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
    summary=N_("The newest document"),
    url_name="api_document",
)
def document(request: HttpRequest, key: str) -> Any:
    return _file(request, design_of(request, key, "view").head)


@api.put(
    "/designs/{key}/document",
    response={200: schemas.Change, 412: Failure, 428: Failure, **FAILURES},
    tags=["designs"],
    summary=N_("Replace the document, if it still is the one of If-Match"),
    openapi_extra=DOCUMENT,
    url_name="api_document",
)
def replace(request: HttpRequest, key: str) -> Any:
    found = design_of(request, key, "edit")
    seen = request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
    if not seen:
        raise Unsaid(N_("Say which document you replace: If-Match with the ETag that you read."))
    if seen != found.head_id:
        raise Moved(N_("The design was changed meanwhile. Read it again, and replace what you read."))
    token = token_of(request)
    words = Text(N_("replaced by the API token {name}"), {"name": token.name})
    saved = found.replace(load(request.body), was=seen, by=token.by, words=words)
    return {"changed": saved.changed, "revision": found.number, "sha256": found.head_id}


@api.post(
    "/designs/{key}/edits",
    response={200: schemas.Change, 409: Failure, **FAILURES},
    tags=["designs"],
    summary=N_("Apply an edit, such as the fix of a finding"),
    url_name="api_edits",
)
def edit(request: HttpRequest, key: str, edit: Body[Edit]) -> Any:
    found = design_of(request, key, "edit")
    saved = found.apply(with_book(found.spec, edit), by=token_of(request).by)
    return {"changed": saved.changed, "revision": found.number, "sha256": found.head_id}


# --- revisions ----------------------------------------------------------------------------------------------------


@api.get(
    "/designs/{key}/revisions",
    response={200: schemas.Listed[schemas.RevisionInfo], **FAILURES},
    tags=["revisions"],
    summary=N_("The history, newest first"),
    url_name="api_revisions",
)
def revisions(request: HttpRequest, key: str, offset: Offset = 0, limit: Limit = 50) -> Any:
    found = design_of(request, key, "view").revisions.select_related("by").order_by("-number")
    return _listed(request, found, offset, limit, _revision)


@api.get(
    "/designs/{key}/revisions/{number}",
    response={200: schemas.RevisionInfo, **FAILURES},
    tags=["revisions"],
    summary=N_("One revision"),
    url_name="api_revision",
)
def revision(request: HttpRequest, key: str, number: int) -> Any:
    return _revision(_revision_of(design_of(request, key, "view"), number))


@api.get(
    "/designs/{key}/revisions/{number}/document",
    response={200: Spec, 304: None, **FAILURES},
    tags=["revisions"],
    summary=N_("The document of a revision"),
    url_name="api_revision_document",
)
def revision_document(request: HttpRequest, key: str, number: int) -> Any:
    return _file(request, _revision_of(design_of(request, key, "view"), number).document)


# --- what is computed ---------------------------------------------------------------------------------------------


@api.get(
    "/designs/{key}/findings",
    response={200: schemas.Findings, **FAILURES},
    tags=["computed"],
    summary=N_("What the rules find"),
    url_name="api_findings",
)
def findings(request: HttpRequest, key: str, revision: int | None = None) -> Any:
    return findings_of(_seen(request, key, revision).spec)


@api.get(
    "/designs/{key}/estimate",
    response={200: schemas.EstimateInfo, **FAILURES},
    tags=["computed"],
    summary=N_("Bill, nodes, rows and load"),
    url_name="api_estimate",
)
def estimate(request: HttpRequest, key: str, revision: int | None = None) -> Any:
    return estimate_of(_seen(request, key, revision).spec)


# --- runs ---------------------------------------------------------------------------------------------------------


@api.get(
    "/designs/{key}/runs",
    response={200: schemas.Listed[schemas.RunInfo], **FAILURES},
    tags=["runs"],
    summary=N_("Simulations and other long computations, newest first"),
    url_name="api_runs",
)
def runs(request: HttpRequest, key: str, offset: Offset = 0, limit: Limit = 50) -> Any:
    found = design_of(request, key, "view").runs.select_related("document", "design", "asked_by").order_by("-asked")
    return _listed(request, found, offset, limit, run_info)


@api.post(
    "/designs/{key}/runs",
    response={200: schemas.RunInfo, 201: schemas.RunInfo, 400: Failure, 409: Failure, **FAILURES},
    tags=["runs"],
    summary=N_("Start one, or find the one that has answered this already"),
    url_name="api_runs",
)
def start(request: HttpRequest, key: str, asked: schemas.RunAsked) -> Any:
    found = design_of(request, key, "edit")
    if asked.kind not in KINDS:
        raise NoKind(N_("There is no such kind of run: it is one of {kinds}."), kinds=", ".join(KINDS))
    run, created = Run.objects.ask(found, asked.kind, asked.parameters, token_of(request).by)
    return Status(201 if created else 200, run_info(run))


@api.get(
    "/designs/{key}/runs/{number}",
    response={200: schemas.RunInfo, **FAILURES},
    tags=["runs"],
    summary=N_("How far a run is"),
    url_name="api_run",
)
def run(request: HttpRequest, key: str, number: int) -> Any:
    return run_info(_run_of(design_of(request, key, "view"), number))


@api.get(
    "/designs/{key}/runs/{number}/result",
    response={200: schemas.RunResult, 409: Failure, **FAILURES},
    tags=["runs"],
    summary=N_("What a run came to"),
    url_name="api_run_result",
)
def result(request: HttpRequest, key: str, number: int) -> Any:
    found = _run_of(design_of(request, key, "view"), number)
    if found.state != "done":
        raise NotDone(N_("This run has no result: it is not done."))
    return run_result(found)


@api.post(
    "/designs/{key}/runs/{number}/cancel",
    response={200: schemas.RunInfo, **FAILURES},
    tags=["runs"],
    summary=N_("End a run"),
    url_name="api_run_cancel",
)
def cancel(request: HttpRequest, key: str, number: int) -> Any:
    found = _run_of(design_of(request, key, "edit"), number)
    found.cancel()
    return run_info(found)


# --- exports ------------------------------------------------------------------------------------------------------


@api.get(
    "/formats",
    response={200: list[schemas.FormatInfo], **FAILURES},
    tags=["exports"],
    summary=N_("What a design can be exported to"),
    url_name="api_formats",
)
def formats(request: HttpRequest) -> Any:
    allowed(request, "view")
    return [format_info(one) for one in every().values()]


@api.get(
    "/designs/{key}/exports/{name}",
    response={200: schemas.ExportInfo, **FAILURES},
    tags=["exports"],
    summary=N_("A design as files for another tool, with what that tool cannot express"),
    url_name="api_export",
)
def export(
    request: HttpRequest,
    key: str,
    name: str,
    revision: int | None = None,
    sections: Annotated[str, Field(description="Of a PDF, separated by commas; empty is all.")] = "",
) -> Any:
    found = design_of(request, key, "view")
    return exported(found, _revision_of(found, found.number if revision is None else revision), name, sections)


# --- pieces -------------------------------------------------------------------------------------------------------


def _seen(request: HttpRequest, key: str, number: int | None) -> Document:
    found = design_of(request, key, "view")
    return found.head if number is None else _revision_of(found, number).document


def _revision_of(found: Design, number: int) -> Revision:
    one = found.revisions.select_related("document", "by").filter(number=number).first()
    if one is None:
        raise Http404
    return one


def _run_of(found: Design, number: int) -> Run:
    one = found.runs.select_related("document", "design", "asked_by").filter(pk=number).first()
    if one is None:
        raise Http404
    return one


def _file(request: HttpRequest, document: Document) -> HttpResponse:
    """The document's own bytes; its ETag is the hash of its content, so who has it is told nothing anew."""
    tag = f'"{document.sha256}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if tag in [each.strip().removeprefix("W/") for each in request.headers.get("If-None-Match", "").split(",")]:
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(dump(document.spec), content_type="application/json", headers=headers)


def _listed(request: HttpRequest, rows: QuerySet[Any], offset: int, limit: int, shown: Any) -> dict[str, Any]:
    count, items = rows.count(), [shown(row) for row in rows[offset : offset + limit]]
    following = None
    if offset + limit < count:
        asked = request.GET.copy()
        asked["offset"], asked["limit"] = str(offset + limit), str(limit)
        following = request.build_absolute_uri(f"{request.path}?{asked.urlencode()}")
    return {"items": items, "count": count, "next": following}


def _design(found: Design) -> dict[str, Any]:
    return {
        "key": found.key, "name": found.title, "revision": found.number, "sha256": found.head_id, "made": found.made,
        "edited": found.edited, "edited_by": str(found.edited_by) if found.edited_by else None,
        "archived": found.archived is not None, "variant_of": found.variant_of.key if found.variant_of else None,
    }  # fmt: skip


def _revision(one: Revision) -> dict[str, Any]:
    return {
        "number": one.number, "name": one.name, "sha256": one.document_id, "at": one.at,
        "by": str(one.by) if one.by else None, "what": say(one.text.message, one.text.params),
    }  # fmt: skip
