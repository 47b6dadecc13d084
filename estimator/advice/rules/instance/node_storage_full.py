"""A cluster stores more data than its nodes allow.

**What** The data per node exceeds the engine's limit within the horizon, even at the cluster's maximum number of
nodes. Or it stays below the limit but exceeds the recommended share.
**Why** Above the limit, the engine rejects writes. Just below it, compactions lack space, and latency rises. With
infrequent access, the recommended share applies to the SSD data; the combined limit is a hard limit only.
**Instead** Allow more nodes, keep less data, or use HDD for large data without latency-sensitive reads.
**Fine when** Above the recommended share: the cluster runs only batch work, and its data no longer grows.
**Source** https://cloud.google.com/bigtable/quotas (read 2026-11-20)
https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
"""

from collections.abc import Iterator

import numpy as np

from designer.document import Spec
from designer.document.instance import Cluster
from designer.document.texts import N_
from estimator.facts.clusters import is_realistic_count, round_to_step, targets
from estimator.results import ClusterNodes, Estimate
from estimator.results.arrays import Floats

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import cluster_part, design, field_part, read_part, time_part
from ..shared.fixes import more_nodes

ROUNDING = 1e-9

ABOVE_RECOMMENDED = N_(
    "Cluster {cluster} stores up to {storage_share} of the storage limit of {nodes}, above the "
    "recommended {recommended_share}."
)
MORE = N_("Scale {cluster} to {enough_nodes}")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield at most one finding per cluster."""
    for sized in estimate.nodes:
        cluster = spec.by_id.get(sized.cluster)
        if not isinstance(cluster, Cluster) or not sized.storage_share_by_month.size:
            continue
        full = sized.full_from is not None
        share = float(np.max(sized.storage_share_by_month if full else _used_share(sized)))
        recommended = targets(spec, cluster).storage_share
        if full or share > recommended + ROUNDING:
            yield _build_violation(spec, cluster, sized, share, recommended)


def _used_share(sized: ClusterNodes) -> Floats:
    """Return the share that the recommendation limits; with infrequent access, that of SSD storage."""
    return sized.storage_share_by_month if sized.fast_share_by_month is None else sized.fast_share_by_month


def _build_violation(spec: Spec, cluster: Cluster, sized: ClusterNodes, share: float, recommended: float) -> Violation:
    full = sized.full_from is not None
    enough = round_to_step(float(np.max(_used_share(sized) * sized.nodes_by_month)) / recommended, cluster)
    fix = more_nodes(cluster, enough) if is_realistic_count(cluster, sized, enough) else None
    return Violation(
        at=cluster.id,
        field="nodes",
        params={
            "cluster": cluster.label,
            "date": sized.full_from,
            "storage_share": share,
            "recommended_share": recommended,
            "nodes": float(np.max(sized.nodes_by_month)),
            "enough_nodes": enough,
        },
        message="" if full else ABOVE_RECOMMENDED,
        effect=share,
        severity="error" if full else "warning",
        fix=fix,
        fix_safe=True,
        fix_label=MORE if fix is not None else "",
        about=(cluster.id,),
    )


def _history(count: int, kept_days: float) -> Spec:
    return design(
        field_part("device", "#"),
        time_part(),
        per_second=1_000,
        column={"value": {"kind": "random", "typical_bytes": 1_000}},
        gc={"kind": "max_age", "age_days": kept_days},
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
        clusters=(cluster_part(count),),
    )


RULE = Rule(
    code="I005",
    severity="error",
    message=N_(
        "Cluster {cluster} is full from {date}. Its data reaches {storage_share} of the storage limit of "
        "{nodes}, and the engine then rejects writes."
    ),
    check=check,
    bad=lambda: _history(2, 365),
    good=lambda: _history(20, 365),
    near_miss=lambda: _history(2, 30),
    engines=BIGTABLE,
)
