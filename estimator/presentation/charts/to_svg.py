"""A chart as SVG, for print, for the first paint and where no script runs. Text takes the colour around it."""

import base64
from collections.abc import Sequence
from html import escape
from itertools import takewhile

import numpy as np

from designer.wording.formatting import Translate, english
from estimator.results.arrays import Floats

from . import ticks as tick
from .key_labels import KeyLabel, axis_texts
from .layout import (
    DANGER,
    FONT,
    QUIET,
    SERIES,
    Down,
    Paint,
    day_number,
    end_names,
    heights,
    name_room,
    paint_of,
    paint_of_points,
    place_names,
    point_names,
    text_width,
    value_marks,
)
from .png import png
from .scale import LEVELS, levels, palette
from .types import BarChart, Chart, ChartBar, HeatMap, LineChart, LineSeries, Steps, amount, moment_text

ROW, STACKED = 22, 38
"""Height of a bar with its label beside it, and above it."""
MONO = 'font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace"'


def to_svg(chart: Chart, translate: Translate = english, *, width: int = 380, height: int = 0) -> str:
    """Return the chart as one `<svg>` element; `height` 0 is the default of its kind."""
    match chart:
        case HeatMap():
            height, parts = height or 340, _heat(chart, translate, width, height or 340)
        case LineChart():
            height, parts = height or 200, _lines(chart, translate, width, height or 200)
        case BarChart():
            height = (
                height
                or (STACKED if _has_stacked_labels(chart, translate, width) else ROW) * max(1, len(chart.bars)) + 8
            )
            parts = _bars(chart, translate, width)
    title = escape(chart.title.translate(translate))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}" '
        f'font-size="{FONT}" fill="currentColor" font-family="inherit"><title>{title}</title>{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start", extra: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{escape(text)}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float, extra: str = 'stroke="currentColor" stroke-opacity=".15"') -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" fill="none" {extra}/>'


def _image(x: float, y: float, width: float, height: float, data: bytes) -> str:
    href = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    return (
        f'<image class="heat-cells" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'preserveAspectRatio="none" image-rendering="pixelated" href="{href}"/>'
    )


