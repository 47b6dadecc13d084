"""Several people in one design: who is here, what others changed, what was removed and can come back."""

import datetime
from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from designer.document import Spec
from designer.document.design import paths
from designer.document.texts import N_
from designer.editing.forms import INSTANCE
from designer.http.pages import page, request_preferences
from designer.http.parameters import query
from designer.models import Design, Presence, Revision
from designer.models.presence import PRESENT_SECONDS, company_version
from designer.models.watches import WATCHES, Window
from designer.templatetags.keywright import said
from designer.wording import element_label

from ..access import can_edit, current_person, design_for
from .outline import outline

NOTED_SECONDS = 5
"""A window that is still where it was is noted again only after so long: asking should seldom write."""
MOST_CHANGES = 50
"""A page that is further behind is told of so many, and that there are more; it reads what it shows anew anyway."""
FAR_BEHIND = N_("Others made many changes. This page now shows the current design.")
PAUSE_SECONDS = 1
FORGOTTEN_DAYS = 1
"""Windows are forgotten that were closed so long ago."""


@require_GET
def news(request: HttpRequest, key: str) -> HttpResponse:
    """Return the newest revisions after a sequence number and the people who are present, as JSON.

    The response is 204 if there is nothing new, with a pause after which to ask again where the server holds no
    questions.
    """
    design = design_for(request, key, "view")
    asked = query(request)
    since = asked.number("since") or 0
    here = _record_presence(design, request, asked.line("window", most=16), asked.line("at", most=40))
    company = company_version(((one.person_id, one.at) for one in here), current_person(request).pk)
    _let_watch(request, design, asked.line("window", most=16), asked.line("at", most=40))
    if since >= design.sequence and company == asked.get("company", ""):
        return HttpResponse(status=204, headers={} if WATCHES.holds else {"Retry-After": str(PAUSE_SECONDS)})
    newest = design.revisions_since(since).reverse()[: MOST_CHANGES + 1] if since < design.sequence else ()
    revisions = list(newest)[::-1]
    shown = [(one, _open_label(design.spec, one.at)) for one in here]
    told = {
        "sequence": design.sequence,
        "sha256": design.head_id,
        "company": company,
        "here": [{"name": str(one.person), "way": _ancestor_ids(design.spec, one.at)} for one in here],
        "changes": _changes(revisions[-MOST_CHANGES:]),
        "far_behind": gettext(FAR_BEHIND) if len(revisions) > MOST_CHANGES else "",
        "people": render_to_string("designer/editor/presence/_people.html", {"design": design, "here": shown}, request),
    }
    return JsonResponse(told)


def _let_watch(request: HttpRequest, design: Design, window: str, at: str) -> None:
    """Let the web server answer this window from now on, until there is something new."""
    me = current_person(request)
    role = me.role_in(design.team_id)
    if role is not None and WATCHES.is_open:
        session = request.session.session_key or ""
        WATCHES.admit(session, design, me, role, request_preferences(request))
        WATCHES.note(Window(design.key, me.pk, window), design.pk, at)


def _open_label(spec: Spec, at: str) -> str:
    """Return the label of the element that a person has open, or "" for the design itself."""
    if at == INSTANCE:
        return gettext("Instance")
    return element_label(spec, at) if at in spec.by_id else ""


def _changes(revisions: Iterable[Revision]) -> list[dict[str, Any]]:
    """Return the changes with their authors.

    The page uses the sequence numbers to leave out its own changes.
    """
    return [
        {
            "sequence": one.sequence,
            "by": one.by_id,
            "who": str(one.by or ""),
            "what": said(one.text),
            "ids": sorted(edited_elements(one.edit)),
            "fields": sorted(_edited_fields(one.edit)),
        }
        for one in revisions
    ]


def edited_elements(edit: Mapping[str, Any] | None) -> set[str]:
    """Ids of the elements that a stored edit is about."""
    if not edit:
        return set()
    own = {str(edit[name]) for name in ("at", "parent") if edit.get(name) is not None}
    return own.union(*map(edited_elements, edit.get("edits", ())))


def _edited_fields(edit: Mapping[str, Any] | None) -> set[str]:
    """Return the fields that a stored edit changed, as `element field`."""
    if not edit:
        return set()
    own = {f"{edit['at']} {edit['name']}"} if edit.get("kind") in ("set", "clear") else set()
    return own.union(*map(_edited_fields, edit.get("edits", ())))


def _ancestor_ids(spec: Spec, at: str) -> list[str]:
    """Ids from an element outwards to its outermost parent: the first that the outline shows is marked."""
    if at == INSTANCE:
        return [at]
    way = next((path for path, element in paths(spec) if element.id == at), ())
    held: Any = spec
    found: list[str] = []
    for step in way:
        held = held[int(step)] if isinstance(held, tuple) else getattr(held, str(step))
        if getattr(held, "id", None):
            found.insert(0, held.id)
    return found


def _record_presence(design: Design, request: HttpRequest, window: str, at: str) -> list[Presence]:
    """Record that this window is present, and return the other people who are.

    There is one entry per person.
    """
    now, me = timezone.now(), current_person(request)
    recent = now - datetime.timedelta(seconds=PRESENT_SECONDS)
    present = list(design.present.filter(seen__gt=recent).select_related("person").order_by("person_id", "seen"))
    noted = now - datetime.timedelta(seconds=NOTED_SECONDS)
    if window and not any((p.person_id, p.window, p.at) == (me.pk, window, at) and p.seen > noted for p in present):
        seen = {"at": at, "seen": now}
        _, new = Presence.objects.update_or_create(design=design, person=me, window=window, defaults=seen)
        if new:
            Presence.objects.filter(seen__lt=now - datetime.timedelta(days=FORGOTTEN_DAYS)).delete()
    return list({one.person_id: one for one in present if one.person_id != me.pk}.values())


@require_GET
def sign_in_done(request: HttpRequest) -> HttpResponse:
    """Show the page after a sign-in that an editor opened in another tab."""
    return page(request, "designer/editor/presence/signed_in.html")


# --- what was removed ---------------------------------------------------------------------------------------------


def removed_element_page(request: HttpRequest, design: Design, at: str) -> HttpResponse | None:
    """Return the page about a removed element: its remover, and the way to restore it.

    Return None if there was no such element.
    """
    removal = design.find_removal(at)
    if removal is None:
        return None
    before = design.revisions.select_related("document").get(number=removal.number - 1).document.spec
    context = {
        "design": design, "at": at, "removal": removal, "name": element_label(before, at),
        "mine": removal.by_id == current_person(request).pk,
        "may_edit": can_edit(request, design),
        "spec": design.spec, "outline": outline(design.spec, ""), "INSTANCE": INSTANCE,
    }  # fmt: skip
    return page(
        request,
        "designer/editor/presence/removed.html",
        context,
        part="designer/editor/presence/_removed.html",
        status=404,
    )
