"""Reads must query every value of a salt.

**What** The key contains a salt, and a read does not specify its source.
**Why** The reader cannot tell which salt value contains its rows. Each request becomes one per value, and the
reader must merge the results. A salt based on the node count must change with it, which rewrites every key.
**Instead** Move a field that readers specify to the start of the key: it spreads writes, and reads can find it. If
you need a salt, derive it from a field that every reader specifies.
**Fine when** The write load needs a salt because no field spreads it, and such reads are rare. Or rows would be too
large without it. The finding says what the salt prevents.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

from collections.abc import Iterator

import numpy as np

from designer.document import Spec
from designer.document.access import Read
from designer.document.instance import Autoscaling, FixedNodes
from designer.document.key import SaltSegment
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.salts import salt_effect
from estimator.results import Estimate, ReadPlan

from ..shared import Rule, Violation
from ..shared.examples import field_part, read_part, readings, salt_part, time_part
from ..shared.fixes.order import promote_field

UNRATED = N_(
    "{read} cannot tell which of the {salt_values} values of {segment} contains its rows in {table}. "
    "Each read needs {ranges} requests.{prevents}"
)
TIED = N_(
    "{read} cannot tell which of the {salt_values} values of {segment} contains its rows in {table}. "
    "Each read needs {ranges} requests, {requests_per_second} in total. The salt has as many values "
    "as {cluster} has nodes. If the node count changes, the salt and every key must change.{prevents}"
)
PROMOTE = N_("Start the key with {promoted} instead of {segment}")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per salt that reads have to scan, at the read with the highest cost."""
    for rows in row_kinds(spec, estimate):
        for segment in rows.kind.segments:
            if not isinstance(segment, SaltSegment) or segment.modulo < 2:
                continue
            fanned = [(read, plan) for read, plan in rows.reads if _has_fan_out(rows, plan, segment)]
            if fanned:
                worst = max(fanned, key=lambda pair: (pair[1].per_second or 0.0) * pair[1].ranges)
                yield _build_violation(rows, estimate, segment, *worst)


def _has_fan_out(rows: RowKindFacts, plan: ReadPlan, segment: SaltSegment) -> bool:
    """Return whether the read makes one request per salt value: the salt is unknown and within the prefix."""
    return segment.id not in plan.bound and segment in rows.before_open(plan)


def _build_violation(
    rows: RowKindFacts, estimate: Estimate, segment: SaltSegment, read: Read, plan: ReadPlan
) -> Violation:
    tied = _matching_cluster(rows.spec, estimate, segment.modulo)
    chosen, fix = promote_field(rows, segment)
    requests = None if plan.per_second is None else plan.ranges * plan.per_second
    params = {
        "read": read.label,
        "table": rows.table.label,
        "segment": segment_label(rows.spec, segment),
        "salt_values": segment.modulo,
        "ranges": plan.ranges,
        "requests_per_second": requests,
        "prevents": effect.sentence if (effect := salt_effect(rows, segment)) else "",
        "promoted": segment_label(rows.spec, chosen) if chosen else "",
    }
    return Violation(
        at=segment.id,
        params={**params, "cluster": tied} if tied else params,
        message=UNRATED if requests is None else TIED if tied else "",
        effect=requests,
        fix=fix,
        fix_label=PROMOTE if fix is not None else "",
        about=(read.id,),
        cause=segment.id,
    )


def _matching_cluster(spec: Spec, estimate: Estimate, values: int) -> str:
    """Return the cluster that has as many nodes as the salt has values, or an empty string."""
    nodes_by_cluster = {sized.cluster: sized.nodes_by_month for sized in estimate.nodes}
    for cluster in spec.instance.clusters:
        nodes = {round(float(n)) for n in np.atleast_1d(nodes_by_cluster.get(cluster.id, []))}
        if isinstance(cluster.nodes, FixedNodes):
            nodes = {cluster.nodes.count}
        elif isinstance(cluster.nodes, Autoscaling):
            nodes |= {cluster.nodes.min, cluster.nodes.max}
        if values in nodes:
            return cluster.label
    return ""


_LAST_HOUR = (read_part(binds=("device",), time={"days": 1 / 24}),)

RULE = Rule(
    code="K008",
    severity="note",
    message=N_(
        "{read} cannot tell which of the {salt_values} values of {segment} contains its rows in {table}. "
        "Each read needs {ranges} requests, {requests_per_second} in total.{prevents}"
    ),
    check=check,
    bad=lambda: readings(salt_part(8), field_part("device", "#"), time_part(), per_second=5_000, reads=_LAST_HOUR),
    good=lambda: readings(field_part("device", "#"), time_part(), per_second=5_000, reads=_LAST_HOUR),
    near_miss=lambda: readings(
        salt_part(8, "device"), field_part("device", "#"), time_part(), per_second=5_000, reads=_LAST_HOUR
    ),
    under=("Q001", "K007"),
)
