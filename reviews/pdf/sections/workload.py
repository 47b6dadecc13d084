"""Activities in the real world, and the writes and reads that follow from them."""

from collections.abc import Iterator

from designer.document import write_mode
from designer.document.texts import N_
from designer.wording import MODES, wanted
from estimator.presentation.design_page import Access, Kind
from estimator.presentation.labels import ACCESS
from estimator.results import ReadPlan, WriteLoad
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell
from reviews.pdf.render_context import Sheet

from .keys import assumed


def blocks(sheet: Sheet) -> Iterator[Block]:
    """Activities, then per table its writes and reads."""
    yield b.heading(sheet(N_("Activities")))
    yield _activities(sheet) if sheet.spec.activities else b.text(sheet(N_("No activities yet.")), muted=True)
    for table in sheet.shown.tables:
        for kind in table.kinds:
            name = kind.it.name if len(table.kinds) > 1 else ""
            yield b.heading([b.code(table.it.label), *([{"t": f" · {name}"}] if name else [])])
            yield from _writes(sheet, kind)
            yield from _reads(sheet, kind)


def _activities(sheet: Sheet) -> Block:
    names = (N_("Activity"), N_("Rate"), N_("Load profile"), N_("Arrival pattern"), N_("Monthly growth"))
    rows: list[list[Cell]] = []
    for activity in sheet.spec.activities:
        days = [assumed(sheet, activity, "profile")]
        for day in activity.peak_days:
            told = f"; {day.name}, {sheet.number(day.date, 'date')}: {sheet.number(day.factor, 'factor')}"
            days.append([b.quiet(told)])
        rows.append(
            [
                sheet.told(activity.name) or activity.id,
                assumed(sheet, activity, "rate_per_second", "per_second"),
                [run for runs in days for run in runs],
                assumed(sheet, activity, "arrival"),
                assumed(sheet, activity, "growth_per_month", "share"),
            ]
        )
    return b.table([sheet(name) for name in names], rows, numbers=(1, 4), wide=(0, 2))


def _writes(sheet: Sheet, kind: Kind) -> Iterator[Block]:
    if not kind.writes:
        yield b.text(sheet(N_("No writes are defined for these rows.")), muted=True)
        return
    names = (N_("Write"), N_("How"), N_("Rows per second"), N_("Peak"), N_("Bytes per row"))
    rows = [
        [write.it.label, sheet(MODES[write_mode(sheet.spec, write.it)]), *_load(sheet, write)] for write in kind.writes
    ]
    yield b.table([sheet(name) for name in names], rows, numbers=(2, 3, 4))


def _load(sheet: Sheet, write: Access) -> list[Cell]:
    load = write.load
    if not isinstance(load, WriteLoad):
        return [sheet.unknown()] * 3
    rates = (load.rows_per_second, load.peak_rows_per_second)
    return [*(sheet.number(rate, "per_second") for rate in rates), sheet.number(load.bytes_per_row, "bytes")]


def _reads(sheet: Sheet, kind: Kind) -> Iterator[Block]:
    if not kind.reads:
        yield b.text(sheet(N_("No reads are defined for these rows.")), muted=True)
        return
    names = (N_("Read"), N_("Access path"), N_("Rate"), N_("Rows scanned"), N_("Bytes scanned"))
    rows: list[list[Cell]] = []
    for read in kind.reads:
        knows = " · ".join(map(sheet.said, wanted(sheet.spec, read.it)))
        rows.append([[{"t": read.it.label}, b.quiet(f"  {knows}")], *_plan(sheet, read)])
    yield b.table([sheet(name) for name in names], rows, numbers=(2, 3, 4))


def _plan(sheet: Sheet, read: Access) -> list[Cell]:
    plan = read.load
    if not isinstance(plan, ReadPlan):
        return [sheet.unknown()] * 4
    served = sheet(ACCESS[plan.access]) + (f" × {sheet.number(plan.ranges)}" if plan.ranges > 1 else "")
    rate: Cell = sheet.unknown() if plan.per_second is None else sheet.number(plan.per_second, "per_second")
    if not plan.counted:
        return [served, rate, sheet.unknown(), sheet.unknown()]
    scanned: list[dict[str, object]] = [{"t": sheet.number(plan.rows_scanned)}]
    if plan.rows_returned < plan.rows_scanned:
        scanned.append(b.quiet(" " + sheet(N_("{rows} returned"), rows=plan.rows_returned)))
    return [served, rate, scanned, sheet.number(plan.bytes_scanned, "bytes")]
