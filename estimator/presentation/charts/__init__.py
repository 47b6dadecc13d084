"""Charts: one small file per chart turns part of an estimate into one of three frozen kinds.

Pages, print and command line show it as SVG, interactive pages use plotly, screen readers and CSV its rows.
"""

from designer.wording.formatting import Text, Translate, english

from .types import BarChart, Chart, ChartBar, Grid, HeatMap, LimitLine, LineChart, LineSeries, PointSeries, TimeMark

__all__ = [
    "BarChart",
    "Chart",
    "ChartBar",
    "Grid",
    "HeatMap",
    "LimitLine",
    "LineChart",
    "LineSeries",
    "PointSeries",
    "Text",
    "TimeMark",
    "Translate",
    "english",
]
