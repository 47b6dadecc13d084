"""Row keys of every table, and the fields that they are made from."""

from collections.abc import Iterator

from designer.document.field import NOTHING
from designer.document.guesses import guess
from designer.document.texts import N_
from designer.wording import describe_value, element_label
from estimator.presentation.design_page import RowKindView
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell, Run
from reviews.pdf.render_context import RenderContext

SAMPLES, FEW_SAMPLES = 8, 3
MOST_SPLITS = 24


def blocks(context: RenderContext) -> Iterator[Block]:
    """Per row kind the key, its segments and sample keys; then the fields."""
    for table in context.page.tables:
        for kind in table.kinds:
            name = kind.row_kind.name if len(table.kinds) > 1 else ""
            yield b.heading([b.code(table.table.label), *([{"t": f" · {name}"}] if name else [])])
            if table.table.description and kind is table.kinds[0]:
                yield b.text(context.translate_text(table.table.description))
            yield from _key(context, kind)
        if table.table.split_keys:
            splits = table.table.split_keys[:MOST_SPLITS]
            yield b.text(context(N_("Split keys at creation: {count}"), count=len(table.table.split_keys)), muted=True)
            yield b.keys([*splits, "…"] if len(splits) < len(table.table.split_keys) else splits)
    if context.spec.fields:
        yield b.heading(context(N_("Fields")))
        yield _fields(context)


def _key(context: RenderContext, kind: RowKindView) -> Iterator[Block]:
    if not kind.segments:
        yield b.text(context(N_("No row key yet.")), muted=True)
        return
    yield b.keys([kind.text])
    if kind.facts:
        yield b.text(_sizes(context, kind), muted=True)
    names = (N_("Segment"), N_("Meaning"), N_("Bytes"), N_("Values"))
    rows: list[list[Cell]] = []
    for segment in kind.segments:
        facts, chip = segment.facts, segment.chip
        what = context.join(map(context.format_text, chip.what))
        if facts and facts.grows:
            what += f" · {context(_GROWS[facts.grows])}"
        if facts and not facts.text_order:
            what += " · " + context(N_("text order differs from value order"))
        size = distinct = ""
        if facts:
            alike = facts.bytes_min == facts.bytes_max
            size = str(facts.bytes_max) if alike else f"{facts.bytes_min}–{facts.bytes_max}"
            distinct = context.number(facts.distinct)
        form: list[Run] = [b.code(chip.form), *([b.quiet(" + "), b.code(chip.after)] if chip.after else [])]
        rows.append([form, what, size, distinct])
    yield b.table([context(name) for name in names], rows, numbers=(2, 3), wide=(1,))
    if kind.samples:
        yield b.text(context(N_("Sample keys in byte order")), muted=True)
        samples = kind.samples[: FEW_SAMPLES if context.has_many_tables else SAMPLES]
        yield b.keys(["".join(text + after for _, text, after in sample) for sample in samples])


_GROWS = {"time": N_("increases with time"), "sequence": N_("increases sequentially")}


def _sizes(context: RenderContext, kind: RowKindView) -> str:
    facts = kind.facts
    assert facts is not None
    least, most = context.number(facts.bytes_min, "bytes"), context.number(facts.bytes_max, "bytes")
    size = most
    if facts.bytes_min != facts.bytes_max:
        typical = context.number(facts.bytes_typical, "bytes")
        size = context(N_("{least} to {most}, typically {typical}"), least=least, most=most, typical=typical)
    rows = context(N_("up to {rows} different keys by the end of the horizon"), rows=facts.distinct_rows)
    return f"{size} · {rows}"


def _fields(context: RenderContext) -> Block:
    names = (N_("Field"), N_("Kind"), N_("Values"), N_("Distinct"), N_("Access distribution"))
    rows: list[list[Cell]] = []
    for field in context.spec.fields:
        name: list[Run] = [b.code(field.label)]
        if field.belongs_to not in (None, NOTHING):
            owner = element_label(context.spec, field.belongs_to)
            name.append(b.quiet(" " + context(N_("belongs to {owner}"), owner=owner)))
        if field.personal:
            name.append(b.quiet(" · " + context(N_("personal data"))))
        cells = (effective_value_runs(context, field, "kind"), effective_value_runs(context, field, "values"))
        rows.append(
            [
                name,
                *cells,
                effective_value_runs(context, field, "distinct"),
                effective_value_runs(context, field, "popularity"),
            ]
        )
    return b.table([context(name) for name in names], rows, numbers=(3,), wide=(0, 2, 4))


def effective_value_runs(context: RenderContext, part: object, name: str, unit: str = "") -> list[Run]:
    """Return the value of an optional field in words: the set value, else the assumed value."""
    value, guessed = getattr(part, name), False
    if value is None:
        value = guess(context.spec, part, name).value  # type: ignore[arg-type]
        guessed = value is not None
    if value is None:
        return [context.unknown()]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    text = context.number(value, unit or "count") if number else context.format_text(describe_value(value))
    return [{"t": text}, *([b.quiet(" (" + context(N_("assumed")) + ")")] if guessed else [])]
