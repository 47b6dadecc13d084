"""Addresses of the API: version 1, its description, and a page about it."""

from django.urls import URLPattern, include, path

from . import views
from .operations import api


def _once() -> list[URLPattern]:
    """Each address once, though several methods stand at it; without the sign-in of pages, as tokens are asked for."""
    found: dict[str, URLPattern] = {}
    for pattern in api.urls[0]:
        if isinstance(pattern, URLPattern) and pattern.name and pattern.name.startswith("api_"):
            pattern.callback.login_required = False  # type: ignore[attr-defined]
            found.setdefault(str(pattern.pattern), pattern)
    return list(found.values())


urlpatterns = [
    path("api/", views.reference, name="api"),
    path("api/v1/openapi.json", views.openapi, name="openapi"),
    path("api/v1/", include(_once())),
    path("api/<path:rest>", views.nothing, name="api_nothing"),
]
