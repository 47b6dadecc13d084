"""Records of each request: its id, a line of the log, and figures. Never a key, a name or a token."""

import logging
import re
import secrets
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.held import WAITED_SECONDS
from config.monitoring.logs import REQUEST_ID
from config.monitoring.metrics import figures
from designer.http.parameters import header

ID_HEADER = "X-Request-ID"
GIVEN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
LINES = logging.getLogger("keywright.requests")


def request_id(raw_id: str) -> str:
    """Return the id that a proxy gave a request, if it looks like one; else a new one."""
    return raw_id if GIVEN_ID.fullmatch(raw_id) else secrets.token_hex(8)


def record(route: str, method: str, path: str, status: int, begun: float, *, person: int | None = None) -> None:
    """Count an answered request, and write its line where lines are JSON."""
    seconds = time.perf_counter() - begun
    request_figures = figures()
    if request_figures is not None:
        request_figures.count(route, method, status, seconds)
    if LINES.isEnabledFor(logging.INFO):
        extra = {"route": route, "status": status, "duration_ms": round(seconds * 1000, 1), "person": person}
        if waited := WAITED_SECONDS.get():
            extra["waited_ms"] = round(waited * 1000, 1)  # for a turn, before that
        LINES.info("%s %s %s", method, path, status, extra={"fields": extra})


class RequestRecords:
    """Records what Django answers, from the outermost place."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        # The pattern keeps line ends and terminal codes of a client out of the log.
        own = request_id(header(request, ID_HEADER))
        token = REQUEST_ID.set(own)
        try:
            response = self.get_response(request)
            response[ID_HEADER] = own
            person = getattr(getattr(request, "_cached_user", None), "pk", None)  # who was looked up, with no query
            method = request.method or ""
            record(_route(request), method, request.path, response.status_code, begun, person=person)
        finally:
            REQUEST_ID.reset(token)
        return response


def _route(request: HttpRequest) -> str:
    """Return the name of an address, which is one of a list: what is in it would be without end, and secret."""
    match = request.resolver_match
    if match is not None:
        return match.view_name or "unnamed"
    return "static" if request.path.startswith(settings.STATIC_URL) else "none"
