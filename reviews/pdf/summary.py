"""The first page: the verdict, what the design is for, its figures, largest risks, the recommended change, questions.

A part that does not fit on the page is left out of it; everything stands in the sections.
"""

from collections.abc import Iterable, Iterator

from designer.document.texts import N_, Text
from designer.wording import element_label, shorten
from estimator.comparison.preview import Preview
from estimator.engines import engine_of
from estimator.presentation.assumed_range import range_texts
from estimator.presentation.charts.scale import STOPS
from estimator.presentation.charts.thumbnail import busiest_table
from estimator.presentation.design_page import DesignPage, FindingView
from estimator.presentation.figures import total_stored_bytes, total_unit_use
from estimator.presentation.labels import LIMITED_BY
from estimator.presentation.sheet.verdict import document_verdict, hottest_share
from estimator.presentation.stakes import stakes
from estimator.results import Bill

from . import blocks as b
from . import markdown
from .blocks import Block, Cell
from .markdown import first_paragraphs
from .pdf_request import PdfOptions
from .render_context import RenderContext
from .sections import review
from .sections.findings import line

STORY_LETTERS = 280
"""So much of the description stands on the first page; a longer one follows whole, before the sections."""
MOST_FINDINGS, MOST_QUESTIONS, MOST_RISKS, MOST_VERDICTS, MOST_LINES, MOST_CLUSTERS = 3, 3, 4, 6, 5, 2
COUNTS = {
    "error": N_("errors: {count}"),
    "warning": N_("warnings: {count}"),
    "question": N_("questions: {count}"),
    "note": N_("notes: {count}"),
    "accepted": N_("accepted: {count}"),
}
LETTERS = 240
"""A sentence or reason is cut after so many, so that the page remains one."""
MOST_KEY = 40
"""Letters of a row key above a picture."""


def blocks(context: RenderContext) -> Iterator[Block]:
    """Yield the parts of the page, the most important first; each begins with a heading."""
    yield b.verdict(
        ("" if context.language == "ja" else " ").join(
            map(context.format_text, document_verdict(context.page).sentences)
        )
    )
    if context.spec.description:
        yield b.text(
            first_paragraphs(context.translate_text(context.spec.description), _free_lines(context)), muted=True
        )
    yield b.facts(_figures(context))
    yield from _part(context, N_("Load over the day"), _pictures(context))
    yield from _part(context, N_("Largest risks"), _largest_risks(context))
    if context.recommendation:
        yield from _part(context, N_("Recommended change"), _recommended_change(context, *context.recommendation))
    yield from _part(context, N_("Open questions"), _questions(context))
    yield from _part(context, N_("Accepted risks"), _risks(context))
    yield from _part(context, N_("Verdicts"), _verdicts(context))
    if not context.options.hides_cost:
        yield b.heading(context(N_("Largest bill lines")), 2)
        yield from _lines(context)


def left_out(options: PdfOptions) -> str:
    """Return the sentence that says what the file does not hold."""
    if options.hides_cost and options.hides_samples:
        return N_("Cost and sample keys are hidden in this file.")
    return N_("Cost is hidden in this file.") if options.hides_cost else N_("Sample keys are hidden in this file.")


