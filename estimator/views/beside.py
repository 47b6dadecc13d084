"""Two results of simulations side by side, on one scale."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from designer.http.pages import page
from designer.http.parameters import query
from designer.templatetags.keywright import translate
from estimator.comparison.simulations import describe, describe_table, diagnoses_only_in, differences, table_differences
from estimator.models import Run
from estimator.presentation.run_page import RunPage

from .simulated import completed_run, pane_of, requested_table


@require_safe
def compare_runs(request: HttpRequest, key: str, pk: int, other: int) -> HttpResponse:
    """Two results on one scale, and what differs in words and money."""
    (first, first_page), (second, second_page) = completed_run(request, key, pk), completed_run(request, key, other)
    table = requested_table(query(request).get("table"), first_page)
    there = table if table in second_page.run.tables else requested_table(None, second_page)
    panes = tuple(
        pane_of(run, view, name, f"{translate(run.title.message, run.title.params)}")
        for run, view, name in ((first, first_page, table), (second, second_page, there))
        if name
    )
    changes, of_table = differences(first_page, second_page), table_differences(first_page, second_page, table)
    sentences = describe(changes, first_page.run.currency) + describe_table(first_page, second_page, table, of_table)
    return page(request, "estimator/beside/beside.html", {
        "design": first.design, "first": first, "second": second, "first_page": first_page,
        "second_page": second_page, "panes": panes,
        "table": table, "differences": changes, "of_table": of_table, "sentences": sentences,
        "changed": _changed_assumptions(first_page, second_page), "revisions": _revisions(first, second),
        "only_first": diagnoses_only_in(first_page, second_page),
        "only_second": diagnoses_only_in(second_page, first_page),
    })  # fmt: skip


def _revisions(first: Run, second: Run) -> tuple[int, int] | None:
    """Return the revisions of two runs if different; their changes are shown on another page."""
    if first.document_id == second.document_id:
        return None
    numbers = [
        first.design.revisions.filter(document_id=run.document_id).order_by("-number").values_list("number", flat=True)
        for run in (first, second)
    ]
    first_number, second_number = (matches.first() for matches in numbers)
    return None if first_number is None or second_number is None else (first_number, second_number)


def _changed_assumptions(first: RunPage, second: RunPage) -> list[tuple[str, str, str]]:
    """Assumptions that differ, with the value of each; what else was asked for is in the titles, in words."""
    first_values, second_values = (
        {assumption.name: f"{assumption.value:.12g}" for assumption in side.run.assumptions} for side in (first, second)
    )
    return [
        (n, first_values.get(n, "–"), second_values.get(n, "–"))
        for n in {**first_values, **second_values}
        if first_values.get(n) != second_values.get(n)
    ]
