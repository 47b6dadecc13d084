"""Charts in templates."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from designer.document import Element, Spec
from designer.document.money import Currency, Money
from designer.document.texts import N_, Text
from designer.templatetags.keywright import language, translate
from designer.wording.formatting import format_value
from estimator.engines import engine_of
from estimator.facts.clusters import indivisible_share
from estimator.facts.scans import is_wasteful
from estimator.presentation import figures, pricing
from estimator.presentation import labels as words
from estimator.presentation.assumed_range import range_texts
from estimator.presentation.charts import Chart, HeatMap, key_labels
from estimator.presentation.charts.key_labels import KeyLabel
from estimator.presentation.charts.maps.live import live_map
from estimator.presentation.charts.maps.pane import Pane
from estimator.presentation.charts.spark import spark
from estimator.presentation.charts.to_svg import to_svg
from estimator.presentation.charts.types import LineChart
from estimator.presentation.segments import key_reader
from estimator.presentation.sheet import Sheet, TableRows
from estimator.results import Bill, Estimate, Placement, TableGrowth

if TYPE_CHECKING:
    from estimator.presentation.design_page import DesignPage, FindingView, TablePage
    from estimator.presentation.run_page import RunPage

register = template.Library()
CHART_WIDTH = 340
"""Of a phone, so that its letters have the size of all others there, too."""
_ORIGIN_WORDS = {
    "you": N_("you"), "guess": N_("assumed"), "fitted": N_("fitted"), "price": N_("price list"),
    "measured": N_("measured"),
}  # fmt: skip


@register.filter
def has_nodes(spec: Spec) -> bool:
    """Return whether the design's engine has nodes; else the service's partitions take the load."""
    return engine_of(spec).HAS_NODES


@register.simple_tag(takes_context=True)
def rule_address(context: Context, code: str) -> str:
    """Return the address of a rule's page; on a review that is shared by a link, below the address of the link."""
    desk = context.get("desk")
    return f"{desk.rules}{code}/" if desk else reverse("rule", args=[code])


@register.inclusion_tag("estimator/_chart.html")
def chart(charts: Mapping[str, Callable[[], Chart]], base: str, *name: str) -> dict[str, Any]:
    """Return the chart of this name, if any, with its rows as a table; `base` is its subject's address."""
    key = "-".join(name)
    make = charts.get(key)
    return {"chart": make() if make else None, "name": key, "base": base}


@register.simple_tag
def live_panes(table: "TablePage", base: str, of: str = "") -> tuple[Pane, ...]:
    """Return the pane of a table's reference day, to explore in place; none without traffic."""
    if table.part.traffic is None:
        return ()
    key_map = live_map(table.table.id, table.part.traffic, key_reader(table.spec, table.part))
    return (Pane(key_map, f"{base}map/{table.table.id}/", table.table.label, of),)


@register.simple_tag
def assumed_ranges(shown: "DesignPage", of: str = "") -> tuple[Text, ...]:
    """Return the ranges of the bill and of the load if assumed values differ, in words; of one of them alone."""
    texts = range_texts(shown.spec, shown.estimate, shown.assumed_range)
    return tuple(text for name, text in texts.items() if of in ("", name))


@register.filter
def ways_to_close(bill: Bill) -> tuple[Text, ...]:
    """Return what gives a bill's lines without a price one."""
    return pricing.ways_to_close(bill.open_lines)


@register.filter
def origin_word(kind: str) -> str:
    """Return the word for where a number comes from; "=" where it is computed."""
    word = _ORIGIN_WORDS.get(kind)
    return gettext(word) if word else "="


@register.filter
def worst_within(shown: "DesignPage", element: Element) -> "FindingView | None":
    """Return the gravest finding about an element or a part of it that is not accepted."""
    return next((remark for remark in shown.findings_within(element) if remark.severity != "accepted"), None)


@register.filter
def svg(drawn: Chart) -> SafeString:
    """Return the chart as SVG; `to_svg` escapes the names in it."""
    return mark_safe(to_svg(drawn, translate, width=500 if isinstance(drawn, HeatMap) else CHART_WIDTH))


@register.filter
def axis_texts(labels: Sequence[KeyLabel]) -> list[str]:
    """Return the labels of an axis of keys, each day once."""
    return key_labels.axis_texts(labels, translate)


@register.filter
def small_heat(drawn: HeatMap) -> SafeString:
    """Return a heatmap for the insight column."""
    return mark_safe(to_svg(drawn, translate, width=280, height=150))


