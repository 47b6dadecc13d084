"""A document for people: one page of summary, then the chosen sections, as a PDF. `reviews.pdf` makes it."""

import datetime

from designer.document import effective_value
from designer.document.access import Bind, Read, Write
from designer.document.activity import Activity
from designer.document.design import Ignore
from designer.document.family import Column, Family
from designer.document.field import Field
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from reviews.pdf.pdf_request import DesignState, PdfOptions

from .shared.content import ExportContent
from .shared.names import stem
from .shared.omissions import Fields, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format

OMITTED: Fields = {
    Field: ("lifetime_days", "unique_within"),
    Activity: ("draws",),
    Table: ("rows_stored", "gib_stored", "compressed_share", "derived_from"),
    RowKind: ("columns", "known"),
    Write: ("columns", "app_profile", "where"),
    Read: ("profile", "cell_days", "families", "columns", "latency", "app_profile", "where"),
    Bind: ("popularity",),
    Family: ("needed",),
    Column: ("needed",),
    Ignore: ("effect",),
}
"""What no section says, whichever are chosen."""


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
        options=paper,
    )
    remarks = ExportRemarks()
    note_omissions(content.spec, remarks, OMITTED)
    return remarks.build_result(File(f"{stem(content.spec.name)}.pdf", data))


def _current_state(content: ExportContent) -> DesignState:
    day: datetime.date = content.today or effective_value(content.spec, content.spec, "start")
    return DesignState(datetime.datetime.combine(day, datetime.time(), datetime.UTC))


FORMAT = Format(
    name="pdf",
    title="PDF",
    about=N_("A document to read: a one-page summary, then keys, workload, instance and cost with their sources."),
    make=make,
    media_type="application/pdf",
    omits=OMITTED,
)
