"""The result of a simulation: its page, its maps and charts, its split keys, and two results side by side."""

import json
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from config.pages import page
from designer.models import Design
from designer.permissions import may
from designer.spec.edits import Conflict, Invalid, Set
from designer.spec.texts import Text
from designer.views.access import design_for, person
from estimator.cache import Memory
from estimator.maps import KeyMap
from estimator.maps.live import live_map
from estimator.models import Run
from estimator.pages import answer as answered
from estimator.simulated import RunPage, differences, only_in
from estimator.simulation import plan
from estimator.simulation.splits import proposed_splits

from .design import drawn
from .maps import Pane, answer

PAGES: Memory[RunPage] = Memory(limit_bytes=128 << 20, weigh=lambda shown: shown.weight_bytes)
MOST_BESIDE = 50


def run_page(run: Run) -> RunPage:
    """The result of a run that is done, remembered."""

    def read(name: str) -> bytes:
        data = run.part(name)
        if data is None:
            raise Http404
        return data

    return PAGES.get((run.pk, run.ended), lambda: RunPage(run.document.spec, read))


def context(request: HttpRequest, run: Run) -> dict[str, Any]:
    """What the page of a simulation needs beside what every run's page has."""
    shown = run_page(run)
    table = _table(request.GET.get("table"), shown)
    others = run.design.runs.filter(kind="simulate", state="done").exclude(pk=run.pk).select_related("document")
    return {
        "shown": shown, "base": reverse("run", args=[run.design.key, run.pk]), "table": table,
        "panes": (_pane(run, shown, table),) if table else (),
        "others": others.order_by("-asked")[:MOST_BESIDE],
        "splits": splits_context(run, shown, table) if table else None,
    }  # fmt: skip


def _table(name: str | None, shown: RunPage) -> str:
    names = list(shown.run.tables)
    return name if name in names else next(iter(names), "")


def _pane(run: Run, shown: RunPage, table: str, title: str = "") -> Pane:
    address = f"{reverse('run', args=[run.design.key, run.pk])}map/{table}/"
    return Pane(_map(shown, table), address, title or shown.name(table))


def _map(shown: RunPage, table: str) -> KeyMap:
    if table not in shown.run.tables:
        raise Http404
    return shown.map(table, _limits(shown, table))


def _limits(shown: RunPage, table: str) -> Mapping[str, float | None]:
    """What one node takes, at the mean cost that the estimate has."""
    part = answered(shown.spec).estimate.tables.get(table)
    if part is None or part.traffic is None:
        return {}
    return {metric.name: metric.limit for metric in live_map(table, part.traffic).metrics.values()}


def _done(request: HttpRequest, key: str, pk: int) -> tuple[Run, RunPage]:
    design = design_for(request, key, "view")
    run = get_object_or_404(design.runs.select_related("document"), pk=pk, kind="simulate", state="done")
    run.design = design
    return run, run_page(run)


@require_safe
def data(request: HttpRequest, key: str, pk: int, table: str, name: str, form: str) -> HttpResponse:
    """Figures of a map of a run."""
    _, shown = _done(request, key, pk)
    return answer(request, _map(shown, table), name, form, shown.name(table))


@require_safe
def chart(request: HttpRequest, key: str, pk: int, name: str, form: str) -> HttpResponse:
    """One chart of a run in one of its forms."""
    _, shown = _done(request, key, pk)
    return drawn(request, shown, name, form=form, file=f"{key}-{pk}")


@require_http_methods(["GET", "POST"])
def splits(request: HttpRequest, key: str, pk: int, table: str) -> HttpResponse:
    """Split keys for a table: so many as are asked for; posting makes the listed ones the design's."""
    design = design_for(request, key, "edit" if request.method == "POST" else "view")
    run, shown = _done(request, key, pk)
    if table not in shown.run.tables:
        raise Http404
    found = splits_context(run, shown, table, count=_count(request.GET.get("n")))
    status = 200
    if request.method == "POST":
        found["lines"] = request.POST.get("keys", "")
        problem = _use(request, design, table, _keys(found["lines"]))
        if problem is None and not request.headers.get("HX-Request"):
            return redirect(f"{reverse('run', args=[key, pk])}?table={table}#splits")
        found |= {"problem": problem, "saved": problem is None}
        found["now"] = _now(design, table)
        status = 422 if problem else 200
    return render(request, "estimator/run/_splits.html", {
        "splits": found, "design": run.design, "run": run, "shown": shown, "table": table,
        "may_edit": may_edit(request, design),
    }, status=status)  # fmt: skip


def splits_context(run: Run, shown: RunPage, table: str, count: int | None = None) -> dict[str, Any]:
    """Proposed split keys with their shares, and what the design has now."""
    proposed = shown.run.tables[table].split_keys
    if count is not None and count != len(proposed.keys):
        proposed = proposed_splits(plan(shown.spec, shown.run.parameters), table, count)
    return {
        "proposed": proposed, "lines": "\n".join(key.text for key in proposed.keys), "count": len(proposed.keys),
        "asked": count, "now": _now(run.design, table),
    }  # fmt: skip


def _now(design: Design, table: str) -> tuple[str, ...] | None:
    """The split keys of the head; None where the table is not there any more."""
    found = design.spec.by_id.get(table)
    return getattr(found, "split_keys", None)


def _count(text: str | None) -> int | None:
    return min(int(text), 1_000) if text and text.isascii() and text.isdigit() else None


def _keys(text: str) -> list[str]:
    """One key per line, as it stands: blanks belong to a key."""
    return [line for line in text.replace("\r\n", "\n").split("\n") if line]


def _use(request: HttpRequest, design: Design, table: str, keys: list[str]) -> Text | None:
    """One edit of the table; what was wrong with it, if anything was."""
    now = _now(design, table)
    edit = Set(at=table, name="split_keys", value=keys, was=json.loads(json.dumps(now)))
    try:
        design.apply(edit, by=person(request))
    except (Invalid, Conflict) as problem:
        return problem.text
    return None


@require_safe
def beside(request: HttpRequest, key: str, pk: int, other: int) -> HttpResponse:
    """Two results on one scale, and what differs in words and money."""
    (first, one), (second, two) = _done(request, key, pk), _done(request, key, other)
    table = _table(request.GET.get("table"), one)
    there = table if table in two.run.tables else _table(None, two)
    panes = tuple(_pane(run, shown, name, f"{run.pk}") for run, shown, name in ((first, one, table), (second, two, there)) if name)
    return page(request, "estimator/run/beside.html", {
        "design": first.design, "first": first, "second": second, "one": one, "two": two, "panes": panes,
        "table": table, "differences": differences(one, two),
        "only_first": only_in(one, two), "only_second": only_in(two, one),
    })  # fmt: skip


def may_edit(request: HttpRequest, design: Design) -> bool:
    """Whether the one who asks may change the design."""
    return may(person(request).role_in(design.team_id), "edit")

