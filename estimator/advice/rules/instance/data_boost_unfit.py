"""A read through Data Boost needs what Data Boost does not offer.

**What** A read through Data Boost must see its own writes, or is latency-sensitive. Or it is so short and frequent that
the minimum charge of each request costs more than a whole node.
**Why** Data Boost serves jobs that read a lot at once. It has no latency target and no SLA, may miss the writes of the
last 35 minutes, and charges each request for at least 60 SPU-seconds, six hundredths of a second of a node.
**Instead** Send short and fresh reads through an app profile of a cluster. Keep Data Boost for exports and
analysis.
**Fine when** The requests are few, and nobody waits for them.
**Source** https://cloud.google.com/bigtable/docs/data-boost-overview (read 2026-11-28)
"""

from collections.abc import Iterator
from typing import Any

from designer.document import Spec, effective_value
from designer.document.texts import N_
from estimator.facts.reading import row_kinds
from estimator.kernels.pricing.lines.data_boost import SPU_PER_NODE, SPU_SECONDS_PER_REQUEST
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import field_part, read_part, readings, time_part

WASTED_NODES = 1.0
"""Nodes' worth of minimum charges from which they cost more than a node that serves the reads: our choice."""
MISSED_MINUTES = 35
"""Data Boost may miss writes this young. Source: Data Boost overview, read 2026-11-20."""

STALE = N_(
    "{read} on {table} must see its own writes, but it uses Data Boost, which may miss the writes of the last "
    "{missed_minutes} minutes."
)
SLOW = N_(
    "{read} on {table} is latency-sensitive, but it uses Data Boost, which has no latency target: its reads take "
    "longer than those of nodes, and it is not meant for serving."
)
CLUSTERS = N_("Send {read} through the default app profile")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read; by what it must see first, which no bill can make up for."""
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            if not has_data_boost(spec, read):
                continue
            params: dict[str, Any] = {"read": read.label, "table": rows.table.label}
            message, effect = STALE, 0.0
            if effective_value(spec, read, "sees_own_write"):
                params["missed_minutes"] = f"{MISSED_MINUTES}"
            elif read.latency == "sensitive":
                message = SLOW
            elif plan.per_second is None or plan.refused is not None:
                continue
            else:
                message, used = "", plan.per_second * plan.node_seconds
                billed = plan.per_second * max(plan.node_seconds, SPU_SECONDS_PER_REQUEST / SPU_PER_NODE)
                effect = billed - used
                if effect < WASTED_NODES:
                    continue
                params |= {"rate_per_second": plan.per_second, "billed_nodes": billed, "load_nodes": used}
                params["least_spu_seconds"] = f"{SPU_SECONDS_PER_REQUEST}"
            fix = change(read, "app_profile", None)
            yield Violation(read.id, params, "app_profile", effect, message=message, fix=fix, fix_label=CLUSTERS)


def _boosted(per_second: float, **read: object) -> Spec:
    clusters = ({"id": "cluster", "name": "main", "region": "us-central1"},)
    boost = {"id": "boost", "name": "boost", "routing": "single", "clusters": ("cluster",), "data_boost": True}
    return readings(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        reads=(read_part(binds=("device",), rate_per_second=per_second, **{"app_profile": "boost", **read}),),
        instance={"clusters": clusters, "app_profiles": (boost,)},
    )


RULE = Rule(
    code="I028",
    severity="warning",
    message=N_(
        "{read} on {table} uses Data Boost at {rate_per_second}. Each request is charged for at least "
        "{least_spu_seconds} SPU-seconds. Together that is the charge for {billed_nodes}, but the requests take only "
        "the time of {load_nodes}."
    ),
    check=check,
    bad=lambda: _boosted(200, time={"days": 0.01}),
    good=lambda: _boosted(0.001, time={"days": 7}, latency="batch"),
    near_miss=lambda: _boosted(10, time={"days": 0.01}, latency="batch"),
    engines=BIGTABLE,
)
