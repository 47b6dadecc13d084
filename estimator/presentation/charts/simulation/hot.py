"""The busiest rows with their share."""

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.simulation.results import HotKey

from ..types import BarChart, ChartBar

MOST = 12
FLOATING_POINT = 1e-11
"""Smaller shares are written as 0 %."""


def measurable(keys: tuple[HotKey, ...]) -> tuple[HotKey, ...]:
    """Return the keys whose share of the load is more than what floating point leaves of none."""
    return tuple(key for key in keys if key.share > FLOATING_POINT)


def hot_keys(keys: tuple[HotKey, ...], *, partitions: bool = False) -> BarChart:
    """Share of the table's node time, or of its load, on single rows."""
    first = keys[0]
    params = {"key": first.text, "hot_share": first.share, "node_share": first.node_share}
    if partitions:
        message = N_("The busiest row, {key}, receives {hot_share} of the load")
    elif first.node_share > 1:
        message = N_("The row {key} needs {node_share} of one node at its peak; adding nodes does not help")
    else:
        message = N_("The busiest row, {key}, uses {hot_share} of the node CPU time")
    return BarChart(
        title=Text(message, params),
        unit="share",
        what=Text(N_("share of the table's load") if partitions else N_("share of the table's node CPU time")),
        bars=tuple(ChartBar(Text("{key}", {"key": key.text}), key.share, at=key.access) for key in keys[:MOST]),
    )
