"""A heatmap as one PNG file with its labels drawn in, for the command line."""

import numpy as np

from designer.wording.formatting import Translate, english
from estimator.results.arrays import Bytes

from . import ticks as tick
from .font import ADVANCE, HEIGHT, text_pixels
from .key_labels import axis_texts
from .png import png
from .scale import LEVELS, levels, palette
from .types import HeatMap, amount, moment_text

INK, FAINT, PAPER = (24, 32, 38), (125, 138, 147), (255, 255, 255)
SCALE = 2
LETTER, LINE = ADVANCE * SCALE, HEIGHT * SCALE


def heat_png(chart: HeatMap, translate: Translate = english) -> bytes:
    """PNG bytes: title above, key ranges at the left (first on top), hours below, the colour scale at the right."""
    ranges, windows = chart.values.shape
    high, wide = max(1, round(512 / ranges)), max(1, round(960 / windows))
    beside = max(18, 4 + len(_limit(chart, translate)))
    rows = tick.even_indices(ranges, ranges * high // (2 * LINE))
    labels = axis_texts([chart.labels[i] for i in rows], translate)
    left, top, right = 16 + LETTER * max(8, *map(len, labels)), 4 * LINE, beside * LETTER
    depth, inner = ranges * high, windows * wide
    title = chart.title.translate(translate)
    canvas = np.full((top + depth + 3 * LINE, max(left + inner + right, 16 + len(title) * LETTER), 3), PAPER, np.uint8)
    colours = palette()
    cells = levels(chart.values, chart.top)
    canvas[top : top + depth, left : left + inner] = np.repeat(np.repeat(colours[cells], high, 0), wide, 1)
    _write(canvas, 8, LINE // 2, title)
    for i, label in zip(rows, labels, strict=True):
        y = top + i * high
        canvas[y, left - 6 : left] = FAINT
        _write(canvas, left - 10 - LETTER * len(label), min(y, top + depth - LINE), label)
    for i in tick.moment_ticks(chart.starts, chart.ticks):
        canvas[top + depth : top + depth + 6, left + i * wide] = FAINT
        _write(
            canvas, left + i * wide, top + depth + LINE // 2 + 4, moment_text(chart.starts[i], chart.ticks, translate)
        )
    _legend(canvas, chart, translate, left + inner + 16, top, depth)
    return png(canvas)


def _legend(canvas: Bytes, chart: HeatMap, translate: Translate, x: int, y: int, depth: int) -> None:
    ramp = palette()[np.linspace(LEVELS, 0, depth).round().astype(int)]
    canvas[y : y + depth, x : x + 20] = ramp[:, None]
    for share in (0.0, 0.5, 1.0):
        at = y + int((depth - LINE) * (1 - share))
        most = ">= " if share == 1 < chart.brightened else ""
        _write(canvas, x + 26, at, most + amount(chart.top * share, chart.unit, translate))
    if chart.limit:
        _write(canvas, x, y - LINE - 10, _limit(chart, translate))


def _limit(chart: HeatMap, translate: Translate) -> str:
    """Return the limit with its value, if the scale has one."""
    if chart.limit is None or chart.limit_value is None:
        return ""
    return f"{chart.limit.translate(translate)}: {amount(chart.limit_value, chart.unit, translate)}"


def _write(canvas: Bytes, x: int, y: int, text: str) -> None:
    ink = text_pixels(text, SCALE)[:, : max(0, canvas.shape[1] - x)]
    canvas[y : y + len(ink), x : x + ink.shape[1]][ink] = INK
