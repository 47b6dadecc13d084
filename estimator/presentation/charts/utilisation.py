"""Load of nodes with a range of keys: the meaning of the colours of strips and small pictures."""

from typing import NamedTuple

import numpy as np

from designer.document import Spec
from estimator.engines import engine_of
from estimator.results import Estimate
from estimator.results.arrays import Floats


class NodeLoad(NamedTuple):
    """Load of nodes at the end of the horizon, as shares of a node."""

    mean_share: float | None
    """Load ÷ nodes of the busiest cluster; None where nodes or their load are unknown, or the engine has none."""
    hottest_share: float
    """Load of the hottest node: no range makes a node busier."""


def node_load(spec: Spec, estimate: Estimate) -> NodeLoad:
    """Return the mean load and the highest load of nodes."""
    busy = [float(node.load_by_month[-1] / max(node.nodes_by_month[-1], 1)) for node in estimate.nodes]
    # The busiest cluster, as every write reaches all of them and reads may not.
    mean = max(busy, default=0.0) if engine_of(spec).HAS_NODES else 0.0
    hottest = max((placement.peak_utilisation for placement in estimate.placements), default=mean)
    return NodeLoad(mean if mean > 0 else None, max(hottest, mean))


def as_node_shares(loads: Floats, mean: float, nodes: NodeLoad) -> Floats:
    """Return how busy a node would be that serves only ranges as busy as each of these, 1 at its limit.

    It is the load of a range ÷ the mean of all ranges × the mean load of nodes, and at most the load of the hottest
    node: a range with little load that is alone in it heats no node.

    Parameters
    ----------
    loads
        Of ranges, in any unit.
    mean
        Of all ranges, in the same unit; above 0.
    nodes
        With a known mean.
    """
    assert nodes.mean_share is not None
    return np.asarray(np.minimum(loads / mean * nodes.mean_share, nodes.hottest_share))
