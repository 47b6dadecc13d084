"""A chart as a plotly figure: plain dicts and lists for JSON, nothing of plotly's Python package.

Colours of text and grid are the page's own: its script fills them in. Texts shown are in words already.
"""

import datetime
from typing import Any

import numpy as np

from designer.formats import Say, english
from designer.spec.key import as_text

from . import ticks as tick
from .kinds import Bar, Bars, Chart, HeatMap, Lines, Moment, amount, moment_text
from .scale import OVER, STOPS
from .to_svg import DANGER, QUIET, SERIES

Figure = dict[str, Any]


def to_plotly(chart: Chart, say: Say = english) -> Figure:
    """The figure's `data` and `layout`; `plotly.graph_objects.Figure` accepts it."""
    match chart:
        case HeatMap():
            return _heat(chart, say)
        case Lines():
            return _lines(chart, say)
        case Bars():
            return _bars(chart, say)


_D3 = {"per_second": ".3s}/s", "share": ".1%}"}
"""How plotly writes a cell's value; the page's script spreads `meta.spans` over the cells as their text."""


def _layout(**more: Any) -> Figure:
    base: Figure = {
        "template": None,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "font": {"size": 12},
        "showlegend": False,
        "hovermode": "closest",
    }
    return base | more


def _significant(values: Any) -> list[Any]:
    """Four significant digits: what a colour or a pixel can show."""
    out: list[Any] = np.vectorize(lambda v: float(f"{v:.4g}"), otypes=[float])(values).tolist()
    return out


def _iso(moment: Moment) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M" if isinstance(moment, datetime.datetime) else "%Y-%m-%d")


def _heat(chart: HeatMap, say: Say) -> Figure:
    ranges = len(chart.values)
    shown = tick.evenly(ranges, 14)
    edges = ["", *(as_text(bound) for bound in chart.bounds), ""]
    spans = [f"{edges[i] or '…'} – {edges[i + 1] or '…'}" for i in range(ranges)]
    last = len(STOPS) - 1
    scale: list[list[Any]] = [[i / last * (0.999 if chart.limit else 1), colour] for i, colour in enumerate(STOPS)]
    if chart.limit:
        scale += [[0.999, OVER], [1, OVER]]
    marks = [chart.top * share for share in (0, 0.25, 0.5, 0.75, 1)] if chart.top > 0 else [0]
    words = [amount(mark, chart.unit, say) for mark in marks]
    if chart.limit:
        words[-1] = f"≥ {chart.limit.said(say)}"
    trace = {
        "type": "heatmap",
        "x": [_iso(start) for start in chart.starts],
        "y": list(range(ranges)),
        "z": _significant(chart.values),
        "zmin": 0,
        "zmax": chart.top if chart.top > 0 else 1,
        "colorscale": scale,
        "colorbar": {"thickness": 12, "outlinewidth": 0, "tickvals": marks, "ticktext": words, "len": 1},
        "hovertemplate": f"%{{text}}<br>%{{x|%H:%M}} · %{{z:{_D3[chart.unit]}<extra></extra>",
        "meta": {"spans": spans},
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
                "tickvals": [i - 0.5 for i in shown],
                "ticktext": [chart.labels[i] or "" for i in shown],
                "showgrid": False,
                "zeroline": False,
                "automargin": True,
                "tickfont": {"family": "monospace", "size": 11},
            },
        ),
    }


def _lines(chart: Lines, say: Say) -> Figure:
    x = [_iso(moment) for moment in chart.moments]
    data: list[Figure] = []
    for i, line in enumerate(chart.lines):
        colour = QUIET if line.quiet else SERIES[i % len(SERIES)]
        if line.low is not None and line.high is not None:
            edge = [*_significant(line.high), *_significant(line.low)[::-1]]
            band = {"type": "scatter", "x": [*x, *x[::-1]], "y": edge, "fill": "toself", "fillcolor": colour}
            data.append(band | {"opacity": 0.18, "line": {"width": 0}, "mode": "lines", "hoverinfo": "skip"})
        name, shape = line.name.said(say), "hv" if chart.stepped else "linear"
        words = [
            f"{name}: {amount(float(v), chart.unit, say)} · {moment_text(m, chart.ticks, say)}"
            for v, m in zip(line.values, chart.moments, strict=True)
        ]
        stroke = {"color": colour, "width": 1.2 if line.quiet else 2, "shape": shape}
        trace = {"type": "scatter", "mode": "lines", "x": x, "y": _significant(line.values), "name": name}
        data.append(trace | {"line": stroke, "text": words, "hovertemplate": "%{text}<extra></extra>"})
    yaxis = {"automargin": True, "title": {"text": chart.what.said(say)}}
    scale = {"type": "log"} if chart.logarithmic else {"type": "linear", "rangemode": "tozero"}
    return {"data": data, "layout": _layout(shapes=_marks(chart), xaxis={"type": "date"}, yaxis=yaxis | scale)}


def _marks(chart: Lines) -> list[Figure]:
    dashed: Figure = {"type": "line", "line": {"color": DANGER, "width": 1, "dash": "dash"}}
    across: Figure = dashed | {"xref": "paper", "x0": 0, "x1": 1}
    upright: Figure = dashed | {"yref": "paper", "y0": 0, "y1": 1}
    return [across | {"y0": limit.value, "y1": limit.value} for limit in chart.limits] + [
        upright | {"x0": _iso(mark.at), "x1": _iso(mark.at)} for mark in chart.marks
    ]


def _bars(chart: Bars, say: Say) -> Figure:
    bars = chart.bars[::-1]
    places = list(range(len(bars)))
    trace: Figure = {
        "type": "bar",
        "orientation": "h",
        "x": [bar.value or 0.0 for bar in bars],
        "y": places,
        "text": [_said(bar, chart.unit, say) for bar in bars],
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
    names = [bar.label.said(say) for bar in bars]
    return {
        "data": [trace],
        "layout": _layout(
            xaxis={"title": {"text": chart.what.said(say)}, "automargin": True},
            yaxis={"tickmode": "array", "tickvals": places, "ticktext": names, "automargin": True},
        ),
    }


def _said(bar: Bar, unit: str, say: Say) -> str:
    if bar.value is not None:
        return amount(bar.value, unit, say)
    return bar.because.said(say) if bar.because else "?"
