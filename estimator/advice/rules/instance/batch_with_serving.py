"""Batch scans run on nodes with latency-sensitive reads.

**What** A cluster serves latency-sensitive reads. Batch reads of the same priority use a fifth or more of its nodes
while they run.
**Why** Both share CPU and disks, so responses slow down whenever the batch runs. An autoscaler reacts too slowly to
a sudden batch.
**Instead** Give the batch a separate app profile: Data Boost (uses no nodes), a separate cluster with
single-cluster routing, or low priority.
**Fine when** The batch runs when no latency-sensitive reads arrive.
**Source** https://cloud.google.com/bigtable/docs/app-profiles (read 2026-11-20)
https://cloud.google.com/bigtable/docs/data-boost-overview (read 2026-11-20)
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.instance import Cluster
from designer.document.texts import N_
from estimator.facts.routing import profile_of, reads, served_shares
from estimator.kernels.population.profile import profile_minutes
from estimator.results import Estimate, ReadPlan
from estimator.results.arrays import Floats

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import NEWEST_ONLY, Part, design, field_part
from ..shared.examples import read_part as read_of

BATCH_SHARE = 0.20
"""Of a cluster's nodes: what lies between the CPU target for those who wait (60 %) and the highest target that an
autoscaler takes (80 %)."""


Planned = tuple[Read, ReadPlan]


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per cluster, at the batch read with the largest load."""
    rates = {plan.read: plan for part in estimate.tables.values() for plan in part.reads if plan.per_second}
    rated_reads = [(read, rates[read.id]) for _, read in reads(spec) if read.id in rates]
    batch = [(read, plan) for read, plan in rated_reads if _is_batch(spec, read) and not _has_low_priority(spec, read)]
    if not batch:
        return
    waited = [(read, plan) for read, plan in rated_reads if not _is_batch(spec, read)]
    for sized in estimate.nodes:
        cluster, nodes = spec.by_id.get(sized.cluster), float(sized.nodes_by_month[-1])
        loads = [(_busy_nodes(spec, *pair), pair[0]) for pair in _reads_on_cluster(spec, batch, sized.cluster)]
        slowed = _reads_on_cluster(spec, waited, sized.cluster)
        together = np.sum([load for load, _ in loads], axis=0) if loads else np.zeros(1)
        # Only the batch that runs while somebody waits slows anybody.
        awaited = np.any([_rates(spec, read) > 0 for read, _ in slowed], axis=0) if slowed else np.zeros(1)
        busy = float((together * awaited).max())
        if isinstance(cluster, Cluster) and nodes > 0 and busy >= max(BATCH_SHARE * nodes, np.finfo(float).tiny):
            at = int((together * awaited).argmax())
            slowed = [(read, plan) for read, plan in slowed if _rates(spec, read)[at] > 0]
            yield _build_violation(cluster, max(loads, key=lambda pair: pair[0][at])[1], slowed, busy, nodes)


def _build_violation(cluster: Cluster, most: Read, slowed: Sequence[Planned], busy: float, nodes: float) -> Violation:
    first, _ = max(slowed, key=lambda pair: pair[1].per_second or 0.0)
    return Violation(
        at=most.id,
        field="app_profile",
        params={
            "batch": most.label,
            "cluster": cluster.label,
            "batch_nodes": busy,
            "batch_share": busy / nodes,
            "waiting": first.label,
            "waiting_per_second": sum(plan.per_second or 0.0 for _, plan in slowed),
            "limit_share": BATCH_SHARE,
        },
        effect=busy / nodes,
    )


def _reads_on_cluster(spec: Spec, planned: Sequence[Planned], cluster: str) -> list[Planned]:
    """Return the reads that a cluster serves, each with its rate in it."""
    return [
        (read, replace(plan, per_second=(plan.per_second or 0.0) * share))
        for read, plan in planned
        if (share := served_shares(spec, read).get(cluster))
    ]


def _busy_nodes(spec: Spec, read: Read, plan: ReadPlan) -> Floats:
    """Return the nodes that a read keeps busy in each minute of the week: (10,080,)."""
    # The rate is a mean of the week. A nightly batch of 4 hours runs at six times its mean, and slows others only
    # then.
    return np.asarray(_rates(spec, read) * (plan.per_second or 0.0) * plan.node_seconds)


def _rates(spec: Spec, read: Read) -> Floats:
    return profile_minutes(effective_value(spec, read, "profile"))


def _is_batch(spec: Spec, read: Read) -> bool:
    return bool(effective_value(spec, read, "latency") == "batch")


def _has_low_priority(spec: Spec, read: Read) -> bool:
    """Return whether the read's app profile has low priority."""
    profile = profile_of(spec, read)
    return profile is not None and profile.priority == "low"


NIGHT: Part = {"kind": "batch", "hours": 4}


def _nightly_report_design(per_second: float, **profile: object) -> Spec:
    """States of devices that people look up, all of which a report reads again and again."""
    to = {"app_profile": "reports"} if profile else {}
    cluster: Part = {"id": "cluster", "name": "main", "region": "us-central1"}
    report = read_of(
        id="report",
        name="report",
        latency="batch",
        rate_per_second=per_second,
        profile=NIGHT,
        **to,
    )
    return design(
        field_part("device"),
        per_second=10,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        table={"rows_stored": 1_000},
        reads=(read_of(binds=("device",), rate_per_second=1_000), report),
        instance={
            "clusters": (cluster,),
            "app_profiles": ({"id": "reports", "name": "reports", **profile},) if profile else (),
        },
    )


RULE = Rule(
    code="I010",
    severity="warning",
    message=N_(
        "{batch} uses {batch_nodes} of {cluster} while it runs, {batch_share} of its nodes. "
        "Latency-sensitive reads such as {waiting} ({waiting_per_second}) share these nodes. The "
        "threshold is {limit_share}."
    ),
    check=check,
    bad=lambda: _nightly_report_design(300),
    good=lambda: _nightly_report_design(10, routing="single", clusters=("cluster",), data_boost=True),
    near_miss=lambda: _nightly_report_design(1),
    engines=BIGTABLE,
)
