"""Addresses that only forms send to, opened as pages.

A browser opens one after a refused form, whose page has that address: by another language, a reload, or the way back
from the sign-in. It would show an empty window.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


class PostedAddresses:
    """Lead a browser from an address that only takes forms to the page above it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or not _is_navigation(request):
            return response
        return redirect(address_above(request.path))


def address_above(path: str) -> str:
    """Return the address that a path is within.

    >>> address_above("/designs/k/review/verdict"), address_above("/designs/k/asked/7/")
    ('/designs/k/review/', '/designs/k/asked/')
    """
    above = path.strip("/").rpartition("/")[0]  # never two slashes first: that is the address of another site
    return f"/{above}/" if above else "/"


def _is_navigation(request: HttpRequest) -> bool:
    """Return whether a browser asks for a page to show, not a script or a program."""
    is_page = "text/html" in request.headers.get("Accept", "") and not request.headers.get("HX-Request")
    return request.method == "GET" and is_page and request.path != "/"
