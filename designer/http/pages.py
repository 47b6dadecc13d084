"""One way to answer with a page: whole for a browser, a part of it for htmx."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails


def page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    part: str | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render `template`, or only `part` when htmx asks for a part.

    A boosted link and a restored history entry want the whole page, so they get it. The two answers share a URL, so
    caches are told what they depend on.
    """
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    # After going back in history, htmx asks for the whole page with HX-History-Restore-Request, to take its body.
    partial = part is not None and htmx and not htmx.boosted and not htmx.history_restore_request
    response = render(request, part if partial and part else template, context, status=status)
    if part is not None:
        patch_vary_headers(response, ["HX-Request", "HX-Boosted", "HX-History-Restore-Request"])
    return response


_INDENTS = re.compile(r"\s*\n\s*")


def strip_indents(text: str) -> str:
    """Return HTML of hundreds of lines without its indents, which are a third of it; it has no preformatted text."""
    return _INDENTS.sub("\n", text)


def part_of_page(request: HttpRequest, template: str, context: dict[str, Any], part: str | None) -> HttpResponse:
    """Render the part of a page that the query names, if htmx asks for it, by a boosted link too; else the page."""
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    if part is not None and htmx and not htmx.history_restore_request:
        return page(request, part, context, part=part)
    return page(request, template, context, part=template)


def preferences(headers: Mapping[str, Any], cookies: Mapping[str, str]) -> tuple[str, ...]:
    """Return what answers depend on beside address, person and role: the language, and what a browser has seen."""
    names = (settings.LANGUAGE_COOKIE_NAME, "measured")
    return (headers.get("HTTP_ACCEPT_LANGUAGE", ""), *(cookies.get(name, "") for name in names))


def request_preferences(request: HttpRequest) -> tuple[str, ...]:
    """Return the same of a request."""
    return preferences(request.META, request.COOKIES)


class PrivateByDefault:
    """Answers that do not say themselves who may keep them are kept by nobody."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # A proxy or the browser's cache could otherwise show one person's design to the next one at the same machine,
        # after a sign-out.
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response
