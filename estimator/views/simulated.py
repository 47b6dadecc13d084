"""What the pages of a simulation's result share: the result itself, and the maps of its tables."""

import zlib
from collections.abc import Mapping

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
from estimator.presentation.design_page import answer
from estimator.presentation.run_page import RunPage

PAGES = "pages of runs"
UNREADABLE_WORDS = N_("This result was created by an earlier version of Keywright and cannot be read. Run it again.")
UNREADABLE = (KeyError, TypeError, ValueError, zlib.error)


def run_page(run: Run) -> RunPage:
    """The result of a run that is done, remembered."""

    key = run.pk  # and nothing else of the run, as the page is kept

    def read(name: str) -> bytes:
        data = Part.objects.filter(run=key, name=name).values_list("data", flat=True).first()
        if data is None:
            raise Http404
        return bytes(data)

    return MEMORY.get(PAGES, (run.pk, run.ended), lambda: RunPage(run.document.spec, read))


class Gone(DesignError):
    """A result of an earlier version of the program, which cannot be read any more."""

    status = 410


def table_of(name: str | None, shown: RunPage) -> str:
    """The table that is asked for, else the first; empty where a result has none."""
    names = list(shown.run.tables)
    return name if name in names else next(iter(names), "")


def pane_of(run: Run, shown: RunPage, table: str, title: str = "") -> Pane:
    """A table's map as a page shows it."""
    address = f"{reverse('run', args=[run.design.key, run.pk])}map/{table}/"
    return Pane(map_of(shown, table), address, title or shown.name(table))


def map_of(shown: RunPage, table: str) -> KeyMap:
    """The map of a table, with what one node takes."""
    if table not in shown.run.tables:
        raise Http404
    return shown.map(table, _limits(shown, table))


def _limits(shown: RunPage, table: str) -> Mapping[str, float | None]:
    """What one node takes, at the mean cost that the estimate has."""
    part = answer(shown.spec, current_context()).estimate.tables.get(table)
    if part is None or part.traffic is None:
        return {}
    return {metric.name: metric.limit for metric in live_map(table, part.traffic).metrics.values()}


def done(request: HttpRequest, key: str, pk: int) -> tuple[Run, RunPage]:
    """A simulation that is done, and its result, for who may see its design.

    Raises
    ------
    Gone
        If an earlier version of the program made it, in a form that is read no more.
    """
    design = design_for(request, key, "view")
    run = get_object_or_404(design.runs.select_related("document"), pk=pk, kind="simulate", state="done")
    run.design = design
    try:
        return run, run_page(run)
    except UNREADABLE:
        raise Gone(UNREADABLE_WORDS) from None
