"""Charts: one small file per chart turns part of an estimate into one of three frozen kinds.

Pages, print and command line show it as SVG, interactive pages use plotly, screen readers and CSV its rows.
"""

from designer.wording.formatting import Say, Text, english

from .types import Bar, Bars, Chart, Grid, HeatMap, Limit, Line, Lines, Mark

__all__ = ["Bar", "Bars", "Chart", "Grid", "HeatMap", "Limit", "Line", "Lines", "Mark", "Say", "Text", "english"]
