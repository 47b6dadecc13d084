"""Number of nodes of a cluster in each window: fixed, as estimated, or as its autoscaler decides."""

import math
from dataclasses import dataclass, field

import numpy as np

from designer.document.instance import Autoscaling, Cluster, FixedNodes
from estimator.engines import GiB
from estimator.kernels.capacity.nodes import SizingRule, nodes_for_load, nodes_for_storage, round_up_to_step


@dataclass(eq=False)
class Scaler:
    """The nodes of one cluster, window by window."""

    rule: SizingRule
    scaled: bool
    nodes: int
    window_seconds: float
    useful_after: int
    """New nodes help from so many windows later on."""
    down_share: float
    """Of the nodes may go in one window."""
    down_wait: int
    """Windows for which fewer nodes must have been enough."""
    coming: list[tuple[int, int]] = field(default_factory=list)
    """Nodes that are there and do not help yet: from which window, how many."""
    wanted: list[int] = field(default_factory=list)

    def working_nodes(self, window: int) -> int:
        """Nodes that help in a window."""
        # At least one node works, or utilisation would divide by 0 in the first windows.
        return max(self.nodes - sum(count for since, count in self.coming if since > window), 1)

    def decide(self, window: int, load_nodes: float, stored_bytes: float, cold_bytes: float = 0.0) -> None:
        """Decide the nodes after a window: more at once where they are asked for, fewer slowly.

        Parameters
        ----------
        load_nodes
            Node time that was used in the window. [nodes]
        cold_bytes
            Of the stored bytes, those in infrequent access.
        """
        if not self.scaled:
            return
        self.coming = [arrival for arrival in self.coming if arrival[0] > window]
        target_nodes = self._requested_nodes(load_nodes, stored_bytes, cold_bytes)
        self.wanted = [*self.wanted, target_nodes][-max(self.down_wait, 1) :]
        if target_nodes > self.nodes:
            self.coming.append((window + 1 + self.useful_after, target_nodes - self.nodes))
            self.nodes = target_nodes
        elif max(self.wanted) < self.nodes and len(self.wanted) >= self.down_wait and not self.coming:
            # At least one step goes, as 10 % of 5 nodes would never be one.
            fewest = min(self.nodes - self.rule.step, math.floor(self.nodes * (1 - self.down_share) + 1e-9))
            self.nodes = max(max(self.wanted), _round_to_step(fewest, self.rule.step), self.rule.min_nodes)

    def _requested_nodes(self, load_nodes: float, stored_bytes: float, cold_bytes: float) -> int:
        by_load = float(nodes_for_load(np.array(load_nodes), self.rule.cpu_target))
        by_bytes = float(nodes_for_storage(np.array(stored_bytes / GiB), np.array(cold_bytes / GiB), self.rule))
        nodes = float(round_up_to_step(np.array(max(by_load, by_bytes, self.rule.min_nodes)), self.rule.step))
        return int(min(nodes, self.rule.max_nodes))


def _round_to_step(nodes: float, step: int) -> int:
    return max(math.ceil(nodes / step - 1e-9) * step, 0)


def scaler(
    cluster: Cluster, rule: SizingRule, *, needed: float, load: float, stored_bytes: float, window_seconds: float,
    useful_seconds: float, down_share_per_hour: float, down_wait_seconds: float, cold_bytes: float = 0.0,
) -> Scaler:  # fmt: skip
    """Return a cluster's nodes as the period begins.

    Parameters
    ----------
    needed
        Nodes that the estimate gives the cluster at the end of the period.
    load
        Node time in the first window: an autoscaler has settled on it. [nodes]
    """
    windows = max(round(down_wait_seconds / window_seconds), 1)
    # The hourly share compounds over windows: 10 % an hour is 2.6 % in a quarter of an hour.
    down = 1 - (1 - down_share_per_hour) ** (window_seconds / 3_600)
    new_scaler = Scaler(
        rule, isinstance(cluster.nodes, Autoscaling), 1, window_seconds,
        useful_after=round(useful_seconds / window_seconds), down_share=down, down_wait=windows,
    )  # fmt: skip
    match cluster.nodes:
        case FixedNodes():
            new_scaler.nodes = cluster.nodes.count
        case Autoscaling():
            new_scaler.nodes = new_scaler._requested_nodes(load, stored_bytes, cold_bytes)
        case _:
            new_scaler.nodes = max(math.ceil(needed - 1e-9), 1)
    return new_scaler
