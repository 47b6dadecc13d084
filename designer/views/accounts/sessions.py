"""The sessions of somebody who signed in: noted when they begin and while they last, and ended on request."""

from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.core.cache import cache
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from designer.http.parameters import header
from designer.models import SignIn
from designer.views.access import current_person
from designer.views.audit import client_address, record

from .proof import ask_for_proof, note_proof

SEEN_SECONDS = 300
"""A session is noted as seen this often at most, by each process."""


@receiver(user_logged_in)
def _note_beginning(request: HttpRequest | None = None, user: Any = None, **_: Any) -> None:
    if request is None or not hasattr(request, "session"):
        return
    note_proof(request)
    # Django gives a session its key when it is saved, at the end of the request; the row needs it now.
    if not request.session.session_key:
        request.session.create()
    SignIn.objects.prune(user)
    SignIn.objects.create(
        person=user, session_key=request.session.session_key or "", methods=getattr(request, "signed_in_by", "")[:60],
        **_place(request),
    )  # fmt: skip


@receiver(user_logged_out)
def _note_end(request: HttpRequest | None = None, **_: Any) -> None:
    if request is not None and request.session.session_key:
        SignIn.objects.filter(session_key=request.session.session_key).delete()


def note_use(request: HttpRequest) -> None:
    """Note that the session of a request is in use, every few minutes."""
    key = request.session.session_key
    if key and cache.add(f"seen-{key}", True, SEEN_SECONDS):
        SignIn.objects.filter(session_key=key).update(seen=timezone.now(), **_place(request))


def _place(request: HttpRequest) -> dict[str, str]:
    agent = header(request, "User-Agent")[:300].replace("\0", "")
    return {"address": client_address(request)[:45].replace("\0", ""), "agent": agent}


def keep_only(request: HttpRequest, before: str | None) -> None:
    """End a person's other sessions, and keep this one, whose key was another before."""
    key = request.session.session_key
    # The key changed with the password (against session fixation); to its owner it is the same session.
    SignIn.objects.filter(session_key=before).update(session_key=key)
    SignIn.objects.end_all(current_person(request), but=key)


@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """Sign oneself out of one other session."""
    rows = SignIn.objects.filter(person=current_person(request), pk=pk)
    row = rows.exclude(session_key=request.session.session_key).first()
    if row is None:
        raise Http404
    if proof := ask_for_proof(request):
        return proof
    record(request, "session_ended", row.agent)
    SignIn.objects.end(rows)
    return redirect(f"{reverse('account')}?done=session")


@require_POST
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    """Sign oneself out of all sessions but this one."""
    if proof := ask_for_proof(request):
        return proof
    count = SignIn.objects.end_all(current_person(request), but=request.session.session_key)
    if count:
        record(request, "session_ended", f"all others: {count}")
    return redirect(f"{reverse('account')}?done=sessions")
