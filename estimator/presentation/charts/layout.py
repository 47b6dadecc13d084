"""Positions and colours of the parts of lines over time, the same in print and on interactive pages."""

import datetime
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from designer.wording.formatting import Translate

from . import ticks as tick
from .types import LineChart, Moment

SERIES = ("#66717e", "#d55e00", "#009e73", "#a24b9c")
"""Line colours, ink first: 3:1 or more on white and on the dark ground, apart for colour-blind readers (after Okabe
and Ito), and none that fields or heat have."""

QUIET = "#7d8a93"
DANGER = "#c8443a"


class Paint(NamedTuple):
    """A colour, and the class by which a page gives it a lighter or darker one for text and lines."""

    name: str
    colour: str


LIMIT = Paint("limit", DANGER)
FONT = 12.5
"""Size of all texts of a chart, as of cells of tables. [px at the width for which it is drawn]"""
ROOM_BEFORE, ROOM_BELOW = 0.24, 0.12
"""Shares of a chart's width and height in which the name of a point has room before and below it."""
Down = Callable[[float], float]


def text_width(text: str) -> float:
    """Return about how wide a text is, in pixels at the chart's size."""
    return FONT * sum(
        # From U+1100 on stand the scripts whose characters fill a square, such as kana and kanji. The server has no
        # font to measure with, so widths are means.
        1.05 if ord(c) >= 0x1100 else 0.65 if c.isdigit() or c.isupper() or c in "mw" else 0.555
        for c in text
    )


def value_marks(chart: LineChart) -> tuple[float, ...]:
    """Return the marks of the value axis, from below the least to above the largest line, band or limit."""
    every = [edge for line in chart.lines for edge in (line.values, line.low, line.high) if edge is not None]
    every += [series.values for series in chart.points]
    values = np.concatenate([*every, np.array([limit.value for limit in chart.limits])])
    values = values[np.isfinite(values)]
    most = float(values.max(initial=0.0))
    if chart.logarithmic and most > 0:
        return tick.log_ticks(float(values[values > 0].min()), most, chart.unit)
    return tick.round_ticks(most, chart.unit)


def heights(chart: LineChart, marks: tuple[float, ...]) -> Down:
    """Return a function from a value to its height between the first mark (0) and the last (1)."""
    if not (chart.logarithmic and marks[0] > 0):
        # Linear scales begin at 0, so that heights compare as amounts do.
        return lambda value: value / marks[-1]
    low, high = np.log(marks[0]), np.log(marks[-1])
    return lambda value: float((np.log(max(value, marks[0])) - low) / ((high - low) or 1.0))


def paint_of_points(chart: LineChart, i: int) -> Paint:
    """Return the paint of the i-th series of points, after the lines."""
    place = (len(chart.lines) + i) % len(SERIES)
    return Paint(f"series-{place}", SERIES[place])


def paint_of(chart: LineChart, i: int) -> Paint:
    """Return the paint of the i-th line."""
    return (
        Paint("quiet", QUIET) if chart.lines[i].quiet else Paint(f"series-{i % len(SERIES)}", SERIES[i % len(SERIES)])
    )


Name = tuple[str, Paint, float]
"""Of a line or limit: its name, its paint, its last value."""


def end_names(chart: LineChart, translate: Translate) -> list[Name]:
    """Return the names at the ends of lines and limits."""
    lines = [
        (line.name.translate(translate), paint_of(chart, i), float(line.values[-1]))
        for i, line in enumerate(chart.lines)
    ]
    return lines + [(limit.name.translate(translate), LIMIT, limit.value) for limit in chart.limits]


Anchor = Literal["start", "middle", "end"]


class PointName(NamedTuple):
    """Name of a series of points, beside the last of them: at the end of the chart it would name another moment."""

    text: str
    paint: Paint
    moment: Moment
    value: float
    is_above: bool
    """Above its point, which lies above the first line; else below."""
    anchor: Anchor
    """Of the text at its point: it ends there if it can, as most lines grow."""


def point_names(chart: LineChart, translate: Translate) -> list[PointName]:
    """Return the names of series of points."""
    days = [day_number(moment) for moment in chart.moments]
    height_of = heights(chart, value_marks(chart))
    names = list[PointName]()
    for i, series in enumerate(chart.points):
        moment, value = series.moments[-1], float(series.values[-1])
        day = day_number(moment)
        # Below a point near the axis, its name would stand among the moments.
        is_above = value >= float(np.interp(day, days, chart.lines[0].values)) or height_of(value) < ROOM_BELOW
        share = (day - days[0]) / ((days[-1] - days[0]) or 1.0)
        anchor: Anchor = "start" if share < ROOM_BEFORE / 2 else "middle" if share < ROOM_BEFORE else "end"
        text, paint = series.name.translate(translate), paint_of_points(chart, i)
        names.append(PointName(text, paint, moment, value, is_above, anchor))
    return names


def day_number(moment: Moment) -> float:
    """Return a moment in days."""
    midnight = datetime.datetime(moment.year, moment.month, moment.day)  # noqa: DTZ001 - moments are UTC throughout
    clock = moment.hour / 24 + moment.minute / 1440 if isinstance(moment, datetime.datetime) else 0.0
    return midnight.toordinal() + clock


def name_room(names: list[Name], width: float) -> float:
    """Return the width of the room for the names beside the lines."""
    return min(width * 0.4, max((text_width(name) for name, *_ in names), default=0) + 10)


def place_names(names: list[Name], down: Down, top: float, bottom: float) -> list[tuple[float, str, Paint]]:
    """Return the baseline of each name, moved apart where names would overlap."""
    ordered = sorted(names, key=lambda item: -item[2])
    ys: list[float] = []
    for _, _, value in ordered:
        ys.append(max(down(value) + 4, ys[-1] + FONT + 1 if ys else top))
    for i, y in reversed(list(enumerate(ys))):  # what would stand below the axis moves up, and what is in its way
        ys[i] = min(y, ys[i + 1] - FONT - 1 if i + 1 < len(ys) else bottom + 4)
    return [(y, name, paint) for y, (name, paint, _) in zip(ys, ordered, strict=True)]