@register.filter
def tiny_heat(drawn: HeatMap) -> SafeString:
    """Return a heatmap to compare with one beside it."""
    return mark_safe(to_svg(drawn, translate, width=300, height=150))


@register.filter
def compared_heat(drawn: HeatMap) -> SafeString:
    """Return a heatmap of half a page's width."""
    return mark_safe(to_svg(drawn, translate, width=520, height=260))


@register.filter(name="spark")
def spark_of(drawn: LineChart) -> SafeString:
    """Lines as a sparkline."""
    return mark_safe(spark(drawn, translate))


@register.filter
def is_heat(drawn: Chart) -> bool:
    """Return whether the chart is a heatmap."""
    return isinstance(drawn, HeatMap)


@register.filter
def is_lines(drawn: Chart) -> bool:
    """Return whether the chart is lines over time."""
    return isinstance(drawn, LineChart)


@register.filter
def is_flat(drawn: Chart) -> bool:
    """Return whether the chart is lines of which none changes."""
    return isinstance(drawn, LineChart) and drawn.is_flat


@register.filter
def access_words(access: str) -> str:
    """Return the words for the access of a read."""
    return translate(words.ACCESS[access], {})


@register.filter
def pattern_words(name: str) -> str:
    """Return the name of a pattern from the Key Visualizer's gallery, or of ours."""
    return translate(words.PATTERNS[name], {})


@register.filter
def outlook_words(name: str) -> str:
    """Return the words for the larger world of an outlook."""
    return translate(words.OUTLOOKS[name], {})


@register.filter
def limit_words(name: str) -> str:
    """Return the words for the reason of a node count."""
    return translate(words.LIMITED_BY[name], {})


@register.filter
def instance_words(kind: str) -> str:
    """Return the words for the type of a Tablestore instance."""
    return translate(words.INSTANCES[kind], {})


@register.filter
def calibrated(made: Estimate, of: str) -> bool:
    """Return whether an estimate's throughput or compression is that of an existing cluster."""
    return any(calibration.of == of for calibration in made.calibrations)


@register.filter
def compression_sentence(grown: TableGrowth) -> str:
    """Return a table's compression and its source, as a sentence."""
    text = words.compression(grown)
    return "" if text is None else text.translate(translate)


@register.filter
def stored_bytes(shown: "DesignPage") -> float | None:
    """Physical bytes of all tables at the end of the horizon."""
    return figures.total_stored_bytes(shown.estimate)


@register.filter
def placement_in(shown: "DesignPage", cluster: str) -> Placement | None:
    """Return the placement of tablets on the nodes of one cluster."""
    return figures.cluster_placement(shown.estimate, cluster)


register.filter("causes", figures.cause_totals)
register.filter("wasteful", is_wasteful)
register.filter("busiest_row", figures.busiest_row)
register.filter("indivisible_share", indivisible_share)


@register.filter
def run_name(shown: "RunPage", at: str) -> str:
    """Return the name of a table or cluster of a run."""
    return shown.name(at)


@register.simple_tag
def design_sheet(shown: "DesignPage") -> Sheet:
    """Return the sheet of a design: its tables as cards, and what stands around them."""
    return Sheet(shown)


@register.simple_tag(takes_context=True)
def table_rows(context: dict[str, Any], shown: "DesignPage", table: str) -> TableRows | None:
    """Return a table as it is stored, and put the sheet that it belongs to into the context as `sheet`."""
    cached = context.get("sheet")
    context["sheet"] = sheet = cached if isinstance(cached, Sheet) and cached.shown is shown else Sheet(shown)
    return sheet.table_rows(table)


@register.filter
def percent(share: float) -> str:
    """Return a share as a length in a style, between 0 and 100."""
    return f"{100 * min(max(float(share), 0.0), 1.0):.1f}"


@register.filter
def plain(value: float) -> str:
    """Return a number for a script, whatever the reader's language."""
    return f"{float(value):.0f}"


@register.simple_tag
def rounded_cost(amount: Decimal, currency: Currency) -> str:
    """Return an amount to compare with others: without cents, unless it is small."""
    return format_value("rounded_cost", Money(amount, currency), language())


@register.filter
def assumed_value(value: float, unit: str) -> str:
    """Return an assumption's value; any other unit is shown beside it."""
    unit_kind = {"bytes": "bytes", "seconds": "seconds"}.get(unit, "count")
    return format_value(unit_kind, value, language())
