"""Growth of rows and tables over the horizon."""

from collections.abc import Iterator

from designer.document.texts import N_
from designer.wording import element_label
from estimator.presentation.charts.growth import row_growth, table_growth
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell
from reviews.pdf.render_context import Sheet


def blocks(sheet: Sheet) -> Iterator[Block]:
    """Yield a table of all tables, and charts if there are only a few."""
    known = [table for table in sheet.shown.tables if table.part.growth]
    if not known:
        yield b.text(sheet(N_("Growth cannot be computed yet. Add an activity with a rate.")), muted=True)
        return
    yield _sizes(sheet)
    if sheet.many:
        return
    for table in known:
        grown = table.part.growth
        assert grown is not None
        yield b.heading(b.code(table.it.label))
        yield b.pictures([sheet.picture(table_growth(grown)), *(sheet.picture(row_growth(k)) for k in grown.kinds)], 2)


def _sizes(sheet: Sheet) -> Block:
    names = (
        N_("Table"),
        N_("Rows"),
        N_("Logical"),
        N_("On disk"),
        N_("Row, p99"),
        N_("Largest row"),
        N_("Exceeds a limit"),
    )
    rows: list[list[Cell]] = []
    for table in sheet.shown.tables:
        grown = table.part.growth
        for kind in grown.kinds if grown else ():
            crossed = [c for c in kind.crossings if c.date]
            name = [b.code(table.it.label)]
            if len(table.kinds) > 1:
                name.append(b.quiet(f" · {element_label(sheet.spec, kind.row_kind)}"))
            first = kind is grown.kinds[0] if grown else False
            told = [f"{sheet.number(c.limit_bytes, 'bytes')}: {sheet.number(c.date, 'date')}" for c in crossed]
            rows.append(
                [
                    name,
                    sheet.number(kind.rows),
                    sheet.number(float(grown.logical_bytes[-1]), "bytes") if grown and first else "",
                    sheet.number(float(grown.physical_bytes[-1]), "bytes") if grown and first else "",
                    sheet.number(float(kind.p99_bytes[-1]), "bytes"),
                    sheet.number(float(kind.largest_bytes[-1]), "bytes"),
                    ", ".join(told) or sheet(N_("never")),
                ]
            )
    return b.table([sheet(name) for name in names], rows, numbers=(1, 2, 3, 4, 5))
