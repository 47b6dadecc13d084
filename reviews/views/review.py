"""The review page: summary first, then the sections; and its charts, at addresses of the same link."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from designer.document import Spec
from designer.http.pages import page
from designer.wording import element_label
from estimator.comparison.cached import compared, whole
from estimator.comparison.designs import Side
from estimator.presentation.charts.maps.pane import Pane
from estimator.presentation.design_page import Answer, Remark
from estimator.views.design import drawn, heat_of
from estimator.views.maps import answer as map_answer
from estimator.views.maps import live_of
from reviews.discussion.threads import by_section
from reviews.links.redaction import seen
from reviews.models import Asked as WasAsked
from reviews.models import Following, Link, Thread, Verdict
from reviews.presentation.comparison_page import Asked, ComparisonPage
from reviews.verdicts.section_contents import settings as settings_of
from reviews.verdicts.sections import SECTIONS, Section, titles
from reviews.verdicts.status import Standing, Wanted
from reviews.views.sides import patience

from .discussion import talk_of
from .sides import Shown
from .verdicts import alone, counts_of, own_work, standing_of, wanted_of
from .viewer import Desk, member, note_visit

WORST = 5
"""So many findings are in the summary."""


@require_safe
def review(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the whole review of one content."""
    if desk.link and request.method == "GET":
        note_visit(request, desk.link)
    return page(request, "reviews/review/review.html", page_of(desk))


def page_of(desk: Desk) -> dict[str, Any]:
    """Return the template context of a review page."""
    return context_of(desk) | _members(desk)


def context_of(desk: Desk) -> dict[str, Any]:
    """Return the template context that the pages of a review share."""
    shown, talk, standing = desk.shown, talk_of(desk), standing_of(desk)
    worst = tuple(r for r in shown.remarks if r.severity in ("error", "warning", "question"))
    return {
        "desk": desk, "design": None if desk.link else desk.design, "shown": shown, "spec": shown.spec,
        "base": desk.base, "title": desk.full.name, "may_edit": False, "visiting": desk.link is not None,
        "may_share": desk.may("share"), "maps": True,
        "may_comment": desk.may("comment"), "talk": talk, "standings": standing, "by_section": by_section(talk.threads),
        "sections": titles(shown.spec.engine), "newest_changes": desk.changes_since,
        "asked_for": _asked_for(desk, standing),
        "worst": worst[:WORST], "more_worst": max(0, len(worst) - WORST), "accepted": _accepted(shown.all_remarks),
        "guesses": tuple(guess for guess in shown.guesses if not (desk.hides.cost and _of_money(guess.name))),
    }  # fmt: skip


def _asked_for(desk: Desk, standing: Mapping[Section, Standing]) -> tuple[Wanted, ...]:
    """Return the review requests; visitors see those for their own link."""
    given = tuple(one for each in standing.values() for one in each.given)
    asked = wanted_of(desk, given)
    if desk.link is None:
        return asked
    return tuple(one for one in asked if one.author == ("link", desk.link.pk))


def _members(desk: Desk) -> dict[str, Any]:
    """Return the additional context for members: possible reviewers, and mail settings."""
    if desk.person is None:
        return {}
    me = desk.person
    mail = bool(settings.EMAIL_HOST) and not me.local
    return {
        "people": desk.design.team.people.exclude(pk=me.pk).order_by("name", "email"),
        "links": Link.objects.filter(design=desk.design, revoked=None, role="link_comment").order_by("-made"),
        "mail": mail,
        "own_work": own_work(desk),
        "alone": alone(desk),
        "follows": mail and Following.objects.filter(design=desk.design, person=me).exists(),
    }


def _accepted(remarks: Any) -> tuple[Remark, ...]:
    return tuple(remark for remark in remarks.values() if remark.finding.ignored)


def _of_money(name: str) -> bool:
    return name.startswith(("instance.price", "instance.commitment"))


