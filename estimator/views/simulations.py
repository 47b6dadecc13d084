"""The result of a simulation: its page, its maps and charts."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from designer.http.parameters import query
from estimator.models import Run

from .design import chart_response
from .maps import map_response
from .simulated import UNREADABLE, UNREADABLE_WORDS, completed_run, map_of, pane_of, requested_table, run_page
from .splits import requested_count, splits_context
from .starting import AssumptionRow

MOST_BESIDE = 50
"""So many other results can be put beside one."""


def context(request: HttpRequest, run: Run) -> dict[str, Any]:
    """Return the additional context of a simulation's page."""
    try:
        view = run_page(run)
        table = requested_table(query(request).get("table"), view)
        panes = (pane_of(run, view, table),) if table else ()
    except UNREADABLE:
        return {"unreadable": UNREADABLE_WORDS}  # of an earlier version of the program, which packed it in another form
    finished = run.design.runs.filter(kind="simulate", state="done").exclude(pk=run.pk).select_related("document")
    others = list(finished.order_by("-asked")[:MOST_BESIDE])
    return {
        "page": view, "base": reverse("run", args=[run.design.key, run.pk]), "table": table,
        "panes": panes,
        "others": others,
        "splits": splits_context(run, view, table, count=requested_count(request, "splits")) if table else None,
        "day_posted": [*_repeat_fields(run, "period", "from_day", "seeds"), ("period", "day")],
        "day_runs": {other.parameters.get("from_day"): other.pk for other in others if _is_day_of(run, other)},
        "again_posted": _repeat_fields(run, "assumptions"),
        "rows": tuple(AssumptionRow(a, f"{a.value:.12g}" if a.value != a.default else "") for a in view.assumptions),
    }  # fmt: skip


def _is_day_of(month: Run, other: Run) -> bool:
    """Return whether another run is a single day of the same document with the same assumptions."""
    own = [{**run.parameters, "period": "", "from_day": "", "seeds": ""} for run in (month, other)]
    return other.document_id == month.document_id and other.parameters.get("period") == "day" and own[0] == own[1]


def _repeat_fields(run: Run, *left_out: str) -> list[tuple[str, str]]:
    """Return the posted parameters of the same question without some of them."""
    return [(name, value) for name, value in run.form_fields if name not in left_out and value != "null"]


@require_safe
def data(request: HttpRequest, key: str, pk: int, table: str, name: str, form: str) -> HttpResponse:
    """Figures of a map of a run."""
    _, view = completed_run(request, key, pk)
    return map_response(request, map_of(view, table), name, form, view.name(table))


@require_safe
def chart(request: HttpRequest, key: str, pk: int, name: str, form: str) -> HttpResponse:
    """One chart of a run in one of its forms."""
    _, view = completed_run(request, key, pk)
    return chart_response(request, view, name, form=form, file=f"{key}-{pk}")
