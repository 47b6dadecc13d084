"""The map of one table of a simulation; its grids are read when they are asked for."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.engines.bigtable import LIMITS
from estimator.results.arrays import Floats, Ints
from estimator.simulation.results import Metric as Stored
from estimator.simulation.results import Simulation

from .live import BUSY, NODE, PARTITION
from .types import KeyMap, Metric

Grid = Callable[[Stored], Ints]
"""One of a table's grids by the name of its metric."""


def simulated_map(
    run: Simulation, table: str, bounds: tuple[bytes, ...], grid: Grid, *, limits: Mapping[str, float | None],
    partitioned: bool = False,
) -> KeyMap:  # fmt: skip
    """Return a map of writes, reads, bytes and node CPU time per second, and of each range's largest row.

    Parameters
    ----------
    limits
        What one node takes of a metric, where that is known.
    """
    seconds = run.window_seconds
    windows = len(run.window_starts)

    def rate(name: Stored, unit: float = 1.0) -> Callable[[], Floats]:
        return cache(lambda: grid(name) / (seconds * unit))

    @cache
    def sizes() -> Floats:
        days = grid("row_bytes").astype(np.float64)
        # Row sizes are known per day; each is shown in all windows of its day.
        return np.repeat(days, -(-windows // days.shape[1]), axis=1)[:, :windows]

    bottleneck = Text(PARTITION if partitioned else NODE)
    whole = "share" if partitioned else "nodes"
    writes, reads, volume, busy = rate("writes"), rate("reads"), rate("bytes"), rate("node_ns", 1e9)
    nodes = float(busy().sum())
    limits = {
        "bytes": float(volume().sum()) / nodes if nodes > 0 else None,
        **limits,
    }  # at the mean cost of a byte here
    hard = None if partitioned else LIMITS["row_bytes"].value

    def against(name: str) -> dict[str, Any]:
        return {"limit": limits.get(name), "limited": bottleneck}

    metrics = (
        Metric("writes", N_("Writes"), N_("rows written"), "per_second", writes, **against("writes")),
        Metric("reads", N_("Reads"), N_("read requests"), "per_second", reads, **against("reads")),
        Metric(
            "bytes", N_("Bytes"), N_("bytes written and bytes returned by reads"), "bytes_per_second", volume,
            **against("bytes"),
        ),
        Metric(
            "node_time", *BUSY[partitioned], whole, busy,
            limit=1.0, limited=bottleneck,
        ),
        Metric(
            "row_size", N_("Row size"), N_("largest row, uncompressed"), "bytes", sizes, adds=False,
            limit=hard, limited=Text(N_("hard limit")) if hard else None,
        ),
    )  # fmt: skip
    return KeyMap(table, bounds, run.window_starts, seconds, {metric.name: metric for metric in metrics})
