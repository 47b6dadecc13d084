"""Every chart of an estimate by its name, made when it is asked for."""

import itertools
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
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
    makers = ChainMap[str, Callable[[], Chart]]({}, TableCharts(spec, estimate))  # type: ignore[arg-type]
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


class TableCharts(Mapping[str, Callable[[], Chart]]):
    """Charts of each table: functions are made of the table that is asked for, as a page of hundreds shows few."""

    def __init__(self, spec: Spec, estimate: Estimate) -> None:
        self._spec, self._estimate = spec, estimate
        self._table_of = {kind.id: table.id for table in spec.tables for kind in table.row_kinds}

    def __getitem__(self, name: str) -> Callable[[], Chart]:
        chart, _, subject = name.partition("-")
        table_id = subject.rsplit("-", 2)[0] if chart == "heat" else self._table_of.get(subject, subject)
        return self._of_table(table_id)[name]

    def __iter__(self) -> Iterator[str]:
        return itertools.chain.from_iterable(map(self._of_table, self._estimate.tables))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _of_table(self, table_id: str) -> dict[str, Callable[[], Chart]]:
        """Return the functions of one table by the names of their charts; none of a table that there is not."""
        part = self._estimate.tables.get(table_id)
        functions: dict[str, Callable[[], Chart]] = {}
        if part is None:
            return functions
        if part.traffic:
            read_key, nodes = key_reader(self._spec, part), utilisation.node_load(self._spec, self._estimate)
            for of in heatmap.OF:
                for against in heatmap.AGAINST:
                    functions[f"heat-{table_id}-{of}-{against}"] = partial(
                        heatmap.heatmap, part.traffic, of=of, against=against, read_key=read_key, nodes=nodes
                    )
            week = node_load.week_load if engine_of(self._spec).HAS_NODES else throughput.week_units
            functions[f"week-{table_id}"] = partial(week, part.traffic)
        if part.growth:
            functions[f"stored-{table_id}"] = partial(growth.table_growth, part.growth)
            functions[f"causes-{table_id}"] = partial(growth.stored_bytes, part.growth)
            for rows in part.growth.kinds:
                functions[f"rows-{rows.row_kind}"] = partial(growth.row_growth, rows)
        return functions
