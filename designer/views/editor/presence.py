"""Several people in one design: who is here, what others changed, what was removed and can come back."""

import datetime

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from designer.editing.forms import INSTANCE
from designer.http.pages import page, request_preferences
from designer.http.parameters import from_server, query
from designer.models import Design, Presence
from designer.models.memory import MEMORY
from designer.models.presence import Present, company_version, seen_lately
from designer.models.watches import ADMISSION, WATCHES, Window
from designer.wording import element_label

from ..access import admit, can_edit, current_person, design_for
from .news import NEWS, NEWS_TYPE, collect_news, news_body, news_key
from .outline import outline

NOTED_SECONDS = 5
"""A window that is still where it was is noted again only after so long: asking should seldom write."""
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
    parameters = query(request)
    since, me = parameters.number("since") or 0, current_person(request)
    window, at = Window(design.key, me.pk, parameters.line("window", most=16)), parameters.line("at", most=40)
    # Before the design's number is compared: who has just come must be told of the others at once.
    present = _present(design, request, window, at)
    company = company_version(present, me.pk)
    _let_watch(request, design, window, at)
    if since >= design.sequence and company == parameters.get("company", ""):
        return HttpResponse(status=204, headers={} if WATCHES.holds else {"Retry-After": str(PAUSE_SECONDS)})
    place = news_key(design.key, since, design.sequence, present, me.language, request_preferences(request))
    fresh_news = MEMORY.get(NEWS, place, lambda: collect_news(design, since, present))
    return HttpResponse(news_body(fresh_news, me.pk), content_type=NEWS_TYPE)


def _let_watch(request: HttpRequest, design: Design, window: Window, at: str) -> None:
    """Let the web server answer this window from now on, until there is something new."""
    role = current_person(request).role_in(design.team_id)
    if role is not None:
        admit(request, design, role)
        WATCHES.note(window, design.pk, at)


def _present(design: Design, request: HttpRequest, window: Window, at: str) -> Present:
    """Return who is present; a window that the web server notes by itself is not noted here."""
    is_noted = from_server(request, ADMISSION) is not None and WATCHES.is_noted(window, at)
    presence = WATCHES.present(design.key) if is_noted else None
    return _record_presence(design, window, at) if presence is None else presence


def _record_presence(design: Design, window: Window, at: str) -> Present:
    """Record that this window is present, and return who is."""
    now = timezone.now()
    present = list(design.present.filter(seen__range=seen_lately()).order_by("person_id", "seen"))
    noted = now - datetime.timedelta(seconds=NOTED_SECONDS)
    # Moving to another element is stored at once, as the others see it; staying is stored every few seconds.
    mine = (window.person, window.name, at)
    if window.name and not any((p.person_id, p.window, p.at) == mine and p.seen > noted for p in present):
        details = {"at": at, "seen": now}
        _, new = Presence.objects.update_or_create(
            design=design, person_id=window.person, window=window.name, defaults=details
        )
        # Cleaning up belongs to the rare insert, not to each question.
        if new:
            Presence.objects.filter(seen__lt=now - datetime.timedelta(days=FORGOTTEN_DAYS)).delete()
    return tuple({presence.person_id: presence.at for presence in present}.items())


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
