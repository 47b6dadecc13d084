"""Discussion views of a review: read and create threads, reply, resolve, reopen."""

import json
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
from designer.http.parameters import form, header, query
from designer.models.attempts import WITHIN
from designer.models.texts import from_data, to_data
from estimator.presentation.charts import HeatMap
from estimator.views.design import heat_context
from estimator.views.maps import reference_day_map
from reviews.discussion import anchors
from reviews.discussion.anchors import Anchor
from reviews.discussion.threads import CommentView, Discussion, ThreadView
from reviews.links.redaction import OF_MONEY, number_ranges
from reviews.models import Comment, Link, Mail, Thread
from reviews.models.talk import LONGEST, create_thread
from reviews.verdicts.sections import Section

from .viewer import Viewer, write_session

MOST_SAID = 100
"""So many comments by one link in a quarter of an hour."""


def discussion_of(viewer: Viewer) -> Discussion:
    """Return the discussion of a design that is visible to the viewer."""
    rows = Thread.objects.filter(design=viewer.design).select_related("link").prefetch_related("comments__link", "comments__person")  # noqa: E501  # fmt: skip
    views = (_thread_view(viewer, row) for row in rows.order_by("-number"))
    return Discussion([thread for thread in views if thread], f"{viewer.home}talk")


def _thread_view(viewer: Viewer, row: Thread) -> ThreadView | None:
    anchor = anchors.parse_anchor(row.anchor)
    if anchor is None or not _can_see(viewer, row, anchor):
        return None
    here = anchors.has_subject(viewer.full_spec, viewer.analysis, anchor)
    called = anchors.anchor_label(viewer.full_spec, viewer.analysis, anchor) if here else from_data(row.called)
    # Not by time: after a clock was set back, an answer would stand before its question.
    comments = tuple(
        _comment_view(viewer, comment) for comment in sorted(row.comments.all(), key=lambda comment: comment.pk)
    )
    own = viewer.link is None or row.link_id == viewer.link.pk
    return ThreadView(
        row.number, anchor, called, here, _thread_section(viewer, row, anchor), comments, row.resolved, row.resolved_by,
        viewer.can("comment") and own, _range(anchor, _keys_of(viewer, anchor, row)), row.revision > viewer.number,
    )  # fmt: skip


def _thread_section(viewer: Viewer, row: Thread, anchor: Anchor) -> Section:
    """Return the section of a thread.

    For a removed element, it is the element's section in the thread's first revision.
    """
    # A removed element is in no section any more; where its thread stands was decided when it was begun.
    gone = anchor.kind != "line" and anchor.at and anchor.at not in viewer.full_spec.by_id
    then = viewer.design.revisions.select_related("document").filter(number=row.revision).first() if gone else None
    return anchors.section_at(then.spec if then else viewer.full_spec, anchor)


def _can_see(viewer: Viewer, row: Thread, anchor: Anchor) -> bool:
    """Return whether the viewer may see a thread.

    A text written where more was visible may reveal hidden contents, so that it is not displayed where less is
    visible.
    """
    if viewer.last_visible_number is not None and row.revision > viewer.last_visible_number:
        return False
    if not viewer.hides:
        return True
    by = row.link
    # Whoever saw more may have quoted it, in any words.
    if by is None or not by.hides.covers(viewer.hides):
        return False
    return not _is_hidden(viewer, anchor)


def _is_hidden(viewer: Viewer, anchor: Anchor) -> bool:
    """Return whether a thread concerns only money while money is hidden."""
    of_money = anchor.kind == "finding" and anchor.parts[0] in OF_MONEY
    return viewer.hides.cost and (of_money or anchors.section_at(viewer.full_spec, anchor) == "cost")


def _comment_view(viewer: Viewer, row: Comment) -> CommentView:
    who = row.name if row.visitor or row.by_program or row.person is None else str(row.person)
    is_link_visible = row.link is not None and viewer.link in (
        None,
        row.link,
    )  # what other links are called is no visitor's business
    return CommentView(who, row.text, row.at, row.visitor, row.link.name if is_link_visible and row.link else "")


def _keys_of(viewer: Viewer, anchor: Anchor, begun_by: Thread | None = None) -> Mapping[bytes, str]:
    """Return the text form of a cell's keys; a link's numbers for hidden keys become keys again.

    The numbers count the ranges of the revision on which the thread was created; on another revision they
    remain numbers.
    """
    part = (
        viewer.analysis.estimate.tables.get(anchor.at) if anchor.kind == "heat" and not viewer.hides.samples else None
    )
    if part is None or part.traffic is None:
        return {}
    bounds = part.traffic.heat.bounds
    texts = {bytes(bound): as_text(bound) for bound in bounds}
    if begun_by and begun_by.link and begun_by.link.hides_samples and begun_by.revision == viewer.number:
        # A link without samples shows ranges by number, so its visitors' threads are anchored to numbers; members see
        # keys.
        texts |= {bytes(number): as_text(bound) for number, bound in zip(number_ranges(bounds), bounds, strict=True)}
    return texts


