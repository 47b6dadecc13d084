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
    """The design's file, as the command line reads it."""
    headers = {"Content-Disposition": f'attachment; filename="{slug}.json"'}
    return HttpResponse(dump(found(slug).spec), content_type="application/json", headers=headers)


def _schema_tag(request: HttpRequest) -> str:
    return f'"{hashlib.sha256(schema_text().encode()).hexdigest()}"'


@require_safe
@cache_control(public=True, max_age=3600)
@etag(_schema_tag)
def schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of designs' files. The address holds the format's number, so it never means another format."""
    return HttpResponse(schema_text(), content_type="application/schema+json")


def found(slug: str) -> Example:
    """The example, or 404."""
    try:
        return example(slug)
    except KeyError:
        raise Http404 from None
