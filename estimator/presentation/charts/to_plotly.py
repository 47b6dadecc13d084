"""A chart as a plotly figure: plain dicts and lists for JSON, nothing of plotly's Python package.

Colours of text, grid and lines are the page's own: its script fills them in (`meta.paint` is its class in the SVG).
Texts shown are in words already.
"""

import datetime
from typing import Any

import numpy as np

from designer.document.key import as_text
from designer.document.texts import N_
from designer.wording.formatting import Translate, english
from estimator.results.arrays import Floats

from . import ticks as tick
from .layout import (
    DANGER,
    FONT,
    LIMIT,
    QUIET,
    SERIES,
    Paint,
    end_names,
    heights,
    name_room,
    paint_of,
    paint_of_points,
    place_names,
    point_names,
    value_marks,
)
from .scale import STOPS
from .types import BarChart, Chart, ChartBar, HeatMap, LimitLine, LineChart, Moment, amount, moment_text

Figure = dict[str, Any]


def to_plotly(chart: Chart, translate: Translate = english) -> Figure:
    """Return the figure's `data` and `layout`, as `plotly.graph_objects.Figure` accepts them."""
    match chart:
        case HeatMap():
            return _heat(chart, translate)
        case LineChart():
            return _lines(chart, translate)
        case BarChart():
            return _bars(chart, translate)


MARKS_APART = 0.1
"""Marks of a scale that are no further from its limit, as a share of the scale, give way to it."""

_D3 = {"per_second": ".3s}/s", "share": ".1%}"}
"""How plotly writes a cell's value."""


def _layout(**more: Any) -> Figure:
    base: Figure = {
        "template": None,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "font": {"size": FONT},
        "showlegend": False,
        "hovermode": "closest",
    }
    return base | more


def _round_values(values: Any) -> list[Any]:
    """Four significant digits: what a colour or a pixel can show."""
    out: list[Any] = np.vectorize(lambda v: float(f"{v:.4g}"), otypes=[float])(values).tolist()
    return out


def _iso(moment: Moment) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M" if isinstance(moment, datetime.datetime) else "%Y-%m-%d")


def _heat(chart: HeatMap, translate: Translate) -> Figure:
    ranges = len(chart.values)
    indices = tick.even_indices(ranges, 14)
    edges = [as_text(bound) for bound in (chart.first, *chart.bounds, chart.end)]
    spans = [f"{edges[i] or '…'} – {edges[i + 1] or '…'}" for i in range(ranges)]
    last = len(STOPS) - 1
    scale: list[list[Any]] = [[i / last, colour] for i, colour in enumerate(STOPS)]
    words = {
        chart.top * share: amount(chart.top * share, chart.unit, translate)
        for share in ((0, 0.25, 0.5, 0.75, 1) if chart.top > 0 else (0,))
    }
    if chart.limit and chart.limit_value is not None and 0 < chart.limit_value <= chart.top:
        near = (mark for mark in words if abs(mark - chart.limit_value) < MARKS_APART * chart.top)
        for mark in [*near]:
            del words[mark]
        words[chart.limit_value] = chart.limit.translate(translate)
    trace = {
        "type": "heatmap",
        "x": [_iso(start) for start in chart.starts],
        "y": list(range(ranges)),
        "z": _round_values(chart.values),
        "zmin": 0,
        "zmax": chart.top if chart.top > 0 else 1,
        "colorscale": scale,
        "colorbar": {"thickness": 12, "outlinewidth": 0, "tickvals": [*words], "ticktext": [*words.values()], "len": 1},
        "hovertemplate": f"%{{text}}<br>%{{x|%H:%M}} · %{{z:{_D3[chart.unit]}<extra></extra>",
        "text": [[span] * len(chart.starts) for span in spans],
    }
    return {
        "data": [trace],
        "layout": _layout(
            xaxis={
                "type": "date",
                "tickformat": "%H:%M",
                "dtick": 6 * 3_600_000,
                "tickangle": 0,
                "showgrid": False,
                "zeroline": False,
                "automargin": True,
            },
            yaxis={
                "autorange": "reversed",
                "tickmode": "array",
                "tickvals": [i - 0.5 for i in indices],
                "ticktext": [chart.labels[i].text(translate) for i in indices],
                "showgrid": False,
                "zeroline": False,
                "automargin": True,
                "tickfont": {"family": "monospace", "size": 11},
            },
        ),
    }


