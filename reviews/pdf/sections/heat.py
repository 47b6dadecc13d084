"""The heatmaps of the shown day, as on the page, with what they show in words."""

from collections.abc import Iterator

from designer.document.key import as_text
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.presentation.charts.heatmap import OF
from estimator.presentation.design_page import TablePage
from estimator.presentation.figures import busiest_row
from estimator.presentation.labels import PATTERNS
from estimator.results import TableTraffic
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block
from reviews.pdf.render_context import RenderContext


def blocks(context: RenderContext) -> Iterator[Block]:
    """Yield per table its writes beside its reads, all on the scale of a node; of many tables only what they write."""
    tables = [table for table in context.page.tables if table.part.traffic]
    if not tables:
        yield b.text(context(N_("The load cannot be computed yet. Add an activity with a rate.")), muted=True)
        return
    if context.has_many_tables:
        yield from _small_heatmaps(context, tables)
        return
    for table in tables:
        traffic = table.part.traffic
        assert traffic is not None
        day = context.number(traffic.day, "date")
        yield b.heading([b.code(table.table.label), b.quiet(f" {day}, UTC")])
        charts = (context.page.charts[f"heat-{table.table.id}-{of}-absolute"]() for of in OF)
        yield b.pictures([context.picture(chart, width=440, height=210) for chart in charts], columns=2)
        yield from _observations(context, traffic)


def _small_heatmaps(context: RenderContext, tables: list[TablePage]) -> Iterator[Block]:
    pictures = []
    for table in tables:
        chart = context.page.charts[f"heat-{table.table.id}-writes-absolute"]()
        pictures.append(context.picture(chart, width=440, height=190, heat=f"{table.table.label} · "))
    yield b.pictures(pictures, columns=2)


def _observations(context: RenderContext, traffic: TableTraffic) -> Iterator[Block]:
    """Yield the main observations about the heatmap."""
    several = len(traffic.patterns) > 1
    patterns = [
        context(PATTERNS[p.name]) + (f" ({context.number(p.share, 'share')})" if several else "")
        for p in traffic.patterns
    ]
    first = context.engine.terms["patterns"]
    yield b.text(f"{context(first)} ", b.strong(context.join(patterns)))
    lines = []
    if row := busiest_row(traffic, context.spec):
        rate, share = row.per_second, row.node_share
        rate_text = context(
            N_("{rate_per_second} at the peak, {node_share} of one node"), rate_per_second=rate, node_share=share
        )
        if not engine_of(context.spec).HAS_NODES:
            rate_text = context(N_("{rate_per_second} at the peak"), rate_per_second=rate)
        lines.append([{"t": context(N_("Busiest row")) + ": "}, b.code(as_text(row.key)), b.quiet(f"  {rate_text}")])
    for front in traffic.fronts:
        rate_text = context(N_("{rate_per_second} at the peak"), rate_per_second=front.per_second)
        ends = context(N_("Append points: {count}, hottest after"), count=front.distinct)
        if front.prefix:
            lines.append([{"t": f"{ends} "}, b.code(as_text(front.prefix)), b.quiet(f"  {rate_text}")])
        else:
            lines.append([{"t": context(N_("All new rows go to one append point"))}, b.quiet(f"  {rate_text}")])
    if lines:
        yield b.items(lines)
