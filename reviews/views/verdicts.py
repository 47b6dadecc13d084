"""Verdicts on sections, and asking somebody for one: what holds, what is stale, what is still open."""

import datetime
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.views.decorators.http import require_POST

from designer.document.texts import N_
from designer.models import Design, Document, Membership, Person
from designer.views.access import person
from reviews.models import Asked, Following, Link, Mail
from reviews.models.verdicts import NoVerdict, given_of, verdicts_on
from reviews.verdicts.authorship import Step, marks, wrote
from reviews.verdicts.sections import SECTIONS, Section
from reviews.verdicts.status import Given, Standing, Wanted, standings, wanting

from .viewer import Desk, today

# --- how things stand ---------------------------------------------------------------------------------------------


def standing_of(desk: Desk) -> Mapping[Section, Standing]:
    """Return the state of each visible section."""
    given = given_of(desk.design, desk.hashes, upto=desk.last_told)
    if desk.hides:
        given = tuple(_without_words(desk, one) for one in given)
    wanted = wanted_of(desk, given)
    if desk.link:
        given, wanted = tuple(_seen_by(desk.link, one) for one in given), _asked_of(desk.link, wanted)
    found = {one.section: one for one in standings(given, wanted, engine=desk.full.engine)}
    if desk.hides.cost:
        del found["cost"]
    return found


def _without_words(desk: Desk, one: Given) -> Given:
    """Return the verdict without its text, which may reveal hidden contents.

    A text written through this link remains.
    """
    own = desk.link is not None and one.visitor and one.author[1] == desk.link.pk
    return one if own else replace(one, text="", earlier=tuple(replace(each, text="") for each in one.earlier))


def _seen_by(link: Link, one: Given) -> Given:
    """Return the verdict without the name of another link, which visitors must not see."""
    return one if not one.visitor or one.author[1] == link.pk else replace(one, link="")


def _asked_of(link: Link, wanted: tuple[Wanted, ...]) -> tuple[Wanted, ...]:
    return tuple(one for one in wanted if one.author == ("link", link.pk))


def wanted_of(desk: Desk, given: tuple[Given, ...]) -> tuple[Wanted, ...]:
    """Return the review requests, with the sections that are still missing."""
    rows = Asked.objects.filter(design=desk.design).select_related("person", "link", "by").order_by("-at")
    asked = [
        Wanted(
            row.pk, str(row.person or row.link or "?"), tuple(s for s in SECTIONS if s in row.sections), row.due,
            row.note, str(row.by or ""), ("link", row.link_id) if row.link_id else ("person", row.person_id),
        )
        for row in rows
    ]  # fmt: skip
    by_link = tuple(_of_link(one) for one in given)
    return wanting(asked, (*given, *by_link), today())


def _of_link(one: Given) -> Given:
    """Return a visitor's verdict as the answer to a request that was addressed to the link."""
    return replace(one, author=("link", one.author[1])) if one.visitor else one


def counts_of(design: Design, standing: Mapping[Section, Standing], threads: int) -> dict[str, int]:
    """Return the numbers of open and stale items."""
    states = [one.state for one in standing.values()]
    return {
        "open": threads, "stale": states.count("stale"), "changes": states.count("changes"),
        "asked": sum(1 for one in standing.values() if one.wanted),
    }  # fmt: skip


# --- whose work it is -----------------------------------------------------------------------------------------------


def alone(desk: Desk) -> bool:
    """Return whether the team has no other member who could review the work."""
    return not Membership.objects.filter(team=desk.design.team_id).exclude(person=desk.person).exists()


def own_work(desk: Desk) -> dict[Section, int]:
    """Return the sections that the viewer changed, each with the latest revision of such a change."""
    if desk.person is None:
        return {}
    found = ((name, authored(desk.design, desk.person, name, upto=desk.number)) for name in SECTIONS)
    return {name: number for name, number in found if number is not None}


def authored(design: Design, who: Person, section: Section, *, upto: int) -> int | None:
    """Return the latest revision by which a person changed a section since another member's approval."""
    approvals = verdicts_on(design).filter(section=section, approves=True, visitor=False, own=False).exclude(person=who)
    since = approvals.filter(number__lte=upto).order_by("-number").values_list("number", flat=True).first()
    rows = design.revisions.filter(number__lte=upto, number__gte=since or 1).order_by("-number")
    steps = [Step(number, by, sha256) for number, by, sha256 in rows.values_list("number", "by", "document")]
    if since is not None and steps:
        steps[-1] = Step(steps[-1].number, None, steps[-1].sha256)  # what was approved is not theirs to answer for
    return wrote(who.pk, section, steps, read=_marks)


_MARKS: "OrderedDict[str, dict[Section, str]]" = OrderedDict()
_MARKS_MOST = 4_000


def _marks(sha256: str) -> dict[Section, str]:
    """Return the marks of a stored document, from a cache because they are small."""
    held = _MARKS.get(sha256)
    if held is None:
        held = _MARKS[sha256] = marks(Document.objects.get(pk=sha256).data)
        while len(_MARKS) > _MARKS_MOST:
            _MARKS.popitem(last=False)
    return held


# --- asking for one -----------------------------------------------------------------------------------------------


@require_POST
def ask(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Ask a member, or whoever has a link, to look at sections."""
    sections = [name for name in SECTIONS if name in request.POST.getlist("section")]
    kind, _, pk = request.POST.get("who", "").partition(":")
    if not sections:
        raise NoVerdict(N_("Choose the sections to review."))
    if not pk.isdigit() or len(pk) > 15:
        raise NoVerdict(N_("Choose a reviewer."))
    who = desk.design.team.people.filter(pk=pk).first() if kind == "person" else None
    link = Link.objects.filter(pk=pk, design=desk.design, revoked=None, role="link_comment").first() if kind == "link" else None  # noqa: E501  # fmt: skip
    if who is None and link is None:
        raise NoVerdict(N_("Choose a reviewer."))
    if link and link.hides_cost and "cost" in sections:
        raise NoVerdict(N_("This link hides the cost, so a reviewer cannot judge it."))
    note = request.POST.get("note", "").replace("\0", "").strip()[:500]
    due = _due(request.POST.get("due", ""))
    Asked.objects.create(
        design=desk.design, by=desk.person, person=who, link=link, sections=sections, due=due, note=note
    )
    if who and desk.person:
        Mail.objects.ask(desk.design, who, by=desk.person)
    return redirect(f"{desk.home}#verdicts")


def _due(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text) if text else None
    except ValueError:
        raise NoVerdict(N_("Enter a valid date.")) from None


@require_POST
def withdraw(request: HttpRequest, desk: Desk, asked: int) -> HttpResponse:
    """Ask no more."""
    Asked.objects.filter(design=desk.design, pk=asked).delete()
    return redirect(f"{desk.home}#verdicts")


@require_POST
def follow(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Ask for mail about a design, or for no more of it."""
    me = person(request)
    Following.objects.filter(design=desk.design, person=me).delete()
    if request.POST.get("mail") == "on":
        address = request.build_absolute_uri(desk.home)
        language = get_language() or "en"
        Following.objects.get_or_create(
            design=desk.design, person=me,
            defaults={"language": language, "address": address, "number": desk.design.number},
        )  # fmt: skip
    return redirect(f"{desk.home}#verdicts")


__all__ = ["ask", "authored", "counts_of", "follow", "own_work", "standing_of", "withdraw"]
