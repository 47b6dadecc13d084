"""Signing in and out, and who one is: name, password, language. Failed attempts close a way in for a while."""

import math

from django.conf import settings
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import format_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django.views.i18n import set_language

from designer.http.pages import page
from designer.models import Attempt, Person
from designer.models.people import LOCAL_EMAIL
from designer.views.access import person

MOST_OF_ACCOUNT = 10
MOST_OF_ADDRESS = 50
"""So many attempts may fail in a quarter of an hour: on one account, from one address (many people share one)."""
MOST_MAILS = 5
"""So many links for a new password are sent in that time to one account, or asked for from one address."""


@login_not_required
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """The sign-in page; leads on to where somebody wanted to go."""
    where = _where(request)
    if request.user.is_authenticated:
        return redirect(where)
    context = {
        "next": where, "mail": bool(settings.EMAIL_HOST), "username": request.POST.get("username", ""),
        "single": settings.OIDC, "nobody": not Person.objects.exclude(email=LOCAL_EMAIL).exists(),
    }  # fmt: skip
    if request.method != "POST":
        return page(request, "designer/account/sign_in.html", context | {"done": request.GET.get("done", "")})
    account, most = f"account {request.POST.get('username', '')}", _most(request)
    if minutes := minutes_closed(most):
        context["minutes"] = minutes
        return closed(request, "designer/account/sign_in.html", context)
    form = AuthenticationForm(request, data=request.POST)
    if not form.is_valid():
        Attempt.objects.failed(*most)
        return page(request, "designer/account/sign_in.html", context | {"wrong": True}, status=422)
    login(request, form.get_user())
    Attempt.objects.forget(account)
    return redirect(where)


def _most(request: HttpRequest) -> dict[str, int]:
    """How many attempts may fail on the account that is named and from where the request comes."""
    return {
        f"account {request.POST.get('username', '')}": MOST_OF_ACCOUNT,
        f"address {address_of(request)}": MOST_OF_ADDRESS,
    }


def minutes_closed(most: dict[str, int]) -> int:
    """In how many minutes an attempt is free again; 0 is now."""
    until = Attempt.objects.closed_until(most)
    return max(1, math.ceil((until - timezone.now()).total_seconds() / 60)) if until else 0


def closed(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    """The page that says when to try again."""
    response = page(request, template, context, status=429)
    response["Retry-After"] = f"{int(str(context['minutes'])) * 60}"
    return response


def address_of(request: HttpRequest) -> str:
    """Where a request comes from, as the last proxy of ours saw it."""
    hops = request.headers.get("X-Forwarded-For", "").split(",")
    trusted: int = settings.KEYWRIGHT_PROXIES
    told = hops[-trusted].strip() if 0 < trusted <= len(hops) else ""
    return told or request.META.get("REMOTE_ADDR", "")


def _where(request: HttpRequest) -> str:
    asked = request.POST.get("next") or request.GET.get("next") or ""
    hosts = {request.get_host()}
    allowed = url_has_allowed_host_and_scheme(asked, allowed_hosts=hosts, require_https=request.is_secure())
    return asked if allowed else reverse("start")


@login_not_required
def language(request: HttpRequest) -> HttpResponse:
    """The switch between languages: kept in the browser, and with the person where somebody is signed in."""
    chosen = request.POST.get("language", "")
    if request.user.is_authenticated and chosen in dict(settings.LANGUAGES):
        Person.objects.filter(pk=request.user.pk).update(language=chosen)
    response: HttpResponse = set_language(request)
    return response


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """One's name, password and language."""
    me, context = person(request), {"languages": settings.LANGUAGES}
    if request.method != "POST":
        return page(request, "designer/account/account.html", context | {"done": request.GET.get("done", "")})
    if "name" in request.POST:
        Person.objects.filter(pk=me.pk).update(name=request.POST["name"].replace("\0", "").strip()[:100])
        return redirect(f"{reverse('account')}?done=name")
    most = {f"account {me.email}": MOST_OF_ACCOUNT}
    if minutes := minutes_closed(most):
        return closed(request, "designer/account/account.html", context | {"minutes": minutes})
    form = PasswordChangeForm(me, request.POST)
    if not form.is_valid():
        if "old_password" in form.errors:
            Attempt.objects.failed(*most)
        return page(request, "designer/account/account.html", context | {"form": form}, status=422)
    form.save()
    update_session_auth_hash(request, form.user)  # one's other sessions end
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
def forgotten(request: HttpRequest) -> HttpResponseBase:
    """Ask for a link by mail."""
    _only_with_mail()
    if request.method == "POST":
        abouts = (f"mail to {request.POST.get('email', '')}", f"mail from {address_of(request)}")
        if minutes := minutes_closed(dict.fromkeys(abouts, MOST_MAILS)):
            return closed(request, "designer/account/reset.html", {"minutes": minutes})
        Attempt.objects.failed(*abouts)
    return _ask(request)


@login_not_required
def link_sent(request: HttpRequest) -> HttpResponseBase:
    """What to do now; it does not say whether there is such an account."""
    _only_with_mail()
    return _sent(request)


@login_not_required
def new_password(request: HttpRequest, uidb64: str, token: str) -> HttpResponseBase:
    """Where the link leads."""
    _only_with_mail()
    return _set(request, uidb64=uidb64, token=token)


def _only_with_mail() -> None:
    if not settings.EMAIL_HOST:
        raise Http404