_CLOCK = {"weekday": "%H:%M", "clock": "%H:%M", "dayofmonth": N_("%-d %b"), "month": N_("%b %Y")}
"""How moments are written on an axis that zooms, in plotly's form; those that stay where they are: `moment_text`."""

SHAPES = {None: "linear", "forward": "hv", "back": "vh"}
"""What plotly.js calls a line that holds its values."""

HALF_DAY_MS = 43_200_000
"""Marks of an axis of days that are no further apart say the hour, too."""


def _lines(chart: LineChart, translate: Translate) -> Figure:
    x = [_iso(moment) for moment in chart.moments]
    data: list[Figure] = []
    for i, line in enumerate(chart.lines):
        paint, name = paint_of(chart, i), line.name.translate(translate)
        if line.low is not None and line.high is not None:
            data.append(_band(line.low, line.high, x, paint))
        words = [f"{name}: {amount(float(v), chart.unit, translate)}" for v in line.values]
        if not i:
            words = [
                f"{moment} · {word}" for moment, word in zip(chart.distinct_moment_texts(translate), words, strict=True)
            ]
        shape, width = SHAPES[chart.steps], 1.2 if line.quiet else 2
        trace = {"type": "scatter", "mode": "lines", "x": x, "y": _round_values(line.values), "name": name}
        hover = {"text": words, "hovertemplate": "%{text}<extra></extra>", "meta": {"paint": paint.name}}
        data.append(trace | hover | {"line": {"color": paint.colour, "width": width, "shape": shape}})
    data += [_points(chart, i, translate) for i in range(len(chart.points))]
    data += [_limit(limit, x) for limit in chart.limits]
    names, marks = _names(chart, translate), _marks(chart, translate)
    room: Figure = {"t": 14, "b": 22, "l": 0, "r": name_room(end_names(chart, translate), WIDTH)}
    notes = {"annotations": [*names, *_point_names(chart, translate), *marks.pop("annotations")]}
    return {"data": data, "layout": _layout(margin=room, **_axes(chart, translate), **marks, **notes)}


def _points(chart: LineChart, i: int, translate: Translate) -> Figure:
    series, paint = chart.points[i], paint_of_points(chart, i)
    name = series.name.translate(translate)
    words = [f"{name}: {amount(float(value), chart.unit, translate)}" for value in series.values]
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [_iso(moment) for moment in series.moments],
        "y": _round_values(series.values),
        "name": name,
        "text": words,
        "hovertemplate": "%{text}<extra></extra>",
        "meta": {"paint": paint.name},
        "marker": {"color": paint.colour, "size": 7},
    }


def _band(low: Floats, high: Floats, x: list[str], paint: Paint) -> Figure:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*x, *x[::-1]],
        "y": [*_round_values(high), *_round_values(low)[::-1]],
        "fill": "toself",
        "fillcolor": paint.colour,
        "opacity": 0.18,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "meta": {"paint": paint.name},
    }


WIDTH, DEPTH = 380.0, 164.0
"""Nominal size of the place for lines: names beside them are placed as in the SVG. [px]"""


X_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def _point_names(chart: LineChart, translate: Translate) -> list[Figure]:
    return [
        {"x": _iso(name.moment), "y": name.value, "text": name.text, "name": name.paint.name, "showarrow": False}
        | {"xanchor": X_ANCHORS[name.anchor], "yanchor": "bottom" if name.is_above else "top"}
        | {"yshift": 4 if name.is_above else -4, "font": {"size": FONT, "color": name.paint.colour}}
        for name in point_names(chart, translate)
    ]


