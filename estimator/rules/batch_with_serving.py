"""Batch scans run on the nodes that people wait for.

**What** A cluster serves reads for which somebody waits, and batch reads at the same priority take a fifth or more of
its nodes while they run.
**Why** Both share processors and disks, so answers become slow whenever the batch runs; an autoscaler is too slow for a
sudden batch.
**Instead** Give the batch an app profile of its own: Data Boost, which needs none of the nodes; a cluster of its own
with single-cluster routing; or low priority.
**Fine when** The batch runs when nobody waits.
**Source** https://cloud.google.com/bigtable/docs/app-profiles (read 2026-11-20)
https://cloud.google.com/bigtable/docs/data-boost-overview (read 2026-11-20)
"""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.spec import Spec, assumed
from designer.spec.access import Read
from designer.spec.instance import Cluster
from designer.spec.table import Table
from designer.spec.texts import N_
from estimator.results import Estimate
from estimator.traffic.profile import profile_week

from .base import BIGTABLE, Found, Rule
from .base.examples import NEWEST_ONLY, Part, design, of
from .base.examples import read as read_of
from .base.naming import called
from .base.routing import profile_of, reads, served_by

BATCH_SHARE = 0.20
"""Of a cluster's nodes: what lies between the CPU target for those who wait (60 %) and the highest target that an
autoscaler takes (80 %)."""


@dataclass(frozen=True)
class Served:
    """One read as it is served while it is busiest."""

    table: Table
    read: Read
    per_second: float
    nodes: float
    """Busy nodes."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """A finding per cluster, at the batch read that takes the most."""
    flows = _served(spec, estimate)
    for sized in estimate.nodes:
        cluster = spec.by_id.get(sized.cluster)
        if not isinstance(cluster, Cluster):
            continue
        here = [flow for flow in flows if cluster.id in served_by(spec, flow.read)]
        batch = [flow for flow in here if _is_batch(spec, flow.read) and not _low(spec, flow.read)]
        waited = [flow for flow in here if not _is_batch(spec, flow.read)]
        nodes = float(sized.nodes_by_month[-1])
        busy = sum(_share(spec, flow) for flow in batch)
        if waited and nodes > 0 and busy >= BATCH_SHARE * nodes:
            most, slowed = (max(some, key=lambda flow: flow.nodes) for some in (batch, waited))
            yield Found(
                at=most.read.id,
                field="app_profile",
                params={
                    "batch": called(most.read),
                    "cluster": called(cluster),
                    "batch_nodes": busy,
                    "nodes": nodes,
                    "batch_share": busy / nodes,
                    "waiting": called(slowed.read),
                    "waiting_per_second": sum(flow.per_second for flow in waited),
                    "limit_share": BATCH_SHARE,
                },
                effect=busy / nodes,
            )


def _served(spec: Spec, estimate: Estimate) -> list[Served]:
    plans = {plan.read: plan for part in estimate.tables.values() for plan in part.reads if plan.per_second}
    found = []
    for table, read in reads(spec):
        plan = plans.get(read.id)
        if plan is not None and plan.per_second is not None:
            peak = plan.per_second * float(profile_week(assumed(spec, read, "profile")).max())
            found.append(Served(table, read, plan.per_second, peak * plan.node_seconds))
    return found


def _is_batch(spec: Spec, read: Read) -> bool:
    return bool(assumed(spec, read, "latency") == "batch")


def _low(spec: Spec, read: Read) -> bool:
    profile = profile_of(spec, read)
    return profile is not None and profile.priority == "low"


def _share(spec: Spec, flow: Served) -> float:
    """Busy nodes in each of the clusters that serve it."""
    return flow.nodes / max(len(served_by(spec, flow.read)), 1)


NIGHT: Part = {"kind": "batch", "hours": 4}


def _nightly(per_second: float, **profile: object) -> Spec:
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
        of("device"),
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
        "{batch} keeps {batch_nodes} of {cluster} busy while it runs, {batch_share} of its nodes; {waiting} and others "
        "that wait ({waiting_per_second}) share them. It hurts from {limit_share}."
    ),
    check=check,
    bad=lambda: _nightly(300),
    good=lambda: _nightly(300, routing="single", clusters=("cluster",), data_boost=True),
    near_miss=lambda: _nightly(1),
    engines=BIGTABLE,
)
