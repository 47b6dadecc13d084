"""The load that one Bigtable node takes, and the node time of reads."""

from designer.document import Spec
from estimator.engines import bigtable
from estimator.results import ReadPlan

NODE_SHARE_WARNING = 0.20
"""Share of one node, at the horizon's peak, from which a load that cannot be split is a warning: two such ranges on
one node already leave it no headroom for the rest at the documented 60 % CPU target."""


def burden(per_second: float, node_share: float) -> float:
    """Return how many times a load that cannot be split takes what it may: from 1 on it warns."""
    return node_share / NODE_SHARE_WARNING


def effect(per_second: float, node_share: float) -> float:
    """Return the effect of such a load, in nodes."""
    return node_share


def warning_per_second(per_second: float, node_share: float) -> float | None:
    """Return the rate per second from which such a load warns, at its own node time per row."""
    return per_second * NODE_SHARE_WARNING / node_share if node_share > 0 else None


def typical_warning_per_second() -> float:
    """Return the warning rate per second where no rate is known yet: for rows of 1 KiB on SSD."""
    return bigtable.CAPACITIES["ssd"].writes_per_second * NODE_SHARE_WARNING


def time_factor(spec: Spec, plan: ReadPlan, ranges: float) -> float:
    """Return the node time of a read against what it would be with so many ranges."""
    seek_seconds = bigtable.instance_capacity(spec.instance).read.seconds
    without = plan.node_seconds - (plan.ranges - ranges) * seek_seconds
    return plan.node_seconds / max(without, ranges * seek_seconds)
