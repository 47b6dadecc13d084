"""Criteria for and against HDD: bytes stored, and reads that are waited for."""

import math
from typing import Literal

import numpy as np

from designer.document import Spec, effective_value
from designer.document.instance import FixedNodes
from estimator.engines import GiB, bigtable
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate

from .clusters import targets

SENSIBLE_GIB = bigtable.LIMITS["hdd_sensible_bytes"].value / GiB
"""Data from which HDD is worth considering, because nodes cost far more than what HDD saves on less."""


def reads_per_second(spec: Spec, storage: Literal["ssd", "hdd"]) -> float:
    """Return the lookups a second of a node: those measured in a cluster with this storage, else those published."""
    return bigtable.capacity(storage, spec.instance.calibration).reads_per_second


def stored_gib(estimate: Estimate) -> float | None:
    """Return the most GiB that all tables store within the horizon, physical; None while one is unknown."""
    grown = [part.growth for part in estimate.tables.values()]
    if not grown or any(growth is None for growth in grown):
        return None
    return sum(float(np.max(growth.physical_bytes)) for growth in grown if growth is not None) / GiB


def seeks_per_second(spec: Spec, estimate: Estimate) -> float:
    """Keys and ranges that are looked up a second for somebody who waits: on HDD each is a movement of a disk's arm."""
    plans = [plan for part in estimate.tables.values() for plan in part.reads if plan.per_second]
    waited = (plan for plan in plans if _is_latency_sensitive(spec, plan.read))
    return sum((plan.per_second or 0.0) * plan.ranges for plan in waited)


def _is_latency_sensitive(spec: Spec, id: str) -> bool:  # noqa: A002
    read = spec.by_id.get(id)
    if read is None or effective_value(spec, read, "latency") == "batch":
        return False
    return not has_data_boost(spec, read)  # type: ignore[arg-type]


def storage_nodes(spec: Spec, stored: float) -> int:
    """Return the nodes for the data alone on HDD, in all clusters; where they are set by hand, those."""
    for_data = max(math.ceil(stored / bigtable.storage_target_gib("hdd", targets(spec).storage_share)), 1)
    clusters = spec.instance.clusters
    fixed = [cluster.nodes.count if isinstance(cluster.nodes, FixedNodes) else for_data for cluster in clusters]
    return sum(fixed) or for_data  # no cluster is there yet


def hdd_lookups_per_second(spec: Spec, stored: float) -> float:
    """Return the lookups a second that these nodes serve."""
    return storage_nodes(spec, stored) * reads_per_second(spec, "hdd")
