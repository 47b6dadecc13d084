"""Two results of simulations side by side, on one scale."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from designer.http.pages import page
from designer.templatetags.keywright import say
from estimator.comparison.simulations import differences, in_words, only_in, table_differences, tables_in_words
from estimator.models import Run
from estimator.presentation.run_page import RunPage

from .simulated import done, pane_of, table_of


@require_safe
def beside(request: HttpRequest, key: str, pk: int, other: int) -> HttpResponse:
    """Two results on one scale, and what differs in words and money."""
    (first, one), (second, two) = done(request, key, pk), done(request, key, other)
    table = table_of(request.GET.get("table"), one)
    there = table if table in two.run.tables else table_of(None, two)
    panes = tuple(
        pane_of(run, shown, name, f"{say(run.title.message, run.title.params)}")
        for run, shown, name in ((first, one, table), (second, two, there))
        if name
    )
    found, of_table = differences(one, two), table_differences(one, two, table)
    sentences = in_words(found, one.run.currency) + tables_in_words(one, two, table, of_table)
    return page(request, "estimator/beside/beside.html", {
        "design": first.design, "first": first, "second": second, "one": one, "two": two, "panes": panes,
        "table": table, "differences": found, "of_table": of_table, "sentences": sentences,
        "changed": _changed(one, two), "revisions": _revisions(first, second),
        "only_first": only_in(one, two), "only_second": only_in(two, one),
    })  # fmt: skip


def _revisions(first: Run, second: Run) -> tuple[int, int] | None:
    """Return the revisions of two runs if different; their changes are shown on another page."""
    if first.document_id == second.document_id:
        return None
    numbers = [
        first.design.revisions.filter(document_id=run.document_id).order_by("-number").values_list("number", flat=True)
        for run in (first, second)
    ]
    one, two = (found.first() for found in numbers)
    return None if one is None or two is None else (one, two)


def _changed(first: RunPage, second: RunPage) -> list[tuple[str, str, str]]:
    """Assumptions that differ, with the value of each; what else was asked for is in the titles, in words."""
    one, two = ({each.name: f"{each.value:.12g}" for each in shown.run.assumptions} for shown in (first, second))
    return [(n, one.get(n, "–"), two.get(n, "–")) for n in {**one, **two} if one.get(n) != two.get(n)]
