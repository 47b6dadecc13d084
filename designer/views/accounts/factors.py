"""One's second factors: passkeys, an authenticator app, recovery codes. Enrolled, named, removed."""

from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.pages import page
from designer.http.parameters import form, query
from designer.models import Person, SignIn, Team
from designer.models.factors import APP, PASSKEY, factors_of, recovery_codes_of
from designer.views.access import current_person
from designer.views.audit import record

from .credentials import MOST_PASSKEYS, add_app, add_passkey, app_setup, make_recovery_codes, new_secret
from .notices import send_notice
from .proof import ask_for_proof

NEW_APP = "new_app"
"""Of the session: the encrypted secret of an app that has not shown a code yet."""


class FactorRequiredError(DesignError):
    """Error for the removal of a second factor that a team requires."""

    status = 409


@require_safe
def factors(request: HttpRequest) -> HttpResponse:
    """Show one's second factors, and the teams that require one."""
    return _factors_page(request, done=query(request).get("done", ""))


def _factors_page(request: HttpRequest, *, status: int = 200, **more: object) -> HttpResponse:
    me = current_person(request)
    codes, factors = recovery_codes_of(me), list(factors_of(me))
    context = {
        "passkeys": [row for row in factors if row.type == PASSKEY],
        "app": next((row for row in factors if row.type == APP), None),
        "codes_left": len(codes.data["hashes"]) if codes else None, "most_passkeys": MOST_PASSKEYS,
        "requiring": Team.objects.filter(second_factor_required=True, members__person=me), "me": me,
        "owes": bool(getattr(me, "owes_factor", False)), "done": "", "wrong_passkey": False, "name": "",
    }  # fmt: skip
    return page(request, "designer/factors/factors.html", context | more, status=status)


@require_POST
@sensitive_post_parameters("credential")
def create_passkey(request: HttpRequest) -> HttpResponse:
    """Store the passkey that the browser made."""
    if question := ask_for_proof(request):
        return question
    name = form(request).line("name", most=60)
    if not form(request).get("new_credential"):  # it was asked first who it is: the device comes next
        return _factors_page(request, name=name)
    credential = form(request).json_data("new_credential")
    with transaction.atomic():
        row = add_passkey(current_person(request), credential, name)
        if row is not None:
            return _finish_enrolment(request, row)
    return _factors_page(request, status=422, wrong_passkey=True, name=name)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("app_code")
def app(request: HttpRequest) -> HttpResponse:
    """Show the secret of a new authenticator app; its first code shows that the app has it."""
    if question := ask_for_proof(request):
        return question
    me, posted = current_person(request), form(request)
    # The secret stays the same while the page is loaded again, or the app that scanned it would show codes of another
    # one.
    encrypted = request.session.setdefault(NEW_APP, "") or new_secret()
    request.session[NEW_APP] = encrypted
    wrong = False
    if "app_code" in posted:
        with transaction.atomic():
            row = add_app(me, encrypted, posted["app_code"][:100])
            if row is not None:
                del request.session[NEW_APP]
                return _finish_enrolment(request, row)
        wrong = True
    context = app_setup(me, encrypted) | {"wrong": wrong}
    return page(request, "designer/factors/app.html", context, status=422 if wrong else 200)


def _finish_enrolment(request: HttpRequest, row: Any) -> HttpResponse:
    """Record a new factor; with the first one, other sessions end and recovery codes are shown."""
    me = current_person(request)
    record(request, "factor_added", _name(row))
    send_notice(me, "factor_added")
    # Somebody who adds a further factor keeps the recovery codes that they have printed.
    if factors_of(me).count() > 1 and recovery_codes_of(me) is not None:
        return redirect(f"{reverse('factors')}?done=added")
    SignIn.objects.end_all(me, but=request.session.session_key)  # they were opened without
    return _new_codes(request)


def _new_codes(request: HttpRequest) -> HttpResponse:
    codes = make_recovery_codes(current_person(request))
    record(request, "recovery_codes_created")
    return page(request, "designer/factors/codes.html", {"codes": codes})


def _name(row: Any) -> str:
    return f"passkey {row.data['name']}".strip() if row.type == PASSKEY else "authenticator app"


@require_POST
def create_codes(request: HttpRequest) -> HttpResponse:
    """Make new recovery codes, shown this once; earlier ones are worth nothing."""
    if question := ask_for_proof(request):
        return question
    if not factors_of(current_person(request)).exists():
        raise Http404
    with transaction.atomic():
        send_notice(current_person(request), "recovery_codes_created")
        return _new_codes(request)


@require_POST
def rename_passkey(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a passkey another name."""
    row = factors_of(current_person(request)).filter(pk=pk, type=PASSKEY).first()
    if row is None:
        raise Http404
    row.data["name"] = form(request).line("name", most=60)
    row.save(update_fields=["data"])
    return redirect(f"{reverse('factors')}?done=named")


@require_POST
def remove_factor(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a passkey or the authenticator app; with the last one recovery codes go, too."""
    me = current_person(request)
    # Before the question for proof, which would be in vain for a factor that is gone.
    if (row := factors_of(me).filter(pk=pk).first()) is None:
        raise Http404
    if question := ask_for_proof(request):
        return question
    with transaction.atomic():
        remove(me, row)
        record(request, "factor_removed", _name(row))
        SignIn.objects.end_all(me, but=request.session.session_key)
    send_notice(me, "factor_removed")
    return redirect(f"{reverse('factors')}?done=removed")


def remove(person: Person, row: Any) -> None:
    """Remove a factor, unless it is the last one and a team requires one."""
    Person.objects.select_for_update().get(pk=person.pk)  # two that go at once wait here
    is_last = not factors_of(person).exclude(pk=row.pk).exists()
    team = Team.objects.filter(second_factor_required=True, members__person=person).first() if is_last else None
    if team is not None:
        raise FactorRequiredError(
            N_("The team “{team}” requires a second factor. Add another one before you remove this one."),
            team=team.name,
        )
    row.delete()
    # Recovery codes stand in for a factor; without one they would be a way in that nobody thinks of any more.
    if is_last and (codes := recovery_codes_of(person)) is not None:
        codes.delete()
