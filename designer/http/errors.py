"""Errors that a person can mend, and the middleware that shows them."""

from collections.abc import Callable
from typing import Any, Self

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme

from .pages import page


class DesignError(Exception):
    """Problem and next step for the user, in a full sentence; subclasses set the status."""

    status = 400
    retry_seconds = 0
    """After so long it may be tried again; 0 if waiting is of no use."""
    is_under_way = False
    """Whether nothing went wrong: what was asked for comes later, and the page asks again by itself."""

    def __init__(self, sentence: str, **params: Any) -> None:
        super().__init__(sentence)
        self.sentence = self.message = sentence  # `message`: for the filter that says it in the reader's language
        self.params = params
        self.place: tuple[str | int, ...] = ()
        """What of the request the sentence is about; empty: all of it."""

    def at(self, *place: str | int) -> Self:
        """Return this error with the place in the request: a parameter, a header, or the way into its body."""
        self.place = place
        return self


class OutdatedDocumentError(Http404):
    """Error for a document that further edits have replaced.

    Its address has no content any more, and an open page has nothing to show for it.
    """


class UserErrors:
    """Render a DesignError as a page, or as a part for htmx. Anything else is a bug and stays a 500."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, OutdatedDocumentError) and request.headers.get("HX-Request"):
            # htmx swaps nothing for a 204, so the page stays as it is; its next question has the new hash (decision
            # 15).
            return HttpResponse(status=204)
        if not isinstance(exception, DesignError):
            return None
        return error_response(request, exception, back=_referring_page(request))


def error_response(request: HttpRequest, error: DesignError, *, back: str = "") -> HttpResponse:
    """Return an error as a page, or as a part for htmx; with the time to wait, if there is one."""
    context = {"error": error, "back": back}
    response = page(request, "error.html", context, part="_error.html", status=error.status)
    if error.retry_seconds:
        response["Retry-After"] = f"{error.retry_seconds}"
        if error.is_under_way:
            response._has_been_logged = True  # type: ignore[attr-defined] # Django logs a 503 as an error
            if request.method == "GET":
                # Browsers do not act on Retry-After; Refresh loads the page again. After a POST it would load the
                # address without what was posted.
                response["Refresh"] = response["Retry-After"]
    return response


def _referring_page(request: HttpRequest) -> str:
    """Return the referring page of this site, or "" if it is not known."""
    back = request.headers.get("Referer", "")
    # A link to wherever a visitor came from would let other sites put their address on our error page.
    return back if url_has_allowed_host_and_scheme(back, {request.get_host()}) else ""
