"""A document for people: one page of summary, then the chosen sections, as a PDF. `reviews.pdf` makes it."""

import datetime

from designer.document import assumed
from designer.document.texts import N_
from reviews.pdf.pdf_request import Paper, Stand

from .shared.content import Content
from .shared.names import stem
from .shared.result import Exported, File, Format


def make(content: Content) -> Exported:
    """One file; its bytes are the same whenever the design, its state and the choices are."""
    from reviews.pdf.sections import SECTIONS
    from reviews.pdf.typesetting import pdf

    paper = content.paper or Paper()
    data = pdf(
        content.spec,
        content.estimate,
        content.findings,
        content.computed_in,
        stand=paper.stand or _of_the_day(content),
        sections=tuple(SECTIONS) if paper.sections is None else paper.sections,
        language=paper.language,
        translate=paper.translate,
    )
    return Exported((File(f"{stem(content.spec.name)}.pdf", data),))


def _of_the_day(content: Content) -> Stand:
    day: datetime.date = content.today or assumed(content.spec, content.spec, "start")
    return Stand(datetime.datetime.combine(day, datetime.time(), datetime.UTC))


FORMAT = Format(
    name="pdf",
    title="PDF",
    about=N_("A document to read: a one-page summary, then keys, workload, instance and cost with their sources."),
    make=make,
    media_type="application/pdf",
)
