"""Verdicts with their words, and every accepted risk with its reason."""

from collections.abc import Iterator

from designer.document.texts import N_
from designer.wording import element_label
from estimator.advice.rules import RULES
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell, Run
from reviews.pdf.pdf_request import Verdict
from reviews.pdf.render_context import Sheet


def blocks(sheet: Sheet) -> Iterator[Block]:
    """Two lists."""
    yield b.heading(sheet(N_("Verdicts")))
    yield verdicts(sheet)
    yield b.heading(sheet(N_("Accepted risks")))
    if not sheet.spec.ignores:
        yield b.text(sheet(N_("No accepted risks.")), muted=True)
        return
    names = (N_("Rule"), N_("About"), N_("Reason"), N_("Owner"), N_("Until"))
    rows: list[list[Cell]] = []
    for ignore in sheet.spec.ignores:
        rule = RULES.get(ignore.rule)
        until = sheet.number(ignore.until, "date") if ignore.until else sheet(N_("no expiry"))
        title = [b.code(ignore.rule), *([b.quiet(f" {sheet.told(rule.title)}")] if rule else [])]
        rows.append([title, element_label(sheet.spec, ignore.at), ignore.reason, ignore.owner, until])
    yield b.table([sheet(name) for name in names], rows, wide=(0, 2))


def verdicts(sheet: Sheet) -> Block:
    """Return a table of the verdicts on each section."""
    if not sheet.stand.verdicts:
        return b.text(sheet(N_("No verdicts yet.")), muted=True)
    names = (N_("Section"), N_("Verdict"), N_("By"), N_("On"), N_("Comment"))
    rows: list[list[Cell]] = [
        [sheet(one.section), verdict(sheet, one), one.by, sheet.number(one.when.date(), "date"), one.note]
        for one in sheet.stand.verdicts
    ]
    return b.table([sheet(name) for name in names], rows, wide=(4,))


def verdict(sheet: Sheet, one: Verdict) -> list[Run]:
    """Return a verdict in words, with its qualifiers."""
    said = [b.strong(sheet(N_("approved")))] if one.approved else [b.strong(sheet(N_("changes requested")))]
    if one.self_checked and one.approved:
        said = [b.strong(sheet(N_("self-checked")))]
    if one.from_link:
        said.append(b.quiet(" · " + sheet(N_("through a link"))))
    if one.stale:
        said.append(b.quiet(" · " + sheet(N_("outdated"))))
    return said
