"""Writes go to the append points of too few prefixes.

**What** A growing key segment (a time, a sequential number) follows a prefix with few or unevenly busy values.
**Why** Each prefix value has one append point, which one node at a time serves. With fewer busy append points than
nodes, or one that is far busier, nodes idle while one is full. The same applies to a salt with fewer values than
the cluster has nodes.
**Instead** Put a field with many evenly busy values before the growing segment, or give the salt more values.
**Fine when** The busiest append point uses less than a fifth of a node (on Tablestore, fewer than 1,000 writes a
second).
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.default_skew import assumed_skew_sentence
from estimator.facts.load import append_point_load
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import DEVICE, TENANT, Part, field_part, read_part, readings, time_part

AGAINST = N_(
    "New rows of {table} go to about {fronts} append points, one per prefix before {segment}. The "
    "cluster has {busiest_nodes}. {prefix} alone receives {write_share} of the writes "
    "({rate_per_second}). One node must serve these writes, {work_share} of its limit. The threshold is "
    "{hurts_per_second} per prefix.{guess}"
)
PARTITION = N_(
    "New rows of {table} go to about {fronts} append points, one per prefix before {segment}. "
    "{prefix} alone receives {write_share} of the writes ({rate_per_second}) in one partition. The "
    "threshold is {hurts_per_second} per prefix.{guess}"
)

THREE = {**TENANT, "distinct": 3}


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per growing segment preceded by anything other than literals."""
    nodes = max((float(sized.nodes_by_month[-1]) for sized in estimate.nodes), default=0.0)
    for rows in row_kinds(spec, estimate):
        for segment, _ in rows.segments:
            # The first segment has rules of its own.
            if rows.leading_segment is None or segment.id == rows.leading_segment[0].id:
                continue
            load = append_point_load(rows, segment.id)
            if load is None or not load.is_near_limit:
                continue
            yield Violation(
                at=segment.id,
                params={
                    "table": rows.table.label,
                    "segment": segment_label(spec, segment),
                    "fronts": round(load.effective),
                    "prefix": load.prefix,
                    **load.figures,
                    "busiest_nodes": nodes,
                    "guess": assumed_skew_sentence(rows, before=segment),
                },
                message=AGAINST if load.effective < nodes else "",
                effect=load.effect,
                severity=load.severity,
                about=(*rows.load_subject_ids, *rows.reads_ending_at(segment)),
            )


def _of_tenants(per_second: float, *key: Part, binds: tuple[str, ...] = ("tenant", "device")) -> Spec:
    """Build a design of a thousand devices of three tenants."""
    reads = (read_part(binds=binds, time={"days": 1 / 24}, rate_per_second=0.01),)
    return readings(*key, fields=(THREE, DEVICE), per_second=per_second, reads=reads)


RULE = Rule(
    code="K026",
    severity="warning",
    message=N_(
        "New rows of {table} go to about {fronts} append points, one per prefix before {segment}. "
        "{prefix} alone receives {write_share} of the writes ({rate_per_second}). One node must serve these writes, "
        "{work_share} of its limit. The threshold is {hurts_per_second} per prefix.{guess}"
    ),
    messages={"tablestore": {"": PARTITION, AGAINST: PARTITION}},
    check=check,
    bad=lambda: _of_tenants(20_000, field_part("tenant", "#"), time_part("#"), field_part("device")),
    good=lambda: _of_tenants(20_000, field_part("tenant", "#"), field_part("device", "#"), time_part()),
    near_miss=lambda: _of_tenants(
        2_000, field_part("tenant", "#"), time_part("#"), field_part("device"), binds=("tenant",)
    ),
    under=("K004", "K005"),
)
