"""The release that answers are of: a page that was open over an update learns from its next answer that it is older."""

from collections.abc import Callable
from functools import cache

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from .version import VERSION

HEADER = "Keywright-Release"


def release() -> str:
    """Return what tells one release from another, and nothing else: of the version, and of all scripts and styles."""
    return release_hash(VERSION, getattr(staticfiles_storage, "manifest_hash", ""))


@cache
def release_hash(version: str, files: str) -> str:
    """Return a hash that does not say the version."""
    # Keyed with the site's secret: from a plain hash, anybody could find out the version, and with it its known faults.
    return salted_hmac("designer.release", f"{version} {files}").hexdigest()[:12]


class ReleaseHeader:
    """Answers to a page's scripts name their release."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "HX-Request" in request.headers:
            response.headers[HEADER] = release()
        return response
