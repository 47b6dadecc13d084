"""Sign-in by the provider: the account with the very address that the provider says is verified.

Nothing about it is stored: the address is looked up at every sign-in. Loaded only where single sign-on is set up.
"""

import unicodedata
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import Resolver404, resolve, reverse

from designer.document.texts import N_, Text
from designer.http.pages import page
from designer.models import Invitation, Person
from designer.models.factors import has_second_factor
from designer.views.audit import known_email, record_refusal

from .groups import apply_groups, groups_in, roles_of
from .proof import note_proof
from .sign_in import ask_second_factor

METHOD = "single sign-on"
VERIFIED = (True, "true")
"""How providers say it."""


class ByVerifiedAddress(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Hooks that allauth calls during sign-in."""

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Say who it is, or answer why nobody is let in."""
        provider = _provider()
        # An address that the provider did not verify can be anybody's: entering it there would open their account here.
        address = next(
            (email_address for email_address in sociallogin.email_addresses if email_address.verified in VERIFIED), None
        )
        if address is None:
            # Whose account was tried; the address itself is only what the provider passes on.
            tried = next((known_email(unverified.email) for unverified in sociallogin.email_addresses), "")
            raise _refusal(
                request,
                "address not verified",
                tried,
                N_(
                    "{provider} does not confirm that your e-mail address is verified: only verified addresses can "
                    "sign in."
                ),
                provider=provider,
            )
        person = None
        if unicodedata.is_normalized("NFKC", address.email):  # another's address in other letters is another address
            person = Person.objects.by_email(address.email) or _create_expected_person(sociallogin, address.email)
        if person is None:
            message = N_("There is no account for {email}. Ask a team owner for an invitation.")
            raise _refusal(request, "no account", address.email, message, email=address.email)
        # The one person of a site that was embedded before has no sign-in and gets none by an address.
        if not person.is_active or person.is_local:
            message = N_("The account for {email} is closed.")
            raise _refusal(request, "account closed", person.email, message, email=address.email)
        # Before the second factor is asked for: whoever lost their groups should lose the roles, also if they do not
        # finish.
        apply_groups(request, person, groups_in(sociallogin.account.extra_data))
        sociallogin.user = person
        where = str(sociallogin.state.get("next") or reverse("start"))  # allauth lets no other site in
        request.signed_in_by = METHOD  # type: ignore[attr-defined]
        if request.user.is_authenticated and request.user.pk == person.pk:  # shown again; the session goes on
            # The provider is one factor; who has a second one here is asked for that when harm is possible.
            if not has_second_factor(person):
                note_proof(request)
            raise ImmediateHttpResponse(HttpResponseRedirect(where))
        if second := ask_second_factor(request, person, where, METHOD):
            raise ImmediateHttpResponse(second)

    def on_authentication_error(self, request: HttpRequest, provider: Any, **_: Any) -> None:
        """Handle a refusal or an invalid response of the provider."""
        message = N_("Signing in with {provider} failed. Try again, or sign in with a password.")
        raise _refusal(request, "failed at the provider", "", message, provider=_provider())


def _provider() -> str:
    assert settings.OIDC is not None
    return settings.OIDC.name


def _create_expected_person(sociallogin: Any, email: str) -> Person | None:
    """Create an account without a password for somebody with an open invitation's link, or in a group with a role."""
    has_role = any(roles_of(groups_in(sociallogin.account.extra_data)).values())
    if not has_role and not _has_invitation(str(sociallogin.state.get("next") or "")):
        return None
    name = str(sociallogin.account.extra_data.get("userinfo", {}).get("name") or "")
    return Person.objects.create_user(email, name=name.replace("\0", "").strip()[:100])


def _has_invitation(address: str) -> bool:
    try:
        where = resolve(address.partition("?")[0])
    except Resolver404:
        return False
    return where.url_name == "invitation" and Invitation.objects.find_open(where.kwargs["token"]) is not None


def _refusal(request: HttpRequest, reason: str, who: str, message: str, **params: str) -> ImmediateHttpResponse:
    """Return the answer to who is not let in; the audit log names the reason and whose sign-in it was."""
    # Once in a while for each reason: no limit of attempts stands before this address.
    record_refusal(request, "sign_in_failed", f"{METHOD}: {reason}", person=who)
    context = {"refused": Text(message, params), "mail": bool(settings.EMAIL_HOST), "single": settings.OIDC}
    return ImmediateHttpResponse(page(request, "designer/sign_in/sign_in.html", context, status=403))
