"""Activities in the real world, and the writes and reads that follow from them."""

from collections.abc import Iterator

from designer.document import write_mode
from designer.document.texts import N_
from designer.wording import MODES, describe_read
from estimator.presentation.design_page import AccessView, RowKindView
from estimator.presentation.labels import ACCESS
from estimator.results import ReadPlan, WriteLoad
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell
from reviews.pdf.render_context import RenderContext

from .keys import effective_value_runs


def blocks(context: RenderContext) -> Iterator[Block]:
    """Activities, then per table its writes and reads."""
    yield b.heading(context(N_("Activities")))
    yield _activities(context) if context.spec.activities else b.text(context(N_("No activities yet.")), muted=True)
    for table in context.page.tables:
        for kind in table.kinds:
            name = kind.row_kind.name if len(table.kinds) > 1 else ""
            yield b.heading([b.code(table.table.label), *([{"t": f" · {name}"}] if name else [])])
            yield from _writes(context, kind)
            yield from _reads(context, kind)


def _activities(context: RenderContext) -> Block:
    names = (N_("Activity"), N_("Rate"), N_("Load profile"), N_("Arrival pattern"), N_("Monthly growth"))
    rows: list[list[Cell]] = []
    for activity in context.spec.activities:
        days = [effective_value_runs(context, activity, "profile")]
        for day in activity.peak_days:
            peak_text = f"; {day.name}, {context.number(day.date, 'date')}: {context.number(day.factor, 'factor')}"
            days.append([b.quiet(peak_text)])
        rows.append(
            [
                context.translate_text(activity.name) or activity.id,
                effective_value_runs(context, activity, "rate_per_second", "per_second"),
                [run for runs in days for run in runs],
                effective_value_runs(context, activity, "arrival"),
                effective_value_runs(context, activity, "growth_per_month", "share"),
            ]
        )
    return b.table([context(name) for name in names], rows, numbers=(1, 4), wide=(0, 2))


def _writes(context: RenderContext, kind: RowKindView) -> Iterator[Block]:
    if not kind.writes:
        yield b.text(context(N_("No writes are defined for these rows.")), muted=True)
        return
    names = (N_("Write"), N_("How"), N_("Rows per second"), N_("Peak"), N_("Bytes per row"))
    rows = [
        [write.access.label, context(MODES[write_mode(context.spec, write.access)]), *_load(context, write)]
        for write in kind.writes
    ]
    yield b.table([context(name) for name in names], rows, numbers=(2, 3, 4))


def _load(context: RenderContext, write: AccessView) -> list[Cell]:
    load = write.load
    if not isinstance(load, WriteLoad):
        return [context.unknown()] * 3
    rates = (load.rows_per_second, load.peak_rows_per_second)
    return [*(context.number(rate, "per_second") for rate in rates), context.number(load.bytes_per_row, "bytes")]


def _reads(context: RenderContext, kind: RowKindView) -> Iterator[Block]:
    if not kind.reads:
        yield b.text(context(N_("No reads are defined for these rows.")), muted=True)
        return
    names = (N_("Read"), N_("Access path"), N_("Rate"), N_("Rows scanned"), N_("Bytes scanned"))
    rows: list[list[Cell]] = []
    for read in kind.reads:
        knows = " · ".join(map(context.format_text, describe_read(context.spec, read.access)))
        rows.append([[{"t": read.access.label}, b.quiet(f"  {knows}")], *_plan(context, read)])
    yield b.table([context(name) for name in names], rows, numbers=(2, 3, 4))


def _plan(context: RenderContext, read: AccessView) -> list[Cell]:
    plan = read.load
    if not isinstance(plan, ReadPlan):
        return [context.unknown()] * 4
    access = context(ACCESS[plan.access]) + (f" × {context.number(plan.ranges)}" if plan.ranges > 1 else "")
    rate: Cell = context.unknown() if plan.per_second is None else context.number(plan.per_second, "per_second")
    if not plan.has_actual_rows:
        return [access, rate, context.unknown(), context.unknown()]
    scanned: list[dict[str, object]] = [{"t": context.number(plan.rows_to_scan)}]
    if plan.rows_to_return < plan.rows_to_scan:
        scanned.append(b.quiet(" " + context(N_("{rows} returned"), rows=plan.rows_to_return)))
    return [access, rate, scanned, context.number(plan.bytes_scanned, "bytes")]