def _heat(chart: HeatMap, translate: Translate, width: int, height: int) -> list[str]:
    ranges, windows = chart.values.shape
    rows = tick.even_indices(ranges, max(2, int((height - 30) // 24)))
    labels = _fitting_labels([chart.labels[i] for i in rows], translate, 0.2 * width)
    left = 14 + max(map(_mono_width, labels), default=0.0)
    limit = text_width(chart.limit.translate(translate)) if chart.limit else 0.0
    scale = max(text_width(amount(chart.top * share, chart.unit, translate)) for share in (0.5, 1.0))
    scale = max(scale, min(limit, 0.3 * width))
    top, right, bottom = 8.0, max(60.0, 32 + scale), 22.0
    inner, depth = width - left - right, height - top - bottom
    cells = levels(chart.values, chart.top)
    parts = [_image(left, top, inner, depth, png(cells, palette()))]
    parts += [
        f'<rect x="{left:.1f}" y="{top + depth * first:.1f}" width="{inner:.1f}" '
        f'height="{max(depth * (end - first), 3.0):.1f}" fill="none" stroke="{DANGER}" stroke-width="2"/>'
        for first, end in chart.outlines
    ]
    for i, label in zip(rows, labels, strict=True):
        y = top + depth * i / ranges
        parts += [_rule(left - 4, y, left, y), _text(left - 6, max(y + 4, top + 9), label, "end", MONO)]
    for i in tick.moment_ticks(chart.starts, chart.ticks, maximum=int(inner // 52)):
        x, anchor = left + inner * i / windows, "middle" if i or left > 20 else "start"
        parts += [
            _rule(x, top + depth, x, top + depth + 4),
            _text(x, height - 6, moment_text(chart.starts[i], chart.ticks, translate), anchor),
        ]
    return parts + _legend(chart, translate, width - right + 12, top + 14, depth - 28)


def _mono_width(text: str) -> float:
    return 0.61 * FONT * len(text)  # letters of monospaced fonts are about 0.6 em wide


def _fitting_labels(keys_of_axis: Sequence[KeyLabel], translate: Translate, room: float) -> list[str]:
    """Return the labels of an axis, from where they differ on if they are wider than the room: `…415`."""
    labels = axis_texts(keys_of_axis, translate)
    if max(map(_mono_width, labels), default=0.0) <= room:
        return labels
    keys = [label for label in labels if label]
    if all(label.day for label in keys_of_axis if label):  # the time of the day says more than half of a date
        return [label.text(translate, with_day=False) for label in keys_of_axis]
    # Letters that all keys share tell nothing; `zip` stops at the shortest key.
    columns = zip(*keys, strict=False) if len(keys) > 1 else ()
    same = sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, columns))
    short = [f"…{label[same:]}" if same > 1 and label in keys else label for label in labels]
    most = int(room / _mono_width("0"))
    return [label if len(label) <= most else f"{label[: most - 1]}…" for label in short]


def _legend(chart: HeatMap, translate: Translate, x: float, y: float, depth: float) -> list[str]:
    ramp = np.arange(LEVELS, -1, -1, dtype=np.uint8).reshape(-1, 1)
    parts = [_image(x, y, 12, depth, png(ramp, palette()))]
    for share in (0.0, 0.5, 1.0):
        at = y + depth * (1 - share)
        parts.append(_text(x + 16, at + 4, amount(chart.top * share, chart.unit, translate)))
    if chart.limit and chart.limit_value is not None and chart.limit_value <= chart.top:
        at = y + depth * (1 - chart.limit_value / chart.top)
        parts.append(_rule(x - 2, at, x + 14, at, 'stroke="currentColor" stroke-width="2"'))
        parts.append(_text(x + 16, at + 16, chart.limit.translate(translate)))
    return parts


def _lines(chart: LineChart, translate: Translate, width: int, height: int) -> list[str]:
    marks = value_marks(chart)
    labels = [amount(mark, chart.unit, translate) for mark in marks]
    names = end_names(chart, translate)
    left, top, bottom = max(map(text_width, labels)) + 12, 14.0, 22.0
    right = name_room(names, width)
    inner, depth = width - left - right, height - top - bottom
    count = len(chart.moments)

    def across(i: float) -> float:
        return left + inner * i / max(1, count - 1)

    height_of = heights(chart, marks)

    def down(value: float) -> float:
        return top + depth * (1 - height_of(value))

    parts = []
    for mark, label in zip(marks, labels, strict=True):
        parts += [_rule(left, down(mark), width - right, down(mark)), _text(left - 6, down(mark) + 4, label, "end")]
    for i in tick.moment_ticks(chart.moments, chart.ticks, maximum=max(2, int(inner // 80))):
        anchor = "start" if chart.ticks == "weekday" else "middle"
        parts += [
            _rule(across(i), top + depth, across(i), top + depth + 4),
            _text(across(i), height - 6, moment_text(chart.moments[i], chart.ticks, translate), anchor),
        ]
    for i, line in enumerate(chart.lines):
        parts += _line(line, paint_of(chart, i), [across(j) for j in range(count)], down, steps=chart.steps)
    for limit in chart.limits:
        dashed = f'stroke="{DANGER}" stroke-dasharray="5 3"'
        parts.append(_rule(left, down(limit.value), width - right, down(limit.value), dashed))
    days = [day_number(moment) for moment in chart.moments]
    for i, series in enumerate(chart.points):
        paint = paint_of_points(chart, i)
        # Moments are drawn at equal distances, although months are not equally long: points lie between them by days.
        places = np.interp([day_number(at) for at in series.moments], days, range(count))
        parts += [
            f'<circle cx="{across(float(place)):.1f}" cy="{down(float(value)):.1f}" r="3.5" class="{paint.name}" '
            f'fill="{paint.colour}"/>'
            for place, value in zip(places, series.values, strict=True)
        ]
    for name in point_names(chart, translate):
        x = across(float(np.interp(day_number(name.moment), days, range(count))))
        y = down(name.value) + (-8 if name.is_above else 17)
        extra = f'class="{name.paint.name}" fill="{name.paint.colour}"'
        parts.append(_text(x, y, name.text, name.anchor, extra))
    for event in chart.marks:
        at = np.interp(day_number(event.at), days, range(count))
        parts += [
            _rule(across(at), top, across(at), top + depth, f'stroke="{DANGER}" stroke-opacity=".6"'),
            _text(across(at), top - 4, event.name.translate(translate), "middle", f'class="limit" fill="{DANGER}"'),
        ]
    return parts + [
        _text(width - right + 5, y, name, extra=f'class="{paint.name}" fill="{paint.colour}"')
        for y, name, paint in place_names(names, down, top, top + depth)
    ]


def _line(line: LineSeries, paint: Paint, xs: list[float], down: Down, *, steps: Steps | None) -> list[str]:
    def points(values: Floats) -> list[str]:
        out: list[str] = []
        for i, (x, value) in enumerate(zip(xs, values, strict=True)):
            if steps and i:
                out.append(_corner(steps, (xs[i - 1], values[i - 1]), (x, value), down))
            out.append(f"{x:.1f} {down(float(value)):.1f}")
        return out

    parts = []
    if line.low is not None and line.high is not None:
        outline = "L".join(points(line.high) + points(line.low)[::-1])
        parts.append(f'<path d="M{outline}Z" fill="{paint.colour}" fill-opacity=".18"/>')
    width = 1.2 if line.quiet else 2
    path = "L".join(points(line.values))
    stroke = f'class="{paint.name}" stroke="{paint.colour}" stroke-width="{width}" stroke-linejoin="round"'
    parts.append(f'<path d="M{path}" fill="none" {stroke}/>')
    return parts


def _corner(steps: Steps, before: tuple[float, float], after: tuple[float, float], down: Down) -> str:
    x, value = (after[0], before[1]) if steps == "forward" else (before[0], after[1])
    return f"{x:.1f} {down(float(value)):.1f}"


def _has_stacked_labels(chart: BarChart, translate: Translate, width: int) -> bool:
    """Return whether labels are long enough to be placed above their bars."""
    return max((text_width(bar.label.translate(translate)) for bar in chart.bars), default=0) > width * 0.4


def _bars(chart: BarChart, translate: Translate, width: int) -> list[str]:
    stacked = _has_stacked_labels(chart, translate, width)
    labels = [bar.label.translate(translate) for bar in chart.bars]
    left = 0.0 if stacked else max(map(text_width, labels), default=0) + 10
    # The whisker of a band can be longer than its bar.
    most = max((max(bar.value or 0, bar.high or 0) for bar in chart.bars), default=0)
    amounts = ["" if bar.value is None else amount(bar.value, chart.unit, translate) for bar in chart.bars]
    inner = width - left - max(map(text_width, amounts), default=0) - 12
    parts = []
    for i, (bar, label) in enumerate(zip(chart.bars, labels, strict=True)):
        y = 22.0 + STACKED * i if stacked else 6.0 + ROW * i
        if stacked:
            parts.append(_text(0, y - 5, _shorten(label, width)))
        else:
            parts.append(_text(left - 8, y + 11, label, "end"))
        parts += _bar(bar, amounts[i], translate, left, y, inner / most if most else 0.0)
    return parts


def _bar(bar: ChartBar, amount_: str, translate: Translate, left: float, y: float, scale: float) -> list[str]:
    if bar.value is None:
        lines = "".join(f"M{left + x} {y + 14}l14 -14" for x in range(0, 66, 7))
        return [
            f'<path d="{lines}" stroke="{QUIET}" fill="none"/>',
            f'<rect x="{left:.1f}" y="{y:.1f}" width="80" height="14" fill="none" stroke="{QUIET}"/>',
            _text(left + 86, y + 11, bar.because.translate(translate) if bar.because else "?"),
        ]
    end = length = scale * bar.value
    parts = [f'<rect x="{left:.1f}" y="{y:.1f}" width="{length:.1f}" height="14" fill="{SERIES[0]}"/>']
    if bar.low is not None and bar.high is not None and bar.high > bar.low:
        low, high = left + scale * bar.low, left + scale * bar.high
        whisker = 'stroke="currentColor" stroke-width="1.5"'
        parts.append(_rule(low, y + 7, high, y + 7, whisker))
        parts += [_rule(at, y + 3, at, y + 11, whisker) for at in (low, high)]
        end = max(length, scale * bar.high)
    return [*parts, _text(left + end + 6, y + 11, amount_)]


def _shorten(text: str, width: float) -> str:
    if text_width(text) <= width:
        return text
    while text and text_width(text) > width - 8:
        text = text[:-1]
    return text + "…"
