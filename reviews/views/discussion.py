"""Discussion views of a review: read and create threads, reply, resolve, reopen."""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from designer.document.key import as_text
from designer.http.pages import page
from designer.models.attempts import WITHIN
from designer.models.texts import stored, text_of
from estimator.presentation.charts import HeatMap
from estimator.views.design import heat_of
from estimator.views.maps import live_of
from reviews.discussion import anchors
from reviews.discussion.anchors import Anchor
from reviews.discussion.threads import Said, Talk, Talked
from reviews.links.redaction import OF_MONEY, numbered
from reviews.models import Comment, Link, Mail, Thread
from reviews.models.talk import LONGEST, begun
from reviews.verdicts.sections import Section

from .viewer import Desk, remember

JOINERS = "\u200c\u200d"
MOST_SAID = 100
"""So many comments by one link in a quarter of an hour."""


def talk_of(desk: Desk) -> Talk:
    """Return the discussion of a design that is visible to the viewer."""
    rows = Thread.objects.filter(design=desk.design).select_related("link").prefetch_related("comments__link", "comments__person")  # noqa: E501  # fmt: skip
    seen = (_talked(desk, row) for row in rows.order_by("-number"))
    return Talk([one for one in seen if one], f"{desk.home}talk")


def _talked(desk: Desk, row: Thread) -> Talked | None:
    anchor = anchors.read(row.anchor)
    if anchor is None or not _shown(desk, row, anchor):
        return None
    here = anchors.here(desk.full, desk.answer, anchor)
    called = anchors.called(desk.full, desk.answer, anchor) if here else text_of(row.called)
    said = tuple(_said(desk, one) for one in sorted(row.comments.all(), key=lambda one: (one.at, one.pk)))
    own = desk.link is None or row.link_id == desk.link.pk
    return Talked(
        row.number, anchor, called, here, _section(desk, row, anchor), said, row.resolved, row.resolved_by,
        desk.may("comment") and own, _range(anchor, _keys_of(desk, anchor, row)), row.revision > desk.number,
    )  # fmt: skip


def _section(desk: Desk, row: Thread, anchor: Anchor) -> Section:
    """Return the section of a thread.

    For a removed element, it is the element's section in the thread's first revision.
    """
    gone = anchor.kind != "line" and anchor.at and anchor.at not in desk.full.by_id
    then = desk.design.revisions.select_related("document").filter(number=row.revision).first() if gone else None
    return anchors.section_at(then.spec if then else desk.full, anchor)


def _shown(desk: Desk, row: Thread, anchor: Anchor) -> bool:
    """Return whether the viewer may see a thread.

    A text written where more was visible may reveal hidden contents, so that it is not displayed where less is
    visible.
    """
    if desk.last_told is not None and row.revision > desk.last_told:
        return False
    if not desk.hides:
        return True
    by = row.link
    if by is None or not by.hides.covers(desk.hides):
        return False
    return not _hidden(desk, anchor)


def _hidden(desk: Desk, anchor: Anchor) -> bool:
    """Return whether a thread concerns only money while money is hidden."""
    of_money = anchor.kind == "finding" and anchor.parts[0] in OF_MONEY
    return desk.hides.cost and (of_money or anchors.section_at(desk.full, anchor) == "cost")


def _said(desk: Desk, row: Comment) -> Said:
    who = row.name if row.visitor or row.person is None else str(row.person)
    told = row.link is not None and desk.link in (
        None,
        row.link,
    )  # what other links are called is no visitor's business
    return Said(who, row.text, row.at, row.visitor, row.link.name if told and row.link else "")


def _keys_of(desk: Desk, anchor: Anchor, begun_by: Thread | None = None) -> Mapping[bytes, str]:
    """Return the text form of a cell's keys; a link's numbers for hidden keys become keys again.

    The numbers count the ranges of the revision on which the thread was created; on another revision they
    remain numbers.
    """
    part = desk.answer.estimate.tables.get(anchor.at) if anchor.kind == "heat" and not desk.hides.samples else None
    if part is None or part.traffic is None:
        return {}
    bounds = part.traffic.heat.bounds
    found = {bytes(bound): as_text(bound) for bound in bounds}
    if begun_by and begun_by.link and begun_by.link.hides_samples and begun_by.revision == desk.number:
        found |= {bytes(number): as_text(bound) for number, bound in zip(numbered(bounds), bounds, strict=True)}
    return found


