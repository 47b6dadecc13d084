"""An instance exceeds the limit of regions, or of clusters per zone.

**What** The clusters are in more regions than an instance can have, or two of them are in one zone.
**Why** The engine rejects the creation of such a cluster.
**Instead** Put at most one cluster in each zone. Several zones of one region count as one region.
**Fine when** Never. The engine rejects the cluster.
**Source** https://cloud.google.com/bigtable/docs/replication-overview (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.instance import Cluster
from designer.document.texts import N_
from estimator.engines import bigtable
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import Part, field_part, readings, time_part

MOST_REGIONS = int(bigtable.LIMITS["regions"].value)

ONE_ZONE = N_("Clusters {first} and {cluster} are both in {zone}. Each zone can hold only one cluster of an instance.")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding at the cluster that is one too many."""
    regions: dict[str, Cluster] = {}
    zones: dict[str, Cluster] = {}
    for cluster in spec.instance.clusters:
        if cluster.known_region:
            regions.setdefault(cluster.known_region, cluster)
        if cluster.zone and cluster.zone in zones:
            params = {"first": zones[cluster.zone].label, "cluster": cluster.label, "zone": cluster.zone}
            yield Violation(cluster.id, params, "zone", message=ONE_ZONE)
        zones.setdefault(cluster.zone, cluster)
    if len(regions) > MOST_REGIONS:
        surplus = tuple(regions.values())[MOST_REGIONS]
        count = {
            "regions": len(regions),
            "most": MOST_REGIONS,
            "cluster": surplus.label,
            "region": surplus.known_region,
        }
        yield Violation(surplus.id, count, "region", effect=len(regions))


REGIONS = (
    "us-central1", "us-west1", "us-east1", "us-east4", "europe-west1", "europe-west4", "asia-northeast1", "asia-east1",
    "australia-southeast1",
)  # fmt: skip


def _regions_design(count: int) -> Spec:
    ids = ("cluster", *REGIONS[1:])
    clusters: list[Part] = [{"id": id, "name": r, "region": r} for id, r in zip(ids, REGIONS[:count], strict=False)]  # noqa: A001
    return readings(field_part("device", "#"), time_part(), per_second=100, clusters=clusters)


RULE = Rule(
    code="I001",
    severity="error",
    message=N_(
        "The clusters are in {regions} regions, but an instance can have at most {most}. The engine "
        "rejects {cluster} in {region}."
    ),
    check=check,
    bad=lambda: _regions_design(MOST_REGIONS + 1),
    good=lambda: _regions_design(2),
    near_miss=lambda: _regions_design(MOST_REGIONS),
    engines=BIGTABLE,
)
