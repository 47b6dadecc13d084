"""A recent sign-in for what does harm in wrong hands: who signed in long ago shows again that it is them.

The page that asks holds what was posted, in its own form to the same address: nothing typed is lost.
"""

import time

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.views.decorators.http import require_safe

from designer.http.pages import page
from designer.http.parameters import form
from designer.models import Attempt, AttemptLimit, Person
from designer.models.attempts import account_subject
from designer.models.factors import has_second_factor
from designer.views.access import current_person
from designer.views.audit import record, record_refusal

from .limits import MOST_OF_ACCOUNT, rate_limit_page
from .sign_in import PROVED, is_recent, second_factor_context, second_factor_limits, verify_second_factor

OWN_FIELDS = ("csrfmiddlewaretoken", "proof", "password", "code", "credential")
"""Of the page that asks; other fields are held for whoever asked."""
HELD = "held"
MOST_HELD = 20_000
"""Characters that wait in a session while somebody signs in at the provider."""


def note_proof(request: HttpRequest) -> None:
    """Remember that somebody showed just now who they are."""
    request.session[PROVED] = time.time()


def ask_for_proof(request: HttpRequest) -> HttpResponse | None:
    """Return the page that asks who it is; None if that was shown in the last ten minutes, or is shown now."""
    me = current_person(request)
    # On a site of one person there is no sign-in that could be repeated.
    if me.is_local or is_recent(request):
        return None
    posted = form(request)
    others = {name: values for name, values in posted.lists().items() if name not in OWN_FIELDS}
    context: dict[str, object] = {
        "held": [(name, value) for name, values in others.items() for value in values],
        "address": request.get_full_path(), "wrong": False, **_ways(me),
    }  # fmt: skip
    if "proof" not in posted:
        if context["single"]:
            _hold(request, context)
        # 403: what was posted has not been done, which scripts have to see by the status.
        return page(request, "designer/proof/proof.html", context, status=403)
    attempt = Attempt.objects.reserve(
        AttemptLimit(account_subject(me.email), MOST_OF_ACCOUNT), *second_factor_limits(me)
    )
    if attempt.closed_until:
        record_refusal(request, "proof_refused", person=me.email)
        return rate_limit_page(request, "designer/proof/proof.html", context | {"minutes": attempt.closed_minutes})
    if not _is_proved(request, me):
        record(request, "proof_failed")
        return page(request, "designer/proof/proof.html", context | {"wrong": True}, status=422)
    attempt.release()
    note_proof(request)
    return None


def _ways(me: Person) -> dict[str, object]:
    """Return how somebody can show who they are: the second factor if there is one, else as they sign in."""
    ways = {**second_factor_context(me), "has_password": False, "single": None}
    if has_second_factor(me):
        return ways
    has_password = me.has_usable_password()
    return ways | {"has_password": has_password, "single": None if has_password else settings.OIDC}


def _is_proved(request: HttpRequest, me: Person) -> bool:
    if has_second_factor(me):
        return bool(verify_second_factor(request, me))
    return me.check_password(form(request).get("password", ""))


def _hold(request: HttpRequest, context: dict[str, object]) -> None:
    """Keep what was posted for after a sign-in at the provider."""
    form_state = {"address": context["address"], "fields": context["held"]}
    # The session is a row of the database that is read with each request.
    if len(str(form_state)) <= MOST_HELD:
        request.session[HELD] = form_state


@require_safe
def go_on(request: HttpRequest) -> HttpResponse:
    """Show what waited for a sign-in at the provider, to be sent on."""
    form_state = request.session.get(HELD)
    # The address goes into a form's action; it must be one of this site.
    if not form_state or not _is_here(form_state["address"]):
        return redirect("start")
    return page(request, "designer/proof/go_on.html", {"held": form_state["fields"], "address": form_state["address"]})


def _is_here(address: str) -> bool:
    try:
        resolve(address.partition("?")[0])
    except Resolver404:
        return False
    return True
