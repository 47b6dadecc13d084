"""The bill of the last month, line by line, and what would move it."""

from collections.abc import Iterator

from designer.document.texts import N_
from estimator.presentation.charts.registry import charts
from estimator.presentation.labels import OUTLOOKS
from estimator.results import BillLine
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell, Run
from reviews.pdf.render_context import Sheet

_ORIGINS = {"you": N_("you"), "free": N_("free"), "missing": N_("not priced"), "book": N_("price list")}


def blocks(sheet: Sheet) -> Iterator[Block]:
    """Lines, charts, sensitivities and bigger worlds."""
    bill, made = sheet.estimate.bill, sheet.estimate
    if bill is None:
        yield b.text(
            sheet(N_("No bill yet. A bill requires a table, and a cluster in a region with prices.")), muted=True
        )
        return
    told = N_("{month_month}, the last month of the horizon · price book {book} of {date}")
    params = {"month_month": bill.first_day, "book": made.price_book, "date": made.price_book_date}
    yield b.text(sheet(told, params), muted=True)
    names = (N_("Line"), N_("Quantity"), N_("Unit price"), N_("Low"), N_("Expected"), N_("High"))
    foot: list[Cell] = [
        b.strong(sheet(N_("Total"))),
        "",
        "",
        sheet.money(bill.low),
        b.strong(sheet.total()),
        sheet.money(bill.high),
    ]
    rows = [_line(sheet, line) for line in bill.lines]
    yield b.table([sheet(name) for name in names], rows, numbers=(1, 2, 3, 4, 5), foot=foot)
    if bill.open_lines:
        yield b.text(
            sheet(
                N_("Lines without a public price: {count}. They are excluded from the total."),
                count=len(bill.open_lines),
            )
        )
    drawn = charts(sheet.spec, made, sheet.shown.context)
    names_ = ("months", "sensitivity") if len(bill.lines) > 24 else ("bill", "months", "sensitivity")
    shown = [name for name in names_ if name in drawn and (name != "sensitivity" or sheet.shown.what_if.sensitivities)]
    yield b.pictures([sheet.picture(drawn[name]()) for name in shown], 2)
    yield from _moves(sheet)


def _line(sheet: Sheet, line: BillLine) -> list[Cell]:
    name: list[Run] = [{"t": sheet(line.label, line.params)}, b.quiet(f"  {sheet(line.formula, line.params)}")]
    origin = sheet(_ORIGINS[line.price_origin])
    price: Cell = b.quiet(sheet(N_("no price"))) if line.unit_price is None else sheet.money(line.unit_price)
    quantity = [{"t": sheet.number(line.quantity)}, b.quiet(f" {sheet(line.unit)}")]
    edges = ["" if edge is None else sheet.money(edge) for edge in (line.low, line.high)]
    return [name, quantity, [*b.runs(price), b.quiet(f" {origin}")], edges[0], sheet.money(line.cost), edges[1]]


def _moves(sheet: Sheet) -> Iterator[Block]:
    found = sheet.shown.what_if
    if moves := found.sensitivities:
        yield b.heading(sheet(N_("What affects the bill")))
        rows = [[sheet(s.label, s.params), sheet.money(s.low), sheet.money(s.high)] for s in moves]
        yield b.table([sheet(N_("Input")), sheet(N_("From")), sheet(N_("To"))], rows, numbers=(1, 2))
    if found.outlooks:
        yield b.heading(sheet(N_("At larger scale")))
        worlds: list[list[Cell]] = []
        for outlook in found.outlooks:
            cost: Cell = sheet.unknown() if outlook.cost is None else sheet.money(outlook.cost)
            breaks = sheet(outlook.breaks, outlook.params) if outlook.breaks else sheet(N_("none"))
            worlds.append([sheet(OUTLOOKS[outlook.name]), cost, breaks])
        names = (N_("If"), N_("Per month"), N_("First limit reached"))
        yield b.table([sheet(name) for name in names], worlds, numbers=(1,), wide=(2,))
