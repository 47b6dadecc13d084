"""Addresses of the API: version 1, its description, and a page about it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, include, path

from . import views
from .operations import api


def _url_patterns() -> list[URLPattern]:
    """Each address once, though several methods stand at it; without the sign-in of pages, as tokens are asked for."""
    found: dict[str, URLPattern] = {}
    for pattern in api.urls[0]:
        if isinstance(pattern, URLPattern) and (pattern.name or "").startswith("api_"):
            route = str(pattern.pattern)
            found.setdefault(route, path(route, login_not_required(_as_json_view(pattern.callback)), name=pattern.name))
    return list(found.values())


def _as_json_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap a view for the API.

    HEAD is handled like GET, and the server then sends only the headers; a method that is not allowed gets a
    JSON error.
    """

    @wraps(view)
    def answer(request: HttpRequest, **where: Any) -> HttpResponse:
        asked = request.method
        request.method = "GET" if asked == "HEAD" else asked
        response = view(request, **where)
        request.method = asked
        response.headers.setdefault("Cache-Control", "private, no-store")
        return views.method_not_allowed(response["Allow"]) if response.status_code == 405 else response

    return answer


urlpatterns = [
    path("api/", views.reference, name="api"),
    path("api/v1/openapi.json", views.openapi, name="openapi"),
    path("api/v1/", include(_url_patterns())),
    path("api/<path:rest>", views.not_found, name="api_nothing"),
]
