"""The gallery of built-in designs, a design as its file, and the schema of such files."""

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import etag, require_safe

from config.pages import page
from designer.examples import GROUPS, Example, example, examples
from designer.spec import Spec
from designer.spec.dump import dump
from designer.spec.schema import text as schema_text
from designer.words import key_of


@require_safe
def gallery(request: HttpRequest) -> HttpResponse:
    """The start page: built-in designs by group. What is computed of them comes from its own addresses."""
    cards = [(one, one.spec, _keys(one.spec)) for one in examples()]
    groups = [(name, [card for card in cards if card[0].group == name]) for name in GROUPS]
    return page(request, "designer/gallery.html", {"groups": groups})


def _keys(spec: Spec) -> tuple[str, ...]:
    """The row keys of a design as text, in the order of its tables."""
    return tuple(key_of(spec, kind) for _, kind in spec.row_kinds())


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
