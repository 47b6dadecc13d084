"""The load that one Tablestore partition takes, and the capacity units of reads."""

from designer.document import Spec
from estimator.engines.tablestore import LIMITS, units
from estimator.results import ReadPlan

PARTITION_PER_SECOND = LIMITS["partition_operations"].value
"""Operations a second on one partition from which a load that cannot be split is a warning."""

PARTITION_UNITS_SHARE = 1.0
"""... or capacity units as a share of the 10,000 a second that one partition-key value is said to take: large rows and
long ranges reach that with fewer operations. Source: throughput page, read 2026-11-20."""

PARTITION_CU = LIMITS["partition_key_cu"].value


def burden(per_second: float, node_share: float) -> float:
    """Return how many times a load that cannot be split takes what it may: from 1 on it warns."""
    return max(per_second / PARTITION_PER_SECOND, node_share / PARTITION_UNITS_SHARE)


def effect(per_second: float, node_share: float) -> float:
    """Return the effect of such a load: operations on a partition per second."""
    return per_second


def warning_per_second(per_second: float, node_share: float) -> float | None:
    """Return the rate per second from which such a load warns."""
    times = burden(per_second, node_share)
    return per_second / times if times > 0 else PARTITION_PER_SECOND


def typical_warning_per_second() -> float:
    """Return the warning rate per second where no rate is known yet."""
    return PARTITION_PER_SECOND


def time_factor(spec: Spec, plan: ReadPlan, ranges: float) -> float:
    """Return the capacity units of a read against what they would be with so many ranges."""
    range_seconds = units(plan.bytes_scanned / ranges) / PARTITION_CU
    return plan.node_seconds / (ranges * range_seconds)
