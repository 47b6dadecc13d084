"""A table's heat as a small picture without words: keys downwards, the day across, how busy its nodes are."""

import base64

import numpy as np

from designer.document import Spec
from estimator.engines import engine_of
from estimator.results import Estimate
from estimator.results.arrays import Floats

from .heatmap import active_ranges
from .png import png
from .scale import levels, palette

RANGES, WINDOWS = 64, 96
"""Of the picture; neighbours are averaged, so that chance does not look like a pattern."""

TWICE_THE_LIMIT = 2.0


def thumbnail(spec: Spec, estimate: Estimate) -> str | None:
    """Return the address (`data:`) of a picture of the table with the most load; None while no table has any."""
    traffics = [part.traffic for part in estimate.tables.values() if part.traffic]
    tables = [(float(traffic.heat.node_share.sum()), traffic) for traffic in traffics]
    load, traffic = max(tables, key=lambda table: table[0], default=(0.0, None))
    if traffic is None or not load > 0:
        return None
    share = np.asarray(traffic.heat.node_share)
    mean_share = float(share.mean(axis=0).max())
    data = png(levels(_node_load(spec, estimate, share[active_ranges(share)], mean_share), TWICE_THE_LIMIT), palette())
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def _node_load(spec: Spec, estimate: Estimate, share: Floats, mean_share: float) -> Floats:
    """Return (ranges, windows) how busy a node would be that serves only ranges as busy as this one, 1 at its limit.

    It is the load of a range ÷ the mean of all ranges in the busiest window × the mean load of nodes, and at most that
    of the hottest node: a range with little load that is alone in it heats no node. Without nodes, the share of one
    partition's limit.
    """
    busy = max((float(one.load_by_month[-1] / max(one.nodes_by_month[-1], 1)) for one in estimate.nodes), default=0.0)
    if not engine_of(spec).HAS_NODES or not busy > 0:
        return binned(share, sums=True)
    hottest = max((placement.peak_utilisation for placement in estimate.placements), default=busy)
    return np.asarray(np.minimum(binned(share) / mean_share * busy, max(hottest, busy)))


def binned(values: Floats, *, sums: bool = False) -> Floats:
    """Return means of at most RANGES × WINDOWS cells; with `sums`, ranges are added up."""
    for axis, most in enumerate((RANGES, WINDOWS)):
        size = values.shape[axis]
        starts = np.unique(np.linspace(0, size, min(most, size), endpoint=False).astype(int))
        counts = np.diff([*starts, size]).reshape((-1, 1) if axis == 0 else (1, -1))
        values = np.add.reduceat(values, starts, axis=axis) / (1 if sums and axis == 0 else counts)
    return values
