"""A document for people: one page of summary, then the chosen sections, as a PDF. `reviews.pdf` makes it."""

import datetime

from designer.document import effective_value
from designer.document.texts import N_
from reviews.pdf.pdf_request import DesignState, PdfOptions

from .shared.content import ExportContent
from .shared.names import stem
from .shared.result import ExportResult, File, Format


def make(content: ExportContent) -> ExportResult:
    """One file; its bytes are the same whenever the design, its state and the choices are."""
    from reviews.pdf.sections import SECTIONS
    from reviews.pdf.typesetting import pdf

    paper = content.pdf_options or PdfOptions()
    data = pdf(
        content.spec,
        content.estimate,
        content.findings,
        content.required_context,
        stand=paper.state or _current_state(content),
        sections=tuple(SECTIONS) if paper.sections is None else paper.sections,
        language=paper.language,
        translate=paper.translate,
    )
    return ExportResult((File(f"{stem(content.spec.name)}.pdf", data),))


def _current_state(content: ExportContent) -> DesignState:
    day: datetime.date = content.today or effective_value(content.spec, content.spec, "start")
    return DesignState(datetime.datetime.combine(day, datetime.time(), datetime.UTC))


FORMAT = Format(
    name="pdf",
    title="PDF",
    about=N_("A document to read: a one-page summary, then keys, workload, instance and cost with their sources."),
    make=make,
    media_type="application/pdf",
)
