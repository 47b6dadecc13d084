"""Importing what other tools print: a preview of what was understood and what not, and only then a design or tables."""

import secrets
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from designer.document import Spec
from designer.document.edits import Set, apply
from designer.document.field import Field
from designer.document.references import references
from designer.document.table import RowKind, Table
from designer.document.texts import N_, Text
from designer.document.validation_errors import SHOWN, InvalidDocumentError
from designer.editing.table_copy import copy_tables
from designer.http.beside import read_beside
from designer.http.pages import page
from designer.http.parameters import form, upload, upload_title
from designer.imports import MOST_BYTES, NAMES, ImportResult, MatchedKeys, decode, formats_by_name, read
from designer.models import Design
from designer.wording import key_of

from ..access import current_person, design_for
from ..editor.books import begin_today
from .designs import team_of, teams_of

MOST_SHOWN = 100
"""So many tables and remarks are shown; all are taken."""


@dataclass(frozen=True)
class KeyPreview:
    """A row kind's key; of sample keys with the number of lines that have it, and the fields that were found."""

    text: str
    matched: MatchedKeys | None = None
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True)
class TablePreview:
    """A table as the preview shows it."""

    table: Table
    keys: tuple[KeyPreview, ...]
    is_name_taken: bool
    """The design has a table of this name already."""


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Create a design from another tool's output."""
    context: dict[str, Any] = {"action": reverse("import"), "teams": teams_of(request), "typed": form(request)}
    result = _review_import(request, context)
    if result is None or "save" not in form(request):
        return _import_page(request, context)
    spec, name = result.spec, form(request).get("name", "").strip()
    if name and name != spec.name:
        spec, _ = apply(spec, Set(at="", name="name", value=name, was=spec.name))
    words = Text(N_("imported from {format}"), {"format": str(formats_by_name()[result.format].TITLE)})
    design = Design.objects.start(
        begin_today(spec), team=team_of(request), by=current_person(request), description=words
    )
    return redirect("editor", design.key)


@require_http_methods(["GET", "HEAD", "POST"])
def into(request: HttpRequest, key: str) -> HttpResponse:
    """Tables for an open design from what another tool printed."""
    design = design_for(request, key, "edit")
    context: dict[str, Any] = {"action": reverse("import_tables", args=[key]), "design": design, "typed": form(request)}
    result = _review_import(request, context, design.spec)
    chosen = form(request).texts("table")
    if result is None or "save" not in form(request) or not chosen:
        return _import_page(request, context)
    # New ids, as the same text may be imported twice, or hold ids that the design has.
    edit = copy_tables(design.spec, result.spec, chosen, new_id=lambda: secrets.token_hex(5))
    design.apply(edit, by=current_person(request))
    return redirect("editor", key)


def _import_page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    status = 422 if context.get("problems") else 200
    return page(request, "designer/importing/import.html", context, status=status)


def _review_import(request: HttpRequest, context: dict[str, Any], into: Spec | None = None) -> ImportResult | None:
    """Import the submitted text.

    Add the data for the page, or the errors, to the context.
    """
    context["formats"] = [(name, importer.TITLE) for name, importer in formats_by_name().items()]
    if request.method != "POST":
        return None
    parameters, file = form(request), upload(request, "file", most_bytes=MOST_BYTES)
    pasted = parameters.get("text", "")
    try:
        context["text"] = decode(file) if file else pasted
        text, name = context["text"], parameters.choice("format", NAMES, "")
        result: ImportResult = read_beside(read, text, name, length=len(text), raises=(InvalidDocumentError,))
    except InvalidDocumentError as unusable:
        context |= {"problems": unusable.problems[:SHOWN], "more_problems": len(unusable.problems) - SHOWN}
        # A file that cannot be decoded has no text to show again.
        context.setdefault("text", pasted)
        return None
    names = {table.name for table in into.tables} if into else set()
    rows = [_preview_table(result, table, names) for table in result.spec.tables]
    context |= {
        "found": result, "title": formats_by_name()[result.format].TITLE, "rows": rows[:MOST_SHOWN],
        "spec": result.spec, "design_name": result.spec.name or upload_title(request, "file"),
        "missed": result.remarks[:MOST_SHOWN], "more_missed": len(result.remarks) - MOST_SHOWN,
        "more_rows": len(rows) - MOST_SHOWN,
    }  # fmt: skip
    return result


def _preview_table(found: ImportResult, table: Table, names: set[str]) -> TablePreview:
    keys = tuple(_preview_key(found, kind) for kind in table.row_kinds)
    return TablePreview(table, keys, table.name in names)


def _preview_key(found: ImportResult, kind: RowKind) -> KeyPreview:
    text, matched = key_of(found.spec, kind), found.matched.get(kind.id)
    if matched is None:
        return KeyPreview(text)
    used = {use.to for segment in kind.key for use in references(segment)}
    return KeyPreview(text, matched, tuple(field for field in found.spec.fields if field.id in used))
