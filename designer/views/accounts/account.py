"""A person's own account: name, password, language, sessions; and a forgotten password."""

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordChangeForm
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils.http import urlsafe_base64_decode
from django.utils.text import format_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django.views.i18n import set_language

from designer.http.pages import page
from designer.http.parameters import form, query
from designer.models import Attempt, AttemptLimit, Person, SignIn
from designer.models.attempts import account_subject
from designer.views.access import current_person
from designer.views.audit import UNKNOWN_ACCOUNT, known_email, record, record_refusal

from .limits import MOST_MAILS, MOST_OF_ACCOUNT, network_of, rate_limit_page
from .notices import send_notice
from .sessions import keep_only


@login_not_required
def language(request: HttpRequest) -> HttpResponse:
    """Set the language in the browser, and in the account if the user is signed in."""
    chosen = form(request).get("language", "")
    if request.user.is_authenticated and chosen in dict(settings.LANGUAGES):
        Person.objects.filter(pk=request.user.pk).update(language=chosen)
    response: HttpResponse = set_language(request)
    return response


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """One's name, language, password and sessions."""
    me = current_person(request)
    context = {
        "languages": settings.LANGUAGES, "sessions": SignIn.objects.current(me), "here": request.session.session_key,
    }  # fmt: skip
    if request.method != "POST":
        return page(request, "designer/account/account.html", context | {"done": query(request).get("done", "")})
    if "name" in form(request):
        Person.objects.filter(pk=me.pk).update(name=form(request).line("name", most=100))
        return redirect(f"{reverse('account')}?done=name")
    # Who sits down at an open session must not guess the old password here without the limit that signing in has.
    attempt = Attempt.objects.reserve(AttemptLimit(account_subject(me.email), MOST_OF_ACCOUNT))
    if attempt.closed_until:
        record_refusal(request, "password_refused", person=me.email)
        return rate_limit_page(request, "designer/account/account.html", context | {"minutes": attempt.closed_minutes})
    passwords = PasswordChangeForm(me, form(request))
    is_valid = passwords.is_valid()
    # A new password that is refused is no guess of the old one.
    if "old_password" not in passwords.errors:
        attempt.release()
    if not is_valid:
        return page(request, "designer/account/account.html", context | {"form": passwords}, status=422)
    with transaction.atomic():
        passwords.save()
        record(request, "password_changed")
    before = request.session.session_key
    # Sessions hold a hash of the password and end when it changes; this one goes on, under a new key.
    update_session_auth_hash(request, passwords.user)
    keep_only(request, before)
    send_notice(me, "password_changed")
    return redirect(f"{reverse('account')}?done=password")


# --- a forgotten password, where mail is set up -------------------------------------------------------------------

_ask = auth.PasswordResetView.as_view(
    template_name="designer/account/reset.html",
    email_template_name="designer/account/reset_mail.txt",
    subject_template_name="designer/account/reset_subject.txt",
)
_sent = auth.PasswordResetDoneView.as_view(template_name="designer/account/reset_sent.html")
_set = auth.PasswordResetConfirmView.as_view(
    template_name="designer/account/reset_form.html",
    success_url=format_lazy("{}?done=password", reverse_lazy("sign_in")),
)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def request_password_reset(request: HttpRequest) -> HttpResponseBase:
    """Ask for a link by mail."""
    _require_mail()
    if request.method == "POST":
        account = account_subject(form(request).get("email", ""))
        attempt = Attempt.objects.reserve(
            # Both: nobody's mailbox is flooded from many networks, and no network tries many addresses.
            AttemptLimit(f"mail to {account}", MOST_MAILS),
            AttemptLimit(f"mail from {network_of(request)}", MOST_MAILS),
        )
        if attempt.closed_until:
            email = known_email(form(request).get("email", ""))
            record_refusal(request, "reset_mail_refused", "" if email else UNKNOWN_ACCOUNT, person=email)
            return rate_limit_page(request, "designer/account/reset.html", {"minutes": attempt.closed_minutes})
    return _ask(request)


@login_not_required
@require_http_methods(["GET", "HEAD"])
def link_sent(request: HttpRequest) -> HttpResponseBase:
    """Show the next step, without revealing if the account exists."""
    _require_mail()
    return _sent(request)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@transaction.atomic
def new_password(request: HttpRequest, uidb64: str, token: str) -> HttpResponseBase:
    """Show the form for a new password, the target of the link in the mail."""
    _require_mail()
    response = _set(request, uidb64=uidb64, token=token)
    if (
        request.method == "POST"
        # Django moves the token of the link into the session and redirects to this fixed word, so that no Referer or
        # history holds the token. Only the POST at that address sets a password.
        and token == auth.PasswordResetConfirmView.reset_url_token
        and response.status_code == 302
    ):
        person = Person.objects.filter(pk=urlsafe_base64_decode(uidb64).decode("ascii", "replace")).first()
        record(request, "password_reset", person=person.email if person else "")
        if person is not None:
            # Whoever knew the old password may still have a session open.
            SignIn.objects.end_all(person)
            send_notice(person, "password_changed")
    return response


def _require_mail() -> None:
    if not settings.EMAIL_HOST:
        raise Http404
