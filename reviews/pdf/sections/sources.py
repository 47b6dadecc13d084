"""Sources of prices, capacities and rules."""

from collections.abc import Iterator

from designer.document.texts import N_
from estimator.advice.rules import RULES
from estimator.engines import engine_of
from estimator.presentation.pricing import book_age
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Run
from reviews.pdf.render_context import RenderContext


def blocks(context: RenderContext) -> Iterator[Block]:
    """Yield the price book, the sources of its prices, and those of limits and rules."""
    if not context.options.hides_cost:
        yield from _prices(context)
    yield b.heading(context(N_("Limits and throughput")))
    limits = engine_of(context.spec).LIMITS.values()
    sources = sorted({(limit.source, context.number(limit.read, "date")) for limit in limits})
    yield b.items((_address(f"{source} {read}") for source, read in sources), columns=2)
    rule_codes = {remark.finding.rule for remark in context.page.all_remarks.values()}
    rules: dict[tuple[str, str], list[str]] = {}
    for code in sorted(rule_codes & set(RULES)):
        for reference in RULES[code].explanation.sources:
            rules.setdefault((reference.address, context.day(reference.read)), []).append(code)
    if rules:
        yield b.heading(context(N_("Rules with findings")))
        yield b.items(
            [
                [*_address(f"{address} {read}"), b.quiet(f"  {context.join(codes)}")]
                for (address, read), codes in rules.items()
            ],
            columns=2,
        )


def _prices(context: RenderContext) -> Iterator[Block]:
    estimate = context.estimate
    yield b.heading(context(N_("Prices")))
    if estimate.price_book_date:
        params = {"book": estimate.price_book, "date": estimate.price_book_date}
        yield b.text(context(N_("Prices from the book {book} of {date}."), params))
        old = book_age(context.spec, estimate, context.page.context)
        if old:
            yield b.text(context(N_("This price book is {age_days} old. Prices may have changed since."), age_days=old))
    prices: dict[str, list[str]] = {}
    for line in estimate.bill.lines if estimate.bill else ():
        source = f"{context.translate_text(line.price_source)} {context.day(line.price_seen)}".strip()
        label = context(line.label, line.params)
        if source and label not in prices.setdefault(source, []):
            prices[source].append(label)
    yield b.items(
        [
            [*_address(source), b.quiet(f"  {context.join(labels[:6])}{' …' if len(labels) > 6 else ''}")]
            for source, labels in prices.items()
        ]
    )


def _address(source: str) -> list[Run]:
    """Return a source with its date; a web address becomes a link."""
    address, _, rest = source.partition(" ")
    if address.startswith("https://"):
        return [b.link(address, address), b.quiet(f" {rest}" if rest else "")]
    return [{"t": source}]
