"""Two results of simulations side by side, on one scale."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from designer.http.pages import page
from designer.http.parameters import query
from designer.templatetags.keywright import say
from estimator.comparison.simulations import describe, describe_table, diagnoses_only_in, differences, table_differences
from estimator.models import Run
from estimator.presentation.run_page import RunPage

from .simulated import completed_run, pane_of, requested_table


@require_safe
def compare_runs(request: HttpRequest, key: str, pk: int, other: int) -> HttpResponse:
    """Two results on one scale, and what differs in words and money."""
    (first, one), (second, two) = completed_run(request, key, pk), completed_run(request, key, other)
    table = requested_table(query(request).get("table"), one)
    there = table if table in two.run.tables else requested_table(None, two)
    panes = tuple(
        pane_of(run, shown, name, f"{say(run.title.message, run.title.params)}")
        for run, shown, name in ((first, one, table), (second, two, there))
        if name
    )
    found, of_table = differences(one, two), table_differences(one, two, table)
    sentences = describe(found, one.run.currency) + describe_table(one, two, table, of_table)
    return page(request, "estimator/beside/beside.html", {
        "design": first.design, "first": first, "second": second, "one": one, "two": two, "panes": panes,
        "table": table, "differences": found, "of_table": of_table, "sentences": sentences,
        "changed": _changed_assumptions(one, two), "revisions": _revisions(first, second),
        "only_first": diagnoses_only_in(one, two), "only_second": diagnoses_only_in(two, one),
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


def _changed_assumptions(first: RunPage, second: RunPage) -> list[tuple[str, str, str]]:
    """Assumptions that differ, with the value of each; what else was asked for is in the titles, in words."""
    one, two = ({each.name: f"{each.value:.12g}" for each in shown.run.assumptions} for shown in (first, second))
    return [(n, one.get(n, "–"), two.get(n, "–")) for n in {**one, **two} if one.get(n) != two.get(n)]
