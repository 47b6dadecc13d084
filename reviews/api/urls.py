"""Addresses of the API: version 1, its description, and a page about it."""

from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, include, path

from . import views
from .operations import api
from .serving import as_api_view
from .site import address_rules


def _url_patterns() -> list[URLPattern]:
    """Each address once, though several methods stand at it; without the sign-in of pages, as tokens are asked for."""
    patterns: dict[str, URLPattern] = {}
    for pattern in api.urls[0]:
        if isinstance(pattern, URLPattern) and (pattern.name or "").startswith("api_"):
            route = str(pattern.pattern)
            view = as_api_view(pattern.callback, address_rules(str(pattern.name)))
            patterns.setdefault(route, path(route, login_not_required(view), name=pattern.name))
    return list(patterns.values())


urlpatterns = [
    path("api/", views.reference, name="api"),
    path("api/v1/openapi.json", views.openapi, name="openapi"),
    path("api/v1/", include(_url_patterns())),
    path("api/<path:rest>", views.not_found, name="api_nothing"),
]