@require_safe
def section(request: HttpRequest, desk: Desk, name: str) -> HttpResponse:
    """Everything that is set in a section."""
    if name not in SECTIONS or (name == "cost" and desk.hides.cost):
        raise Http404
    title = titles(desk.full.engine)[name]
    context = {"desk": desk, "title": desk.full.name, "visiting": desk.link is not None, "section": title}
    context |= {"settings": settings_of(desk.shown.spec, name), "talk": talk_of(desk)}
    context["may_comment"] = desk.may("comment")
    return page(request, "reviews/review/settings.html", context, part="reviews/review/_settings.html")


@require_safe
def chart(request: HttpRequest, desk: Desk, name: str, form: str) -> HttpResponse:
    """One chart of what a link shows."""
    return drawn(request, desk.shown, name, form=form, file="review")


@require_safe
def heat(request: HttpRequest, desk: Desk, table: str) -> HttpResponse:
    """Show a table's heatmap with the requested options."""
    context = context_of(desk) | heat_of(request, desk.shown, table)
    if context["table"] is None:
        raise Http404
    return page(request, "reviews/review/heat.html", context, part="estimator/_chart.html")


@require_safe
def explore(request: HttpRequest, desk: Desk, table: str) -> HttpResponse:
    """Show a table's map for exploration."""
    seen = live_of(desk.shown, table)
    pane = Pane(seen, f"{desk.base}map/{table}/", element_label(desk.shown.spec, table))
    more = {"panes": (pane,), "table": desk.shown.spec.by_id[table], "day": seen.starts[0].date()}
    return page(request, "reviews/review/map.html", context_of(desk) | more)


@require_safe
def explored(request: HttpRequest, desk: Desk, table: str, name: str, form: str) -> HttpResponse:
    """Figures of that map in one of their forms."""
    shown = desk.shown
    return map_answer(request, live_of(shown, table), name, form, element_label(shown.spec, table))


@require_safe
def changes(request: HttpRequest, desk: Desk, before: str, after: str) -> HttpResponse:
    """Show the changes between two revisions that a link makes visible."""
    if not desk.may_compare(int(before), int(after)):
        raise Http404
    one, other = (_side(desk, int(number)) for number in (before, after))

    def see(spec: Spec, made: Answer) -> Side:
        shown, left = seen(spec, made, desk.hides)
        return Side(shown, left.estimate, left.findings)

    found = compared(
        one.spec, other.spec, desk.context, see=see if desk.hides else whole, seen_as=desk.hides or "",
        is_late=patience(),
    )  # fmt: skip
    asked = Asked.by(dict(request.GET.lists()))
    context = {
        "desk": desk, "one": one, "other": other, "title": desk.full.name, "opens": "", "visiting": True,
        "about": ComparisonPage(found, asked, shows_cost=not desk.hides.cost),
    }  # fmt: skip
    return page(request, "reviews/review/changes.html", context, part="reviews/comparison/_body.html")


def _side(desk: Desk, number: int) -> Shown:
    """Return a revision of the design; the displayed one has the content of the review page."""
    if number == desk.number:
        return Shown(str(number), desk.design, desk.full, desk.sha256, number)
    found = desk.design.revisions.select_related("document").filter(number=number).first()
    if found is None:
        raise Http404
    return Shown(str(number), desk.design, found.spec, found.document_id, number)


def nothing(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Below a link's address there is nothing else."""
    raise Http404


@require_safe
def count(request: HttpRequest, key: str) -> HttpResponse:
    """Show the numbers of open and stale items of a design's review, in a few characters."""
    desk = member(request, key)
    if not any(kind.objects.filter(design=desk.design).exists() for kind in (Thread, Verdict, WasAsked)):
        return HttpResponse()  # nothing needs to be computed
    standing = standing_of(desk)
    counts = counts_of(desk.design, standing, len(talk_of(desk).open))
    return render(request, "reviews/review/_count.html", {"counts": counts, "design": desk.design})
