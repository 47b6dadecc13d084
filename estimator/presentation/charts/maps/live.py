"""The map of a table's shown day, from the live estimate."""

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.presentation.segments import KeyReader
from estimator.results import TableTraffic
from estimator.results.arrays import Floats

from .types import KeyMap, Metric

NODE, PARTITION = N_("limit of one node"), N_("limit of one key value")
BUSY = {
    False: (N_("Node CPU time"), N_("node CPU time, reads and writes combined")),
    True: (N_("Load"), N_("load, reads and writes combined")),
}
"""What reads and writes add up to, by whether partitions of a service bear it."""


def live_map(table: str, traffic: TableTraffic, read_key: KeyReader | None = None) -> KeyMap:
    """Return the map of writes, reads and node CPU time on the reference day."""
    heat = traffic.heat
    bottleneck = Text(PARTITION if traffic.partition else NODE)
    metrics = (
        Metric(
            "writes", N_("Writes"), N_("rows written"), "per_second", lambda: heat.writes_per_second,
            limit=_limit(heat.writes_per_second, heat.write_node_share), limited=bottleneck,
        ),
        Metric(
            "reads", N_("Reads"), N_("read requests"), "per_second", lambda: heat.reads_per_second,
            limit=_limit(heat.reads_per_second, heat.read_node_share), limited=bottleneck,
        ),
        Metric(
            "node_time", *BUSY[traffic.partition is not None],
            "share" if traffic.partition else "nodes", lambda: heat.node_share, limit=1.0, limited=bottleneck,
        ),
    )  # fmt: skip
    return KeyMap(
        table, heat.bounds, heat.window_starts, heat.window_seconds, {metric.name: metric for metric in metrics},
        read_key=read_key,
    )  # fmt: skip


def _limit(operations: Floats, node_share: Floats) -> float | None:
    """Operations a second that keep one node busy, at their mean cost in this table."""
    busy = float(node_share.sum())
    # Operations a second ÷ busy nodes, both summed over the day.
    return float(operations.sum()) / busy if busy > 0 else None
