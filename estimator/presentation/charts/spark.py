"""A chart of lines as small as a word: shape and limits, no axes. What it shows stands in words beside it."""

import math
from html import escape
from itertools import pairwise

import numpy as np

from designer.wording.formatting import Translate, english

from .types import LineChart

INSET = 3.0
"""Room for the width of lines and the point at the end."""


def spark(chart: LineChart, translate: Translate = english, *, width: int = 108, height: int = 30) -> str:
    """Return the lines as one `<svg>` element, limits dashed, with a point at the end of the first line."""
    values = np.array([line.values for line in chart.lines if not line.quiet])
    edges = np.array([*values[np.isfinite(values)], *(limit.value for limit in chart.limits)])
    # A logarithm needs a positive least; zeros are drawn at it.
    least, most = (float(edges[edges > 0].min()), float(edges.max())) if (edges > 0).any() else (1.0, 1.0)
    low = math.log(least) if chart.logarithmic else 0.0
    high = math.log(most) if chart.logarithmic else most

    def down(value: float) -> float:
        position = math.log(max(value, least)) if chart.logarithmic else value
        share: float = (position - low) / (high - low) if high > low else 0.5
        return height - INSET - (height - 2 * INSET) * share

    count = len(chart.moments)

    def across(i: int) -> float:
        return INSET + (width - 2 * INSET) * i / max(1, count - 1)

    parts = [
        f'<path class="limit" d="M0 {down(limit.value):.1f}H{width}" fill="none" stroke-dasharray="4 3"/>'
        for limit in chart.limits
    ]
    for i, line in enumerate(values):
        points = [f"{across(j):.1f} {down(float(value)):.1f}" for j, value in enumerate(line)]
        path = "L".join(points) if chart.steps is None else _steps(points, back=chart.steps == "back")
        parts.append(f'<path class="series-{i}" d="M{path}" fill="none"/>')
    end = values[0][-1] if values.size else 0.0
    parts.append(f'<circle class="series-0" cx="{width - INSET:.1f}" cy="{down(float(end)):.1f}" r="2.2"/>')
    title = escape(chart.title.translate(translate))
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg class="spark" {size} role="img" aria-label="{title}"><title>{title}</title>{"".join(parts)}</svg>'


def _steps(points: list[str], *, back: bool) -> str:
    """Along each value to where the next begins, or from where the last ended; up or down between them."""
    out = points[:1]
    for before, after in pairwise(point.split(" ") for point in points):
        out += [f"{before[0]} {after[1]}" if back else f"{after[0]} {before[1]}", " ".join(after)]
    return "L".join(out)
