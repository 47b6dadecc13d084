"""Addresses of a later release, in which edits are posted elsewhere."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from config import urls
from designer.views.editor import editor

handler500 = urls.handler500


def no_longer_here(request: HttpRequest, key: str) -> HttpResponse:
    """Answer as where there is no such address."""
    raise Http404


urlpatterns = [
    path("designs/<slug:key>/edit", no_longer_here),
    *urls.urlpatterns,
    path("designs/<slug:key>/change", editor.edit, name="edit"),
]
