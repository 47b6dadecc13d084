"""Verdicts with their words, and every accepted risk with its reason."""

from collections.abc import Iterator

from designer.document.texts import N_
from designer.wording import element_label
from estimator.advice.rules import RULES
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell, Run
from reviews.pdf.pdf_request import SectionVerdict
from reviews.pdf.render_context import RenderContext


def blocks(context: RenderContext) -> Iterator[Block]:
    """Two lists; nothing where there is neither a verdict nor an accepted risk."""
    if context.state.verdicts:
        yield b.heading(context(N_("Verdicts")))
        yield verdicts(context)
    if not context.spec.ignores:
        return
    yield b.heading(context(N_("Accepted risks")))
    names = (N_("Rule"), N_("About"), N_("Reason"), N_("Owner"), N_("Until"))
    rows: list[list[Cell]] = []
    for ignore in context.spec.ignores:
        rule = RULES.get(ignore.rule)
        until = context.number(ignore.until, "date") if ignore.until else context(N_("no expiry"))
        title = [b.code(ignore.rule), *([b.quiet(f" {context.translate_text(rule.title)}")] if rule else [])]
        rows.append([title, element_label(context.spec, ignore.at), ignore.reason, ignore.owner, until])
    yield b.table([context(name) for name in names], rows, wide=(0, 2))


def verdicts(context: RenderContext) -> Block:
    """Return a table of the verdicts on each section."""
    names = (N_("Section"), N_("Verdict"), N_("By"), N_("On"), N_("Comment"))
    rows: list[list[Cell]] = [
        [
            context(section_verdict.section),
            verdict(context, section_verdict),
            section_verdict.by,
            context.number(section_verdict.when.date(), "date"),
            section_verdict.note,
        ]
        for section_verdict in context.state.verdicts
    ]
    return b.table([context(name) for name in names], rows, wide=(4,))


def verdict(context: RenderContext, section_verdict: SectionVerdict) -> list[Run]:
    """Return a verdict in words, with its qualifiers."""
    runs = (
        [b.strong(context(N_("approved")))]
        if section_verdict.approved
        else [b.strong(context(N_("changes requested")))]
    )
    if section_verdict.self_checked and section_verdict.approved:
        runs = [b.strong(context(N_("self-checked")))]
    if section_verdict.from_link:
        runs.append(b.quiet(" · " + context(N_("through a link"))))
    if section_verdict.stale:
        runs.append(b.quiet(" · " + context(N_("outdated"))))
    return runs
