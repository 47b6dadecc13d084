"""Limits on a token's requests in a minute, given in every answer.

Header fields of draft-ietf-httpapi-ratelimit-headers-11 (May 2026). On one's own machine nobody has to be fair:
nothing is counted, and no header is sent. Processor time has its own bound, in `designer.http.shares`.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.shares import REQUESTS, WINDOW_SECONDS, Holder
from designer.models import Token

POLICY = "requests"
COUNTED = "counted_token"
"""Attribute of a request: the token that it was counted for."""


class TooManyRequestsError(DesignError):
    """A token sent more requests than it may in a minute."""

    status = 429

    def __init__(self, seconds: int) -> None:
        super().__init__(
            N_("This token sent its requests for this minute ({most}). Try again in {seconds}."),
            most=settings.KEYWRIGHT_TOKEN_REQUESTS,
            seconds=seconds,
        )
        self.retry_seconds = seconds


def count_request(request: HttpRequest, token: Token) -> None:
    """Count a request of a token.

    Raises
    ------
    TooManyRequestsError
        If the token has sent its requests for this minute; those that are refused are not counted.
    """
    if settings.KEYWRIGHT_MODE != "team":
        return
    # Set before it may be refused, since the headers are due in a refusal most of all.
    setattr(request, COUNTED, token.pk)
    if seconds := REQUESTS.wait_seconds(("token", token.pk), settings.KEYWRIGHT_TOKEN_REQUESTS):
        raise TooManyRequestsError(seconds)
    REQUESTS.add(("token", token.pk), 1)  # one of its seconds


def add_rate_headers(request: HttpRequest, response: HttpResponse) -> None:
    """Tell in a response what its token has left."""
    token: int | None = getattr(request, COUNTED, None)
    if token is None:
        return
    holder: tuple[Holder, int] = ("token", token)
    most = settings.KEYWRIGHT_TOKEN_REQUESTS
    remaining = max(0, most - round(REQUESTS.taken_seconds(holder)))
    # The draft's `t` is the time until the quota is whole again.
    reset = REQUESTS.wait_seconds(holder, 1) or WINDOW_SECONDS
    response["RateLimit-Policy"] = f'"{POLICY}";q={most};w={WINDOW_SECONDS}'
    response["RateLimit"] = f'"{POLICY}";r={remaining};t={min(reset, WINDOW_SECONDS)}'
