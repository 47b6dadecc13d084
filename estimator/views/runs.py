"""Runs of a design: start one, watch it, cancel it, see those that there are."""

from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from designer.http.errors import DesignError
from designer.http.pages import page
from designer.http.parameters import form, header, query
from designer.models import Design
from designer.views.access import can_edit, current_person, design_for
from designer.views.audit import record
from estimator.models import Measured, Run, Worker
from estimator.runs import kinds
from estimator.runs.kinds import sample_keys
from estimator.worker.worker import run_quickly

from . import simulations, starting
from .sources import MEASURED_COOKIE

PAGE_SIZE = 50
FORMS = ("simulate", "sample_keys")
"""Kinds of runs that have a form on the page."""


@require_http_methods(["GET", "POST"])
def runs(request: HttpRequest, key: str) -> HttpResponse:
    """Show a design's runs, newest first; a POST starts one or redirects to the one that answered it."""
    design = design_for(request, key, "edit" if request.method == "POST" else "view")
    problem: DesignError | None = None
    if request.method == "POST":
        try:
            return _start(request, design)
        except DesignError as error:
            if form(request).get("kind") not in FORMS:
                raise
            problem = error  # what was entered stays in the form
    run_list = design.runs.select_related("asked_by", "document").order_by("-asked")
    context = {"design": design, "runs": Paginator(run_list, PAGE_SIZE).get_page(query(request).number("page"))}
    kind = form(request).get("kind") or query(request).get("kind") or FORMS[0]
    parameters = dict(form(request) if problem else query(request))
    context |= {"may_edit": can_edit(request, design), "problem": problem if kind == FORMS[0] else None}
    context["start"] = starting.start_context(design, parameters if kind == FORMS[0] else {})
    context["keys"] = _keys_context(design, parameters, problem if kind == FORMS[1] else None, opened=kind == FORMS[1])
    return page(request, "estimator/runs/runs.html", context, status=problem.status if problem else 200)


def _keys_context(
    design: Design, values: dict[str, str], problem: DesignError | None, *, opened: bool
) -> dict[str, Any]:
    """Return the context of the form for a file of sample keys."""
    return {
        "kinds": list(design.spec.row_kinds()), "given": values if opened else {}, "problem": problem, "open": opened,
        "with_values": opened and "values" in values,
        "least": sample_keys.LEAST_KEYS, "usual": sample_keys.USUAL_KEYS, "most": settings.KEYWRIGHT_MOST_KEYS,
    }  # fmt: skip


def _start(request: HttpRequest, design: Design) -> HttpResponse:
    values = dict(form(request))
    kind = values.get("kind", "")
    parameters = starting.posted_parameters(design, values) if kind == FORMS[0] else values
    if kind not in kinds.KINDS:
        raise Http404
    run, created = Run.objects.find_or_start(design, kind, parameters, current_person(request), deliver=False)
    if created and not run_quickly(run):
        run.deliver()
    address = reverse("run", args=[design.key, run.pk])
    if header(request, "HX-Request"):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return redirect(address)


@require_safe
def run(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """One run: how far it is, or what it came to."""
    run = _find_run(request, key, pk)
    response = page(request, "estimator/runs/run.html", _context(request, run))
    if run.kind == "compression" and run.state == "done":
        newest = str(Measured.newest_id())
        response.set_cookie(MEASURED_COOKIE, newest, httponly=True, samesite="Lax", secure=settings.HTTPS)
    return response


@require_safe
def progress(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """Return a run's progress; 204 if unchanged since `?since=`, a refresh of the page once it has ended."""
    run = _find_run(request, key, pk)
    if not run.is_active:
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    context = _context(request, run)
    if context["progress"].version == query(request).get("since"):
        return HttpResponse(status=204)
    return render(request, "estimator/runs/_progress.html", context)


@require_safe
def file(request: HttpRequest, key: str, pk: int) -> StreamingHttpResponse:
    """Stream the file of a run: the pieces that exist at once, the rest as they are produced."""
    run = _find_run(request, key, pk)
    response = file_response(run)
    if request.method == "GET":
        design = run.design
        record(request, "run_downloaded", f"{design.key} {design.title}: {run.file_name}", team=design.team)
    return response


def file_response(found: Run) -> StreamingHttpResponse:
    """Return the file of a run as a response; 404 if it has none or ended without it."""
    if not found.file_name or not (found.is_active or found.state == "done"):
        raise Http404
    response = StreamingHttpResponse(found.pieces(), content_type="application/gzip")
    response["Content-Disposition"] = content_disposition_header(True, found.file_name)
    response["Content-Encoding"] = "identity"  # it is compressed as it is
    return response


@require_POST
def cancel(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """End a run."""
    design = design_for(request, key, "edit")
    get_object_or_404(design.runs, pk=pk).cancel()
    if header(request, "HX-Request"):
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    return redirect("run", design.key, pk)


def _find_run(request: HttpRequest, key: str, pk: int) -> Run:
    design = design_for(request, key, "view")
    run = get_object_or_404(design.runs.select_related("asked_by", "document"), pk=pk)
    run.design = design
    return run


def _context(request: HttpRequest, found: Run) -> dict[str, Any]:
    more = simulations.context(request, found) if found.kind == "simulate" and found.state == "done" else {}
    return more | {
        "run": found, "design": found.design, "progress": found.progress, "workers": Worker.objects.slots(),
        "may_edit": can_edit(request, found.design),
    }  # fmt: skip