def _range(anchor: Anchor, keys: Mapping[bytes, str]) -> tuple[str, str] | None:
    if anchor.kind != "heat":
        return None
    first, last = (keys.get(key, as_text(key)) for key in map(bytes.fromhex, anchor.parts[2:4]))
    return first, last


@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the threads on one subject (`on`), and a form to create another."""
    anchor = anchors.parse_anchor(form(request).get("on") or query(request).get("on") or "")
    if anchor is None or _is_hidden(viewer, anchor):
        raise Http404
    if request.method != "POST":
        return _page(request, viewer, anchor)
    name, text = _author_name(request, viewer), submitted_text(request)
    wrong = comment_errors(viewer, text=text, name=name)
    if wrong or not anchors.has_subject(viewer.full_spec, viewer.analysis, anchor):
        return _page(
            request, viewer, anchor, status=422, wrong=wrong or {"text": gettext("This item no longer exists.")}
        )
    store_comment(viewer, begin_thread(viewer, anchor), text=text, name=name)
    _remember_name(request, viewer, name)
    return _redirect_or_update(request, viewer, anchor)


def begin_thread(viewer: Viewer, anchor: Anchor) -> Thread:
    """Return a new thread on a subject that exists in what the viewer sees."""
    called = to_data(anchors.anchor_label(viewer.full_spec, viewer.analysis, anchor))
    return create_thread(viewer.design, anchor=anchor.text, called=called, revision=viewer.number, link=viewer.link)


def find_thread(viewer: Viewer, number: int) -> tuple[Thread, ThreadView]:
    """Return a thread and what the viewer sees of it.

    Raises
    ------
    Http404
        If there is none with this number that the viewer may see.
    """
    row = Thread.objects.filter(design=viewer.design, number=number).select_related("link").first()
    view = _thread_view(viewer, row) if row else None
    if row is None or view is None:
        raise Http404
    return row, view


@require_POST
def thread(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Reply to a thread, resolve it or open it again."""
    row, view = find_thread(viewer, number)
    parameters, text, name = form(request), submitted_text(request), _author_name(request, viewer)
    wrong = comment_errors(viewer, text=text, name=name) if text or "reply" in parameters else {}
    if wrong:
        return _page(request, viewer, view.anchor, status=422, wrong=wrong, replying=number)
    if text:
        store_comment(viewer, row, text=text, name=name)
        _remember_name(request, viewer, name)
    if view.can_resolve and "resolve" in parameters:
        row.resolve(by=name)
    if view.can_resolve and ("reopen" in parameters or ("reply" in parameters and row.resolved)):
        row.reopen()
    return _redirect_or_update(request, viewer, view.anchor)


def comment_errors(viewer: Viewer, *, text: str, name: str) -> dict[str, str]:
    """Return why a comment cannot be stored, by field."""
    wrong = {}
    if not text:
        wrong["text"] = gettext("Enter a comment.")
    elif len(text) > LONGEST:
        most = {"most": LONGEST, "more": len(text) - LONGEST}
        wrong["text"] = gettext("The maximum is %(most)d characters. Remove %(more)d.") % most
    if viewer.link and not name:
        wrong["name"] = gettext("Enter your name.")
    if viewer.link and _count_recent_comments(viewer.link) >= MOST_SAID:
        wrong["text"] = gettext("Too many comments through this link. Try again in 15 minutes.")
    return wrong


def _count_recent_comments(link: Link) -> int:
    now = timezone.now()
    # Comments of a later time are from before the clock was set back.
    return Comment.objects.filter(link=link, at__range=(now - WITHIN, now + WITHIN)).count()


def visitor_name(request: HttpRequest, viewer: Viewer) -> str:
    """Return the name of a visitor, as just entered or stored before, with a letter, digit or sign in it."""
    # A name of spaces and signs without width would be nobody's.
    name = form(request).line("name", most=100)
    return name if any(unicodedata.category(c)[0] in "LNPS" for c in name) else viewer.name


def submitted_text(request: HttpRequest) -> str:
    """Return the submitted text with uniform line ends for all browsers."""
    return form(request).get("text", "").replace("\r\n", "\n").strip()


def _author_name(request: HttpRequest, viewer: Viewer) -> str:
    return visitor_name(request, viewer) if viewer.link else str(viewer.person)


