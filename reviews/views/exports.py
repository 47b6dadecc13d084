"""A design as files: each format with a preview, what it cannot express, to copy and to take."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from designer.document import Engine
from designer.document.engines import DESCRIPTIONS
from designer.http.pages import page
from designer.http.parameters import query
from designer.models import Design, Revision
from designer.views.access import can_edit, design_for
from designer.views.audit import record
from estimator.contexts import current_context
from reviews.exports import ExportContent, ExportResult, File, Format, formats_by_name
from reviews.exports.shared.content import CARRIED, CODE_LANGUAGES
from reviews.exports.shared.result import zip_files
from reviews.pdf.sections import sections
from reviews.presentation.export_files import make_export
from reviews.presentation.pdf_context import pdf_options

from .verdicts import section_status
from .viewer import Viewer

MOST_SHOWN = 100_000
"""So many characters of a file are shown; all of it can be taken."""
MOST_FILES = 30
LISTED_REVISIONS = 100
ZIP = "application/zip"
_USUAL_LANGUAGE = next(iter(CODE_LANGUAGES))


@dataclass(frozen=True)
class ExportFile:
    """One file as the page shows it."""

    file: File
    text: str
    """Its beginning; empty where it is no text."""
    is_truncated: bool

    @property
    def rows(self) -> int:
        """Height of the text field in rows."""
        return min(max(self.text.count("\n") + 1, 3), 24)


@require_safe
def export(request: HttpRequest, key: str) -> HttpResponse:
    """Redirect to the present content, or to a revision's, in the format asked for or the engine's usual one."""
    design = design_for(request, key, "view")
    sha256, parameters = design.head_id, query(request)
    if parameters.get("revision"):
        revision = design.revisions.filter(number=parameters.number("revision") or 0).first()
        if revision is None:
            raise Http404
        sha256 = revision.document_id
    usual = DESCRIPTIONS[design.spec.engine].export_format
    page_url = reverse("export", args=[key, sha256, parameters.choice("to", formats_by_name(), usual)])
    return redirect(f"{page_url}{_query(request)}")


@require_safe
def export_page(request: HttpRequest, key: str, sha256: str, name: str) -> HttpResponse:
    """One format: what it is, its files, and what is in none of them."""
    design, revision = _find_revision(request, key, sha256)
    chosen, spec = _find_format(name), revision.document.spec
    fits = spec.engine in chosen.engines
    result = None if name == "pdf" or not fits else _export_revision(request, design, revision, chosen)
    revisions = design.revisions.order_by("-number")[:LISTED_REVISIONS]
    context: dict[str, Any] = {
        "design": design, "revision": revision, "spec": spec, "chosen": chosen, "fits": fits, "made": result,
        "may_edit": can_edit(request, design),
        "formats": [(exporter, spec.engine in exporter.engines) for exporter in formats_by_name().values()],
        "files": _file_views(result) if result else (), "more_files": len(result.files) - MOST_FILES if result else 0,
        "revisions": revisions, "is_now": design.head_id == sha256, "newer": design.number - revision.number,
        "by_id": spec.by_id, "query": _query(request), "carries": _included_parts(request),
        "sections": _sections(spec.engine) if name == "pdf" else None, "languages": settings.LANGUAGES,
        "code_languages": CODE_LANGUAGES if name == "code" else None, "code_language": _code_language(request),
        "adopts": _adopts(request),
    }  # fmt: skip
    return page(request, "reviews/exports/export.html", context)


@require_safe
def file(request: HttpRequest, key: str, sha256: str, name: str, file: str) -> HttpResponse:
    """One file of a format, to be kept."""
    design, revision = _find_revision(request, key, sha256)
    chosen = _find_format(name)
    with override(_language(request)) if name == "pdf" else nullcontext():
        result = _export_revision(request, design, revision, chosen)
    files = (
        result.files[:1] if name == "pdf" else [export_file for export_file in result.files if export_file.name == file]
    )
    if not files:
        raise Http404
    _record_export(request, design, revision, files[0].name)
    response = file_download(files[0].data, files[0].name, chosen.media_type)
    if name == "pdf":
        response["Cache-Control"] = "no-cache"  # a verdict may be new in it
    return response


def _language(request: HttpRequest) -> str:
    """Return the language chosen for a PDF, else the reader's language."""
    return query(request).choice("language", dict(settings.LANGUAGES), get_language() or settings.LANGUAGE_CODE)


