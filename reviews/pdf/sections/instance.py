"""Clusters and why they need so many nodes; capacity units of Tablestore; routing."""

from collections.abc import Iterator, Sequence

from designer.document.instance import Commitment
from designer.document.texts import N_
from designer.wording import CHOICES, element_label, in_words
from estimator.presentation.charts.node_load import nodes_by_month
from estimator.presentation.charts.registry import SIDES, month_starts
from estimator.presentation.charts.throughput import units_by_month
from estimator.presentation.figures import placement_in
from estimator.results import Addend, ClusterNodes
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell
from reviews.pdf.render_context import Sheet

from .keys import assumed


def blocks(sheet: Sheet) -> Iterator[Block]:
    """Yield the instance, then each cluster (or table of Tablestore)."""
    yield from _settings(sheet)
    for because in sheet.estimate.because:
        yield b.text(sheet.said(because), muted=True)
    for one in sheet.estimate.calibrations:
        yield b.text(sheet.said(one))
    for cluster in sheet.estimate.nodes:
        yield from _cluster(sheet, cluster)
    for units in sheet.estimate.capacity_units:
        yield b.heading(b.code(element_label(sheet.spec, units.table)))
        if not sheet.many:
            dates = month_starts(sheet.spec)
            yield b.pictures([sheet.picture(units_by_month(units, side, dates)) for side in SIDES], 2)
        yield _sum(sheet, units.explanation, N_("Capacity units at the end of the horizon"))
    yield from _profiles(sheet)


SETTINGS = ("edition", "storage", "in_memory", "tablestore_type", "month_hours")


def _settings(sheet: Sheet) -> Iterator[Block]:
    instance = sheet.spec.instance
    rows: list[list[Cell]] = [[sheet(N_("Instance name")), b.code(instance.name)]] if instance.name else []
    for name in (name for name in SETTINGS if sheet.engine.has_field(type(instance), name)):
        title = type(instance).model_fields[name].title or name
        unit = "hours" if name == "month_hours" else ""
        rows.append([sheet.told(title), assumed(sheet, instance, name, unit)])
    for cluster in instance.clusters:
        where = ", ".join(part for part in (cluster.region, cluster.zone) if part)
        nodes = sheet.said(in_words(cluster.nodes)) if cluster.nodes else sheet(N_("as required by the load"))
        double = " · " + sheet(N_("Node scaling")) + " 2×" if cluster.node_scaling == 2 else ""
        rows.append([element_label(sheet.spec, cluster.id), " · ".join(filter(None, (where, nodes))) + double])
    if instance.commitment:
        rows.append([sheet(N_("Commitment")), _commitment(sheet, instance.commitment)])
    for price in instance.prices:
        what = " · ".join(filter(None, (price.sku, price.where)))
        told = [{"t": f"{what}: {sheet.number(price.price, 'price')}"}, b.quiet(f"  {price.source}")]
        rows.append([sheet(N_("Prices entered")), told])
    yield b.table([sheet(N_("Item")), sheet(N_("Setting"))], rows, wide=(1,))


def _commitment(sheet: Sheet, given: Commitment) -> str:
    years = sheet.number(12 * given.years, "months")
    if given.all_nodes:
        return years + ", " + sheet(N_("all nodes"))
    if given.usd_per_hour is not None:
        return years + ", " + sheet(N_("{hourly_usd} an hour"), hourly_usd=given.usd_per_hour)
    return years + ("" if given.nodes is None else ", " + sheet("{count_nodes}", count_nodes=given.nodes))


def _cluster(sheet: Sheet, cluster: ClusterNodes) -> Iterator[Block]:
    name = element_label(sheet.spec, cluster.cluster)
    yield b.heading([{"t": name}, b.quiet(f" {cluster.region}" if cluster.region != name else "")])
    yield b.pictures([sheet.picture(nodes_by_month(cluster, name, month_starts(sheet.spec)), width=640, height=170)])
    yield _sum(sheet, cluster.explanation, N_("Reason for the node count at the end of the horizon"))
    low, high = cluster.needed_low, cluster.needed_high
    yield b.text(
        sheet(N_("Range due to uncertain inputs: {low} to {high_nodes}."), low=low, high_nodes=high),
        " ",
        sheet(N_("Google advises against exact sizing from its throughput figures.")),
        muted=True,
    )
    placed = placement_in(sheet.estimate, cluster.cluster)
    if placed:
        names = (
            N_("Hottest node, peak window"),
            N_("Share of the day"),
            N_("Effective nodes"),
            N_("Load headroom"),
        )
        factor = f"{sheet.number(placed.reachable_factor, 'factor')} {sheet(_UNTIL[placed.limited_by])}"
        figures = (
            sheet.number(placed.peak_utilisation, "share"),
            sheet.number(placed.hottest_node_share, "share"),
            sheet(N_("{some} of {all_nodes}"), some=placed.effective_nodes, all_nodes=placed.nodes),
            factor,
        )
        yield b.table(
            [sheet(N_("Tablet placement")), ""], list(zip(map(sheet, names), figures, strict=True)), numbers=(1,)
        )


_UNTIL = {
    "row": N_("until one row reaches its limit"),
    "front": N_("until an append point reaches its limit"),
    "cluster": N_("until the cluster is full"),
}


def _sum(sheet: Sheet, addends: Sequence[Addend], title: str) -> Block:
    rows: list[list[Cell]] = []
    for addend in addends:
        value: Cell = sheet.unknown() if addend.value is None else sheet.number(addend.value, addend.unit)
        rows.append([sheet(addend.label, addend.params), [b.quiet(sheet(addend.formula, addend.params))], value])
    return b.table([sheet(title), "", ""], rows, numbers=(2,), wide=(1,))


def _profiles(sheet: Sheet) -> Iterator[Block]:
    profiles = sheet.spec.instance.app_profiles
    if not profiles:
        return
    yield b.heading(sheet(N_("App profiles")))
    names = (N_("App profile"), N_("Routing"), N_("Clusters"), N_("Single-row transactions"), N_("Priority"))
    rows: list[list[Cell]] = [
        [
            profile.label,
            sheet(CHOICES[profile.routing]),
            ", ".join(element_label(sheet.spec, id) for id in profile.clusters) or sheet(N_("all")),  # noqa: A001
            sheet(N_("yes")) if profile.transactions else sheet(N_("no")),
            "Data Boost" if profile.data_boost else sheet(CHOICES[profile.priority]),
        ]
        for profile in profiles
    ]
    yield b.table([sheet(name) for name in names], rows)
