"""Row keys of every table, and the fields that they are made from."""

from collections.abc import Iterator

from designer.document.field import NOTHING
from designer.document.guesses import guess
from designer.document.texts import N_
from designer.wording import element_label, in_words
from estimator.presentation.design_page import Kind
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell, Run
from reviews.pdf.render_context import Sheet

SAMPLES, FEW_SAMPLES = 8, 3
MOST_SPLITS = 24


def blocks(sheet: Sheet) -> Iterator[Block]:
    """Per row kind the key, its segments and sample keys; then the fields."""
    for table in sheet.shown.tables:
        for kind in table.kinds:
            name = kind.it.name if len(table.kinds) > 1 else ""
            yield b.heading([b.code(table.it.label), *([{"t": f" · {name}"}] if name else [])])
            if table.it.description and kind is table.kinds[0]:
                yield b.text(sheet.told(table.it.description))
            yield from _key(sheet, kind)
        if table.it.split_keys:
            shown = table.it.split_keys[:MOST_SPLITS]
            yield b.text(sheet(N_("Split keys at creation: {count}"), count=len(table.it.split_keys)), muted=True)
            yield b.keys([*shown, "…"] if len(shown) < len(table.it.split_keys) else shown)
    if sheet.spec.fields:
        yield b.heading(sheet(N_("Fields")))
        yield _fields(sheet)


def _key(sheet: Sheet, kind: Kind) -> Iterator[Block]:
    if not kind.segments:
        yield b.text(sheet(N_("No row key yet.")), muted=True)
        return
    yield b.keys([kind.text])
    if kind.facts:
        yield b.text(_sizes(sheet, kind), muted=True)
    names = (N_("Segment"), N_("Meaning"), N_("Bytes"), N_("Values"))
    rows: list[list[Cell]] = []
    for segment in kind.segments:
        facts, chip = segment.facts, segment.chip
        what = ", ".join(map(sheet.said, chip.what))
        if facts and facts.grows:
            what += f" · {sheet(_GROWS[facts.grows])}"
        if facts and not facts.text_order:
            what += " · " + sheet(N_("text order differs from value order"))
        size = distinct = ""
        if facts:
            alike = facts.bytes_min == facts.bytes_max
            size = str(facts.bytes_max) if alike else f"{facts.bytes_min}–{facts.bytes_max}"
            distinct = sheet.number(facts.distinct)
        form: list[Run] = [b.code(chip.form), *([b.quiet(" + "), b.code(chip.after)] if chip.after else [])]
        rows.append([form, what, size, distinct])
    yield b.table([sheet(name) for name in names], rows, numbers=(2, 3), wide=(1,))
    if kind.samples:
        yield b.text(sheet(N_("Sample keys in byte order")), muted=True)
        shown = kind.samples[: FEW_SAMPLES if sheet.many else SAMPLES]
        yield b.keys(["".join(text + after for _, text, after in sample) for sample in shown])


_GROWS = {"time": N_("increases with time"), "sequence": N_("increases sequentially")}


def _sizes(sheet: Sheet, kind: Kind) -> str:
    facts = kind.facts
    assert facts is not None
    least, most = sheet.number(facts.bytes_min, "bytes"), sheet.number(facts.bytes_max, "bytes")
    size = most
    if facts.bytes_min != facts.bytes_max:
        typical = sheet.number(facts.bytes_typical, "bytes")
        size = sheet(N_("{least} to {most}, typically {typical}"), least=least, most=most, typical=typical)
    rows = sheet(N_("{rows} distinct keys by the end of the horizon"), rows=facts.distinct_rows)
    return f"{size} · {rows}"


def _fields(sheet: Sheet) -> Block:
    names = (N_("Field"), N_("Kind"), N_("Values"), N_("Distinct"), N_("Access distribution"))
    rows: list[list[Cell]] = []
    for field in sheet.spec.fields:
        name: list[Run] = [b.code(field.label)]
        if field.belongs_to not in (None, NOTHING):
            owner = element_label(sheet.spec, field.belongs_to)
            name.append(b.quiet(" " + sheet(N_("belongs to {owner}"), owner=owner)))
        if field.personal:
            name.append(b.quiet(" · " + sheet(N_("personal data"))))
        cells = (assumed(sheet, field, "kind"), assumed(sheet, field, "values"))
        rows.append([name, *cells, assumed(sheet, field, "distinct"), assumed(sheet, field, "popularity")])
    return b.table([sheet(name) for name in names], rows, numbers=(3,), wide=(0, 2, 4))


def assumed(sheet: Sheet, part: object, name: str, unit: str = "") -> list[Run]:
    """Return the value of an optional field in words: the set value, else the assumed value."""
    value, guessed = getattr(part, name), False
    if value is None:
        value = guess(sheet.spec, part, name).value  # type: ignore[arg-type]
        guessed = value is not None
    if value is None:
        return [sheet.unknown()]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    text = sheet.number(value, unit or "count") if number else sheet.said(in_words(value))
    return [{"t": text}, *([b.quiet(" (" + sheet(N_("assumed")) + ")")] if guessed else [])]
