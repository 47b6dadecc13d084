"""Column families with their garbage collection, columns, and what of them is stored."""

from collections.abc import Iterator

from designer.document.family import Family
from designer.document.texts import N_
from designer.wording import FAMILY_KINDS, gc_sentence, kept_sentence, qualifier_of
from estimator.presentation.design_page import TablePage
from estimator.presentation.figures import causes
from estimator.presentation.labels import compression
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell, Run
from reviews.pdf.render_context import Sheet

from .keys import assumed


def blocks(sheet: Sheet) -> Iterator[Block]:
    """Per table its families."""
    for table in sheet.shown.tables:
        yield b.heading(b.code(table.it.label))
        if not sheet.engine.has_families:
            yield b.text(sheet.said(kept_sentence(table.it)))
        if not table.it.families:
            yield b.text(sheet(sheet.engine.terms["no families"]), muted=True)
        elif sheet.many:
            yield _in_one(sheet, table)
        else:
            for family in table.it.families:
                yield from _family(sheet, table, family)
        sentence = compression(table.part.growth) if table.part.growth else None
        if sentence and not sheet.many:
            yield b.text(sheet.said(sentence), muted=True)
        yield from _kept(sheet, table)


def _name(sheet: Sheet, family: Family) -> list[Run]:
    kind = f" · {sheet(FAMILY_KINDS[family.kind])}" if family.kind != "ordinary" else ""
    return [b.code(family.label) | {"b": True}, *([b.quiet(kind)] if kind else [])]


def _family(sheet: Sheet, table: TablePage, family: Family) -> Iterator[Block]:
    if sheet.engine.has_families:
        yield b.heading(_name(sheet, family), 3)
        yield b.text(sheet.said(gc_sentence(family.gc)))
    names = (N_("Column"), N_("Value"), N_("Typical size"), N_("Share of rows"))
    yield b.table([sheet(name) for name in names], _columns(sheet, family), numbers=(2, 3))
    if growths := table.bytes_by_family.get(family.id):
        shares = causes(growths, sheet.spec.engine)
        parts = ", ".join(f"{sheet.number(share, 'share')} {sheet(name)}" for name, share in shares)
        yield b.text(sheet(N_("Stored:")) + f" {parts}", muted=True)


def _columns(sheet: Sheet, family: Family) -> list[list[Cell]]:
    return [
        [
            b.code(qualifier_of(sheet.spec, column)),
            assumed(sheet, column.value, "kind"),
            assumed(sheet, column.value, "typical_bytes", "bytes"),
            sheet.number(1.0 if column.presence is None else column.presence, "share"),
        ]
        for column in family.columns
    ]


def _in_one(sheet: Sheet, table: TablePage) -> Block:
    """All families of a table in one table, where there are many of those."""
    names = (N_("Family, column"), N_("Value"), N_("Typical size"), N_("Share of rows"))
    rows: list[list[Cell]] = []
    for family in table.it.families:
        kept = f"  {sheet.said(gc_sentence(family.gc))}" if sheet.engine.has_families else ""
        rows.append([[*_name(sheet, family), b.quiet(kept)], "", "", ""])
        rows += _columns(sheet, family)
    return b.table([sheet(name) for name in names], rows, numbers=(2, 3))


def _kept(sheet: Sheet, table: TablePage) -> Iterator[Block]:
    """Backups and what else keeps data."""
    lines = [
        sheet(
            N_("Backup every {every_hours}, retained for {kept_days}."),
            every_hours=24.0 if backup.every_hours is None else backup.every_hours,
            kept_days=7.0 if backup.kept_days is None else backup.kept_days,
        )
        for backup in table.it.backups
    ]
    if table.it.change_stream_days:
        lines.append(sheet(N_("Change stream retained for {kept_days}."), kept_days=table.it.change_stream_days))
    if table.it.infrequent_access_days:
        lines.append(sheet(N_("Infrequent access after {after_days}."), after_days=table.it.infrequent_access_days))
    if table.it.deletion_protection:
        lines.append(sheet(N_("Deletion protection is on.")))
    if lines:
        yield b.items(lines)
