"""Steps around each operation of the API: HEAD, methods, idempotency keys, rates."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.problems import problem_response
from designer.models import Token
from designer.templatetags.keywright import say

from .access import bearer_text
from .errors import error_response
from .idempotency import answer_once, read_key
from .rates import add_rate_headers

View = Callable[..., HttpResponse]


def as_api_view(view: View, *, creates: bool) -> View:
    """Wrap a view for the API; where it `creates` something, POSTs may carry an idempotency key.

    HEAD is handled like GET, and the server then sends only the headers; a method that is not allowed gets a
    problem as its answer.
    """

    @wraps(view)
    def answer(request: HttpRequest, **where: Any) -> HttpResponse:
        asked = request.method
        request.method = "GET" if asked == "HEAD" else asked
        once = creates and asked == "POST"
        response = _answer_once(request, lambda: view(request, **where)) if once else view(request, **where)
        request.method = asked
        if response.status_code == 405:
            response = method_not_allowed(response["Allow"])
        response.headers.setdefault("Cache-Control", "private, no-store")
        add_rate_headers(request, response)
        return response

    return answer


def _answer_once(request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
    try:
        key = read_key(request)
        token = Token.objects.find_valid(bearer_text(request)) if key else None
        return answer_once(request, token, key, answer) if token else answer()  # of an unknown token nothing is kept
    except DesignError as error:
        return error_response(error)


def method_not_allowed(allowed: str) -> HttpResponse:
    """Return the error for a method that an address does not allow; HEAD is allowed with GET."""
    allowed = ", ".join(sorted(allowed.replace("GET", "GET, HEAD").split(", ")))
    sentence = say(N_("This address supports only {methods}."), {"methods": allowed})
    return problem_response(405, sentence, headers={"Allow": allowed})
