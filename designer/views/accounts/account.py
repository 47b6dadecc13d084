"""Signing in and out, and who one is: name, password, language. Failed attempts close a way in for a while."""

import ipaddress

from django.conf import settings
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils.http import url_has_allowed_host_and_scheme, urlsafe_base64_decode
from django.utils.text import format_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django.views.i18n import set_language

from designer.http.pages import page
from designer.http.parameters import form, query
from designer.models import Attempt, AttemptLimit, Person
from designer.models.attempts import account_subject
from designer.models.people import LOCAL_EMAIL
from designer.views.access import current_person
from designer.views.audit import UNKNOWN_ACCOUNT, client_address, known_email, record, record_refusal

MOST_OF_ACCOUNT = 10
MOST_OF_ADDRESS = 50
"""So many attempts may fail in a quarter of an hour: on one account, from one network (many people share one)."""
MOST_MAILS = 5
"""So many links for a new password are sent in that time to one account, or asked for from one network."""


@login_not_required
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Show the sign-in page; after sign-in, redirect to the requested page."""
    where = _redirect_target(request)
    if request.user.is_authenticated:
        return HttpResponseRedirect(where)
    context = {
        "next": where, "mail": bool(settings.EMAIL_HOST), "username": form(request).get("username", ""),
        "single": settings.OIDC, "nobody": not Person.objects.exclude(email=LOCAL_EMAIL).exists(),
    }  # fmt: skip
    if request.method != "POST":
        return page(request, "designer/account/sign_in.html", context | {"done": query(request).get("done", "")})
    account = account_subject(form(request).get("username", ""))
    attempt = Attempt.objects.reserve(
        AttemptLimit(account, MOST_OF_ACCOUNT), AttemptLimit(f"address {network_of(request)}", MOST_OF_ADDRESS)
    )
    if attempt.closed_until:
        context["minutes"] = attempt.closed_minutes
        email = known_email(form(request).get("username", ""))
        record_refusal(request, "sign_in_refused", "" if email else UNKNOWN_ACCOUNT, person=email)
        return rate_limit_page(request, "designer/account/sign_in.html", context)
    credentials = AuthenticationForm(request, data=form(request))
    if not credentials.is_valid():
        return page(request, "designer/account/sign_in.html", context | {"wrong": True}, status=422)
    login(request, credentials.get_user())
    attempt.release()
    Attempt.objects.clear(account)
    return HttpResponseRedirect(where)


def rate_limit_page(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    """Return the page that tells the user when to try again."""
    response = page(request, template, context, status=429)
    response["Retry-After"] = f"{int(str(context['minutes'])) * 60}"
    return response


def network_of(request: HttpRequest) -> str:
    """Return where a request comes from, for limits: an IPv4 address, or the /64 of an IPv6 address."""
    address = client_address(request).strip()
    bare = address.rpartition(":")[0] if address.count(":") == 1 else address.partition("]")[0].lstrip("[")  # no port
    try:
        ip = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return address
    if ip.version == 4:
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))


def _redirect_target(request: HttpRequest) -> str:
    asked = form(request).get("next") or query(request).get("next") or ""
    hosts = {request.get_host()}
    allowed = url_has_allowed_host_and_scheme(asked, allowed_hosts=hosts, require_https=request.is_secure())
    return asked if allowed else reverse("start")


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
    """One's name, password and language."""
    me, context = current_person(request), {"languages": settings.LANGUAGES}
    if request.method != "POST":
        return page(request, "designer/account/account.html", context | {"done": query(request).get("done", "")})
    if "name" in form(request):
        Person.objects.filter(pk=me.pk).update(name=form(request).line("name", most=100))
        return redirect(f"{reverse('account')}?done=name")
    attempt = Attempt.objects.reserve(AttemptLimit(account_subject(me.email), MOST_OF_ACCOUNT))
    if attempt.closed_until:
        record_refusal(request, "password_refused", person=me.email)
        return rate_limit_page(request, "designer/account/account.html", context | {"minutes": attempt.closed_minutes})
    passwords = PasswordChangeForm(me, form(request))
    is_valid = passwords.is_valid()
    if "old_password" not in passwords.errors:
        attempt.release()
    if not is_valid:
        return page(request, "designer/account/account.html", context | {"form": passwords}, status=422)
    with transaction.atomic():
        passwords.save()
        record(request, "password_changed")
    update_session_auth_hash(request, passwords.user)  # one's other sessions end
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
def request_password_reset(request: HttpRequest) -> HttpResponseBase:
    """Ask for a link by mail."""
    _require_mail()
    if request.method == "POST":
        account = account_subject(form(request).get("email", ""))
        attempt = Attempt.objects.reserve(
            AttemptLimit(f"mail to {account}", MOST_MAILS), AttemptLimit(f"mail from {network_of(request)}", MOST_MAILS)
        )
        if attempt.closed_until:
            email = known_email(form(request).get("email", ""))
            record_refusal(request, "reset_mail_refused", "" if email else UNKNOWN_ACCOUNT, person=email)
            return rate_limit_page(request, "designer/account/reset.html", {"minutes": attempt.closed_minutes})
    return _ask(request)


@login_not_required
def link_sent(request: HttpRequest) -> HttpResponseBase:
    """Show the next step, without revealing if the account exists."""
    _require_mail()
    return _sent(request)


@login_not_required
@transaction.atomic
def new_password(request: HttpRequest, uidb64: str, token: str) -> HttpResponseBase:
    """Show the form for a new password, the target of the link in the mail."""
    _require_mail()
    response = _set(request, uidb64=uidb64, token=token)
    if (
        request.method == "POST"
        and token == auth.PasswordResetConfirmView.reset_url_token
        and response.status_code == 302
    ):
        person = Person.objects.filter(pk=urlsafe_base64_decode(uidb64).decode("ascii", "replace")).first()
        record(request, "password_reset", person=person.email if person else "")
    return response


def _require_mail() -> None:
    if not settings.EMAIL_HOST:
        raise Http404
