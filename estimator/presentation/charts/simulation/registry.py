"""Every chart of a simulation by its name, made when it is asked for."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.simulation.results import Simulation

from ..types import Chart
from . import busy, growing, hot, machines, reach, refused, tablets


def run_charts(run: Simulation) -> Mapping[str, Callable[[], Chart]]:
    """Functions that make the charts, by `what-id`."""
    makers: dict[str, Callable[[], Chart]] = {}
    when = run.window_starts
    partitions = all(cluster.cpu_target is None for cluster in run.clusters)
    for cluster in run.clusters:
        name: str | Text = run.names.get(cluster.cluster, cluster.cluster) or Text(N_("Service"))
        makers[f"busy-{cluster.cluster}"] = partial(busy.busy_chart, cluster, name, when)
        if np.isfinite(cluster.reachable).any():  # else nothing is asked of it, or nothing that splits do not spread
            makers[f"reach-{cluster.cluster}"] = partial(reach.reachable_chart, cluster, name, when)
        makers[f"refused-{cluster.cluster}"] = partial(refused.refused_share_chart, cluster, name, when)
        if cluster.cpu_target is not None:
            makers[f"machines-{cluster.cluster}"] = partial(machines.machines, cluster, name, when)
    for id, table in run.tables.items():  # noqa: A001
        name = run.names.get(id, id)
        makers[f"tablets-{id}"] = partial(tablets.tablets, table.tablets, name, when, partitions=partitions)
        if busiest := hot.measurable(table.hot_keys):
            makers[f"hot-{id}"] = partial(hot.hot_keys, busiest, partitions=partitions)
        if len(table.days.dates):
            makers[f"causes-{id}"] = partial(growing.causes, table.days, partitions=partitions)
            makers[f"contents-{id}"] = partial(growing.causes_by_day, table.days, partitions=partitions)
            makers[f"stored-{id}"] = partial(growing.stored_bytes_chart, table.days, partitions=partitions)
            makers[f"rows-{id}"] = partial(growing.rows, table.days)
        for kind in table.days.kinds:
            makers[f"sizes-{kind.row_kind}"] = partial(growing.sizes, kind, table.days.dates)
    return makers
