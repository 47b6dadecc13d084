"""Exports as the API gives them."""

import base64
from collections.abc import Sequence
from typing import Any

from django.http import Http404

from designer.document import Spec
from designer.document.texts import N_, TextList
from designer.http.errors import DesignError
from designer.models import Design, Revision
from designer.templatetags.keywright import translate
from designer.wording import element_label
from estimator.contexts import current_context
from reviews.exports import ExportContent, ExportRemark, ExportResult, File, Format, format_named
from reviews.exports.shared.content import CARRIED, CODE_LANGUAGES
from reviews.pdf.sections import NAMES as SECTIONS
from reviews.presentation.export_files import make_export
from reviews.presentation.pdf_context import pdf_options


class InvalidSelectionError(DesignError):
    """A PDF has no such section, JSON carries no such thing, or neither is asked for."""

    status = 422


def format_info(format_: Format) -> dict[str, Any]:
    """Return the list entry of a format."""
    names = ("name", "engines", "media_type")
    return {
        **{name: getattr(format_, name) for name in names},
        "title": translate(format_.title, {}),
        "about": translate(format_.about, {}),
    }


def export_revision(
    design: Design, revision: Revision, name: str, *, sections: str, carries: str, language: str, adopts: bool
) -> ExportResult:
    """Return the files of one revision.

    Raises
    ------
    InvalidSelectionError
        If a section of a PDF or an addition to JSON is unknown, or is requested for another format.
    """
    try:
        format_ = format_named(name)
    except KeyError:
        raise Http404 from None
    for option, setting, only in (
        ("sections", sections, "pdf"),
        ("with", carries, "json"),
        ("language", language, "code"),
        ("adopt", adopts, "terraform"),
    ):
        # An option that another format has no use for is refused: ignored, it would seem to have had an effect.
        if setting and name != only:
            message = N_("{option} applies only to the format {only}.")
            raise InvalidSelectionError(message, option=option, only=only).at(option)
    spec = revision.document.spec
    paper = pdf_options(design, revision, _read_sections(sections)) if name == "pdf" else None
    carried = frozenset(_read_names("with", carries, CARRIED))
    return make_export(
        format_,
        ExportContent(
            spec,
            revision.at.date(),
            carried,
            context=current_context(),
            pdf_options=paper,
            code_language=_read_language(language),
            adopts=adopts,
        ),
    )


def export_data(revision: Revision, name: str, export: ExportResult) -> dict[str, Any]:
    """Return an export as data, with what is in none of its files."""
    spec = revision.document.spec
    return {
        "format": name, "sha256": revision.document_id, "revision": revision.number,
        "files": [_file(file) for file in export.files],
        "notes": [_remark(spec, note) for note in export.notes],
        "refusals": [_remark(spec, refusal) for refusal in export.refusals],
    }  # fmt: skip


def _read_sections(names: str) -> tuple[str, ...] | None:
    return _read_names("sections", names, SECTIONS) or None


def _read_language(text: str) -> str:
    languages = tuple(CODE_LANGUAGES)
    return (_read_names("language", text, languages) or languages)[0]


def _read_names(option: str, text: str, known_names: Sequence[str]) -> tuple[str, ...]:
    """Return the names in a comma-separated list, after a check that all are known."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    unknown = next((name for name in names if name not in known_names), None)
    if unknown is not None:
        message = N_("Unknown value {name}. Use one of: {names}.")
        raise InvalidSelectionError(message, name=unknown, names=TextList(known_names)).at(option)
    return names


def _file(export_file: File) -> dict[str, Any]:
    try:
        return {"name": export_file.name, "text": export_file.text, "base64": None}
    except UnicodeDecodeError:
        # A PDF or an archive is no text; JSON carries it as base64.
        return {"name": export_file.name, "text": None, "base64": base64.b64encode(export_file.data).decode()}


def _remark(spec: Spec, remark: ExportRemark) -> dict[str, Any]:
    place = element_label(spec, remark.at) if remark.at else ""
    return {"at": remark.at, "place": place, "sentence": translate(remark.message, remark.params)}