def _range(anchor: Anchor, keys: Mapping[bytes, str]) -> tuple[str, str] | None:
    if anchor.kind != "heat":
        return None
    first, last = (keys.get(key, as_text(key)) for key in map(bytes.fromhex, anchor.parts[2:4]))
    return first, last


@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the threads on one subject (`on`), and a form to create another."""
    anchor = anchors.read(request.POST.get("on") or request.GET.get("on") or "")
    if anchor is None or _hidden(desk, anchor):
        raise Http404
    if request.method != "POST":
        return _page(request, desk, anchor)
    wrong = _wrong(request, desk)
    if wrong or not anchors.here(desk.full, desk.answer, anchor):
        return _page(request, desk, anchor, status=422, wrong=wrong or {"text": gettext("This item no longer exists.")})
    called = stored(anchors.called(desk.full, desk.answer, anchor))
    thread = begun(desk.design, anchor=anchor.text, called=called, revision=desk.number, link=desk.link)
    _say(request, desk, thread)
    return _done(request, desk, anchor)


@require_POST
def thread(request: HttpRequest, desk: Desk, number: int) -> HttpResponse:
    """Reply to a thread, resolve it or open it again."""
    row = Thread.objects.filter(design=desk.design, number=number).select_related("link").first()
    shown = _talked(desk, row) if row else None
    if row is None or shown is None:
        raise Http404
    wrong = _wrong(request, desk) if request.POST.get("text", "").strip() or "reply" in request.POST else {}
    if wrong:
        return _page(request, desk, shown.anchor, status=422, wrong=wrong, replying=number)
    if request.POST.get("text", "").strip():
        _say(request, desk, row)
    if shown.mine and "resolve" in request.POST:
        row.settle(by=_name(request, desk))
    if shown.mine and ("reopen" in request.POST or ("reply" in request.POST and row.resolved)):
        row.reopen()
    return _done(request, desk, shown.anchor)


def _wrong(request: HttpRequest, desk: Desk) -> dict[str, str]:
    wrong, text = {}, words_given(request)
    if not text:
        wrong["text"] = gettext("Enter a comment.")
    elif len(text) > LONGEST:
        most = {"most": LONGEST, "more": len(text) - LONGEST}
        wrong["text"] = gettext("The maximum is %(most)d characters. Remove %(more)d.") % most
    if desk.link and not _name(request, desk):
        wrong["name"] = gettext("Enter your name.")
    if desk.link and _said_lately(desk.link) >= MOST_SAID:
        wrong["text"] = gettext("Too many comments through this link. Try again in 15 minutes.")
    return wrong


def _said_lately(link: Link) -> int:
    return Comment.objects.filter(link=link, at__gt=timezone.now() - WITHIN).count()


def name_given(request: HttpRequest, desk: Desk) -> str:
    """Return the name of a visitor, as just entered or stored before: one line of visible characters.

    Characters that change the direction of text are removed, because they could alter the text next to a name,
    which states its origin; joiners are kept as parts of letters.
    """
    words = " ".join(request.POST.get("name", "").split())
    seen = "".join(c for c in words if unicodedata.category(c) not in ("Cc", "Cf") or c in JOINERS)
    return seen[:100].strip() if any(unicodedata.category(c)[0] in "LNPS" for c in seen) else desk.name


def words_given(request: HttpRequest) -> str:
    """Return the submitted text with uniform line ends for all browsers."""
    return request.POST.get("text", "").replace("\0", "").replace("\r\n", "\n").strip()


def _name(request: HttpRequest, desk: Desk) -> str:
    return name_given(request, desk) if desk.link else str(desk.person)


def _say(request: HttpRequest, desk: Desk, row: Thread) -> None:
    name = _name(request, desk)
    if desk.link:
        remember(request, desk.link, name=name)
    text = words_given(request)
    Comment.objects.create(
        thread=row, person=desk.person, link=desk.link, name=name, visitor=desk.link is not None, text=text
    )
    Mail.objects.tell(desk.design, "comment", who=name, by=desk.person, link=desk.link)


def _done(request: HttpRequest, desk: Desk, anchor: Anchor) -> HttpResponse:
    about = talk_of(desk)
    spots = [about.spot(anchor)]
    if anchor.kind == "element" and (whole := about.get(anchor.at)):
        spots.insert(0, whole)
    if not request.headers.get("HX-Request"):
        return redirect(spots[0].address)
    response = _page(request, desk, anchor)
    response["HX-Trigger"] = json.dumps({"kw:talked": {"spots": list(map(asdict, spots))}})
    return response


def _page(request: HttpRequest, desk: Desk, anchor: Anchor, *, status: int = 200, **more: Any) -> HttpResponse:
    threads, here = talk_of(desk).on(anchor), anchors.here(desk.full, desk.answer, anchor)
    then = [] if here else [one.called for one in threads if one.anchor == anchor]
    context: dict[str, Any] = {
        "desk": desk, "anchor": anchor, "about": then[0] if then else anchors.called(desk.full, desk.answer, anchor),
        "here": here, "threads": threads,
        "range": threads[0].range if threads else _range(anchor, _keys_of(desk, anchor)),
        "name": _name(request, desk), "visiting": desk.link is not None, "may_comment": desk.may("comment"),
        "title": desk.full.name, "typed": request.POST.get("text", "") if status != 200 else "", **more,
    }  # fmt: skip
    return page(
        request,
        "reviews/discussion/discussion.html",
        context,
        part="reviews/discussion/_discussion.html",
        status=status,
    )


@require_safe
def talked(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the updated threads in the summary."""
    return render(
        request,
        "reviews/discussion/_talked.html",
        {"desk": desk, "talk": talk_of(desk), "may_comment": desk.may("comment")},
    )


