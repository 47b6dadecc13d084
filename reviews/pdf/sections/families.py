"""Column families with their garbage collection, columns, and what of them is stored."""

from collections.abc import Iterator

from designer.document.family import Family
from designer.document.texts import N_
from designer.wording import FAMILY_KINDS, gc_sentence, qualifier_of, retention_sentence, rotation_sentence
from estimator.presentation.design_page import TablePage
from estimator.presentation.figures import cause_totals
from estimator.presentation.labels import compression
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell, Run
from reviews.pdf.render_context import RenderContext

from .keys import effective_value_runs


def blocks(context: RenderContext) -> Iterator[Block]:
    """Per table its families."""
    for table in context.page.tables:
        yield b.heading(b.code(table.table.label))
        if (rotation := rotation_sentence(table.table)) is not None:
            yield b.text(context.format_text(rotation))
        if not context.engine.has_families:
            yield b.text(context.format_text(retention_sentence(table.table)))
        if not table.table.families:
            yield b.text(context(context.engine.terms["no families"]), muted=True)
        elif context.has_many_tables:
            yield _combined_table(context, table)
        else:
            for family in table.table.families:
                yield from _family(context, table, family)
        sentence = compression(table.part.growth) if table.part.growth else None
        if sentence and not context.has_many_tables:
            yield b.text(context.format_text(sentence), muted=True)
        yield from _retention(context, table)


def _name(context: RenderContext, family: Family) -> list[Run]:
    kind = f" · {context(FAMILY_KINDS[family.kind])}" if family.kind != "ordinary" else ""
    return [b.code(family.label) | {"b": True}, *([b.quiet(kind)] if kind else [])]


def _family(context: RenderContext, table: TablePage, family: Family) -> Iterator[Block]:
    if context.engine.has_families:
        yield b.heading(_name(context, family), 3)
        yield b.text(context.format_text(gc_sentence(family.gc)))
    names = (N_("Column"), N_("Value"), N_("Typical size"), N_("Share of rows"))
    yield b.table([context(name) for name in names], _columns(context, family), numbers=(2, 3))
    if growths := table.bytes_by_family.get(family.id):
        shares = cause_totals(growths, context.spec.engine)
        parts = context.join(f"{context(name)} {context.number(share, 'share')}" for name, share in shares)
        yield b.text(context(N_("Stored:")) + f" {parts}", muted=True)


def _columns(context: RenderContext, family: Family) -> list[list[Cell]]:
    return [
        [
            b.code(qualifier_of(context.spec, column)),
            effective_value_runs(context, column.value, "kind"),
            effective_value_runs(context, column.value, "typical_bytes", "bytes"),
            context.number(1.0 if column.presence is None else column.presence, "share"),
        ]
        for column in family.columns
    ]


def _combined_table(context: RenderContext, table: TablePage) -> Block:
    """All families of a table in one table, where there are many of those."""
    names = (N_("Family, column"), N_("Value"), N_("Typical size"), N_("Share of rows"))
    rows: list[list[Cell]] = []
    for family in table.table.families:
        rule_text = f"  {context.format_text(gc_sentence(family.gc))}" if context.engine.has_families else ""
        rows.append([[*_name(context, family), b.quiet(rule_text)], "", "", ""])
        rows += _columns(context, family)
    return b.table([context(name) for name in names], rows, numbers=(2, 3))


def _retention(context: RenderContext, table: TablePage) -> Iterator[Block]:
    """Backups and what else keeps data."""
    lines = [
        context(
            N_("Backup every {every_hours}, retained for {kept_days}."),
            every_hours=24.0 if backup.every_hours is None else backup.every_hours,
            kept_days=7.0 if backup.kept_days is None else backup.kept_days,
        )
        for backup in table.table.backups
    ]
    if table.table.change_stream_days:
        lines.append(context(N_("Change stream retained for {kept_days}."), kept_days=table.table.change_stream_days))
    if table.table.infrequent_access_days:
        lines.append(
            context(N_("Infrequent access after {after_days}."), after_days=table.table.infrequent_access_days)
        )
    if table.table.deletion_protection:
        lines.append(context(N_("Deletion protection is on.")))
    if lines:
        yield b.items(lines)
