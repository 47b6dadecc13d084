"""Growth of rows and tables over the horizon."""

from collections.abc import Iterator

from designer.document.texts import N_
from designer.wording import element_label
from estimator.presentation.charts.growth import row_growth, table_growth
from estimator.presentation.figures import largest_row_text, stored_text
from estimator.results import Crossing, RowGrowth
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell
from reviews.pdf.render_context import RenderContext


def blocks(context: RenderContext) -> Iterator[Block]:
    """Yield a table of all tables, and charts if there are only a few."""
    tables = [table for table in context.page.tables if table.part.growth]
    if not tables:
        yield b.text(context(N_("Growth cannot be computed yet. Add an activity with a rate.")), muted=True)
        return
    yield _sizes(context)
    if context.has_many_tables:
        return
    for table in tables:
        grown = table.part.growth
        assert grown is not None
        yield b.heading(b.code(table.table.label))
        yield from context.charts([table_growth(grown), *map(row_growth, grown.kinds)], 2)


def _sizes(context: RenderContext) -> Block:
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
    for table in context.page.tables:
        grown = table.part.growth
        for kind in grown.kinds if grown else ():
            name = [b.code(table.table.label)]
            if len(table.kinds) > 1:
                name.append(b.quiet(f" · {element_label(context.spec, kind.row_kind)}"))
            first = kind is grown.kinds[0] if grown else False
            crossings = [_crossing(context, kind, c) for c in kind.crossings if c.date]
            rows.append(
                [
                    name,
                    context.number(kind.rows),
                    context.number(float(grown.logical_bytes[-1]), "bytes") if grown and first else "",
                    context.format_text(stored_text(grown)) if grown and first else "",
                    context.number(float(kind.p99_bytes[-1]), "bytes"),
                    context.format_text(largest_row_text(kind)),
                    context.join(crossings) or context(N_("never")),
                ]
            )
    return b.table([context(name) for name in names], rows, numbers=(1, 2, 3, 4, 5))


def _crossing(context: RenderContext, kind: RowGrowth, crossing: Crossing) -> str:
    """Return the date of a limit in words: of the live cells, else with those that are not collected yet."""
    live = next((c.date for c in kind.sure_crossings if c.limit == crossing.limit), None)
    params = {"limit_bytes": crossing.limit_bytes, "date": live or crossing.date}
    return context("{limit_bytes}: {date}" if live else N_("{limit_bytes}: {date}, with expired cells"), params)
