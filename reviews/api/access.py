"""Authentication of API clients: programs with a token of a team.

Cookies are never used, so no other site can use a visitor's browser for requests.
"""

from collections.abc import Mapping
from typing import Any, cast

from django.http import Http404, HttpRequest
from ninja.security import HttpBearer

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.parameters import from_server, header
from designer.http.shares import charge
from designer.models import Attempt, AttemptLimit, Design, Token
from designer.models.attempts import Reservation
from designer.permissions import Action, is_allowed
from designer.views.accounts.limits import MOST_OF_ADDRESS, network_of
from designer.views.audit import Kind, record, record_refusal

from .rates import count_request


class InvalidTokenError(DesignError):
    """Nobody knows the token."""

    status = 401


class RateLimitError(DesignError):
    """So many unknown tokens came from one address that it has to wait."""

    status = 429

    def __init__(self, sentence: str, *, minutes: int) -> None:
        super().__init__(sentence, minutes=minutes)
        self.retry_seconds = 60 * minutes


class TokenScopeError(DesignError):
    """The token's scope is too small."""

    status = 403


READ_ONLY = N_("This token is read-only. An owner of the team can create a token with write access.")
NO_REVIEW = N_("This token cannot review. An owner of the team can create a token with review access.")
REFUSALS: Mapping[Action, str] = {"comment": NO_REVIEW, "share": NO_REVIEW}
"""Where another scope than that of writing is missing."""


class ByToken(HttpBearer):
    """`Authorization: Bearer kw_…`."""

    def __call__(self, request: HttpRequest) -> Any:
        return self.authenticate(request, bearer_text(request))

    def authenticate(self, request: HttpRequest, token: str) -> Token:
        """Return the token with this text.

        A valid token is accepted regardless of the number of invalid ones from its address.
        """
        row = Token.objects.find_valid(token) if token else None
        if row is not None:
            # Counted only for valid tokens: a stranger must not use up anybody's share.
            charge("token", row.pk)
            charge("team", row.team_id)
            count_request(request, row)
            return row
        limit = AttemptLimit(f"api {network_of(request)}", MOST_OF_ADDRESS)
        # A request without any token guesses nothing, so it does not count; while the address is closed it is refused
        # all the same.
        attempt = Attempt.objects.reserve(limit) if token else Reservation((), Attempt.objects.closed_until(limit))
        if minutes := attempt.closed_minutes:
            record_refusal(request, "token_refused")
            raise RateLimitError(
                N_("Too many unknown tokens from this address. Try again in {minutes} minutes."), minutes=minutes
            )
        raise InvalidTokenError(
            N_(
                "This request requires a team token: Authorization: Bearer kw_… An owner can create one on the "
                "team page."
            )
        )


def bearer_text(request: HttpRequest) -> str:
    """Return the text of the token that a request shows; "" if it shows none."""
    kind, _, text = header(request, "Authorization").partition(" ")
    return text.strip() if kind.lower() == "bearer" else ""


def token_of(request: HttpRequest) -> Token:
    """Return the token of the request."""
    return cast(Token, request.auth)  # type: ignore[attr-defined]


def require_permission(request: HttpRequest, action: Action) -> Token:
    """Return the token, if it permits the action.

    Raises
    ------
    TokenScopeError
        If it does not.
    """
    token = token_of(request)
    if not is_allowed(token.role, action):
        raise TokenScopeError(REFUSALS.get(action, READ_ONLY))
    return token


def design_of(request: HttpRequest, key: str, action: Action, *, deleted: bool = False) -> Design:
    """Return a design of the token's team.

    Raises
    ------
    Http404
        If the team has none with this key; another team's looks the same.
    TokenScopeError
        If the token may not do this.
    """
    if not key.isalnum():  # what PostgreSQL is asked for holds no NUL
        raise Http404
    designs = Design.objects.select_related("head", "team").filter(
        key=key, deleted__isnull=not deleted, team=token_of(request).team_id
    )
    design = designs.first()
    if design is None:
        raise Http404
    # After the design is found: a token of another team learns nothing by the difference of 403 and 404.
    require_permission(request, action)
    return design


def record_act(request: HttpRequest, kind: Kind, design: Design, subject: str = "") -> None:
    """Add an act of the request's token to the audit log."""
    summary = f"{design.key} {subject or design.title}"
    record(request, kind, summary, team=design.team_id, person=actor_name(request))


def record_download(request: HttpRequest, kind: Kind, design: Design, subject: str) -> None:
    """Add to the audit log that the request's token takes a file; a HEAD, which is handled like a GET, brings none."""
    if from_server(request, "REQUEST_METHOD") != "HEAD":
        record_act(request, kind, design, subject)


def actor_name(request: HttpRequest) -> str:
    """Return how the audit log names the request's token."""
    return f"token {token_of(request).name}"
