"""The result of a simulation: its page, its maps and charts, its split keys, and two results side by side."""

import datetime
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from config.errors import DesignError
from config.pages import page
from designer.models import Design
from designer.permissions import may
from designer.spec import assumed
from designer.spec.edits import Conflict, Invalid, Set
from designer.spec.texts import N_, Text
from designer.templatetags.keywright import say
from designer.views.access import design_for, person
from estimator.cache import Memory
from estimator.charts.every import month_starts
from estimator.jobs.kinds.simulate import PREFIX, Wrong
from estimator.maps import KeyMap
from estimator.maps.live import live_map
from estimator.maps.pane import Pane
from estimator.models import Run
from estimator.pages import answer as answered
from estimator.simulated import RunPage
from estimator.simulated_beside import differences, in_words, only_in
from estimator.simulation import plan
from estimator.simulation import splits as splitting
from estimator.simulation.assumptions import assumed_in
from estimator.simulation.results import Assumption
from estimator.simulation.splits import proposed_splits

from .design import drawn
from .maps import answer

PAGES: Memory[RunPage] = Memory(limit_bytes=128 << 20, weigh=lambda shown: shown.weight_bytes)
MOST_BESIDE = 50
UNREADABLE_WORDS = N_("An earlier version of Keywright made this result, and this one cannot read it: run it again.")
UNREADABLE = (KeyError, TypeError, ValueError, zlib.error)


def run_page(run: Run) -> RunPage:
    """The result of a run that is done, remembered."""

    def read(name: str) -> bytes:
        data = run.part(name)
        if data is None:
            raise Http404
        return data

    return PAGES.get((run.pk, run.ended), lambda: RunPage(run.document.spec, read))


class Gone(DesignError):
    """A result of an earlier version of the program, which cannot be read any more."""

    status = 410


def context(request: HttpRequest, run: Run) -> dict[str, Any]:
    """What the page of a simulation needs beside what every run's page has."""
    try:
        shown = run_page(run)
        table = _table(request.GET.get("table"), shown)
        panes = (_pane(run, shown, table),) if table else ()
    except UNREADABLE:
        return {"unreadable": UNREADABLE_WORDS}  # of an earlier version of the program, which packed it in another form
    done = run.design.runs.filter(kind="simulate", state="done").exclude(pk=run.pk).select_related("document")
    others = list(done.order_by("-asked")[:MOST_BESIDE])
    return {
        "shown": shown, "base": reverse("run", args=[run.design.key, run.pk]), "table": table,
        "panes": panes,
        "others": others,
        "splits": splits_context(run, shown, table, count=_count(request.GET.get("splits"))) if table else None,
        "day_posted": [*_again(run, "period", "from_day", "seeds"), ("period", "day")],
        "day_runs": {each.parameters.get("from_day"): each.pk for each in others if _day_of(run, each)},
        "again_posted": _again(run, "assumptions"),
        "rows": tuple(Row(a, f"{a.value:.12g}" if a.value != a.default else "") for a in shown.assumptions),
    }  # fmt: skip


def _day_of(month: Run, other: Run) -> bool:
    """Whether another run is a day by itself of the same document, with the same assumptions."""
    own = [{**each.parameters, "period": "", "from_day": "", "seeds": ""} for each in (month, other)]
    return other.document_id == month.document_id and other.parameters.get("period") == "day" and own[0] == own[1]


@dataclass(frozen=True)
class Row:
    """An assumption in a form."""

    it: Assumption
    given: str = ""
    """What somebody entered."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.it, name)

    @property
    def usual(self) -> str:
        """The default as it would be entered."""
        return f"{self.it.default:.12g}"


def assumption_rows(engine: str, changed: Mapping[str, Any]) -> tuple[Row, ...]:
    """What a run assumes, with what was entered instead."""
    return tuple(Row(each, str(changed.get(each.name, ""))) for each in assumed_in(engine, {}))


def start_context(design: Design, given: Mapping[str, Any]) -> dict[str, Any]:
    """The form that starts a simulation, with what was entered in it."""
    spec = design.spec
    dates = month_starts(spec)
    changed = {
        name.removeprefix(PREFIX): value for name, value in given.items() if name.startswith(PREFIX) and value.strip()
    }
    names = ("period", "from_date", "seeds", "seed", "retries", "counting")
    return {
        **{name: given.get(name, "") for name in names}, "first": dates[0], "last": dates[-1], "changed": changed,
        "assumptions": assumption_rows(spec.engine, changed),
    }  # fmt: skip


def posted(design: Design, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked for, from the form: its date is a day after the design's start.

    Raises
    ------
    Wrong
        If the date is none, or outside the horizon.
    """
    asked = {name: value for name, value in given.items() if name not in ("kind", "csrfmiddlewaretoken", "from_date")}
    if text := given.get("from_date"):
        start: datetime.date = assumed(design.spec, design.spec, "start")
        end = month_starts(design.spec)[-1]
        try:
            date = datetime.date.fromisoformat(text)
        except ValueError:
            raise Wrong(N_('"{date}" is no date'), date=text) from None
        if date < start:
            raise Wrong(N_("{date} is before the start of the design, {start}"), date=date, start=start)
        if date > end:
            raise Wrong(N_("{date} is after the end of the design's horizon, {end}"), date=date, end=end)
        asked["from_day"] = str((date - start).days)
    return asked


