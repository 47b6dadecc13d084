"""The gate before every page of somebody who signed in: a second factor, where a team of theirs requires one."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from designer.http.parameters import header

from .sessions import note_use

BEFORE_ENROLMENT = frozenset({
    "account", "factors", "factor_app", "create_passkey", "create_codes", "rename_passkey", "remove_factor",
    "passkey_options", "end_session", "end_other_sessions", "go_on", "sign_out", "signed_in",
})  # fmt: skip
"""Addresses that show nothing of any team."""
LEAVING = "remove_member"
"""Of oneself: nobody is held by a team whose rule they do not want to follow."""


class EnrolFirst:
    """Leads members without a second factor to it, before they see anything of a team that requires one.

    Other pages wait, too, also of other teams: lists and searches then need no rule of their own.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, _args: Any, values: dict[str, Any]) -> HttpResponse | None:
        if not getattr(view, "login_required", True) or not request.user.is_authenticated:
            return None
        # Here, because every page of somebody who signed in comes through this gate.
        note_use(request)
        name = request.resolver_match.url_name if request.resolver_match else None
        is_leaving = name == LEAVING and values.get("who") == request.user.pk
        if not getattr(request.user, "owes_factor", False) or name in BEFORE_ENROLMENT or is_leaving:
            return None
        if header(request, "HX-Request"):
            return HttpResponse(status=401, headers={"HX-Redirect": reverse("factors")})
        return redirect("factors")
