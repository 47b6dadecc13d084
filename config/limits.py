"""Limits on the size of requests to the site."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from designer.document.integers import parse_integer
from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.pages import page
from designer.http.problems import problem_response

PROGRAMS = "/api/"
"""Below it programs are answered, in JSON."""


class RequestTooLargeError(DesignError):
    """More was sent than any form of ours has use for."""

    status = 413


class BodyLimit:
    """Refuses large bodies by their announced length, before anything of them is read or put on disk.

    What announces no length is taken as empty by Django.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        announced = parse_integer(request.META.get("CONTENT_LENGTH") or "0")
        # Django's DATA_UPLOAD_MAX_MEMORY_SIZE does not count uploaded files, and is looked at only while the body is
        # read.
        if announced is None or announced > settings.KEYWRIGHT_MOST_BODY_BYTES:
            most = settings.KEYWRIGHT_MOST_BODY_BYTES // 1_000_000
            words = N_("The request is too large: at most {most} MB can be sent at once.")
            if request.path.startswith(PROGRAMS):
                return problem_response(RequestTooLargeError.status, gettext(words).format(most=most))
            error = RequestTooLargeError(words, most=most)
            return page(request, "error.html", {"error": error}, part="_error.html", status=error.status)
        return self.get_response(request)
