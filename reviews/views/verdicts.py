"""Verdicts on sections, and asking somebody for one: what holds, what is stale, what is still open."""

import datetime
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.views.decorators.http import require_POST

from designer.document.integers import parse_integer
from designer.document.texts import N_
from designer.http.parameters import form
from designer.models import Design, Document, Membership, Person
from designer.views.access import current_person
from reviews.models import Asked, Following, Link, Mail
from reviews.models.verdicts import InvalidVerdictError, latest_verdicts, verdicts_on
from reviews.verdicts.authorship import RevisionStep, last_change_by, section_marks
from reviews.verdicts.sections import SECTIONS, Section
from reviews.verdicts.status import LatestVerdict, ReviewRequest, SectionStatus, pending_requests, section_statuses

from .viewer import Viewer, today

# --- how things stand ---------------------------------------------------------------------------------------------


def section_status(viewer: Viewer) -> Mapping[Section, SectionStatus]:
    """Return the state of each visible section."""
    verdicts = latest_verdicts(viewer.design, viewer.hashes, upto=viewer.last_visible_number)
    if viewer.hides:
        verdicts = tuple(_without_text(viewer, verdict) for verdict in verdicts)
    requests = pending_reviews(viewer, verdicts)
    if viewer.link:
        verdicts, requests = (
            tuple(_without_other_link(viewer.link, verdict) for verdict in verdicts),
            _requests_for_link(viewer.link, requests),
        )
    statuses = {
        section_status.section: section_status
        for section_status in section_statuses(verdicts, requests, engine=viewer.full_spec.engine)
    }
    if viewer.hides.cost:
        del statuses["cost"]
    return statuses


def _without_text(viewer: Viewer, verdict: LatestVerdict) -> LatestVerdict:
    """Return the verdict without its text, which may reveal hidden contents.

    A text written through this link remains.
    """
    own = viewer.link is not None and verdict.visitor and verdict.author[1] == viewer.link.pk
    return (
        verdict
        if own
        else replace(verdict, text="", earlier=tuple(replace(previous, text="") for previous in verdict.earlier))
    )


def _without_other_link(link: Link, verdict: LatestVerdict) -> LatestVerdict:
    """Return the verdict without the name of another link, which visitors must not see."""
    return verdict if not verdict.visitor or verdict.author[1] == link.pk else replace(verdict, link="")


def _requests_for_link(link: Link, requests: tuple[ReviewRequest, ...]) -> tuple[ReviewRequest, ...]:
    return tuple(request for request in requests if request.author == ("link", link.pk))


def pending_reviews(viewer: Viewer, verdicts: tuple[LatestVerdict, ...]) -> tuple[ReviewRequest, ...]:
    """Return the review requests, with the sections that are still missing."""
    by_link = tuple(_link_answer(verdict) for verdict in verdicts)
    return pending_requests(review_requests(viewer), (*verdicts, *by_link), today())


def review_requests(viewer: Viewer) -> list[ReviewRequest]:
    """Return everybody who was asked for a review and can give one, newest first."""
    # Few designs have any, and who can answer is a larger question than whether somebody was asked.
    if not Asked.objects.filter(design=viewer.design).exists():
        return []
    return [review_request_of(row) for row in asked_rows(viewer)]


def asked_rows(viewer: Viewer) -> QuerySet[Asked]:
    """Return the stored requests for reviews of a design that can still be answered, newest first."""
    rows = Asked.objects.that_can_be_answered(viewer.design).select_related("person", "link", "by")
    return rows.order_by("-pk")


def review_request_of(row: Asked) -> ReviewRequest:
    """Return a stored request for a review as pages and programs show it."""
    return ReviewRequest(
        row.pk, str(row.person or row.link or "?"), tuple(s for s in SECTIONS if s in row.sections), row.due,
        row.note, str(row.by or ""), ("link", row.link_id) if row.link_id else ("person", row.person_id),
    )  # fmt: skip


def _link_answer(verdict: LatestVerdict) -> LatestVerdict:
    """Return a visitor's verdict as the answer to a request that was addressed to the link."""
    return replace(verdict, author=("link", verdict.author[1])) if verdict.visitor else verdict


def counts_of(design: Design, standing: Mapping[Section, SectionStatus], threads: int) -> dict[str, int]:
    """Return the numbers of open and stale items."""
    states = [status.state for status in standing.values()]
    return {
        "open": threads, "stale": states.count("stale"), "changes": states.count("changes"),
        "asked": sum(1 for status in standing.values() if status.requests),
    }  # fmt: skip


# --- whose work it is -----------------------------------------------------------------------------------------------


def is_only_reviewer(viewer: Viewer) -> bool:
    """Return whether the team has no other member who could review the work."""
    return not Membership.objects.filter(team=viewer.design.team_id).exclude(person=viewer.person).exists()


