"""Signing in: by password and, where somebody has one, a second factor; or by a passkey alone."""

import json
import time
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from designer.http.pages import page
from designer.http.parameters import form, query
from designer.models import Attempt, AttemptLimit, Person
from designer.models.attempts import account_subject
from designer.models.factors import APP, PASSKEY, RECOVERY, factors_of, has_second_factor, recovery_codes_of
from designer.models.people import LOCAL_EMAIL
from designer.views.access import current_person
from designer.views.audit import UNKNOWN_ACCOUNT, known_email, record, record_refusal

from .credentials import METHODS, authentication_options, registration_options, verify_code, verify_passkey
from .limits import MOST_OF_ACCOUNT, MOST_OF_ADDRESS, network_of, rate_limit_page
from .notices import send_notice

PENDING = "second_step"
"""Of the session of somebody who showed the first factor."""
PENDING_SECONDS = 600
PROVED = "proved_at"
"""Of the session: when somebody last showed who they are."""
RECENT_SECONDS = 600
BACKEND = settings.AUTHENTICATION_BACKENDS[0]


@login_not_required
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Show the sign-in page; after sign-in, redirect to the requested page."""
    where = _redirect_target(request)
    if request.user.is_authenticated:
        return HttpResponseRedirect(where)
    context = sign_in_context(request) | {"next": where, "username": form(request).get("username", "")}
    if request.method != "POST":
        return page(request, "designer/sign_in/sign_in.html", context | {"done": query(request).get("done", "")})
    if "credential" in form(request):
        return _sign_in_by_passkey(request, where, context)
    account = account_subject(form(request).get("username", ""))
    attempt = Attempt.objects.reserve(
        AttemptLimit(account, MOST_OF_ACCOUNT), AttemptLimit(f"address {network_of(request)}", MOST_OF_ADDRESS)
    )
    if attempt.closed_until:
        context["minutes"] = attempt.closed_minutes
        email = known_email(form(request).get("username", ""))
        record_refusal(request, "sign_in_refused", "" if email else UNKNOWN_ACCOUNT, person=email)
        return rate_limit_page(request, "designer/sign_in/sign_in.html", context)
    credentials = AuthenticationForm(request, data=form(request))
    if not credentials.is_valid():
        return page(request, "designer/sign_in/sign_in.html", context | {"wrong": True}, status=422)
    person = credentials.get_user()
    attempt.release()
    Attempt.objects.clear(account)
    return ask_second_factor(request, person, where, "password") or finish(request, person, where, "password")


def sign_in_context(request: HttpRequest) -> dict[str, object]:
    """Return what the sign-in page shows, whatever happened on it."""
    return {
        "mail": bool(settings.EMAIL_HOST), "single": settings.OIDC, "wrong": False, "wrong_passkey": False,
        "done": "", "refused": None, "username": "",
        "nobody": not Person.objects.exclude(email=LOCAL_EMAIL).exists(),
    }  # fmt: skip


def _sign_in_by_passkey(request: HttpRequest, where: str, context: dict[str, object]) -> HttpResponse:
    # By network alone: a passkey names its account only once it is verified.
    attempt = Attempt.objects.reserve(AttemptLimit(f"address {network_of(request)}", MOST_OF_ADDRESS))
    if attempt.closed_until:
        record_refusal(request, "sign_in_refused", UNKNOWN_ACCOUNT)
        return rate_limit_page(request, "designer/sign_in/sign_in.html", context | {"minutes": attempt.closed_minutes})
    row = verify_passkey(None, form(request).json_data("credential"))
    if row is None or not row.user.is_active:
        record(request, "sign_in_failed", "passkey", person=row.user.email if row else "")
        return page(request, "designer/sign_in/sign_in.html", context | {"wrong_passkey": True}, status=422)
    attempt.release()
    return finish(request, row.user, where, "passkey")


def ask_second_factor(request: HttpRequest, person: Person, where: str, how: str) -> HttpResponse | None:
    """Ask for the second factor of somebody who showed the first one; None if they have none."""
    if not has_second_factor(person):
        return None
    # From here on the session is half signed in; whoever planted its key beforehand must not have that.
    request.session.cycle_key()
    request.session[PENDING] = {
        # The hash changes with the password: a step that was begun with the old one cannot be finished.
        "person": person.pk, "hash": person.get_session_auth_hash(), "next": where, "how": how, "at": time.time(),
    }  # fmt: skip
    return redirect("second_step")


def finish(request: HttpRequest, person: Person, where: str, how: str) -> HttpResponse:
    """Sign somebody in who showed all that is asked for, and lead them on."""
    begin_session(request, person, how)
    return HttpResponseRedirect(where)


def begin_session(request: HttpRequest, person: Person, how: str) -> None:
    """Sign somebody in; the log and the list of sessions say by what."""
    request.signed_in_by = how  # type: ignore[attr-defined]
    # Before `login`, which keeps what an anonymous session holds.
    request.session.pop(PENDING, None)
    login(request, person, backend=BACKEND)


def _pending(request: HttpRequest) -> tuple[Person, dict[str, Any]] | None:
    """Return who showed the first factor a moment ago, unless their password has changed since."""
    state = request.session.get(PENDING)
    # From 0 on, because a clock that was set back would let the step live for longer.
    if not state or not 0 <= time.time() - state["at"] <= PENDING_SECONDS:
        return None
    person = Person.objects.filter(pk=state["person"], is_active=True).first()
    if person is None or not constant_time_compare(person.get_session_auth_hash(), state["hash"]):
        return None
    return person, state


@login_not_required
@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
def second_step(request: HttpRequest) -> HttpResponse:
    """Ask for a passkey or a code after the password."""
    pending = _pending(request)
    if pending is None:
        return redirect("sign_in")
    person, state = pending
    context = second_factor_context(person)
    if request.method != "POST":
        return page(request, "designer/sign_in/second_step.html", context)
    attempt = Attempt.objects.reserve(
        # A code has a million values: without a limit on the person, it could be guessed from many networks.
        *second_factor_limits(person),
        AttemptLimit(f"address {network_of(request)}", MOST_OF_ADDRESS),
    )
    if attempt.closed_until:
        record_refusal(request, "second_step_refused", person=person.email)
        context["minutes"] = attempt.closed_minutes
        return rate_limit_page(request, "designer/sign_in/second_step.html", context)
    how = verify_second_factor(request, person)
    if not how:
        record(request, "second_step_failed", person=person.email)
        return page(request, "designer/sign_in/second_step.html", context | {"wrong": True}, status=422)
    attempt.release()
    return finish(request, person, state["next"], f"{state['how']}, {how}")


def second_factor_limits(person: Person) -> tuple[AttemptLimit, ...]:
    """Return the limit on wrong second factors of somebody."""
    return (AttemptLimit(f"second factor {person.pk}", MOST_OF_ACCOUNT),)


def second_factor_context(person: Person) -> dict[str, object]:
    """Return which second factors to ask somebody for."""
    if not has_second_factor(person):
        return {"has_passkey": False, "has_app": False, "has_recovery": False}
    kinds = set(factors_of(person).values_list("type", flat=True))
    return {
        "wrong": False, "has_passkey": PASSKEY in kinds, "has_app": APP in kinds,
        "has_recovery": recovery_codes_of(person) is not None,
    }  # fmt: skip


def verify_second_factor(request: HttpRequest, person: Person) -> str:
    """Return by what the request shows a second factor of this person; empty if by none."""
    posted = form(request)
    if posted.get("credential"):
        return METHODS[PASSKEY] if verify_passkey(person, posted.json_data("credential")) is not None else ""
    kind, used_before = verify_code(person, posted.get("code", "")[:100])
    if used_before:
        record(request, "code_reused", person=person.email)
        send_notice(person, "code_reused")
    if kind == RECOVERY:
        send_notice(person, "recovery_code_used")
    return METHODS[kind] if kind else ""


@login_not_required
@require_POST
def passkey_options(request: HttpRequest) -> HttpResponse:
    """Return what the browser needs to make or to show a passkey, as JSON with a challenge."""
    attempt = Attempt.objects.reserve(AttemptLimit(f"passkeys from {network_of(request)}", MOST_CHALLENGES))
    if attempt.closed_until:
        return JsonResponse({}, status=429)
    if request.user.is_authenticated:
        person, is_new = current_person(request), form(request).get("for") == "new"
        # A stolen session must not be turned into a way in that lasts.
        if is_new and not is_recent(request):
            return JsonResponse({}, status=403)  # the form then goes without: its answer asks who it is
        options = registration_options(person) if is_new else authentication_options(person)
    else:
        pending = _pending(request) if form(request).get("for") == "second_step" else None
        options = authentication_options(pending[0] if pending else None)
    # The library's options are mappings of its own classes, which `json` does not know.
    return HttpResponse(json.dumps(options, default=dict), "application/json")


def is_recent(request: HttpRequest) -> bool:
    """Return whether somebody showed in the last ten minutes who they are."""
    return bool(0 <= time.time() - request.session.get(PROVED, 0) <= RECENT_SECONDS)


MOST_CHALLENGES = 200
"""So many are made in a quarter of an hour for one network; each leaves a session behind."""


def _redirect_target(request: HttpRequest) -> str:
    target = form(request).get("next") or query(request).get("next") or ""
    hosts = {request.get_host()}
    # Otherwise a link to our sign-in page could lead on to a copy of it elsewhere (open redirect).
    allowed = url_has_allowed_host_and_scheme(target, allowed_hosts=hosts, require_https=request.is_secure())
    return target if allowed else reverse("start")
