"""Exports as the API gives them."""

import base64
from collections.abc import Sequence
from typing import Any

from django.http import Http404

from designer.document import Spec
from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.models import Design, Revision
from designer.templatetags.keywright import say
from designer.wording import element_label
from estimator.contexts import current_context
from estimator.presentation.design_page import answer
from reviews.exports import Content, File, Format, Remark, format_named
from reviews.exports.shared.content import CARRIED
from reviews.pdf.sections import NAMES as SECTIONS
from reviews.presentation.pdf_context import paper_of


class NoSection(DesignError):
    """A PDF has no such section, JSON carries no such thing, or neither is asked for."""

    status = 422


def format_info(one: Format) -> dict[str, Any]:
    """Return the list entry of a format."""
    names = ("name", "engines", "media_type")
    return {**{name: getattr(one, name) for name in names}, "title": say(one.title, {}), "about": say(one.about, {})}


def exported(design: Design, revision: Revision, name: str, *, sections: str, carries: str) -> dict[str, Any]:
    """Return the files of one revision.

    Raises
    ------
    NoSection
        If a section of a PDF or an addition to JSON is unknown, or is requested for another format.
    """
    try:
        format_ = format_named(name)
    except KeyError:
        raise Http404 from None
    for option, held, only in (("sections", sections, "pdf"), ("with", carries, "json")):
        if held and name != only:
            raise NoSection(N_("{option} applies only to the format {only}."), option=option, only=only)
    spec = revision.document.spec
    paper = paper_of(design, revision, _sections(sections)) if name == "pdf" else None
    carried = frozenset(_named(carries, CARRIED))
    made = format_.make(
        Content(
            spec,
            revision.at.date(),
            carried,
            context=current_context(),
            made=answer(spec, current_context()).estimate,
            paper=paper,
        )
    )
    return {
        "format": name, "sha256": revision.document_id, "revision": revision.number,
        "files": [_file(one) for one in made.files],
        "notes": [_remark(spec, one) for one in made.notes], "refusals": [_remark(spec, one) for one in made.refusals],
    }  # fmt: skip


def _sections(asked: str) -> tuple[str, ...] | None:
    return _named(asked, SECTIONS) or None


def _named(asked: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names in a comma-separated list, after a check that all are known."""
    names = tuple(name.strip() for name in asked.split(",") if name.strip())
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise NoSection(N_("Unknown value {name}. Use one of: {names}."), name=unknown, names=", ".join(known))
    return names


def _file(one: File) -> dict[str, Any]:
    try:
        return {"name": one.name, "text": one.text, "base64": None}
    except UnicodeDecodeError:
        return {"name": one.name, "text": None, "base64": base64.b64encode(one.data).decode()}


def _remark(spec: Spec, one: Remark) -> dict[str, Any]:
    place = element_label(spec, one.at) if one.at else ""
    return {"at": one.at, "place": place, "sentence": say(one.message, one.params)}
