"""There is only one cluster, without failover for a zone outage.

**What** The instance has a single cluster and latency-sensitive reads.
**Why** Google's SLA is 99.9 % for one cluster, which allows some 43 minutes of downtime a month. It is 99.99 % for
several clusters with multi-cluster routing, and 99.999 % from 3 regions. A zone failure stops a single cluster
until the zone recovers.
**Instead** Add a cluster in another zone or region and route to both. Each cluster stores all data and processes
all writes.
**Fine when** You can tolerate an outage of that length, or serve the data from elsewhere during it.
**Source** https://cloud.google.com/bigtable/sla (read 2026-11-20)
https://cloud.google.com/bigtable/docs/replication-overview (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.texts import N_, Text, TextList
from estimator.facts.billing import cluster_cost
from estimator.facts.routing import reads
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import Part, field_part, read_part, readings, time_part

PROMISED_SHARE = N_("99.9 %")
"""Of a single cluster. Source: Bigtable's service level agreement, read 2026-11-20."""
PROMISED_SHARE_SEVERAL = N_("99.99 %")

NO_PRICE = N_(
    "The only cluster, {cluster}, serves latency-sensitive reads. One cluster "
    "gives {promised} availability. A second ({several}) doubles nodes and storage. Its cost is "
    "open: there is no price for {items}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """One finding where people wait for the only cluster."""
    if len(spec.instance.clusters) != 1 or estimate.bill is None:
        return
    waited = [
        read for _, read in reads(spec) if effective_value(spec, read, "latency") != "batch" and read.rate_per_second
    ]
    if not waited:
        return
    (cluster,) = spec.instance.clusters
    billed = cluster_cost(estimate.bill, cluster.id)
    if billed.cost is None and not billed.missing:
        return
    yield Violation(
        at=cluster.id,
        params={
            "cluster": cluster.label,
            "promised": Text(PROMISED_SHARE),
            "several": Text(PROMISED_SHARE_SEVERAL),
            "added_cost": billed.cost,
            "items": TextList(billed.missing),
        },
        message="" if billed.cost is not None else NO_PRICE,
    )


_WEST: Part = {"id": "cluster", "name": "west", "region": "us-west1"}
_CENTRAL: Part = {"id": "central", "name": "central", "region": "us-central1", "nodes": {"kind": "fixed", "count": 2}}


def _serving_design(*clusters: Part, latency: str = "sensitive") -> Spec:
    look = read_part(binds=("device",), time={"days": 1 / 24}, latency=latency)
    return readings(field_part("device", "#"), time_part(), per_second=1_000, reads=(look,), clusters=clusters)


RULE = Rule(
    code="I004",
    severity="note",
    message=N_(
        "The only cluster, {cluster}, serves latency-sensitive reads. One cluster "
        "gives {promised} availability. A second ({several}) doubles nodes and storage and adds "
        "{added_cost} a month."
    ),
    check=check,
    bad=lambda: _serving_design(_WEST),
    good=lambda: _serving_design({**_WEST, "nodes": {"kind": "fixed", "count": 2}}, _CENTRAL),
    near_miss=lambda: _serving_design(_WEST, latency="batch"),
    engines=BIGTABLE,
)
