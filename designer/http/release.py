"""The release that answers are of: a page that was open over an update learns from its next answer that it is older."""

from collections.abc import Callable

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse

from .version import VERSION

HEADER = "Keywright-Release"


def release() -> str:
    """Return what tells one release from another: the version, and a hash of all scripts and styles."""
    return f"{VERSION}-{getattr(staticfiles_storage, 'manifest_hash', '')}".rstrip("-")


class ReleaseHeader:
    """Answers to a page's scripts name their release."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "HX-Request" in request.headers:
            response.headers[HEADER] = release()
        return response
