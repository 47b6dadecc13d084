"""The bill of the last month, line by line, and what would move it."""

from collections.abc import Iterator

from designer.document.texts import N_
from estimator.presentation.charts.registry import charts
from estimator.presentation.labels import OUTLOOKS
from estimator.results import BillLine
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell, Run
from reviews.pdf.render_context import RenderContext

_ORIGINS = {"you": N_("you"), "free": N_("free"), "missing": N_("not priced"), "book": N_("price list")}


def blocks(context: RenderContext) -> Iterator[Block]:
    """Lines, charts, sensitivities and bigger worlds."""
    bill, estimate = context.estimate.bill, context.estimate
    if bill is None:
        reasons = (context.page.missing_bill, *estimate.because)
        first, *others = dict.fromkeys(context.format_text(reason) for reason in reasons)
        yield b.text(first, muted=True)
        yield from (b.text(text) for text in others)
        return
    message = N_("{month_month}, the last month of the horizon · price book {book} of {date}")
    params = {"month_month": bill.first_day, "book": estimate.price_book, "date": estimate.price_book_date}
    yield b.text(context(message, params), muted=True)
    names = (N_("Line"), N_("Quantity"), N_("Unit price"), N_("Low"), N_("Expected"), N_("High"))
    foot: list[Cell] = [
        b.strong(context(N_("Total"))),
        "",
        "",
        context.money(bill.low),
        b.strong(context.total()),
        context.money(bill.high),
    ]
    rows = [_line(context, line) for line in bill.lines]
    yield b.table([context(name) for name in names], rows, numbers=(1, 2, 3, 4, 5), foot=foot)
    if bill.open_lines:
        yield b.text(
            context(
                N_("Lines without a public price: {count}. They are excluded from the total."),
                count=len(bill.open_lines),
            )
        )
    chart_makers = charts(context.spec, estimate, context.page.context)
    names_ = ("months",) if len(bill.lines) > 24 else ("bill", "months")
    yield from context.charts((chart_makers[name]() for name in names_ if name in chart_makers), 2)
    yield from _sensitivities(context)


def _line(context: RenderContext, line: BillLine) -> list[Cell]:
    name: list[Run] = [{"t": context(line.label, line.params)}, b.quiet(f"  {context(line.formula, line.params)}")]
    origin = context(_ORIGINS[line.price_origin])
    price: Cell = b.quiet(context(N_("no price"))) if line.unit_price is None else context.money(line.unit_price)
    quantity = [{"t": context.number(line.quantity)}, b.quiet(f" {context(line.unit)}")]
    edges = ["" if edge is None else context.money(edge) for edge in (line.low, line.high)]
    return [name, quantity, [*b.runs(price), b.quiet(f" {origin}")], edges[0], context.money(line.cost), edges[1]]


def _sensitivities(context: RenderContext) -> Iterator[Block]:
    what_if = context.page.what_if
    if moves := what_if.sensitivities:
        yield b.heading(context(N_("What affects the bill")))
        rows = [[context(s.label, s.params), context.money(s.low), context.money(s.high)] for s in moves]
        yield b.table([context(N_("Input")), context(N_("Low")), context(N_("High"))], rows, numbers=(1, 2))
    if what_if.outlooks:
        yield b.heading(context(N_("At larger scale")))
        worlds: list[list[Cell]] = []
        for outlook in what_if.outlooks:
            cost: Cell = context.unknown() if outlook.cost is None else context.money(outlook.cost)
            breaks = context(outlook.breaks, outlook.params) if outlook.breaks else context(N_("none"))
            worlds.append([context(OUTLOOKS[outlook.name]), cost, breaks])
        names = (N_("If"), N_("Per month"), N_("First limit reached"))
        yield b.table([context(name) for name in names], worlds, numbers=(1,), wide=(2,))
