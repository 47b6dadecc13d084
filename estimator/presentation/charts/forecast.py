"""A forecast of the design with what was measured since."""

import datetime
from collections.abc import Sequence

import numpy as np

from designer.document.durations import MONTH_DAYS
from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.results import TableGrowth
from estimator.results.arrays import Floats

from .types import LineChart, LineSeries, PointSeries

Measured = tuple[datetime.date, float]
FORECASTS = {"rows": N_("Rows"), "logical_bytes": N_("Logical bytes"), "disk_bytes": N_("Bytes on disk")}
"""Figures of a table that have a chart."""


def forecast_chart(growth: TableGrowth, name: str, measured: Sequence[Measured]) -> LineChart | None:
    """Return a figure of `FORECASTS` over the horizon with its measurements; None if all lie outside of it."""
    inside = sorted(pair for pair in measured if growth.dates[0] <= pair[0] <= growth.dates[-1])
    if not inside:
        return None
    values, low, high = _forecast(growth, name)
    date, newest = inside[-1]
    months = (date - growth.dates[0]).days / MONTH_DAYS
    planned = float(np.interp(months, range(len(values)), values))
    unit = "rows" if name == "rows" else "bytes"
    return LineChart(
        title=Text(
            N_("{figure}: {measured} on {date}, forecast {forecast}"),
            {
                "figure": Text(FORECASTS[name]), "date": date,
                "measured": Text(f"{{value_{unit}}}", {f"value_{unit}": newest}),
                "forecast": Text(f"{{value_{unit}}}", {f"value_{unit}": planned}),
            },
        ),
        unit=unit,
        what=Text(FORECASTS[name]),
        moments=growth.dates,
        ticks="month",
        lines=(LineSeries(Text(N_("forecast")), values, low, high),),
        points=(PointSeries(Text(N_("measured")), tuple(at for at, _ in inside), np.array([v for _, v in inside])),),
    )  # fmt: skip


def _forecast(growth: TableGrowth, name: str) -> tuple[Floats, Floats | None, Floats | None]:
    match name:
        case "rows":
            return growth.rows, None, None
        case "logical_bytes":
            return growth.logical_bytes, None, None
    return growth.physical_bytes, growth.physical_bytes_low, growth.physical_bytes_high