def changed_sections(viewer: Viewer) -> dict[Section, int]:
    """Return the sections that the viewer changed, each with the latest revision of such a change."""
    if viewer.person is None:
        return {}
    changes = ((name, last_section_change(viewer.design, viewer.person, name, upto=viewer.number)) for name in SECTIONS)
    return {name: number for name, number in changes if number is not None}


def last_section_change(design: Design, author: Person, section: Section, *, upto: int) -> int | None:
    """Return the latest revision by which a person changed a section since another member's approval."""
    approvals = (
        verdicts_on(design).filter(section=section, approves=True, visitor=False, own=False).exclude(person=author)
    )
    since = approvals.filter(number__lte=upto).order_by("-number").values_list("number", flat=True).first()
    rows = design.revisions.filter(number__lte=upto, number__gte=since or 1).order_by("-number")
    steps = [RevisionStep(number, by, sha256) for number, by, sha256 in rows.values_list("number", "by", "document")]
    if since is not None and steps:
        steps[-1] = RevisionStep(
            steps[-1].number, None, steps[-1].sha256
        )  # what was approved is not theirs to answer for
    return last_change_by(author.pk, section, steps, read=_marks)


_MARKS: "OrderedDict[str, dict[Section, str]]" = OrderedDict()
_MARKS_MOST = 4_000


def _marks(sha256: str) -> dict[Section, str]:
    """Return the marks of a stored document, from a cache because they are small."""
    marks = _MARKS.get(sha256)
    if marks is None:
        marks = _MARKS[sha256] = section_marks(Document.objects.get(pk=sha256).data)
        while len(_MARKS) > _MARKS_MOST:
            _MARKS.popitem(last=False)
    return marks


# --- asking for one -----------------------------------------------------------------------------------------------


@require_POST
def ask(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Ask a member, or whoever has a link, to look at sections."""
    parameters = form(request)
    sections = [name for name in SECTIONS if name in parameters.texts("section")]
    kind, _, text = parameters.get("who", "").partition(":")
    pk = parse_integer(text)
    if not sections:
        raise InvalidVerdictError(N_("Choose the sections to review."))
    if pk is None:
        raise InvalidVerdictError(N_("Choose a reviewer."))
    who = viewer.design.team.people.filter(pk=pk).first() if kind == "person" else None
    link = Link.objects.by_which_to_answer(viewer.design).filter(pk=pk).first() if kind == "link" else None
    if who is None and link is None:
        raise InvalidVerdictError(N_("Choose a reviewer."))
    due = _parse_due_day(parameters.get("due", ""))
    ask_reviewer(viewer, who=who, link=link, sections=sections, due=due, note=parameters.get("note", "").strip())
    return redirect(f"{viewer.home}#verdicts")


def ask_reviewer(
    viewer: Viewer,
    *,
    who: Person | None,
    link: Link | None,
    sections: Sequence[Section],
    due: datetime.date | None,
    note: str,
) -> Asked:
    """Store a request for a review of sections, and tell a member by mail.

    Raises
    ------
    InvalidVerdictError
        If the link does not show a section.
    """
    if link and link.hides_cost and "cost" in sections:
        raise InvalidVerdictError(N_("This link hides the cost, so a reviewer cannot judge it."))
    names = [name for name in SECTIONS if name in sections]
    request_row = Asked.objects.create(
        design=viewer.design, by=viewer.person, person=who, link=link, sections=names, due=due, note=note[:500]
    )
    if who and viewer.person:
        Mail.objects.notify_reviewer(viewer.design, who, by=viewer.person)
    return request_row


def _parse_due_day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidVerdictError(N_("Enter a valid date.")) from None


@require_POST
def withdraw(request: HttpRequest, viewer: Viewer, asked: int) -> HttpResponse:
    """Ask no more."""
    Asked.objects.filter(design=viewer.design, pk=asked).delete()
    return redirect(f"{viewer.home}#verdicts")


USUAL_MISS_PERCENT = 20


@require_POST
def follow(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Ask for mail about a design, or for no more of it."""
    follow_design(
        viewer,
        current_person(request),
        wanted=form(request).get("mail") == "on",
        address=request.build_absolute_uri(viewer.home),
        language=get_language() or "en",
        miss_percent=form(request).number("miss", minimum=1, maximum=1000) or USUAL_MISS_PERCENT,
    )
    return redirect(f"{viewer.home}#verdicts")


def follow_design(
    viewer: Viewer, person: Person, *, wanted: bool, address: str, language: str, miss_percent: float
) -> None:
    """Store that a person wants mail about a design, or none."""
    Following.objects.filter(design=viewer.design, person=person).delete()
    if wanted:
        defaults = {
            "language": language, "address": address, "number": viewer.design.number, "miss_share": miss_percent / 100,
        }  # fmt: skip
        Following.objects.get_or_create(design=viewer.design, person=person, defaults=defaults)


__all__ = ["ask", "changed_sections", "counts_of", "follow", "last_section_change", "section_status", "withdraw"]
