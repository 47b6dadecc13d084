"""The review page: summary first, then the sections; and its charts, at addresses of the same link."""

import time
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from designer.document import Spec
from designer.document.assumptions import assumptions
from designer.http.pages import page, part_of_page
from designer.http.parameters import from_server, query
from designer.models import Design
from designer.models.memory import MEMORY
from designer.models.watches import ADMISSION
from designer.views.access import SHARED_SECONDS, current_person, share
from designer.wording import element_label
from estimator.advice.catalogue.rule_pages import rule_page
from estimator.advice.rules import RULES
from estimator.comparison.cached import cached_comparison, unredacted_side
from estimator.comparison.explanation import explanation_of
from estimator.comparison.preview import fixable_risks, recommended_change
from estimator.presentation.assumed_values import AssumedValue, is_about_money
from estimator.presentation.charts.maps.pane import Pane
from estimator.presentation.design_page import DesignPage, FindingView
from estimator.presentation.sheet import Sheet
from estimator.presentation.sheet.verdict import document_verdict
from estimator.presentation.stakes import stakes
from estimator.views.design import PARTS, chart_response, heat_context, on_demand
from estimator.views.insight import parts_response
from estimator.views.maps import map_response as map_answer
from estimator.views.maps import reference_day_map
from estimator.views.rules import miniature
from estimator.views.sources import source
from reviews.discussion.threads import count_open_by_section
from reviews.links.redaction import RedactedView
from reviews.models import Asked as WasAsked
from reviews.models import Following, Link, Thread, Verdict
from reviews.presentation.comparison_page import ComparisonOptions, ComparisonPage
from reviews.verdicts.section_contents import section_of_field
from reviews.verdicts.section_contents import settings as settings_of
from reviews.verdicts.sections import SECTIONS, Section, titles
from reviews.verdicts.status import ReviewRequest, SectionStatus

from .discussion import discussion_of
from .sides import ComparisonSide, Deadline, names_in_sentences
from .verdicts import USUAL_MISS_PERCENT, changed_sections, counts_of, is_only_reviewer, pending_reviews, section_status
from .viewer import Viewer, record_visit

DECIDED = ("approved", "link", "own", "changes")
"""States of a section that somebody decided on as it is."""
MOST_RISKS = 3
"""So many findings are in the summary."""


