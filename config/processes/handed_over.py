"""Requests that a process beside this one answers whole: they only read, and show a large design.

Whoever finds that out asks for it (`Context.hand_over`), however deep in a view; an error ends the view and carries the
answer. The other process asks the database itself, and keeps there what it computes.
"""

import io
import sys
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from http.cookies import SimpleCookie
from typing import Any

from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest, HttpResponse

from config.monitoring.logs import REQUEST_ID
from designer.http.parameters import from_server
from designer.http.shares import SAFE_METHODS
from estimator.estimates.context import Context

HANDED_OVER = "keywright.handed_over"
"""In a request that another process handed over; no header of a client has such a name."""
SERVED = {"wsgi.version": (1, 0), "wsgi.errors": sys.stderr, "wsgi.multithread": True, "wsgi.multiprocess": True,
          "wsgi.run_once": False}  # fmt: skip
"""What a request has that one process hands to another, beside its texts."""

_REQUEST: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class HandedOverError(Exception):
    """Error that carries the answer of another process to the whole request."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__("another process has answered")
        self.response = response


class WholeRequests:
    """Knows the request of this thread, if another process may answer it, and gives the answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        may = request.method in SAFE_METHODS and from_server(request, HANDED_OVER) is None
        reset = _REQUEST.set(request if may else None)
        try:
            return self.get_response(request)
        finally:
            _REQUEST.reset(reset)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return exception.response if isinstance(exception, HandedOverError) else None


def may_hand_over() -> bool:
    """Return whether this thread answers a request that another process may answer."""
    return _REQUEST.get() is not None


def handed_environment() -> dict[str, str]:
    """Return the request of this thread as another process gets it; what is no text (streams, sockets) stays."""
    request = _REQUEST.get()
    assert request is not None
    texts = {name: value for name, value in request.META.items() if isinstance(value, str)}
    # Django has read the path as UTF-8; a server hands it over byte by byte.
    texts["PATH_INFO"] = request.path_info.encode().decode("latin-1")
    return texts | {HANDED_OVER: "1", "HTTP_X_REQUEST_ID": REQUEST_ID.get() or ""}


@dataclass(frozen=True)
class HandedAnswer:
    """An answer on its way from one process to another."""

    status: int
    headers: tuple[tuple[str, str], ...]
    cookies: SimpleCookie
    body: bytes
    marks: dict[str, Any] = field(default_factory=dict)
    """Attributes that the server reads off it."""

    def response(self) -> HttpResponse:
        """Return it as a view does."""
        made = HttpResponse(self.body, status=self.status)
        del made["Content-Type"]
        for name, value in self.headers:
            made[name] = value
        made.cookies = self.cookies
        vars(made).update(self.marks)
        return made


def answer_handed(context: Context, _: None, environ: dict[str, str]) -> HandedAnswer:
    """Answer a request in the process that it was handed to."""
    from estimator.contexts import set_measurements  # models, which need Django set up: it is by now

    set_measurements(context.measurements)
    response: Any = _handler()({**environ, **SERVED, "wsgi.input": io.BytesIO()}, lambda *_: None)
    try:
        body = b"".join(response)
    finally:
        response.close()
    marks = {
        "_has_been_logged": True,
        **{name: vars(response)[name] for name in ("shared_as",) if hasattr(response, name)},
    }
    return HandedAnswer(response.status_code, tuple(response.headers.items()), response.cookies, body, marks)


@cache
def _handler() -> Any:
    return WSGIHandler()
