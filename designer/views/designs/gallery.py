"""The built-in designs as files, and the schema of such files."""

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import etag, require_safe

from designer.document.dump import dump
from designer.document.schema import text as schema_text
from designer.examples import Example, example


@require_safe
def document(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the design's file in the format that the command line reads."""
    headers = {"Content-Disposition": f'attachment; filename="{slug}.json"'}
    return HttpResponse(dump(find_example(slug).spec), content_type="application/json", headers=headers)


def _schema_tag(request: HttpRequest) -> str:
    return f'"{hashlib.sha256(schema_text().encode()).hexdigest()}"'


@require_safe
# Editors ask for the schema often; it holds nothing of anybody, and an hour bounds how long an update is not seen.
@cache_control(public=True, max_age=3600)
@etag(_schema_tag)
def schema(request: HttpRequest) -> HttpResponse:
    """Return the JSON Schema of design files.

    The address contains the format's number, so that it never refers to another format.
    """
    return HttpResponse(schema_text(), content_type="application/schema+json")


def find_example(slug: str) -> Example:
    """Return the example.

    Raises
    ------
    Http404
        If there is none.
    """
    try:
        return example(slug)
    except KeyError:
        raise Http404 from None
