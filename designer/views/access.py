"""Access rules of requests: fetch a design or a team, or answer that there is none."""

from collections.abc import Callable
from copy import copy
from typing import Any, cast

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.functional import SimpleLazyObject

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.pages import request_preferences
from designer.http.parameters import from_server, header
from designer.http.shares import charge
from designer.models import Design, Person, Team
from designer.models.memory import MEMORY
from designer.models.watches import ADMISSION, NEWEST, WATCHES, Admission
from designer.permissions import Action, Role, is_allowed, rights_of


class PermissionDeniedError(DesignError):
    """A member whose role does not allow this; a stranger gets a 404 instead."""

    status = 403


class AdmittedPerson:
    """Takes person and role of a window that watches from its admission, which is confirmed every two seconds."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        admission: Admission | None = from_server(request, ADMISSION)
        if admission is not None:
            # A copy for each request: `confirmed_roles` and what Django sets on a user must not reach the requests of
            # other threads.
            person = copy(admission.person)
            person.confirmed_roles = {admission.team_id: admission.role}
            request.user = request._cached_user = person  # type: ignore[attr-defined]
        return self.get_response(request)


class SignInFirst(LoginRequiredMiddleware):
    """Sends strangers to the sign-in page, whole: htmx must not put it into a part of another page."""

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponseBase | None:
        if not getattr(view[0], "login_required", True):
            return None  # before anybody is looked up: these pages answer without a database
        response: HttpResponseBase | None = super().process_view(request, *view)
        if response is not None and header(request, "HX-Request"):
            # htmx follows a redirect silently and would put the sign-in page into a part of this one; with HX-Redirect
            # the browser opens it.
            return HttpResponse(status=401, headers={"HX-Redirect": response.headers["Location"]})
        if response is None and request.user.pk is not None:
            charge("person", request.user.pk)
        if response is None and (language := getattr(request.user, "language", "")):
            translation.activate(language)  # chosen once, on whatever machine
            request.LANGUAGE_CODE = translation.get_language()
        return response


def current_person(request: HttpRequest) -> Person:
    """Return the user of the request, who is always known because the site requires sign-in."""
    user = request.user
    if isinstance(user, SimpleLazyObject):
        # Django's lazy user is a proxy: it has to be looked up once before its class and `pk` are those of a Person.
        user.is_authenticated  # noqa: B018 - finds out who it is
    return cast(Person, user)


def design_for(request: HttpRequest, key: str, action: Action, *, deleted: bool = False) -> Design:
    """Return the design with this key, if the user may perform the action on it.

    Raises
    ------
    Http404
        For a stranger to its team, as if there were none.
    PermissionDeniedError
        For a member whose role is too small.
    """
    design = _find_design(request, key, deleted=deleted)
    if design is None:
        raise Http404
    _require(current_person(request).role_in(design.team_id), action)
    # Only now, when the role is known to be enough: a stranger who asks for a design takes nothing of its team's share.
    charge("team", design.team_id)
    return design


HEADS = "heads"
"""Rows of watched designs in the memory of a process."""
READ_SECONDS = 0.002


def _find_design(request: HttpRequest, key: str, *, deleted: bool) -> Design | None:
    """Return a design's row; for windows that watch, as it was read last unless a newer sequence number is known.

    That it is not deleted, and in which team it is, is confirmed with the admission.
    """
    newest: int | None = from_server(request, NEWEST)
    if newest is not None and not deleted:
        return watched_design(key, newest)
    return _designs().filter(key=key, deleted__isnull=not deleted).first()


def watched_design(key: str, newest: int) -> Design | None:
    """Return the row of a design that windows watch, at least as new as a sequence number; None if there is none."""
    cached: Design | None = MEMORY.find(HEADS, key)
    # Copies, because views save with the row they get, which changes it.
    if cached is not None and cached.sequence >= newest:
        return copy(cached)
    design = _designs().filter(key=key, deleted=None).first()
    if design is not None:
        # Kept for windows that watch only: for others nothing says when the row has become old.
        MEMORY.put(HEADS, key, copy(design), seconds=READ_SECONDS)
    return design


def _designs() -> QuerySet[Design]:
    return Design.objects.select_related("head", "team").defer("head__data")  # most are known by their hash


def can_edit(request: HttpRequest, design: Design) -> bool:
    """Return whether the user may change the design."""
    return is_allowed(current_person(request).role_in(design.team_id), "edit")


SHARED_SECONDS = 10.0


def share(
    request: HttpRequest,
    design: Design | None,
    response: HttpResponse,
    *,
    sequence: int = 0,
    seconds: float = SHARED_SECONDS,
) -> HttpResponse:
    """Let the web server give an answer about a design to everybody with the same rights and preferences for a while.

    `sequence` is that of the design that it shows; 0 where the address names the content. The role is asked for once
    it is made: if it changed on the way, nobody else gets the answer. Whoever asked is admitted to the design.
    """
    if design is not None:
        me = current_person(request)
        # Asked again after rendering; for a role that changed meanwhile, the web server compares and keeps nothing.
        role = me.role_in(design.team_id)
        response.shared_as = ((*rights_of(role), me.language), sequence, seconds)  # type: ignore[attr-defined]
        admit(request, design, role)
    return response


def admit(request: HttpRequest, design: Design, role: Role | None) -> None:
    """Let the web server answer this session from now on, as long as its access to the design is confirmed."""
    if role is not None and WATCHES.is_open and from_server(request, ADMISSION) is None:
        me, session = current_person(request), request.session.session_key or ""
        WATCHES.admit(session, design, me, role, request_preferences(request))


def team_for(request: HttpRequest, pk: int, action: Action) -> Team:
    """Return a team, with the same checks and errors as `design_for`."""
    team = Team.objects.filter(pk=pk).first()
    if team is None:
        raise Http404
    _require(current_person(request).role_in(team.pk), action)
    return team


def _require(role: Role | None, action: Action) -> None:
    # A design of another team and one that does not exist answer alike, so that keys cannot be tried.
    if role is None:
        raise Http404
    if not is_allowed(role, action):
        raise PermissionDeniedError(N_("Your role in this team does not allow this. Ask an owner of the team."))
