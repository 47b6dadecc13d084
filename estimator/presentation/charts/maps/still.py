"""Part of a map as a heatmap chart: for print, for PNG and where no script runs."""

from typing import Literal

import numpy as np

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.presentation.charts.heatmap import CALM, SHOWN_RANGES, TOP_OF_MEAN, active_ranges
from estimator.presentation.charts.key_labels import range_labels
from estimator.presentation.charts.types import HeatMap
from estimator.results.arrays import Floats, distinct

from .types import KeyMap, MapArea, Metric

Against = Literal["relative", "absolute"]


def still_heatmap(
    key_map: KeyMap, metric: Metric, part: MapArea, *, against: Against = "relative", brightness: int = 0,
    rows: int = SHOWN_RANGES,
) -> HeatMap:  # fmt: skip
    """Return at most so many rows, each as bright as its busiest range; each step of brightness halves the scale."""
    whole = metric.load()
    values = part.select(whole)
    starts = distinct(np.linspace(0, len(values), min(rows, len(values)), endpoint=False).astype(int))
    # The maximum, not the sum: a merged row must not look busier than each of its ranges is.
    cells = np.maximum.reduceat(values, starts, axis=0)
    bounds = tuple(key_map.bounds[part.first_range + start - 1] for start in starts if part.first_range + start)
    absolute = against == "absolute" and metric.limit is not None
    top = scale_top(whole) if metric.limit is None or not absolute else 2 * metric.limit
    # The start of the range before: the first label is told apart from it.
    before = key_map.bounds[max(0, part.first_range - 2) : max(0, part.first_range - 1)]
    return HeatMap(
        title=map_observation(values, metric),
        unit=metric.unit,
        what=Text(metric.what),
        starts=key_map.starts[part.first_window : part.last_window],
        window_seconds=key_map.window_seconds,
        labels=range_labels((*before, *bounds), key_map.read_key)[-len(cells) :],
        bounds=bounds if not part.first_range else bounds[1:],
        values=cells,
        top=top / 2**brightness,
        limit=metric.limited if absolute else None,
        brightened=2.0**brightness,
    )


def active_area(key_map: KeyMap, metric: Metric) -> MapArea:
    """Return what a map shows at first, as every picture of it does: the ranges with nearly all load, or all of it."""
    if not metric.adds:
        return key_map.full_area
    active = active_ranges(metric.load())
    return MapArea(active.start, active.stop, 0, len(key_map.starts))


def scale_top(values: Floats) -> float:
    """Return the top of a relative scale: the busiest cell, or a larger value where all cells are alike."""
    return max(float(values.max(initial=0.0)), TOP_OF_MEAN * float(values.mean())) if values.size else 0.0


def map_observation(values: Floats, metric: Metric) -> Text:
    """Return the main observation about a part of a grid, as a sentence."""
    what, ranges = Text(metric.what), len(values)
    peak = float(values.max(initial=0.0))
    if not peak > 0:
        return Text(N_("No load: {what}"), {"what": what})
    if not metric.adds:
        return Text(N_("{what}: at most {largest_bytes}"), {"what": what, "largest_bytes": peak})
    total = values.sum(axis=0)
    busy = values[:, total > 0] / total[total > 0]
    weights = total[total > 0] / total.sum()
    hottest = float((busy.max(axis=0) * weights).sum())
    effective = float((weights / (busy**2).sum(axis=0)).sum())
    if ranges > 1 and hottest >= 0.2:
        message = N_("At any time, {hottest_share} is in one of {ranges} key ranges: {what}")
        return Text(message, {"hottest_share": hottest, "ranges": ranges, "what": what})
    if effective < ranges / 2:
        message = N_("As uneven as if only {effective} of {ranges} key ranges were used: {what}")
        return Text(message, {"effective": round(effective), "ranges": ranges, "what": what})
    busiest = float(values.sum(axis=1).max() / values.sum(axis=1).mean())
    if busiest > CALM:
        message = N_("Spread over {ranges} key ranges; the busiest has {busiest_factor} the mean: {what}")
        return Text(message, {"ranges": ranges, "busiest_factor": busiest, "what": what})
    return Text(N_("Spread evenly over {ranges} key ranges: {what}"), {"ranges": ranges, "what": what})