def _part(context: RenderContext, title: str, inside: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks below their heading; nothing if there are none."""
    parts = list(inside)
    if parts:
        yield b.heading(context(title), 2)
        yield from parts


def story(context: RenderContext) -> Iterator[Block]:
    """Yield the whole description, if the first page has only its beginning."""
    description = context.translate_text(context.spec.description)
    if sum(len(run["t"]) for run in first_paragraphs(description, len(description))) > _free_lines(context):
        yield from markdown.blocks(description)


def _free_lines(context: RenderContext) -> int:
    # Japanese letters are about twice as wide, so half as many fill the same lines.
    return STORY_LETTERS // (2 if context.language == "ja" else 1)


def _turning_points(values: list[float]) -> Iterable[float]:
    """Return the first and the last value, with the largest between them if it exceeds both.

    Return one value if the first and the last are equal.
    """
    first, most, last = values[0], max(values), values[-1]
    return (first, most, last) if most > max(first, last) else dict.fromkeys((first, last))


def _figures(context: RenderContext) -> Iterator[tuple[str, Cell, Cell]]:
    bill = context.estimate.bill
    ranges = range_texts(context.spec, context.estimate, context.page.assumed_range)
    busiest = hottest_share(context.page)
    if busiest is not None:
        name = N_("Busiest node") if engine_of(context.spec).HAS_NODES else N_("Busiest partition key")
        yield context(name), context.number(busiest, "share"), context(N_("of its limit, in the busiest hour"))
    if context.options.hides_cost:
        pass
    elif bill:
        yield (
            context(N_("Per month at the end of the horizon")),
            context.total(),
            context.format_text(ranges.get("bill") or _stored_range(bill)),
        )
    else:
        yield context(N_("Per month at the end of the horizon")), context.unknown(), context(N_("no bill yet"))
    for cluster in context.estimate.nodes[:MOST_CLUSTERS]:
        more = context(LIMITED_BY[cluster.limited_by])
        if cluster.unknown_tables:
            more = context(N_("at least: not every table’s load and size are known"))
        if cluster.short_from:
            more = context(N_("insufficient from {date}"), date=cluster.short_from)
        name = context(N_("Nodes, {name}"), name=shorten(element_label(context.spec, cluster.cluster), 24))
        yield name, " → ".join(map(context.number, _turning_points(cluster.nodes_by_month.tolist()))), more
    if context.estimate.capacity_units:
        used = total_unit_use(context.estimate)
        name, unit = context(N_("Capacity units at the end of the horizon")), "cu_per_second"
        yield (
            name,
            context.number(used.read, unit),
            context(N_("read; {written_cu_per_second} written"), written_cu_per_second=used.write),
        )
    rows = [float(part.growth.rows[-1]) for part in context.estimate.tables.values() if part.growth]
    stored = context(context.engine.terms["stored bytes"])
    yield (
        context(N_("Stored at the end of the horizon")),
        context.number(total_stored_bytes(context.estimate), "bytes"),
        context(N_("{stored}, {rows} rows"), stored=stored, rows=sum(rows)) if rows else stored,
    )
    counts = [context(COUNTS[name], count=count) for name, count in context.page.counts.items()]
    yield context(N_("Findings")), str(sum(context.page.counts.values())), " · ".join(counts)


def _stored_range(bill: Bill) -> Text:
    return Text("{low} – {high}", {"low": bill.money(bill.low), "high": bill.money(bill.high)})


def _verdicts(context: RenderContext) -> Iterator[Block]:
    verdicts = context.state.verdicts
    if not verdicts:
        return
    names = (N_("Section"), N_("Verdict"), N_("By"), N_("On"))
    rows: list[list[Cell]] = [
        [
            context(section_verdict.section),
            review.verdict(context, section_verdict),
            shorten(section_verdict.by, 40),
            context.number(section_verdict.when.date(), "date"),
        ]
        for section_verdict in verdicts[:MOST_VERDICTS]
    ]
    yield b.table([context(name) for name in names], rows, wide=(1,))
    yield from _more(context, len(verdicts) - MOST_VERDICTS)


def _largest_risks(context: RenderContext) -> Iterator[Block]:
    risks = context.page.risks
    for remark in risks[:MOST_FINDINGS]:
        at_stake = stakes(context.page, remark)
        figure, what, when = (
            context.format_text(text) if text else "" for text in (at_stake.figure, at_stake.what, at_stake.when)
        )
        title = context(remark.rule.title) if remark.rule else remark.finding.rule
        sentence = shorten(context.format_text(remark.finding), LETTERS)
        yield b.risk(context.sign(remark.severity), title, sentence, remark.finding.rule, (figure, what), when)
    yield from _more(context, len(risks) - MOST_FINDINGS)


def sign_off(context: RenderContext) -> Block:
    """Return the box at the foot of the page, for a decision on paper."""
    choices = [N_("approved"), N_("not approved")]
    if context.recommendation:
        # On paper, the person who signs must be able to say which of the two designs is meant.
        choices.insert(1, N_("approved with the recommended change"))
    lines = (N_("Name"), N_("Signature"), N_("Date"))
    return b.sign_off(context(N_("Decision")), map(context, choices), map(context, lines))


def _pictures(context: RenderContext) -> Iterator[Block]:
    """Yield the busiest table's picture, or the one that the recommended change is about, without and with it."""
    change = context.recommendation[1] if context.recommendation else None
    if change is not None and change.effects.heat:
        table = change.effects.heat[0].table
        pages = ((change.before, N_("now")), (change.after, N_("with the change")))
        pictures = [context.thumbnail(page, f"{context(title)} · {_key(page, table)}", table) for page, title in pages]
        # One picture alone would be read as the whole of the change.
        if all(pictures):
            yield b.pictures(pictures, columns=2)
            yield _legend(context)
            return
    busiest = busiest_table(context.estimate)
    picture = context.thumbnail(context.page, element_label(context.spec, busiest), busiest) if busiest else None
    if picture:
        yield b.pictures([picture])
        yield _legend(context)


def _legend(context: RenderContext) -> Block:
    return b.legend(
        context.load_picture,
        ((0, "0"), (0.3, context.number(0.6, "share")), (0.5, context(N_("limit"))), (1, "2×")),
        STOPS,
    )


def _recommended_change(context: RenderContext, remark: FindingView, change: Preview) -> Iterator[Block]:
    yield b.text(b.strong(context(remark.finding.fix_label, remark.finding.params)), b.quiet(f" {remark.finding.rule}"))
    rows: list[list[Cell]] = [
        [
            shorten(context.format_text(figure.name), 60),
            context.format_text(figure.before),
            b.strong(context.format_text(figure.after)),
            context.format_text(figure.difference) if figure.difference else "",
        ]
        for figure in change.figures
    ]
    if rows:
        names = (N_("Figure"), N_("now"), N_("with the change"), N_("Difference"))
        yield b.table([context(name) for name in names], rows, numbers=(1, 2, 3))


def _key(page: DesignPage, table: str) -> str:
    """Return the row key of a table as text; of several the first."""
    kinds = next((table_page.kinds for table_page in page.tables if table_page.table.id == table), ())
    return shorten(kinds[0].text, MOST_KEY) if kinds else ""


def _questions(context: RenderContext) -> Iterator[Block]:
    for remark in context.page.open_questions[:MOST_QUESTIONS]:
        block = line(context, remark)
        yield {**block, "sentence": shorten(block["sentence"], LETTERS), "place": ""}
    room = max(MOST_QUESTIONS - len(context.page.open_questions), 0)
    of_bill = () if context.options.hides_cost else context.page.bill_questions[:room]
    about_money = [shorten(context.format_text(question.message), LETTERS) for question in of_bill]
    if about_money:
        yield b.items(about_money)
    yield from _more(context, len(context.page.open_questions) - MOST_QUESTIONS)


def _risks(context: RenderContext) -> Iterator[Block]:
    risks = context.spec.ignores
    if not risks:
        return
    yield b.items(
        [
            b.code(r.rule),
            b.quiet(f" {shorten(element_label(context.spec, r.at), 40)}: "),
            {"t": shorten(r.reason, LETTERS)},
            b.quiet(f" ({shorten(r.owner, 40)})"),
        ]
        for r in risks[:MOST_RISKS]
    )
    yield from _more(context, len(risks) - MOST_RISKS)


def _lines(context: RenderContext) -> Iterator[Block]:
    bill = context.estimate.bill
    if not bill:
        yield b.text(context.format_text(context.page.missing_bill), muted=True)
        return
    # A line without a price has no place in an order by cost; the total is marked as a lower bound.
    lines = sorted((line for line in bill.lines if line.cost is not None), key=lambda line: -(line.cost or 0))
    rows = [[shorten(context(line.label, line.params), 80), context.money(line.cost)] for line in lines[:MOST_LINES]]
    total: list[Cell] = [b.strong(context(N_("Total"))), b.strong(context.total())]
    yield b.table([context(N_("Line")), context(N_("Per month"))], rows, numbers=(1,), foot=total)


def _more(context: RenderContext, more: int) -> Iterator[Block]:
    if more > 0:
        yield b.text(context(N_("… and {count} more"), count=more), muted=True)
