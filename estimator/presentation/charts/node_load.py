"""Node time of a table over the week, and the nodes of a cluster over the months."""

import datetime

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.results import ClusterNodes, TableTraffic

from .types import LineChart, LineSeries


def week_load(traffic: TableTraffic) -> LineChart:
    """Busy nodes in the busiest part of each hour of a week at the end of the horizon."""
    load = traffic.busiest_by_hour
    monday = traffic.day - datetime.timedelta(days=traffic.day.weekday())
    start = datetime.datetime.combine(monday, datetime.time(), datetime.UTC)
    mean = float(traffic.week_node_share.mean())
    return LineChart(
        title=_week_title(float(load.max()), mean),
        unit="nodes",
        what=Text(N_("busy nodes")),
        moments=tuple(start + datetime.timedelta(hours=hour) for hour in range(len(load))),
        ticks="weekday",
        lines=(LineSeries(Text(N_("this table")), load),),
        steps="forward",
    )


def _week_title(peak: float, mean: float) -> Text:
    if not mean > 0:
        return Text(N_("No load on the nodes"))
    if peak < 1.05 * mean:
        return Text(N_("Every hour of the week uses {peak_nodes}"), {"peak_nodes": peak})
    return Text(
        N_("The busiest hour of the week uses {peak_nodes}, {ratio_factor} the mean"),
        {"peak_nodes": peak, "ratio_factor": peak / mean},
    )


def nodes_by_month(cluster: ClusterNodes, name: str, months: tuple[datetime.date, ...]) -> LineChart:
    """Nodes that are there, nodes needed, and the load, at the start and after each month."""
    first, last = float(cluster.needed_by_month[0]), float(cluster.needed_by_month[-1])
    most = float(cluster.needed_by_month.max())
    params = {"cluster": name, "first_nodes": first, "most_nodes": most, "last_nodes": last, "date": months[-1]}
    if cluster.short_from:
        title = Text(
            N_("{cluster}: insufficient nodes from {date}; {last_nodes} needed"),
            params | {"date": cluster.short_from},
        )
    elif most > max(first, last):
        title = Text(N_("{cluster}: {first_nodes} needed now, up to {most_nodes}, {last_nodes} by {date}"), params)
    elif last != first:
        title = Text(N_("{cluster}: {first_nodes} needed now, {last_nodes} by {date}"), params)
    elif cluster.unknown_tables:
        title = Text(N_("{cluster}: at least {last_nodes}; not every table’s load and size are known"), params)
    else:
        title = Text(N_("{cluster}: {last_nodes} needed throughout"), params)
    return LineChart(
        title=title,
        unit="nodes",
        what=Text(N_("nodes")),
        moments=months,
        ticks="month",
        lines=(
            LineSeries(Text(N_("provisioned")), cluster.nodes_by_month),
            LineSeries(Text(N_("required")), cluster.needed_by_month),
            LineSeries(Text(N_("busy at the peak")), cluster.load_by_month, quiet=True),
        ),
        steps="back",
    )
