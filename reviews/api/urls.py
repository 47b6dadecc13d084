"""Addresses of the API: version 1, its description, and a page about it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, include, path

from . import views
from .operations import api


def _addresses() -> list[URLPattern]:
    """Each address once, though several methods stand at it; without the sign-in of pages, as tokens are asked for."""
    found: dict[str, URLPattern] = {}
    for pattern in api.urls[0]:
        if isinstance(pattern, URLPattern) and (pattern.name or "").startswith("api_"):
            route = str(pattern.pattern)
            found.setdefault(route, path(route, login_not_required(_in_json(pattern.callback)), name=pattern.name))
    return list(found.values())


def _in_json(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wrap a view for the API.

    HEAD is handled like GET, and the server then sends only the headers; a method that is not allowed gets a
    JSON error.
    """

    @wraps(view)
    def answered(request: HttpRequest, **where: Any) -> HttpResponse:
        asked = request.method
        request.method = "GET" if asked == "HEAD" else asked
        response = view(request, **where)
        request.method = asked
        response.headers.setdefault("Cache-Control", "private, no-store")
        return views.no_method(response["Allow"]) if response.status_code == 405 else response

    return answered


urlpatterns = [
    path("api/", views.reference, name="api"),
    path("api/v1/openapi.json", views.openapi, name="openapi"),
    path("api/v1/", include(_addresses())),
    path("api/<path:rest>", views.nothing, name="api_nothing"),
]
