"""The review page: summary first, then the sections; and its charts, at addresses of the same link."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.pages import page
from estimator.pages import Remark
from estimator.views.design import drawn, heat_of

from .desk import Desk, note_visit

WORST = 5
"""So many findings are in the summary."""


@require_safe
def review(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The whole review of one content."""
    if desk.link and request.method == "GET":
        note_visit(request, desk.link)
    return page(request, "reviews/review.html", context_of(desk))


def context_of(desk: Desk) -> dict[str, Any]:
    """What the pages of a review show."""
    shown = desk.shown
    worst = tuple(r for r in shown.remarks if r.severity in ("error", "warning"))
    return {
        "desk": desk, "design": None if desk.link else desk.design, "shown": shown, "spec": shown.spec,
        "base": desk.base, "title": desk.full.name, "may_edit": False, "visiting": desk.link is not None,
        "may_share": desk.may("share"),
        "worst": worst[:WORST], "more_worst": max(0, len(worst) - WORST), "accepted": _accepted(shown.all_remarks),
        "guesses": tuple(guess for guess in shown.guesses if not (desk.hides.cost and _of_money(guess.name))),
    }  # fmt: skip


def _accepted(remarks: Any) -> tuple[Remark, ...]:
    return tuple(remark for remark in remarks.values() if remark.finding.ignored)


def _of_money(name: str) -> bool:
    return name.startswith(("instance.price", "instance.commitment"))


@require_safe
def chart(request: HttpRequest, desk: Desk, name: str, form: str) -> HttpResponse:
    """One chart of what a link shows."""
    return drawn(request, desk.shown, name, form=form, file="review")


@require_safe
def heat(request: HttpRequest, desk: Desk, table: str) -> HttpResponse:
    """A table's heatmap as asked for."""
    context = context_of(desk) | heat_of(request, desk.shown, table)
    if context["table"] is None:
        raise Http404
    return page(request, "reviews/heat.html", context, part="estimator/_chart.html")
