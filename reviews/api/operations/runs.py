"""Simulations and other long computations."""

from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from ninja import Status

from designer.document.texts import N_, TextList
from designer.http.errors import DesignError
from designer.models import Design
from estimator.models import Run
from estimator.runs.kinds import KINDS
from estimator.runs.kinds import find_run_type as kind_of
from estimator.runs.kinds.simulate import PREFIX
from estimator.views.runs import file_response
from reviews.api import schemas
from reviews.api.access import design_of, record_download, token_of
from reviews.api.errors import BODY, FAILURES, Failure, PlacedError
from reviews.api.running import run_info, run_result
from reviews.api.site import Limit, Number, Offset, api, creation_answer, list_page

FILE = {"description": "OK", "content": {"application/gzip": {"schema": {"type": "string", "format": "binary"}}}}
"""Lines of CSV or JSON, compressed."""


class InvalidRunRequestError(PlacedError):
    """There is no such computation, or it takes no such parameter."""


class NoResultError(DesignError):
    """A run has no result yet, or never; or nothing of its file."""

    status = 409


@api.get(
    "/designs/{key}/runs",
    response={200: schemas.Listed[schemas.RunInfo], **FAILURES},
    tags=["runs"],
    operation_id="listRuns",
    summary=N_("Simulations and other background runs, newest first"),
    url_name="api_runs",
)
def runs(request: HttpRequest, response: HttpResponse, key: str, offset: Offset = 0, limit: Limit = 50) -> Any:
    rows = design_of(request, key, "view").runs.select_related("document", "design", "asked_by").order_by("-asked")
    return list_page(request, response, rows, offset=offset, limit=limit, to_data=run_info)


@api.post(
    "/designs/{key}/runs",
    response={200: schemas.RunInfo, 201: schemas.RunInfo, 409: Failure, **BODY, **FAILURES},
    tags=["runs"],
    operation_id="startRun",
    summary=N_("Start a run, or return an existing run with the same parameters"),
    url_name="api_runs",
)
def start(request: HttpRequest, response: HttpResponse, key: str, asked: schemas.RunAsked) -> Any:
    design = design_of(request, key, "edit")
    if asked.kind not in KINDS:
        message = N_("Unknown run type. Use one of: {kinds}.")
        raise InvalidRunRequestError(message, place=("kind",), kinds=TextList(KINDS))
    # First this, which refuses wrong values; what it does not take up is then an unknown name.
    parameters = kind_of(asked.kind).canonical(asked.parameters)
    unknown = next((name for name in asked.parameters if name not in parameters and not name.startswith(PREFIX)), None)
    if unknown is not None:
        message = N_("{name} is not a parameter of {kind}. Use: {names}.")
        place, names = ("parameters", unknown), ", ".join(sorted(parameters))
        raise InvalidRunRequestError(message, place=place, name=unknown, kind=asked.kind, names=names)
    run, is_new = Run.objects.find_or_start(design, asked.kind, asked.parameters, token_of(request).by, deliver=False)
    if not is_new:
        return Status(200, run_info(run))
    transaction.on_commit(run.deliver)  # with an idempotency key, workers see it only then
    return creation_answer(response, run_info(run), "api_run", key, run.pk)


@api.get(
    "/designs/{key}/runs/{number}",
    response={200: schemas.RunInfo, **FAILURES},
    tags=["runs"],
    operation_id="getRun",
    summary=N_("Progress of a run"),
    url_name="api_run",
)
def run(request: HttpRequest, key: str, number: Number) -> Any:
    return run_info(_find_run(design_of(request, key, "view"), number))


@api.get(
    "/designs/{key}/runs/{number}/result",
    response={200: schemas.RunResult, 409: Failure, **FAILURES},
    tags=["runs"],
    operation_id="getRunResult",
    summary=N_("Result of a run"),
    url_name="api_run_result",
)
def result(request: HttpRequest, key: str, number: Number) -> Any:
    run = _find_run(design_of(request, key, "view"), number)
    if run.state != "done":
        raise NoResultError(N_("This run is not completed, so it has no result."))
    return run_result(run)


@api.get(
    "/designs/{key}/runs/{number}/file",
    response={409: Failure, **FAILURES},
    tags=["runs"],
    operation_id="getRunFile",
    summary=N_("File of a run, for example sample keys; also available during creation"),
    openapi_extra={"responses": {200: FILE}},
    url_name="api_run_file",
)
def file(request: HttpRequest, key: str, number: Number) -> Any:
    design = design_of(request, key, "view")
    run = _find_run(design, number)
    if not run.file_name:
        raise NoResultError(N_("Runs of this kind have no file."))
    if run.state == "queued":  # nobody knows how long: a program would wait in vain
        raise NoResultError(N_("This run has not started, so its file has not begun."))
    if not (run.is_active or run.state == "done"):
        raise NoResultError(N_("This run ended without its file."))
    response = file_response(run)
    record_download(request, "run_downloaded", design, f"{design.title}: {run.file_name}")
    return response


@api.post(
    "/designs/{key}/runs/{number}/cancel",
    response={200: schemas.RunInfo, **FAILURES},
    tags=["runs"],
    operation_id="cancelRun",
    summary=N_("Cancel a run"),
    url_name="api_run_cancel",
)
def cancel(request: HttpRequest, key: str, number: Number) -> Any:
    run = _find_run(design_of(request, key, "edit"), number)
    run.cancel()
    return run_info(run)


def _find_run(design: Design, number: int) -> Run:
    run = design.runs.select_related("document", "design", "asked_by").filter(pk=number).first()
    if run is None:
        raise Http404
    return run
