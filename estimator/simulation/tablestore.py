"""Tablestore's servers: partitions, which the service splits and nobody sizes."""

import math
from collections.abc import Callable, Mapping

from designer.document import Spec
from designer.document.instance import Cluster
from designer.document.table import Table
from designer.document.texts import N_
from estimator.kernels.capacity.nodes import Rule
from estimator.kernels.traffic.assumptions import FRONT, FRONT_LEAD
from estimator.kernels.traffic.operations import Flow
from estimator.results import Estimate, PatternName, ReadPlan
from estimator.results.arrays import Floats

from .scaling import Scaler

NEGLIGIBLE_SHARE = 1e-4
SIZE_ASSUMPTION = "partition_bytes"
ABSENT_ASSUMPTIONS = frozenset(
    (
        "throughput_share", "tablet_bytes", "balancing", "balance_slack_share", "moved_share", "node_useful_seconds",
        "scale_down_share_per_hour", "scale_down_wait_seconds", "split_node_share", "scan_nodes",
    )
)  # fmt: skip

PARTITIONS = (
    "https://help.aliyun.com/en/tablestore/support/why-do-5xx-related-errors-occur-when-i-use-tablestore "
    "(updated 2026-01-14)"
)

ASSUMPTION_WORDS: Mapping[str, tuple[str, str, str]] = {
    "overfull_factor": (
        "times partition_bytes",
        N_("a partition is split by its size when it holds half as much again as partitions do on average"), PARTITIONS,
    ),
    "front_seconds": (
        FRONT.unit,
        N_("splitting by load is taken to follow a moving end of the key range within an hour, not sooner; how fast "
           "partitions split is not published"), PARTITIONS,
    ),
    "front_lead_seconds": (
        FRONT_LEAD.unit,
        N_("a key that begins with a time bucket of up to a day starts each bucket as one partition at the table's "
           "end"), PARTITIONS,
    ),
    "splitting": (
        "0 or 1",
        N_("partitions split by size and by load; that cold ones merge is assumed; 0 keeps those of the steady day"),
        PARTITIONS,
    ),
    "split_ways": (
        "partitions in a quarter of an hour",
        N_("a busy partition becomes so many within a quarter of an hour: two rounds of splitting in halves; the pace "
           "is not published"), PARTITIONS,
    ),
    "merge_node_share": (
        "of ten times partition_operations",
        N_("neighbouring partitions below a fifth of the load that splits them are merged: no page says that they are, "
           "or when"), "",
    ),
    "merge_after_seconds": (
        "seconds",
        N_("partitions must have been cold for four hours before they merge, else each night would undo each day; "
           "rounded to whole windows"), "",
    ),
}  # fmt: skip

ADVICE: Mapping[PatternName, str] = {
    "periodic": N_(
        "The load comes and goes with the hours. Reserve throughput for the quiet hours and pay by use above it, or "
        "move batch work into the quiet hours."
    ),
    "sudden_increase": N_("The load rises faster than partitions split. Let batch work start slowly."),
}
"""There are no nodes to scale."""


def cluster_ids(spec: Spec) -> tuple[str, ...]:
    """Return one place without an id."""
    return ("",)


def cluster(spec: Spec, place: int) -> Cluster | None:
    """Return None: there are no clusters."""
    return None


def initial_split_keys(table: Table) -> list[bytes]:
    """Return nothing: a table is created as one partition."""
    return []


def can_be_split_at_first() -> bool:
    """Return False: the service alone splits."""
    return False


def usable_share(assumed: Callable[[str], float]) -> float:
    """Return 1: work is a share of what is published already."""
    return 1.0


def windows_per_read(flow: Flow, plan: ReadPlan, seconds_per_window: float) -> int:
    """Return 1: long reads are paged by the client."""
    return 1


def routed_shares(spec: Spec, flow: Flow) -> tuple[float, ...]:
    """Return all of it, in the one place."""
    return (1.0,)


def sizing_rules(spec: Spec, estimate: Estimate) -> tuple[Rule, ...]:
    """Return one rule that never asks for more: nobody sizes the service."""
    return (Rule(1.0, math.inf, math.inf, math.inf, 1, math.inf, 1),)


def scaler(
    spec: Spec, estimate: Estimate, place: int, rule: Rule,
    *, assumed: Callable[[str], float], load: float, stored_bytes: float, cold_bytes: float, window_seconds: float,
) -> Scaler:  # fmt: skip
    """Return what keeps one server for ever."""
    return Scaler(rule, False, 1, window_seconds, 0, 0.0, 1)


def split_load(load: Floats, operations: Floats, *, assumed: Callable[[str], float], window_seconds: float) -> Floats:
    """Return operations, which partitions are split by, on the scale that nodes' tablets are split by."""
    return operations / window_seconds / assumed("partition_operations") * assumed("split_node_share")
