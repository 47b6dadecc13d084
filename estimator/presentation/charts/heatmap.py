"""The heatmap of one table's shown day: what the Key Visualizer would show, from writes or from reads."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.presentation.segments import KeyReader
from estimator.results import TableTraffic
from estimator.results.arrays import Floats, Ints, distinct

from .key_labels import range_labels
from .types import HeatMap
from .utilisation import NodeLoad, as_node_shares

Of = Literal["writes", "reads"]
Against = Literal["relative", "absolute"]

OF: tuple[Of, ...] = ("writes", "reads")
AGAINST: tuple[Against, ...] = ("absolute", "relative")
"""The first is what a map opens with: one scale for every map, whose middle is the limit of a node."""
SHOWN_RANGES = 128
"""Rows of the picture; findings never see it."""

ACTIVE_SHARE = 0.98
"""A picture shows the fewest neighbouring ranges with this share of the day's load, if that is less than half."""

LEAST_RANGES = 32
"""A picture shows at least so many: what is beside the load tells where in the table it lies."""

CALM = 3.0
"""A range stands out from this multiple of the mean."""

TOP_OF_MEAN = 2 * CALM
"""Relative colours end at this multiple of the mean or above: an even load is not shown as an alarm."""


def heatmap(
    traffic: TableTraffic, *, of: Of = "writes", against: Against = "relative", read_key: KeyReader | None = None,
    outlined: Sequence[tuple[int, int]] = (), nodes: NodeLoad | None = None,
) -> HeatMap:  # fmt: skip
    """Return load per key range and window, `relative` to the table's own busiest cell or `absolute`, against one node.

    With the load of `nodes`, the latter is how busy a node is that serves such ranges, as in strips and thumbnails.
    Only the active ranges are shown, or all if some are `outlined` (first range and the one after the last); the title
    is about all. `read_key` gives times in labels as dates.
    """
    heat, is_absolute = traffic.heat, against == "absolute"
    if not is_absolute:
        full = heat.writes_per_second if of == "writes" else heat.reads_per_second
    else:
        full = heat.write_node_share if of == "writes" else heat.read_node_share
    # The mean of all ranges in the busiest window, of the full map: the shown part alone would be its own mean.
    mean_of_ranges = float(heat.node_share_of_windows.max(initial=0.0)) / len(full)
    by_node = is_absolute and nodes is not None and nodes.mean_share is not None and mean_of_ranges > 0
    visible = slice(0, len(full)) if outlined else active_ranges(full)
    edges = (b"", *heat.bounds, b"")
    values, bounds = rebin_ranges(full[visible], edges[visible.start + 1 : visible.stop])
    if by_node:
        assert nodes is not None
        # Rows of the picture are sums of neighbouring ranges, and a node's load is compared with the mean range.
        values = as_node_shares(values / _merged_counts(len(full[visible]))[:, np.newaxis], mean_of_ranges, nodes)
    first, end = edges[visible.start], edges[visible.stop]
    partitioned = traffic.partition is not None
    return HeatMap(
        title=_title_absolute(full, of, partitioned=partitioned)
        if is_absolute and not by_node
        else heat_title(full, of),
        unit="share" if is_absolute else "per_second",
        what=Text(_PARTITIONED[of] if is_absolute and partitioned else _WHAT[of, against]),
        starts=heat.window_starts,
        window_seconds=heat.window_seconds,
        labels=range_labels((edges[visible.start - 1], first, *bounds) if first else bounds, read_key)[-len(values) :],
        bounds=bounds,
        first=first,
        end=end,
        values=values,
        # An absolute scale ends at twice the limit, so that the limit is its middle colour on every map.
        top=2.0 if is_absolute else max(float(values.max()), TOP_OF_MEAN * float(values.mean())),
        limit=Text(_ONE[partitioned]) if is_absolute else None,
        outlines=tuple((at / len(full), after / len(full)) for at, after in outlined),
    )