@require_safe
def archive(request: HttpRequest, key: str, sha256: str, name: str) -> HttpResponse:
    """All files of a format in one archive."""
    design, revision = _find_revision(request, key, sha256)
    result = _export_revision(request, design, revision, _find_format(name))
    if not result.files:
        raise Http404
    _record_export(request, design, revision, f"{name}.zip")
    return file_download(zip_files(result.files), f"{name}-r{revision.number}.zip", ZIP)


@require_safe
def visitor_file(request: HttpRequest, viewer: Viewer, name: str) -> HttpResponse:
    """Return the design as a file, of the revision that a link shows, where the link lets its visitors take it."""
    link = viewer.link
    if link is None or not link.offers_file(name):
        raise Http404
    revision = viewer.design.revisions.select_related("document").get(number=viewer.number)
    content = ExportContent(viewer.full_spec, revision.at.date(), context=viewer.context)
    with override(_language(request)):
        if name == "pdf":
            verdicts = [one for status in section_status(viewer).values() for one in status.verdicts]
            paper = pdf_options(viewer.design, revision, shown_verdicts=verdicts, hides=viewer.hides)
            content = replace(content, pdf_options=paper)
        made = make_export(_find_format(name), content).files[0]
    if request.method == "GET":  # a HEAD brings no file
        told = f"{viewer.design.key} {link.name}, {viewer.number}: {made.name}"
        record(request, "link_file_taken", told, team=viewer.design.team)
    return file_download(made.data, made.name, _find_format(name).media_type)


def _record_export(request: HttpRequest, design: Design, revision: Revision, file: str) -> None:
    if request.method == "GET":  # a HEAD brings no file
        record(request, "design_exported", f"{design.key} {design.title}, {revision.number}: {file}", team=design.team)


def file_download(data: bytes, name: str, media_type: str) -> HttpResponse:
    """Return a file to be stored under its name."""
    charset = "" if media_type.startswith("application/") else "; charset=utf-8"
    headers = {"Content-Disposition": content_disposition_header(as_attachment=True, filename=name) or ""}
    return HttpResponse(data, content_type=media_type + charset, headers=headers)


def _find_format(name: str) -> Format:
    export_format = formats_by_name().get(name)
    if export_format is None:
        raise Http404
    return export_format


def _find_revision(request: HttpRequest, key: str, sha256: str) -> tuple[Design, Revision]:
    """Return the design and its newest revision with this content."""
    design = design_for(request, key, "view")
    revision = design.revisions.filter(document=sha256).select_related("document", "by").order_by("-number").first()
    if revision is None:
        raise Http404
    return design, revision


def _export_revision(request: HttpRequest, design: Design, revision: Revision, export_format: Format) -> ExportResult:
    """Return the files of a revision.

    The findings are those of the revision's day, so that the content of an address does not change.
    """
    spec = revision.document.spec
    content = ExportContent(
        spec, revision.at.date(), _included_parts(request), context=current_context(),
        code_language=_code_language(request), adopts=_adopts(request),
    )  # fmt: skip
    if export_format.name == "pdf":
        content = replace(content, pdf_options=pdf_options(design, revision, _selected_sections(request)))
    return make_export(export_format, content)


def _included_parts(request: HttpRequest) -> frozenset[str]:
    return frozenset(query(request).texts("with")) & frozenset(CARRIED)


def _sections(engine: Engine = "bigtable") -> Mapping[str, Any]:
    return sections(engine)


def _selected_sections(request: HttpRequest) -> tuple[str, ...] | None:
    """Return the selected sections of a PDF; without the form, None for all sections."""
    ticked = tuple(name for name in _sections() if name in query(request).texts("section"))
    return ticked if ticked or "chosen" in query(request) else None


def _query(request: HttpRequest) -> str:
    parameters = [("with", part) for part in sorted(_included_parts(request))]
    if _code_language(request) != _USUAL_LANGUAGE:
        parameters.append(("language", _code_language(request)))
    if _adopts(request):
        parameters.append(("adopt", "on"))
    return f"?{urlencode(parameters)}" if parameters else ""


def _adopts(request: HttpRequest) -> bool:
    return "adopt" in query(request)


def _code_language(request: HttpRequest) -> str:
    return query(request).choice("language", CODE_LANGUAGES, _USUAL_LANGUAGE)


def _file_views(result: ExportResult) -> tuple[ExportFile, ...]:
    return tuple(_truncate_file(file) for file in result.files[:MOST_FILES])


def _truncate_file(export_file: File) -> ExportFile:
    try:
        text = export_file.text
    except UnicodeDecodeError:
        return ExportFile(export_file, "", is_truncated=False)
    return ExportFile(export_file, text[:MOST_SHOWN], is_truncated=len(text) > MOST_SHOWN)
