"""Clusters and why they need so many nodes; capacity units of Tablestore; routing."""

from collections.abc import Iterator, Sequence

from designer.document.instance import Commitment
from designer.document.texts import N_
from designer.wording import CHOICES, describe_value, element_label
from estimator.kernels.population.timeline import month_dates
from estimator.presentation.charts.node_load import nodes_by_month
from estimator.presentation.charts.registry import SIDES
from estimator.presentation.charts.throughput import units_by_month
from estimator.presentation.figures import cluster_placement
from estimator.results import Addend, ClusterNodes
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell
from reviews.pdf.render_context import RenderContext

from .keys import effective_value_runs


def blocks(context: RenderContext) -> Iterator[Block]:
    """Yield the instance, then each cluster (or table of Tablestore)."""
    yield from _settings(context)
    for because in context.estimate.because:
        yield b.text(context.format_text(because), muted=True)
    for calibration in context.estimate.calibrations:
        yield b.text(context.format_text(calibration))
    for cluster in context.estimate.nodes:
        yield from _cluster(context, cluster)
    for units in context.estimate.capacity_units:
        yield b.heading(b.code(element_label(context.spec, units.table)))
        if not context.has_many_tables:
            dates = month_dates(context.spec)
            yield from context.charts((units_by_month(units, side, dates) for side in SIDES), 2)
        yield _sum(context, units.explanation, N_("Capacity units at the end of the horizon"))
    yield from _profiles(context)


SETTINGS = ("edition", "storage", "in_memory", "tablestore_type", "month_hours")


def _settings(context: RenderContext) -> Iterator[Block]:
    instance = context.spec.instance
    rows: list[list[Cell]] = [[context(N_("Instance name")), b.code(instance.name)]] if instance.name else []
    for name in (name for name in SETTINGS if context.engine.has_field(type(instance), name)):
        title = type(instance).model_fields[name].title or name
        unit = "hours" if name == "month_hours" else ""
        rows.append([context.translate_text(title), effective_value_runs(context, instance, name, unit)])
    for cluster in instance.clusters:
        where = context.join(part for part in (cluster.region, cluster.zone) if part)
        nodes = (
            context.format_text(describe_value(cluster.nodes))
            if cluster.nodes
            else context(N_("as required by the load"))
        )
        double = " · " + context(N_("Node scaling")) + " 2×" if cluster.node_scaling == 2 else ""
        rows.append([element_label(context.spec, cluster.id), " · ".join(filter(None, (where, nodes))) + double])
    if instance.commitment:
        rows.append([context(N_("Commitment")), _commitment(context, instance.commitment)])
    for price in instance.prices:
        what = " · ".join(filter(None, (price.sku, price.where)))
        runs = [{"t": f"{what}: {context.number(price.price, 'price')}"}, b.quiet(f"  {price.source}")]
        rows.append([context(N_("Prices entered")), runs])
    yield b.table([context(N_("Item")), context(N_("Setting"))], rows, wide=(1,))


def _commitment(context: RenderContext, commitment: Commitment) -> str:
    years = context.number(12 * commitment.years, "months")
    if commitment.all_nodes:
        return years + ", " + context(N_("all nodes"))
    if commitment.usd_per_hour is not None:
        return years + ", " + context(N_("{hourly_usd} an hour"), hourly_usd=commitment.usd_per_hour)
    return years + ("" if commitment.nodes is None else ", " + context("{count_nodes}", count_nodes=commitment.nodes))


def _cluster(context: RenderContext, cluster: ClusterNodes) -> Iterator[Block]:
    name = element_label(context.spec, cluster.cluster)
    yield b.heading([{"t": name}, b.quiet(f" {cluster.region}" if cluster.region != name else "")])
    yield from context.charts([nodes_by_month(cluster, name, month_dates(context.spec))], width=640, height=170)
    yield _sum(context, cluster.explanation, N_("Reason for the node count at the end of the horizon"))
    low, high = cluster.needed_low, cluster.needed_high
    yield b.text(
        context(N_("Range due to uncertain inputs: {low} to {high_nodes}."), low=low, high_nodes=high),
        " ",
        context(N_("Google advises against exact sizing from its throughput figures.")),
        muted=True,
    )
    placement = cluster_placement(context.estimate, cluster.cluster)
    if placement:
        names = (
            N_("Hottest node, peak window"),
            N_("Share of the day"),
            N_("Effective nodes"),
            N_("Load headroom"),
        )
        factor = f"{context.number(placement.reachable_factor, 'factor')} {context(_UNTIL[placement.limited_by])}"
        figures = (
            context.number(placement.peak_utilisation, "share"),
            context.number(placement.hottest_node_share, "share"),
            context(N_("{some} of {all_nodes}"), some=placement.effective_nodes, all_nodes=placement.nodes),
            factor,
        )
        yield b.table(
            [context(N_("Tablet placement")), ""], list(zip(map(context, names), figures, strict=True)), numbers=(1,)
        )


_UNTIL = {
    "row": N_("until one row reaches its limit"),
    "front": N_("until an append point reaches its limit"),
    "cluster": N_("until the cluster is full"),
}


def _sum(context: RenderContext, addends: Sequence[Addend], title: str) -> Block:
    rows: list[list[Cell]] = []
    for addend in addends:
        value: Cell = context.unknown() if addend.value is None else context.number(addend.value, addend.unit)
        rows.append([context(addend.label, addend.params), [b.quiet(context(addend.formula, addend.params))], value])
    return b.table([context(title), "", ""], rows, numbers=(2,), wide=(1,))


def _profiles(context: RenderContext) -> Iterator[Block]:
    profiles = context.spec.instance.app_profiles
    if not profiles:
        return
    yield b.heading(context(N_("App profiles")))
    names = (N_("App profile"), N_("Routing"), N_("Clusters"), N_("Single-row transactions"), N_("Priority"))
    rows: list[list[Cell]] = [
        [
            profile.label,
            context(CHOICES[profile.routing]),
            context.join(element_label(context.spec, id) for id in profile.clusters) or context(N_("all")),  # noqa: A001
            context(N_("yes")) if profile.transactions else context(N_("no")),
            "Data Boost" if profile.data_boost else context(CHOICES[profile.priority]),
        ]
        for profile in profiles
    ]
    yield b.table([context(name) for name in names], rows)
