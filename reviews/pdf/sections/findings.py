"""Findings by rule: why once, then each with its measured effect. Accepted ones are the review's."""

from collections.abc import Iterator

from designer.document.texts import N_
from estimator.presentation.design_page import GRAVITY, FindingView
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block
from reviews.pdf.render_context import RenderContext

MOST_OF_ONE = 12
"""So many findings of one rule are written out in a design of many tables."""


def blocks(context: RenderContext) -> Iterator[Block]:
    """Gravest rule first; consequences under their cause."""
    by_rule: dict[tuple[int, str], list[FindingView]] = {}
    for remark in context.page.remarks:
        by_rule.setdefault((GRAVITY.index(remark.severity), remark.finding.rule), []).append(remark)
    if not by_rule:
        yield b.text(context(N_("No rule reports a problem in this design.")), muted=True)
    for (_, code), remarks in by_rule.items():
        first = remarks[0]
        yield b.heading([b.code(code), {"t": f" {context.translate_text(first.rule.title) if first.rule else ''}"}])
        most = MOST_OF_ONE if context.has_many_tables else len(remarks)
        for remark in remarks[:most]:
            yield from _finding(context, remark)
        if len(remarks) > most:
            yield b.text(context(N_("… and {count} more of the same rule"), count=len(remarks) - most), muted=True)
        if first.rule:
            explanation = first.rule.explanation
            yield b.text(context.translate_text(explanation.why))
            yield b.text(b.strong(context(N_("Instead:")) + " "), context.translate_text(explanation.instead))
            yield b.text(
                b.strong(context(N_("Fine when:")) + " "), context.translate_text(explanation.fine_when), muted=True
            )


def _finding(context: RenderContext, remark: FindingView) -> Iterator[Block]:
    yield line(context, remark)
    finding = remark.finding
    if finding.ignored:
        yield b.text(
            b.strong(context(N_("Accepted:")) + " "), finding.ignored.reason, b.quiet(f" ({finding.ignored.owner})")
        )
    if finding.fix_label:
        kind = context(N_("safe")) if finding.fix_safe else context(N_("changes stored keys or queries"))
        yield b.text(
            b.strong(context(N_("Fix:")) + " "), context(finding.fix_label, finding.params), b.quiet(f" · {kind}")
        )
    if finding.choices:
        answers = " · ".join(context(choice.label, choice.params) for choice in finding.choices)
        yield b.text(b.strong(context(N_("Answers:")) + " "), answers)
    if remark.under:
        yield b.text(b.strong(context(remark.under_title)))
        most = MOST_OF_ONE if context.has_many_tables else len(remark.under)
        for below in remark.under[:most]:
            yield line(context, below)
        if len(remark.under) > most:
            yield b.text(context(N_("… and {count} more"), count=len(remark.under) - most), muted=True)


def line(context: RenderContext, remark: FindingView) -> Block:
    """One finding: how grave, its rule, its sentence, where."""
    return b.finding(
        context.sign(remark.severity), remark.finding.rule, context.format_text(remark.finding), context.place(remark)
    )
