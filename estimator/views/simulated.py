"""Shared parts of the pages of a simulation's result: the result itself and its tables' maps."""

import zlib
from dataclasses import replace

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.models.memory import MEMORY
from designer.views.access import design_for
from estimator.contexts import current_context
from estimator.models import Part, Run
from estimator.presentation.charts.maps import KeyMap
from estimator.presentation.charts.maps.live import live_map
from estimator.presentation.charts.maps.pane import Pane
from estimator.presentation.design_page import analyze
from estimator.presentation.run_page import RunPage
from estimator.presentation.segments import key_reader

PAGES = "pages of runs"
UNREADABLE_WORDS = N_("This result was created by an earlier version of Keywright and cannot be read. Run it again.")
UNREADABLE = (KeyError, TypeError, ValueError, zlib.error)


def run_page(run: Run) -> RunPage:
    """Return the cached result of a completed run."""

    key = run.pk  # and nothing else of the run, as the page is kept

    def read(name: str) -> bytes:
        data = Part.objects.filter(run=key, name=name).values_list("data", flat=True).first()
        if data is None:
            raise Http404
        return bytes(data)

    return MEMORY.get(PAGES, (run.pk, run.ended), lambda: RunPage(run.document.spec, read))


class ResultGoneError(DesignError):
    """A result of an earlier version of the program, which cannot be read any more."""

    status = 410


def requested_table(name: str | None, page: RunPage) -> str:
    """Return the requested table, else the first; empty if a result has none."""
    names = list(page.run.tables)
    return name if name in names else next(iter(names), "")


def pane_of(run: Run, page: RunPage, table: str, title: str = "") -> Pane:
    """Return the pane of a table's map for a page."""
    address = f"{reverse('run', args=[run.design.key, run.pk])}map/{table}/"
    return Pane(map_of(page, table), address, title or page.name(table))


def map_of(page: RunPage, table: str) -> KeyMap:
    """Return the map of a table, with the capacity of one node at the mean cost in the estimate."""
    if table not in page.run.tables:
        raise Http404
    part = analyze(page.spec, current_context()).estimate.tables.get(table)
    if part is None or part.traffic is None:
        return page.map(table)
    limits = {metric.name: metric.limit for metric in live_map(table, part.traffic).metrics.values()}
    return replace(page.map(table, limits), read_key=key_reader(page.spec, part))


def completed_run(request: HttpRequest, key: str, pk: int) -> tuple[Run, RunPage]:
    """Return a completed simulation and its result, if the user may see its design.

    Raises
    ------
    ResultGoneError
        If an earlier version of the program made it, in a form that is no longer read.
    """
    design = design_for(request, key, "view")
    run = get_object_or_404(design.runs.select_related("document"), pk=pk, kind="simulate", state="done")
    run.design = design
    try:
        return run, run_page(run)
    except UNREADABLE:
        raise ResultGoneError(UNREADABLE_WORDS) from None
