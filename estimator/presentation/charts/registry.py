"""Every chart of an estimate by its name, made when it is asked for."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

from designer.document import Spec
from designer.wording import element_label
from estimator.engines import engine_of
from estimator.estimates.context import Context
from estimator.estimates.what_if import what_if
from estimator.kernels.population.timeline import month_dates
from estimator.presentation.segments import key_reader
from estimator.results import Estimate

from . import growth, heatmap, money, node_load, throughput, utilisation
from .types import Chart

SIDES: tuple[Literal["read", "write"], ...] = ("read", "write")


def charts(spec: Spec, estimate: Estimate, context: Context) -> Mapping[str, Callable[[], Chart]]:
    """Functions that make the charts for which the estimate has what they show."""
    makers: dict[str, Callable[[], Chart]] = {}
    nodes = utilisation.node_load(spec, estimate)
    for id, part in estimate.tables.items():  # noqa: A001
        if part.traffic:
            read_key = key_reader(spec, part)
            for of in heatmap.OF:
                for against in heatmap.AGAINST:
                    makers[f"heat-{id}-{of}-{against}"] = partial(
                        heatmap.heatmap, part.traffic, of=of, against=against, read_key=read_key, nodes=nodes
                    )
            week = node_load.week_load if engine_of(spec).HAS_NODES else throughput.week_units
            makers[f"week-{id}"] = partial(week, part.traffic)
        if part.growth:
            makers[f"stored-{id}"] = partial(growth.table_growth, part.growth)
            makers[f"causes-{id}"] = partial(growth.stored_bytes, part.growth)
            for rows in part.growth.kinds:
                makers[f"rows-{rows.row_kind}"] = partial(growth.row_growth, rows)
    dates = month_dates(spec)
    for cluster in estimate.nodes:
        makers[f"nodes-{cluster.cluster}"] = partial(
            node_load.nodes_by_month, cluster, element_label(spec, cluster.cluster), dates
        )
    for units in estimate.capacity_units:
        for side in SIDES:
            makers[f"units-{units.table}-{side}"] = partial(throughput.units_by_month, units, side, dates)
    if estimate.bill:
        makers["bill"] = partial(money.bill_lines, estimate.bill)
    if len(estimate.bills) > 1:
        makers["months"] = partial(money.monthly_cost_chart, estimate.bills)
    if estimate.bill:
        makers["sensitivity"] = lambda: money.sensitivity(
            what_if(spec, estimate, context).sensitivities, estimate.currency
        )
    return makers
