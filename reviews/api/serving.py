"""Steps around each operation of the API: HEAD, OPTIONS, methods, unknown parameters, idempotency keys, rates."""

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.parameters import query
from designer.http.problems import problem_response
from designer.models import Token
from designer.templatetags.keywright import translate
from designer.wording.names import shorten

from .access import ByToken, bearer_text
from .errors import PlacedError, error_response
from .idempotency import answer_once, read_key
from .rates import add_rate_headers
from .site import AddressRules

View = Callable[..., HttpResponse]


class UnknownParameterError(PlacedError):
    """Error for a parameter of a query that the operation does not have."""


def as_api_view(view: View, rules: AddressRules) -> View:
    """Wrap a view for the API; where it creates or changes something, POSTs may carry an idempotency key.

    HEAD is handled like GET, and the server then sends only the headers; OPTIONS asks which methods there are, and
    needs no token. A method that is not allowed gets a problem as its answer, a parameter that is unknown likewise.
    """

    def respond(request: HttpRequest, **where: Any) -> HttpResponse:
        parameters = rules.parameters_by_method.get(str(request.method))
        if parameters is None:
            return method_not_allowed(rules.parameters_by_method)
        if (refusal := _refuse_unknown(request, parameters)) is not None:
            return refusal
        if rules.takes_key and request.method == "POST":
            return _answer_once(request, lambda: view(request, **where))
        return view(request, **where)

    @wraps(view)
    def answer(request: HttpRequest, **where: Any) -> HttpResponse:
        method = request.method
        if method == "OPTIONS":
            return HttpResponse(status=204, headers={"Allow": allowed_text(rules.parameters_by_method)})
        # The framework registers GET only; the server leaves out the body when it sees HEAD again.
        request.method = "GET" if method == "HEAD" else method
        response = respond(request, **where)
        request.method = method
        response.headers.setdefault("Cache-Control", "private, no-store")
        add_rate_headers(request, response)
        return response

    return answer


def _refuse_unknown(request: HttpRequest, names: Collection[str]) -> HttpResponse | None:
    """Return the error for a parameter of the query that is unknown, None if all are known.

    A request without a token is told only that.
    """
    try:
        unknown = sorted(query(request).keys() - names)
        if not unknown:
            return None
        # Refused by the parameters only after the token: an address must not tell strangers which parameters it has.
        ByToken()(request)
        if not names:
            raise UnknownParameterError(N_("This address takes no parameters in its query."), place=(unknown[0],))
        message = N_("{name} is not a parameter of this address; it takes {known}.")
        params = {"name": shorten(unknown[0]), "known": ", ".join(sorted(names))}
        raise UnknownParameterError(message, place=(unknown[0],), **params)
    except DesignError as error:
        return error_response(request, error)


def _answer_once(request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
    try:
        key = read_key(request)
        # Looked up here, before the framework does, because keys belong to a token.
        token = Token.objects.find_valid(bearer_text(request)) if key else None
        return answer_once(request, token, key, answer) if token else answer()  # of an unknown token nothing is kept
    except DesignError as error:
        return error_response(request, error)


def method_not_allowed(methods: Collection[str]) -> HttpResponse:
    """Return the error for a method that an address does not allow."""
    allowed = allowed_text(methods)
    sentence = translate(N_("This address supports only {methods}."), {"methods": allowed})
    return problem_response(405, sentence, headers={"Allow": allowed})


def allowed_text(methods: Collection[str]) -> str:
    """Return the methods of an address as a header names them; HEAD is allowed with GET, and OPTIONS everywhere."""
    return ", ".join(sorted({*methods, "OPTIONS", *(("HEAD",) if "GET" in methods else ())}))
