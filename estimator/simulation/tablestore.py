"""Tablestore's servers: partitions, which the service splits and nobody sizes."""

import math
from collections.abc import Callable, Mapping

from designer.document import Spec
from designer.document.instance import Cluster
from designer.document.table import Table
from designer.document.texts import N_
from estimator.kernels.capacity.nodes import SizingRule
from estimator.kernels.traffic.assumptions import FRONT, FRONT_LEAD
from estimator.kernels.traffic.operations import OperationRate
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
        "multiple of partition_bytes",
        N_("a partition is split by size at 1.5 times the mean partition size"), PARTITIONS,
    ),
    "front_seconds": (
        FRONT.unit,
        N_("splitting by load is assumed to follow a moving end of the key range within an hour; the pace "
    "of partition splits is not published"),
        PARTITIONS,
    ),
    "front_lead_seconds": (
        FRONT_LEAD.unit,
        N_("if a key starts with a daily or shorter bucket, each bucket starts as one partition at the table end"),
        PARTITIONS,
    ),
    "splitting": (
        "0 or 1",
        N_("partitions split by size and load; merging at low load is assumed. With 0, the partitions of "
    "the steady day remain"),
        PARTITIONS,
    ),
    "split_ways": (
        "partitions per quarter of an hour",
        N_("number of partitions from one busy partition after a quarter of an hour: two rounds of halving; "
    "the pace is not published"),
        PARTITIONS,
    ),
    "merge_node_share": (
        "share of ten times partition_operations",
        N_("adjacent partitions below a fifth of the split load are merged; whether and when this happens "
    "is not published"), "",
    ),
    "merge_after_seconds": (
        "seconds",
        N_("partitions merge after four hours of low load; otherwise each night would undo the splits of "
    "the day. Rounded to whole windows"), "",
    ),
}  # fmt: skip

ADVICE: Mapping[PatternName, str] = {
    "periodic": N_(
        "The load varies with the time of day. Reserve throughput for quiet hours and pay for usage "
        "above it, or move batch work to quiet hours."
    ),
    "sudden_increase": N_("The load rises faster than partitions split. Start batch work slowly."),
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


def windows_per_read(flow: OperationRate, plan: ReadPlan, seconds_per_window: float) -> int:
    """Return 1: long reads are paged by the client."""
    return 1


def routed_shares(spec: Spec, flow: OperationRate) -> tuple[float, ...]:
    """Return all of it, in the one place."""
    return (1.0,)


def sizing_rules(spec: Spec, estimate: Estimate) -> tuple[SizingRule, ...]:
    """Return one rule that never asks for more: nobody sizes the service."""
    return (SizingRule(1.0, math.inf, math.inf, math.inf, 1, math.inf, 1),)


def scaler(
    spec: Spec, estimate: Estimate, place: int, rule: SizingRule,
    *, assumed: Callable[[str], float], load: float, stored_bytes: float, cold_bytes: float, window_seconds: float,
) -> Scaler:  # fmt: skip
    """Return what keeps one server for ever."""
    return Scaler(rule, False, 1, window_seconds, 0, 0.0, 1)


def split_load(load: Floats, operations: Floats, *, assumed: Callable[[str], float], window_seconds: float) -> Floats:
    """Return operations, which partitions are split by, on the scale that nodes' tablets are split by."""
    return operations / window_seconds / assumed("partition_operations") * assumed("split_node_share")
