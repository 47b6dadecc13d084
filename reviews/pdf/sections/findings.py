"""Findings by rule: why once, then each with its measured effect. Accepted ones are the review's."""

from collections.abc import Iterator

from designer.document.texts import N_
from estimator.presentation.design_page import GRAVITY, Remark
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block
from reviews.pdf.render_context import Sheet

MOST_OF_ONE = 12
"""So many findings of one rule are written out in a design of many tables."""


def blocks(sheet: Sheet) -> Iterator[Block]:
    """Gravest rule first; consequences under their cause."""
    by_rule: dict[tuple[int, str], list[Remark]] = {}
    for remark in sheet.shown.remarks:
        by_rule.setdefault((GRAVITY.index(remark.severity), remark.finding.rule), []).append(remark)
    if not by_rule:
        yield b.text(sheet(N_("No rule reports a problem in this design.")), muted=True)
    for (_, code), remarks in by_rule.items():
        first = remarks[0]
        yield b.heading([b.code(code), {"t": f" {sheet.told(first.rule.title) if first.rule else ''}"}])
        most = MOST_OF_ONE if sheet.many else len(remarks)
        for remark in remarks[:most]:
            yield from _finding(sheet, remark)
        if len(remarks) > most:
            yield b.text(sheet(N_("… and {count} more of the same rule"), count=len(remarks) - most), muted=True)
        if first.rule:
            told = first.rule.explanation
            yield b.text(sheet.told(told.why))
            yield b.text(b.strong(sheet(N_("Instead:")) + " "), sheet.told(told.instead))
            yield b.text(b.strong(sheet(N_("Fine when:")) + " "), sheet.told(told.fine_when), muted=True)


def _finding(sheet: Sheet, remark: Remark) -> Iterator[Block]:
    yield line(sheet, remark)
    found = remark.finding
    if found.ignored:
        yield b.text(b.strong(sheet(N_("Accepted:")) + " "), found.ignored.reason, b.quiet(f" ({found.ignored.owner})"))
    if found.fix_label:
        kind = sheet(N_("safe")) if found.fix_safe else sheet(N_("changes stored keys or queries"))
        yield b.text(b.strong(sheet(N_("Fix:")) + " "), sheet(found.fix_label, found.params), b.quiet(f" · {kind}"))
    if found.choices:
        answers = " · ".join(sheet(choice.label, choice.params) for choice in found.choices)
        yield b.text(b.strong(sheet(N_("Answers:")) + " "), answers)
    if remark.under:
        yield b.text(b.strong(sheet(remark.under_title)))
        most = MOST_OF_ONE if sheet.many else len(remark.under)
        for below in remark.under[:most]:
            yield line(sheet, below)
        if len(remark.under) > most:
            yield b.text(sheet(N_("… and {count} more"), count=len(remark.under) - most), muted=True)


def line(sheet: Sheet, remark: Remark) -> Block:
    """One finding: how grave, its rule, its sentence, where."""
    return b.finding(sheet.sign(remark.severity), remark.finding.rule, sheet.said(remark.finding), sheet.place(remark))