@require_safe
def review(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the whole review of one content."""
    parts = _shown_parts(request, viewer)
    part = _template_of_part(parts)
    if viewer.link and request.method == "GET" and part is None:
        record_visit(request, viewer.link)
    return part_of_page(request, "reviews/review/review.html", page_of(request, viewer, parts), part)


TABLE_SECTIONS = ("keys", "families", "workload")
"""Sections that have a part for each table."""


def _shown_parts(request: HttpRequest, viewer: Viewer) -> dict[str, Any]:
    """Return what of the page is shown; guesses about hidden money are not."""
    parts = on_demand(request, viewer.page)
    opened = parts["table"].table.id if parts["table"] else ""
    return parts | {"opened": opened, "section": parts["part"], "guesses": _visible_guesses(viewer, parts)}


def _template_of_part(parts: Mapping[str, Any]) -> str | None:
    """Return the template of the part that is asked for: of one table, of the tables of a section, or of rows."""
    if parts["part"] in TABLE_SECTIONS:
        return "reviews/review/_table.html" if parts["table"] else "reviews/review/_tables.html"
    return PARTS.get(parts["part"])


def _visible_guesses(viewer: Viewer, parts: Mapping[str, Any]) -> Sequence[AssumedValue | int]:
    """Return the assumed values; where only their number is shown, as many numbers."""
    is_shown = parts["is_whole"] or parts["part"] == "guesses"
    page = viewer.page
    visible: Sequence[Any] = (
        page.assumed_values if is_shown else page.derive("assumptions", lambda: tuple(assumptions(page.spec)))
    )
    if viewer.hides.cost:
        visible = tuple(assumption for assumption in visible if not is_about_money(assumption.name))
    return visible if is_shown else range(len(visible))


def page_of(request: HttpRequest, viewer: Viewer, parts: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the template context of a review page."""
    page_parts = parts if parts is not None else _shown_parts(request, viewer)
    return context_of(viewer) | _summary(viewer) | _members(viewer) | page_parts


def _summary(viewer: Viewer) -> dict[str, Any]:
    """Return the additional context of the summary: the sheet with its picture, and whether a change may be shown."""
    return {"sheet": Sheet(viewer.page), "may_recommend": not viewer.hides and bool(fixable_risks(viewer.page))}


def context_of(viewer: Viewer) -> dict[str, Any]:
    """Return the template context that the pages of a review share."""
    page, talk, standing = viewer.page, discussion_of(viewer), section_status(viewer)
    undecided = tuple(status for status in standing.values() if status.state not in DECIDED)
    asked_for = _review_requests(viewer, standing)
    return {
        "desk": viewer,
        "design": None if viewer.link else viewer.design,
        "page": page,
        "spec": page.spec,
        "base": viewer.base,
        "title": viewer.full_spec.name,
        "may_edit": False,
        "visiting": viewer.link is not None,
        "may_share": viewer.can("share"),
        "maps": True,
        "may_comment": viewer.can("comment"),
        "talk": talk,
        "standings": standing,
        "by_section": count_open_by_section(talk.threads),
        "sections": titles(page.spec.engine),
        "undecided": undecided,
        "decided": len(standing) - len(undecided),
        "newest_changes": viewer.changes_since,
        "asked_for": asked_for,
        "shared_by": _sharer(viewer),
        "asks_me": tuple(one for one in asked_for if one.author == _author(viewer)),
        "verdict": document_verdict(page),
        "risks": tuple((remark, stakes(page, remark)) for remark in page.risks[:MOST_RISKS]),
        "more_risks": max(0, len(page.risks) - MOST_RISKS),
        "worst": _worst_findings(page),
        "accepted": _accepted_findings(page.all_remarks),
    }


def _worst_findings(page: DesignPage) -> dict[Section, str]:
    """Return the severity of the worst finding of each section that has one."""
    worst: dict[Section, str] = {}
    for remark in page.risks:  # the largest first
        worst.setdefault(section_of_field(page.spec, remark.finding.at, remark.finding.field), remark.severity)
    return worst


def _review_requests(viewer: Viewer, standing: Mapping[Section, SectionStatus]) -> tuple[ReviewRequest, ...]:
    """Return the review requests; visitors see those for their own link."""
    verdicts = tuple(verdict for status in standing.values() for verdict in status.verdicts)
    requests = pending_reviews(viewer, verdicts)
    if viewer.link is None:
        return requests
    return tuple(request for request in requests if request.author == _author(viewer))


def _sharer(viewer: Viewer) -> str:
    """Return the name of who made the visitor's link; "" for members, and where there are no accounts."""
    person = viewer.link.made_by if viewer.link else None
    return "" if person is None or person.is_local else str(person)


def _author(viewer: Viewer) -> tuple[str, int | None]:
    """Return the reader as requests for a review name them."""
    return ("link", viewer.link.pk) if viewer.link else ("person", viewer.person.pk if viewer.person else None)


def _members(viewer: Viewer) -> dict[str, Any]:
    """Return the additional context for members: possible reviewers, and mail settings."""
    if viewer.person is None:
        return {}
    me = viewer.person
    mail = bool(settings.EMAIL_HOST) and not me.is_local
    following = Following.objects.filter(design=viewer.design, person=me).first() if mail else None
    return {
        "people": viewer.design.team.people.exclude(pk=me.pk).order_by("name", "email"),
        "links": Link.objects.by_which_to_answer(viewer.design).order_by("-made"),
        "mail": mail,
        "changed_sections": changed_sections(viewer),
        "alone": is_only_reviewer(viewer),
        "follows": following is not None,
        "miss_share": following.miss_share if following else USUAL_MISS_PERCENT / 100,
        "usual_miss_percent": USUAL_MISS_PERCENT,
    }


def _accepted_findings(remarks: Any) -> tuple[FindingView, ...]:
    return tuple(remark for remark in remarks.values() if remark.finding.ignored)


@require_safe
def section(request: HttpRequest, viewer: Viewer, name: str) -> HttpResponse:
    """Everything that is set in a section."""
    if name not in SECTIONS or (name == "cost" and viewer.hides.cost):
        raise Http404
    title = titles(viewer.full_spec.engine)[name]
    context = {"desk": viewer, "title": viewer.full_spec.name, "visiting": viewer.link is not None, "section": title}
    context |= {"settings": settings_of(viewer.page.spec, name), "talk": discussion_of(viewer)}
    context["may_comment"] = viewer.can("comment")
    return page(request, "reviews/review/settings.html", context, part="reviews/review/_settings.html")


@require_safe
def recommendation(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the recommended change with its effect; none where a link hides contents or every fix trades something."""
    advice = None if viewer.hides else recommended_change(viewer.page)
    context: dict[str, Any] = {"desk": viewer, "title": viewer.full_spec.name, "visiting": viewer.link is not None}
    context |= {"remark": None, "explanation": None, "sheet": Sheet(viewer.page)}
    if advice:
        remark, change = advice
        context |= {"remark": remark, "change": change, "explanation": explanation_of(remark, change)}
    return page(request, "reviews/review/recommended.html", context, part="reviews/review/_recommended_part.html")


@require_safe
def rule(request: HttpRequest, viewer: Viewer, code: str) -> HttpResponse:
    """Show the page of a rule to a visitor: it is the same for all designs."""
    if code not in RULES:
        raise Http404
    context = {"desk": viewer, "title": viewer.full_spec.name, "visiting": True, "page": rule_page(code)}
    return page(request, "reviews/review/rule.html", context)


@require_safe
def rule_example(request: HttpRequest, viewer: Viewer, code: str, which: str) -> HttpResponse:
    """Show the results for one of a rule's examples."""
    return miniature(request, code, which)


@require_safe
def chart(request: HttpRequest, viewer: Viewer, name: str, form: str) -> HttpResponse:
    """One chart of what a link shows."""
    return chart_response(request, viewer.page, name, form=form, file="review")


@require_safe
def heat(request: HttpRequest, viewer: Viewer, table: str) -> HttpResponse:
    """Show a table's heatmap with the requested options."""
    context = context_of(viewer) | heat_context(request, viewer.page, table)
    if context["table"] is None:
        raise Http404
    return page(request, "reviews/review/heat.html", context, part="estimator/_chart.html")


@require_safe
def explore(request: HttpRequest, viewer: Viewer, table: str) -> HttpResponse:
    """Show a table's map for exploration."""
    heatmap = reference_day_map(viewer.page, table)
    pane = Pane(heatmap, f"{viewer.base}map/{table}/", element_label(viewer.page.spec, table))
    more = {"panes": (pane,), "table": viewer.page.spec.by_id[table], "day": heatmap.starts[0].date()}
    return page(request, "reviews/review/map.html", context_of(viewer) | more)


@require_safe
def map_figures(request: HttpRequest, viewer: Viewer, table: str, name: str, form: str) -> HttpResponse:
    """Figures of that map in one of their forms."""
    page = viewer.page
    return map_answer(request, reference_day_map(page, table), name, form, element_label(page.spec, table))


@require_safe
def changes(request: HttpRequest, viewer: Viewer, before: str, after: str) -> HttpResponse:
    """Show the changes between two revisions that a link makes visible."""
    if not viewer.can_compare(int(before), int(after)):
        raise Http404
    first, other = (_revision_side(viewer, int(number)) for number in (before, after))

    see = RedactedView(viewer.hides) if viewer.hides else unredacted_side
    comparison = cached_comparison(
        first.spec, other.spec, viewer.context, see=see, seen_as=viewer.hides or "", is_late=Deadline(),
    )  # fmt: skip
    options = ComparisonOptions.from_query(query(request).lists())
    context = {
        "desk": viewer, "before_side": first, "after_side": other, "title": viewer.full_spec.name, "opens": "",
        "visiting": True,
        "comparison_page": ComparisonPage(
            comparison, options, today=viewer.context.today, shows_cost=not viewer.hides.cost
        ),
        "names": names_in_sentences(first, other),
    }  # fmt: skip
    return page(request, "reviews/review/changes.html", context, part="reviews/comparison/_body.html")


def _revision_side(viewer: Viewer, number: int) -> ComparisonSide:
    """Return a revision of the design; the displayed one has the content of the review page."""
    if number == viewer.number:
        return ComparisonSide(str(number), viewer.design, viewer.full_spec, viewer.sha256, number)
    revision = viewer.design.revisions.select_related("document").filter(number=number).first()
    if revision is None:
        raise Http404
    return ComparisonSide(str(number), viewer.design, revision.spec, revision.document_id, number)


def not_found(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Below a link's address there is nothing else."""
    raise Http404


COUNT_SECONDS = 5.0
"""The counts are the same so long for all windows that ask after one edit."""
COUNTS = "review counts"
"""The kind of these results in the memory of a process."""
COUNTED = (Thread, Verdict, WasAsked)


@require_safe
def parts(request: HttpRequest, **where: str) -> HttpResponse:
    """Return parts of the editor in one answer; the numbers of the review are one of them."""

    def numbers(request: HttpRequest, context: dict[str, Any]) -> str:
        return _recent_count(request, context["design"], context["page"].spec, where["sha256"])

    is_of_now = "review" in query(request).get("names", "").split(",")  # browsers may keep what is of the content alone
    seconds = COUNT_SECONDS if is_of_now else SHARED_SECONDS
    answer = parts_response(request, where, {"review": numbers}, seconds=seconds)
    patch_cache_control(answer, private=True, **({"no_store": True} if is_of_now else {"max_age": 600}))
    return answer


@require_safe
def count(request: HttpRequest, **where: str) -> HttpResponse:
    """Show the numbers of open and stale items of a design's review, in a few characters."""
    subject = source(request, where)
    assert subject.design is not None
    answer = HttpResponse(_recent_count(request, subject.design, subject.spec, where["sha256"]))
    return share(request, subject.design, answer, seconds=COUNT_SECONDS)


def _recent_count(request: HttpRequest, design: Design, spec: Spec, sha256: str) -> str:
    """Return the numbers as of some seconds ago to windows that watch: each element's parts have them."""
    if from_server(request, ADMISSION) is None:
        return _count(request, design, spec, sha256)
    place = (design.pk, sha256, get_language(), int(time.monotonic() / COUNT_SECONDS))
    return MEMORY.get(COUNTS, place, lambda: _count(request, design, spec, sha256))


def _count(request: HttpRequest, design: Design, spec: Spec, sha256: str) -> str:
    kinds = (Exists(kind.objects.filter(design=OuterRef("pk"))) for kind in COUNTED)
    if not Design.objects.filter(reduce(or_, kinds), pk=design.pk).exists():
        return ""  # and nothing needs to be computed
    me = current_person(request)
    role = me.role_in(design.team_id)
    assert role is not None
    desk = Viewer(design, design.number, sha256, spec, role, person=me)
    counts = counts_of(design, section_status(desk), len(discussion_of(desk).open_threads))
    return render_to_string("reviews/review/_count.html", {"counts": counts, "design": design}, request)