def _names(chart: LineChart, translate: Translate) -> list[Figure]:
    height_of = heights(chart, value_marks(chart))
    beside: Figure = {"xref": "paper", "x": 1, "xanchor": "left", "xshift": 5, "yref": "paper", "yanchor": "bottom"}
    return [
        beside
        | {"y": 1 - (y + 2) / DEPTH, "text": name, "name": paint.name, "showarrow": False, "align": "left"}
        | {"font": {"size": FONT, "color": paint.colour}}
        for y, name, paint in place_names(end_names(chart, translate), lambda v: DEPTH * (1 - height_of(v)), 0.0, DEPTH)
    ]


def _limit(limit: LimitLine, x: list[str]) -> Figure:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x[0], x[-1]],
        "y": [limit.value] * 2,
        "line": {"color": DANGER, "width": 1, "dash": "dash"},
        "hoverinfo": "skip",
        "meta": {"paint": LIMIT.name},
    }


def _axes(chart: LineChart, translate: Translate) -> Figure:
    """Values are marked as in print, and stay in sight; who looks closer does so in time."""
    marks = value_marks(chart)
    logarithmic = chart.logarithmic and marks[0] > 0
    span = np.log10([marks[0], marks[-1]]).tolist() if logarithmic else [marks[0], marks[-1]]
    values = {
        "type": "log" if logarithmic else "linear",
        "range": span,
        "tickvals": list(marks),
        "ticktext": [amount(mark, chart.unit, translate) for mark in marks],
    }
    clock = translate(_CLOCK[chart.ticks], {})
    across: Figure = {"type": "date", "tickformat": clock, "tickangle": 0, "nticks": 3}
    if chart.ticks == "dayofmonth":
        across |= {"tickformatstops": [{"dtickrange": [None, HALF_DAY_MS], "value": f"{clock} %H:%M"}]}
    if chart.ticks == "weekday":
        indices = tick.moment_ticks(chart.moments, chart.ticks)
        across |= {"tickvals": [_iso(chart.moments[i]) for i in indices]}
        across |= {"ticktext": [moment_text(chart.moments[i], chart.ticks, translate) for i in indices]}
    return {
        "hovermode": "x",
        "xaxis": across | {"automargin": True, "zeroline": False, "showspikes": False},
        "yaxis": values | {"automargin": True, "fixedrange": True, "zeroline": False, "showspikes": False},
    }


def _marks(chart: LineChart, translate: Translate) -> Figure:
    upright: Figure = {"type": "line", "line": {"color": DANGER, "width": 1}, "yref": "paper", "y0": 0, "y1": 1}
    above: Figure = {
        "showarrow": False,
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "name": LIMIT.name,
        "font": {"color": DANGER},
    }
    return {
        "shapes": [upright | {"x0": _iso(mark.at), "x1": _iso(mark.at)} for mark in chart.marks],
        "annotations": [above | {"x": _iso(mark.at), "text": mark.name.translate(translate)} for mark in chart.marks],
    }


def _bars(chart: BarChart, translate: Translate) -> Figure:
    # Plotly draws the first bar at the bottom.
    bars = chart.bars[::-1]
    places = list(range(len(bars)))
    trace: Figure = {
        "type": "bar",
        "orientation": "h",
        "x": [bar.value or 0.0 for bar in bars],
        "y": places,
        "text": [_bar_text(bar, chart.unit, translate) for bar in bars],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {
            "color": [QUIET if bar.value is None else SERIES[0] for bar in bars],
            "pattern": {"shape": ["/" if bar.value is None else "" for bar in bars]},
        },
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [bar.high - (bar.value or 0) if bar.high is not None else 0 for bar in bars],
            "arrayminus": [(bar.value or 0) - bar.low if bar.low is not None else 0 for bar in bars],
        },
    }
    names = [bar.label.translate(translate) for bar in bars]
    return {
        "data": [trace],
        "layout": _layout(
            xaxis={"title": {"text": chart.what.translate(translate)}, "automargin": True},
            yaxis={"tickmode": "array", "tickvals": places, "ticktext": names, "automargin": True},
        ),
    }


def _bar_text(bar: ChartBar, unit: str, translate: Translate) -> str:
    if bar.value is not None:
        return amount(bar.value, unit, translate)
    return bar.because.translate(translate) if bar.because else "?"