@require_safe
def cells(request: HttpRequest, desk: Desk, table: str) -> HttpResponse:
    """Show the choice of a cell of a heatmap, and the threads on the chosen one."""
    found = heat_of(request, desk.shown, table)
    chart: HeatMap = found["chart"]
    firsts = (b"", *chart.bounds)
    ranges = [
        (number, as_text(first) if number else gettext("(first key)"), chart.labels[number])
        for number, first in enumerate(firsts)
    ]
    picked = (request.GET.get("range", ""), request.GET.get("clock", ""))
    row = request.GET.get("row", "")
    exact = (b"", *live_of(desk.shown, table).bounds)  # what is clicked in the map has all its ranges
    if re.fullmatch(r"[0-9]{1,6}", row) and int(row) < len(exact) and anchors.CLOCK.fullmatch(picked[1]):
        return _page(request, desk, _cell(table, found["of"], exact, int(row), picked[1]))
    if re.fullmatch(r"[0-9]{1,4}", picked[0]) and int(picked[0]) < len(firsts) and anchors.CLOCK.fullmatch(picked[1]):
        return _page(request, desk, _cell(table, found["of"], firsts, int(picked[0]), picked[1]))
    clocks = sorted({f"{start:%H}:00" for start in chart.starts})
    threads = [one for one in talk_of(desk).threads if one.anchor.kind == "heat" and one.anchor.at == table]
    context = {
        "desk": desk, "table": found["table"], "of": found["of"], "ranges": ranges, "clocks": clocks,
        "threads": threads, "title": desk.full.name, "visiting": desk.link is not None,
        "may_comment": desk.may("comment"), "name": _name(request, desk),
    }  # fmt: skip
    return page(request, "reviews/discussion/cells.html", context, part="reviews/discussion/_cells.html")


def _cell(table: str, of: str, firsts: tuple[bytes, ...], number: int, clock: str) -> Anchor:
    last = firsts[number + 1] if number + 1 < len(firsts) else b""
    return anchors.heat(table, of, bytes(firsts[number]), bytes(last), clock)


__all__ = ["cells", "name_given", "talk", "talk_of", "talked", "thread", "words_given"]
