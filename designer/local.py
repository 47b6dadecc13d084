"""The user of a site without sign-in."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import SimpleLazyObject

from designer.models import Person

FOR_SEVERAL = frozenset({
    "account", "sign_out", "password_reset", "password_reset_done", "password_reset_confirm", "invitation",
    "second_step", "passkey_options", "go_on", "end_session", "end_other_sessions", "factors", "factor_app",
    "create_passkey", "create_codes", "rename_passkey", "remove_factor",
    "teams", "create_team", "team", "rename_team", "invite", "withdraw", "change_role", "remove_member",
    "require_second_factor",
})  # fmt: skip
"""Addresses that mean something only where several people sign in."""


class LocalPerson:
    """Signs the local person in, without a session, where the mode knows only one person."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.KEYWRIGHT_MODE == "embedded":
            # Lazy: a page that needs no person asks the database nothing.
            request.user = SimpleLazyObject(Person.objects.get_or_create_local)  # type: ignore[assignment]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Answer that there are no pages of accounts: nobody signs in."""
        if settings.KEYWRIGHT_MODE != "embedded" or request.resolver_match is None:
            return None
        if request.resolver_match.url_name in FOR_SEVERAL:
            raise Http404
        return redirect("start") if request.resolver_match.url_name == "sign_in" else None
