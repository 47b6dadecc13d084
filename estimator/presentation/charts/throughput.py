"""Capacity units of a Tablestore table over the week and the months."""

import datetime
from typing import Literal

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.engines.tablestore import LIMITS
from estimator.results import CapacityUnits, TableTraffic

from .types import LineChart, LineSeries

PER_SECOND = "cu_per_second"
_TITLES = {
    "read": N_(
        "Reads use {last_cu_per_second} on average at the end of the horizon, {peak_cu_per_second} in the busiest hour"
    ),
    "write": N_(
        "Writes use {last_cu_per_second} on average at the end of the horizon, {peak_cu_per_second} in the busiest hour"
    ),
}
_WHAT = {"read": N_("read capacity units"), "write": N_("write capacity units")}


def units_by_month(
    units: CapacityUnits, side: Literal["read", "write"], months: tuple[datetime.date, ...]
) -> LineChart:
    """Units used, reserved and metered, at the start and after each month."""
    usage = units.read if side == "read" else units.write
    used, peak = usage.used_per_second, usage.peak_per_second
    reserved = used * 0 + usage.reserved
    return LineChart(
        title=Text(_TITLES[side], {"last_cu_per_second": float(used[-1]), "peak_cu_per_second": float(peak[-1])}),
        unit=PER_SECOND,
        what=Text(_WHAT[side]),
        moments=months,
        ticks="month",
        lines=(
            LineSeries(Text(N_("mean")), used),
            LineSeries(Text(N_("busiest hour")), peak, quiet=True),
            *((LineSeries(Text(N_("reserved")), reserved),) if usage.reserved else ()),
            *((LineSeries(Text(N_("metered")), usage.metered_per_second, quiet=True),) if usage.reserved else ()),
        ),
    )


def week_units(traffic: TableTraffic) -> LineChart:
    """Capacity units a second in the busiest part of each hour of a week at the end, reads and writes together."""
    load = traffic.busiest_by_hour * LIMITS["partition_key_cu"].value
    monday = traffic.day - datetime.timedelta(days=traffic.day.weekday())
    start = datetime.datetime.combine(monday, datetime.time(), datetime.UTC)
    peak, mean = float(load.max()), float(traffic.week_node_share.mean() * LIMITS["partition_key_cu"].value)
    if not mean > 0:
        title = Text(N_("No operations on the table"))
    elif peak < 1.05 * mean:
        title = Text(N_("Every hour of the week uses {peak_cu_per_second}"), {"peak_cu_per_second": peak})
    else:
        title = Text(
            N_("The busiest hour of the week uses {peak_cu_per_second}, {ratio_factor} the mean"),
            {"peak_cu_per_second": peak, "ratio_factor": peak / mean},
        )
    return LineChart(
        title=title,
        unit=PER_SECOND,
        what=Text(N_("capacity units, reads and writes")),
        moments=tuple(start + datetime.timedelta(hours=hour) for hour in range(len(load))),
        ticks="weekday",
        lines=(LineSeries(Text(N_("this table")), load),),
        steps="forward",
    )
