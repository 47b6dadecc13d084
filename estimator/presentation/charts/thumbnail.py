"""A table's heat as a small picture without words: keys downwards, the day across, how busy its nodes are."""

import base64

import numpy as np

from designer.document import Spec
from estimator.results import Estimate
from estimator.results.arrays import Floats, distinct

from .heatmap import active_ranges
from .png import png
from .scale import levels, palette
from .utilisation import as_node_shares, node_load

RANGES, WINDOWS = 64, 96
"""Of the picture; neighbours are averaged, so that chance does not look like a pattern."""

TWICE_THE_LIMIT = 2.0


def busiest_table(estimate: Estimate) -> str | None:
    """Return the table with the most load; None while no table has any."""
    heats = ((part.table, part.traffic.heat) for part in estimate.tables.values() if part.traffic)
    loads = {table: float(heat.node_share_of_windows.sum()) for table, heat in heats}
    table = max(loads, key=loads.__getitem__, default=None)
    return table if table is not None and loads[table] > 0 else None


def thumbnail(spec: Spec, estimate: Estimate, table: str | None = None) -> str | None:
    """Return the address (`data:`) of a picture of a table, or of the one with the most load; None without load."""
    cells = node_shares(spec, estimate, table or busiest_table(estimate))
    return None if cells is None else picture_address(cells)


def node_shares(spec: Spec, estimate: Estimate, table: str | None) -> Floats | None:
    """Return (ranges, windows) how busy a table's nodes are where it is active, 1 at the limit; None without load."""
    part = estimate.tables.get(table) if table else None
    traffic = part.traffic if part else None
    if traffic is None:
        return None
    share = np.asarray(traffic.heat.node_share)
    mean_share = float(share.mean(axis=0).max())
    # The mean is that of all ranges, taken before the quiet ones are cut off.
    return _node_load(spec, estimate, share[active_ranges(share)], mean_share)


def picture_address(cells: Floats) -> str:
    """Return the address (`data:`) of a picture of such shares."""
    data = png(levels(cells, TWICE_THE_LIMIT), palette())
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def _node_load(spec: Spec, estimate: Estimate, share: Floats, mean_share: float) -> Floats:
    """Return (ranges, windows) how busy nodes are; without nodes, the share of one partition's limit."""
    nodes = node_load(spec, estimate)
    if nodes.mean_share is None:
        return bin_means(share, sums=True)
    return as_node_shares(bin_means(share), mean_share, nodes)


def bin_means(values: Floats, *, sums: bool = False) -> Floats:
    """Return means of at most RANGES × WINDOWS cells; with `sums`, ranges are added up."""
    for axis, most in enumerate((RANGES, WINDOWS)):
        size = values.shape[axis]
        starts = distinct(np.linspace(0, size, min(most, size), endpoint=False).astype(int))
        counts = np.diff([*starts, size]).reshape((-1, 1) if axis == 0 else (1, -1))
        values = np.add.reduceat(values, starts, axis=axis) / (1 if sums and axis == 0 else counts)
    return values
