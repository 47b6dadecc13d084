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
        shown = run_page(run)
        table = requested_table(query(request).get("table"), shown)
        panes = (pane_of(run, shown, table),) if table else ()
    except UNREADABLE:
        return {"unreadable": UNREADABLE_WORDS}  # of an earlier version of the program, which packed it in another form
    finished = run.design.runs.filter(kind="simulate", state="done").exclude(pk=run.pk).select_related("document")
    others = list(finished.order_by("-asked")[:MOST_BESIDE])
    return {
        "shown": shown, "base": reverse("run", args=[run.design.key, run.pk]), "table": table,
        "panes": panes,
        "others": others,
        "splits": splits_context(run, shown, table, count=requested_count(request, "splits")) if table else None,
        "day_posted": [*_repeat_fields(run, "period", "from_day", "seeds"), ("period", "day")],
        "day_runs": {each.parameters.get("from_day"): each.pk for each in others if _is_day_of(run, each)},
        "again_posted": _repeat_fields(run, "assumptions"),
        "rows": tuple(AssumptionRow(a, f"{a.value:.12g}" if a.value != a.default else "") for a in shown.assumptions),
    }  # fmt: skip


def _is_day_of(month: Run, other: Run) -> bool:
    """Return whether another run is a single day of the same document with the same assumptions."""
    own = [{**each.parameters, "period": "", "from_day": "", "seeds": ""} for each in (month, other)]
    return other.document_id == month.document_id and other.parameters.get("period") == "day" and own[0] == own[1]


def _repeat_fields(run: Run, *left_out: str) -> list[tuple[str, str]]:
    """Return the posted parameters of the same question without some of them."""
    return [(name, value) for name, value in run.form_fields if name not in left_out and value != "null"]


@require_safe
def data(request: HttpRequest, key: str, pk: int, table: str, name: str, form: str) -> HttpResponse:
    """Figures of a map of a run."""
    _, shown = completed_run(request, key, pk)
    return map_response(request, map_of(shown, table), name, form, shown.name(table))


@require_safe
def chart(request: HttpRequest, key: str, pk: int, name: str, form: str) -> HttpResponse:
    """One chart of a run in one of its forms."""
    _, shown = completed_run(request, key, pk)
    return chart_response(request, shown, name, form=form, file=f"{key}-{pk}")