def active_ranges(values: Floats) -> slice:
    """Return the fewest neighbouring ranges with nearly all load, or all if those are half of them or more."""
    total = np.concatenate([[0.0], np.cumsum(values.sum(axis=1))])
    target = ACTIVE_SHARE * total[-1]
    if not target > 0:
        return slice(0, len(values))
    # For each first range, where the wanted share is reached; the tolerance keeps rounding from asking for one range
    # more.
    ends = np.searchsorted(total, total[:-1] + target * (1 - 1e-9))
    ends = np.where(ends < len(total), ends, 2 * len(total))  # not reached from there
    first = int(np.argmin(ends - np.arange(len(values))))
    last = int(ends[first])
    if max(last - first, LEAST_RANGES) >= len(values) / 2:
        return slice(0, len(values))
    missing = max(0, LEAST_RANGES - (last - first))
    first = max(0, min(first - missing // 2, len(values) - LEAST_RANGES)) if missing else first
    return slice(first, max(last, first + LEAST_RANGES))


def rebin_ranges(
    values: Floats, bounds: Sequence[bytes], range_count: int = SHOWN_RANGES
) -> tuple[Floats, tuple[bytes, ...]]:
    """Neighbouring ranges added up to at most `range_count`, and the keys between them."""
    starts = _merged_starts(len(values), range_count)
    return np.add.reduceat(values, starts, axis=0), tuple(bounds[start - 1] for start in starts[1:])


def _merged_starts(ranges: int, range_count: int = SHOWN_RANGES) -> Ints:
    return distinct(np.linspace(0, ranges, min(range_count, ranges), endpoint=False).astype(int))


def _merged_counts(ranges: int) -> Ints:
    """Return the number of ranges in each row of the picture."""
    return np.diff([*_merged_starts(ranges), ranges])


_WHAT = {
    ("writes", "relative"): N_("rows written"),
    ("reads", "relative"): N_("read requests"),
    ("writes", "absolute"): N_("share of one node, writes"),
    ("reads", "absolute"): N_("share of one node, reads"),
}
_ONE = {False: N_("one node"), True: N_("one key value")}
_PARTITIONED = {
    "writes": N_("share of the limit of one partition-key value, writes"),
    "reads": N_("share of the limit of one partition-key value, reads"),
}
_IDLE = {"writes": N_("No writes on this day"), "reads": N_("No reads on this day")}
_CONCENTRATED = {
    "writes": N_("At any time, {hottest_share} of the writes go to one of {ranges} key ranges"),
    "reads": N_("At any time, {hottest_share} of the reads go to one of {ranges} key ranges"),
}
_FEW = {
    "writes": N_("Writes are as uneven as if they used only {effective} of {ranges} key ranges"),
    "reads": N_("Reads are as uneven as if they used only {effective} of {ranges} key ranges"),
}
_SPREAD = {
    "writes": N_("Writes spread evenly over all {ranges} key ranges"),
    "reads": N_("Reads spread evenly over all {ranges} key ranges"),
}
_OVER = {
    "writes": N_("Writes on the busiest key range use {peak_share} of one node"),
    "reads": N_("Reads on the busiest key range use {peak_share} of one node"),
}


_OVER_PARTITION = {
    "writes": N_("Writes on the busiest key range use {peak_share} of the limit of one partition-key value"),
    "reads": N_("Reads on the busiest key range use {peak_share} of the limit of one partition-key value"),
}


def heat_title(values: Floats, of: Of) -> Text:
    """Return how evenly a load per range and window is spread, in words."""
    total = values.sum(axis=0)
    if not total.sum() > 0:
        return Text(_IDLE[of])
    # Shares within each window, weighted by the window's load below: a load that moves through the keys over the day
    # is concentrated at any time, although the day's sum is even.
    busy = values[:, total > 0] / total[total > 0]
    weights = total[total > 0] / total.sum()
    hottest = float((busy.max(axis=0) * weights).sum())
    # 1 / Σ share² per window: as many equally busy ranges would be as uneven.
    effective = float((weights / (busy**2).sum(axis=0)).sum())
    ranges = len(values)
    if hottest >= 0.2:
        return Text(_CONCENTRATED[of], {"hottest_share": hottest, "ranges": ranges})
    if effective < ranges / 2:
        return Text(_FEW[of], {"effective": round(effective), "ranges": ranges})
    return Text(_SPREAD[of], {"ranges": ranges})


def _title_absolute(values: Floats, of: Of, *, partitioned: bool) -> Text:
    peak = float(values.max(initial=0.0))
    over = _OVER_PARTITION if partitioned else _OVER
    return Text(over[of], {"peak_share": peak}) if peak > 0 else Text(_IDLE[of])


__all__ = ["AGAINST", "OF", "Against", "Of", "active_ranges", "heat_title", "heatmap", "rebin_ranges"]