def store_comment(viewer: Viewer, row: Thread, *, text: str, name: str) -> None:
    """Add a comment to a thread, and tell who follows the design."""
    Comment.objects.create(
        thread=row,
        person=viewer.person,
        link=viewer.link,
        name=name,
        visitor=viewer.link is not None,
        by_program=viewer.is_program,
        text=text,
    )
    Mail.objects.notify_followers(viewer.design, "comment", who=name, by=viewer.person, link=viewer.link)


def _remember_name(request: HttpRequest, viewer: Viewer, name: str) -> None:
    if viewer.link:
        write_session(request, viewer.link, name=name)


def _redirect_or_update(request: HttpRequest, viewer: Viewer, anchor: Anchor) -> HttpResponse:
    about = discussion_of(viewer)
    spots = [about.spot(anchor)]
    if anchor.kind == "element" and (whole := about.get(anchor.at)):
        spots.insert(0, whole)
    if not header(request, "HX-Request"):
        return redirect(spots[0].address)
    response = _page(request, viewer, anchor)
    response["HX-Trigger"] = json.dumps({"kw:talked": {"spots": list(map(asdict, spots))}})
    return response


def _page(request: HttpRequest, viewer: Viewer, anchor: Anchor, *, status: int = 200, **more: Any) -> HttpResponse:
    threads, here = (
        discussion_of(viewer).threads_on(anchor),
        anchors.has_subject(viewer.full_spec, viewer.analysis, anchor),
    )
    then = [] if here else [thread.label for thread in threads if thread.anchor == anchor]
    context: dict[str, Any] = {
        "desk": viewer,
        "anchor": anchor,
        "about": then[0] if then else anchors.anchor_label(viewer.full_spec, viewer.analysis, anchor),
        "here": here,
        "threads": threads,
        "range": threads[0].range if threads else _range(anchor, _keys_of(viewer, anchor)),
        "name": _author_name(request, viewer),
        "visiting": viewer.link is not None,
        "may_comment": viewer.can("comment"),
        "title": viewer.full_spec.name,
        "typed": form(request).get("text", "") if status != 200 else "",
        **more,
    }
    return page(
        request,
        "reviews/discussion/discussion.html",
        context,
        part="reviews/discussion/_discussion.html",
        status=status,
    )


@require_safe
def updated_threads(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the updated threads in the summary."""
    return render(
        request,
        "reviews/discussion/_talked.html",
        {"desk": viewer, "talk": discussion_of(viewer), "may_comment": viewer.can("comment")},
    )


@require_safe
def cells(request: HttpRequest, viewer: Viewer, table: str) -> HttpResponse:
    """Show the choice of a cell of a heatmap, and the threads on the chosen one."""
    parameters = query(request)
    row, clock, of = parameters.number("row"), parameters.get("clock", ""), parameters.get("of", "")
    if row is not None and of in anchors.HEAT_LABELS and anchors.CLOCK.fullmatch(clock):
        exact = (b"", *reference_day_map(viewer.page, table).bounds)  # what is clicked in the map has all its ranges
        if row < len(exact):
            return _page(request, viewer, _cell(table, of, exact, row, clock))
    heat = heat_context(request, viewer.page, table)
    chart: HeatMap = heat["chart"]
    firsts = (b"", *chart.bounds)
    ranges = [(number, as_text(first) if number else gettext("(first key)")) for number, first in enumerate(firsts)]
    number = parameters.number("range")
    if number is not None and number < len(firsts) and anchors.CLOCK.fullmatch(clock):
        return _page(request, viewer, _cell(table, heat["of"], firsts, number, clock))
    clocks = sorted({f"{start:%H}:00" for start in chart.starts})
    threads = [
        thread for thread in discussion_of(viewer).threads if thread.anchor.kind == "heat" and thread.anchor.at == table
    ]
    context = {
        "desk": viewer, "table": heat["table"], "of": heat["of"], "ranges": ranges, "clocks": clocks,
        "threads": threads, "title": viewer.full_spec.name, "visiting": viewer.link is not None,
        "may_comment": viewer.can("comment"), "name": _author_name(request, viewer),
    }  # fmt: skip
    return page(request, "reviews/discussion/cells.html", context, part="reviews/discussion/_cells.html")


def _cell(table: str, of: str, firsts: tuple[bytes, ...], number: int, clock: str) -> Anchor:
    last = firsts[number + 1] if number + 1 < len(firsts) else b""
    return anchors.heat(table, of, bytes(firsts[number]), bytes(last), clock)


__all__ = [
    "begin_thread",
    "cells",
    "comment_errors",
    "discussion_of",
    "find_thread",
    "store_comment",
    "submitted_text",
    "talk",
    "thread",
    "updated_threads",
    "visitor_name",
]