def _again(run: Run, *left_out: str) -> list[tuple[str, str]]:
    """What asks the same again but for some parameters."""
    return [(name, value) for name, value in run.posted if name not in left_out and value != "null"]


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
    try:
        return run, run_page(run)
    except UNREADABLE:
        raise Gone(UNREADABLE_WORDS) from None


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
    whole = f"{reverse('run', args=[key, pk])}?table={table}"
    if request.method == "GET" and not request.headers.get("HX-Request"):
        return redirect(f"{whole}&splits={_count(request.GET.get('n')) or ''}#splits")
    found = splits_context(run, shown, table, count=_count(request.GET.get("n")))
    status = 200
    if request.method == "POST":
        found["lines"] = request.POST.get("keys", "")
        problem = _use(request, design, table, _keys(found["lines"]))
        if problem is None and not request.headers.get("HX-Request"):
            return redirect(f"{whole}#splits")
        found |= {"problem": problem, "saved": problem is None}
        found |= {"now": (now := _now(design, table)), "was": json.dumps(now)}
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
        "first_stored": _rest(each.stored_share for each in proposed.keys),
        "first_written": _rest(each.write_share for each in proposed.keys),
        "asked": count, "now": (now := _now(run.design, table)), "was": json.dumps(now),
    }  # fmt: skip


def _rest(shares: Iterable[float]) -> float | None:
    """What lies before the first of them; nothing where there is nothing."""
    total = sum(shares)
    return max(1.0 - total, 0.0) if total > 0 else None


def _now(design: Design, table: str) -> tuple[str, ...] | None:
    """The split keys of the head; None where the table is not there any more."""
    found = design.spec.by_id.get(table)
    return getattr(found, "split_keys", None)


def _count(text: str | None) -> int | None:
    return min(int(text), splitting.MOST) if text and text.isascii() and text.isdigit() else None


def _keys(text: str) -> list[str]:
    """One key per line, as it stands: blanks belong to a key."""
    return [line for line in text.replace("\r\n", "\n").split("\n") if line]


def _use(request: HttpRequest, design: Design, table: str, keys: list[str]) -> Text | None:
    """One edit of the table, if its keys are still those that were shown; what was wrong with it, if anything was."""
    try:
        was = json.loads(request.POST.get("was") or json.dumps(_now(design, table)))
    except ValueError:
        return Text(N_("This is no edit: reload the page and try again."))
    try:
        design.apply(Set(at=table, name="split_keys", value=keys, was=was), by=person(request))
    except (Invalid, Conflict) as problem:
        return problem.text
    return None


@require_safe
def beside(request: HttpRequest, key: str, pk: int, other: int) -> HttpResponse:
    """Two results on one scale, and what differs in words and money."""
    (first, one), (second, two) = _done(request, key, pk), _done(request, key, other)
    table = _table(request.GET.get("table"), one)
    there = table if table in two.run.tables else _table(None, two)
    panes = tuple(
        _pane(run, shown, name, f"{say(run.title.message, run.title.params)}")
        for run, shown, name in ((first, one, table), (second, two, there))
        if name
    )
    found = differences(one, two)
    return page(request, "estimator/run/beside.html", {
        "design": first.design, "first": first, "second": second, "one": one, "two": two, "panes": panes,
        "table": table, "differences": found, "sentences": in_words(found, one.run.currency),
        "changed": _changed((first, one), (second, two)), "revisions": _revisions(first, second),
        "only_first": only_in(one, two), "only_second": only_in(two, one),
    })  # fmt: skip


def _revisions(first: Run, second: Run) -> tuple[int, int] | None:
    """The revisions that the two are of, where these are not the same: what differs between them has its own page."""
    if first.document_id == second.document_id:
        return None
    numbers = [
        first.design.revisions.filter(document_id=run.document_id).order_by("-number").values_list("number", flat=True)
        for run in (first, second)
    ]
    one, two = (found.first() for found in numbers)
    return None if one is None or two is None else (one, two)


def _changed(first: tuple[Run, RunPage], second: tuple[Run, RunPage]) -> list[tuple[str, str, str]]:
    """Parameters and assumptions that differ, with the value of each."""

    def flat(run: Run, shown: RunPage) -> dict[str, str]:
        own = {
            name: "–" if value is None else str(value)
            for name, value in run.parameters.items()
            if name != "assumptions"
        }
        return own | {each.name: f"{each.value:.12g}" for each in shown.run.assumptions}

    one, two = flat(*first), flat(*second)
    return [(n, one.get(n, "–"), two.get(n, "–")) for n in {**one, **two} if one.get(n) != two.get(n)]


def may_edit(request: HttpRequest, design: Design) -> bool:
    """Whether the one who asks may change the design."""
    return may(person(request).role_in(design.team_id), "edit")
