"""The bill as CSV: one row per month and line, numbers plain, texts so that no spreadsheet takes them for formulas."""

import csv
import io
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from designer.document import Spec
from designer.document.instance import Instance
from designer.document.texts import N_
from designer.wording.formatting import english
from estimator.presentation.locations import element_path
from estimator.results import Bill, BillLine

from .shared.comments import one_line
from .shared.content import ExportContent
from .shared.names import stem
from .shared.omissions import Fields, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format

COLUMNS = (
    "month", "first_day", "item", "line", "for", "sku", "where", "quantity", "unit", "unit_price", "cost", "low",
    "high", "currency", "formula", "price_origin", "price_source", "price_seen",
)  # fmt: skip
OMITTED: Fields = {
    Spec: ("description", "fields", "activities", "tables", "ignores", "measured"),
    Instance: tuple(Instance.model_fields),
}
"""The bill follows from all of them, and says none of them."""
_STARTS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""What begins a formula, also in the wide forms that Japanese spreadsheets take."""


def make(content: ExportContent) -> ExportResult:
    """All months of the horizon; a line without a price has none, and the total of its month is marked as open."""
    remarks = ExportRemarks()
    bills = content.estimate.bills
    if not bills:
        because = next(iter(content.estimate.because), None)
        why = english(because.message, because.params) if because else ""
        remarks.refuse(because.at if because else "", N_("no bill yet: {why}"), why=why)
        return remarks.build_result()
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for bill in bills:
        rows.writerows([escape_cell(cell) for cell in row] for row in _rows(content, bill))
        for line in bill.open_lines:
            message = N_("no price available for {sku}: the totals are lower bounds")
            remarks.note(line.at, message, sku=line.sku)
    note_omissions(content.spec, remarks, OMITTED)
    return remarks.build_result(File.of(f"{stem(content.spec.name)}-bill.csv", text.getvalue()))


def escape_cell(cell: Any) -> str:
    """Return a cell of the file.

    Numbers remain as they are; texts are on one line, with an apostrophe if they look like a formula.
    """
    if cell is None:
        return ""
    if isinstance(cell, Decimal | int):
        return f"{cell:f}" if isinstance(cell, Decimal) else str(cell)
    text = one_line(str(cell))
    return f"'{text}" if text.startswith(_STARTS) else text


def _rows(content: ExportContent, bill: Bill) -> Iterator[tuple[Any, ...]]:
    for line in bill.lines:
        yield (bill.month + 1, bill.first_day, *_cells(content, bill, line))
    openness = "open: a lower bound" if bill.open_lines else ""
    total = ("total", "Total", "", "", "", None, "", None, bill.total, bill.low, bill.high, bill.currency, openness)
    yield (bill.month + 1, bill.first_day, *total, "", "", "")


def _cells(content: ExportContent, bill: Bill, line: BillLine) -> tuple[Any, ...]:
    return (
        line.item, english(line.label, line.params), element_path(content.spec, line.at), line.sku, line.where,
        line.quantity, line.unit, line.unit_price, line.cost, line.low, line.high, bill.currency,
        english(line.formula, line.params),
        line.price_origin, line.price_source, line.price_seen,
    )  # fmt: skip


FORMAT = Format(
    name="csv",
    title=N_("Bill as CSV"),
    about=N_("All lines of the monthly bill over the horizon, with the calculation and the source of each price."),
    make=make,
    media_type="text/csv",
    omits=OMITTED,
)
