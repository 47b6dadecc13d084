"""The first page: what the design is for, its bill, verdicts, worst findings and accepted risks."""

from collections.abc import Iterable, Iterator

from designer.document.texts import N_
from designer.wording import element_label, shorten
from estimator.presentation.design_page import GRAVITY
from estimator.presentation.figures import stored_bytes, units_used
from estimator.presentation.labels import LIMITED_BY

from . import blocks as b
from . import markdown
from .blocks import Block, Cell
from .markdown import beginning
from .render_context import Sheet
from .sections import review
from .sections.findings import line

STORY_LETTERS = 520
"""So much of the description stands on the first page; a longer one follows whole, before the sections."""
MOST_FINDINGS, MOST_RISKS, MOST_VERDICTS, MOST_LINES, MOST_CLUSTERS = 5, 4, 6, 5, 2
COUNTS = {
    "error": N_("errors: {count}"),
    "warning": N_("warnings: {count}"),
    "question": N_("questions: {count}"),
    "note": N_("notes: {count}"),
    "accepted": N_("accepted: {count}"),
}
LETTERS = 240
"""A sentence or reason is cut after so many, so that the page remains one."""


def blocks(sheet: Sheet) -> Iterator[Block]:
    """One page."""
    if sheet.spec.description:
        yield b.text(beginning(sheet.told(sheet.spec.description), _room(sheet)))
    yield b.facts(_figures(sheet))
    yield b.heading(sheet(N_("Verdicts")), 2)
    yield from _verdicts(sheet)
    yield b.heading(sheet(N_("Most severe findings")), 2)
    yield from _worst(sheet)
    yield b.heading(sheet(N_("Accepted risks")), 2)
    yield from _risks(sheet)
    yield b.heading(sheet(N_("Largest bill lines")), 2)
    yield from _lines(sheet)


def story(sheet: Sheet) -> Iterator[Block]:
    """Yield the whole description, if the first page has only its beginning."""
    told = sheet.told(sheet.spec.description)
    if sum(len(run["t"]) for run in beginning(told, len(told))) > _room(sheet):
        yield from markdown.blocks(told)


def _room(sheet: Sheet) -> int:
    return STORY_LETTERS // (2 if sheet.language == "ja" else 1)


def _turns(values: list[float]) -> Iterable[float]:
    """Return the first and the last value, with the largest between them if it exceeds both.

    Return one value if the first and the last are equal.
    """
    first, most, last = values[0], max(values), values[-1]
    return (first, most, last) if most > max(first, last) else dict.fromkeys((first, last))


def _figures(sheet: Sheet) -> Iterator[tuple[str, Cell, Cell]]:
    bill = sheet.estimate.bill
    if bill:
        yield (
            sheet(N_("Per month at the end of the horizon")),
            sheet.total(),
            f"{sheet.money(bill.low)} – {sheet.money(bill.high)}",
        )
    else:
        yield sheet(N_("Per month at the end of the horizon")), sheet.unknown(), sheet(N_("no bill yet"))
    counts = [sheet(COUNTS[name], count=count) for name, count in sheet.shown.counts.items()]
    yield sheet(N_("Findings")), str(sum(sheet.shown.counts.values())), " · ".join(counts)
    for cluster in sheet.estimate.nodes[:MOST_CLUSTERS]:
        more = sheet(LIMITED_BY[cluster.limited_by])
        if cluster.short_from:
            more = sheet(N_("insufficient from {date}"), date=cluster.short_from)
        name = sheet(N_("Nodes, {name}"), name=shorten(element_label(sheet.spec, cluster.cluster), 24))
        yield name, " → ".join(map(sheet.number, _turns(cluster.nodes_by_month.tolist()))), more
    if sheet.estimate.capacity_units:
        used = units_used(sheet.estimate)
        name, unit = sheet(N_("Capacity units at the end of the horizon")), "cu_per_second"
        yield (
            name,
            sheet.number(used.read, unit),
            sheet(N_("read; {written_cu_per_second} written"), written_cu_per_second=used.write),
        )
    stored = sheet(sheet.engine.terms["stored bytes"])
    yield sheet(N_("Stored at the end of the horizon")), sheet.number(stored_bytes(sheet.estimate), "bytes"), stored
    yield sheet(N_("Assumed values")), str(len(sheet.shown.guesses)), sheet(N_("assumed values"))


def _verdicts(sheet: Sheet) -> Iterator[Block]:
    given = sheet.stand.verdicts
    if not given:
        yield b.text(sheet(N_("No verdicts yet.")), muted=True)
        return
    names = (N_("Section"), N_("Verdict"), N_("By"), N_("On"))
    rows: list[list[Cell]] = [
        [sheet(one.section), review.verdict(sheet, one), shorten(one.by, 40), sheet.number(one.when.date(), "date")]
        for one in given[:MOST_VERDICTS]
    ]
    yield b.table([sheet(name) for name in names], rows, wide=(1,))
    yield from _more(sheet, len(given) - MOST_VERDICTS)


def _worst(sheet: Sheet) -> Iterator[Block]:
    grave = [remark for remark in sheet.shown.remarks if GRAVITY.index(remark.severity) < GRAVITY.index("note")]
    if not grave:
        yield b.text(sheet(N_("No errors or warnings.")), muted=True)
    for remark in grave[:MOST_FINDINGS]:
        block = line(sheet, remark)
        yield {**block, "sentence": shorten(block["sentence"], LETTERS), "place": shorten(block["place"], 60)}
    yield from _more(sheet, len(grave) - MOST_FINDINGS)


def _risks(sheet: Sheet) -> Iterator[Block]:
    risks = sheet.spec.ignores
    if not risks:
        yield b.text(sheet(N_("No accepted risks.")), muted=True)
    yield b.items(
        [
            b.code(r.rule),
            b.quiet(f" {shorten(element_label(sheet.spec, r.at), 40)}: "),
            {"t": shorten(r.reason, LETTERS)},
            b.quiet(f" ({shorten(r.owner, 40)})"),
        ]
        for r in risks[:MOST_RISKS]
    )
    yield from _more(sheet, len(risks) - MOST_RISKS)


def _lines(sheet: Sheet) -> Iterator[Block]:
    bill = sheet.estimate.bill
    if not bill:
        yield b.text(
            sheet(N_("No bill yet. A bill requires a table, and a cluster in a region with prices.")), muted=True
        )
        return
    lines = sorted((line for line in bill.lines if line.cost is not None), key=lambda line: -(line.cost or 0))
    rows = [[shorten(sheet(line.label, line.params), 80), sheet.money(line.cost)] for line in lines[:MOST_LINES]]
    total: list[Cell] = [b.strong(sheet(N_("Total"))), b.strong(sheet.total())]
    yield b.table([sheet(N_("Line")), sheet(N_("Per month"))], rows, numbers=(1,), foot=total)


def _more(sheet: Sheet, more: int) -> Iterator[Block]:
    if more > 0:
        yield b.text(sheet(N_("… and {count} more"), count=more), muted=True)
