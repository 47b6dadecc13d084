"""Writes land at the growing ends of too few prefixes.

**What** A growing part of the key (a time, a counted number) stands behind a prefix with few or unevenly busy values.
**Why** Each prefix value has one growing end, and each such end is served by one node at a time. With fewer busy ends
than nodes, or one that is far busier than the rest, nodes idle while one is full. A salt of fewer values than the
cluster has nodes is the same thing.
**Instead** Put a field with many evenly busy values before the growing part, or give the salt more values.
**Fine when** The busiest end takes less than a fifth of a node, on Tablestore fewer than 1,000 writes a second.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.default_skew import guessed
from estimator.facts.load import front_load
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import Found, Rule
from ..shared.examples import DEVICE, TENANT, Part, of, read, readings, time

AGAINST = N_(
    "New rows of {table} land at the growing end ({segment}) of about {fronts} prefixes, and {busiest_nodes} are there "
    "to serve them; {prefix} alone takes {write_share} of the writes ({rate_per_second}). That is the work of "
    "{work_nodes}, which one node must do. It hurts from {hurts_per_second} on one prefix.{guess}"
)
PARTITION = N_(
    "New rows of {table} land at the growing end ({segment}) of about {fronts} prefixes; {prefix} alone takes "
    "{write_share} of the writes ({rate_per_second}), in one partition. It hurts from {hurts_per_second} on one prefix."
    "{guess}"
)

THREE = {**TENANT, "distinct": 3}


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """A finding per growing segment that has something other than literals before it."""
    nodes = max((float(sized.nodes_by_month[-1]) for sized in estimate.nodes), default=0.0)
    for rows in row_kinds(spec, estimate):
        for segment, _ in rows.segments:
            if rows.lead is None or segment.id == rows.lead[0].id:
                continue
            load = front_load(rows, segment.id)
            if load is None or not load.in_sight:
                continue
            yield Found(
                at=segment.id,
                params={
                    "table": rows.table.label,
                    "segment": segment_label(spec, segment),
                    "fronts": load.effective,
                    "prefix": load.prefix,
                    **load.figures,
                    "busiest_nodes": nodes,
                    "guess": guessed(rows, before=segment),
                },
                message=AGAINST if load.effective < nodes else "",
                effect=load.effect,
                severity=load.severity,
                about=(*rows.about, *rows.stopped_at(segment)),
            )


def _of_tenants(per_second: float, *key: Part) -> Spec:
    """A thousand devices of three tenants."""
    reads = (read(binds=("tenant", "device"), time={"days": 1 / 24}, rate_per_second=0.01),)
    return readings(*key, fields=(THREE, DEVICE), per_second=per_second, reads=reads)


RULE = Rule(
    code="K026",
    severity="warning",
    message=N_(
        "New rows of {table} land at the growing end ({segment}) of about {fronts} prefixes; {prefix} alone takes "
        "{write_share} of the writes ({rate_per_second}). That is the work of {work_nodes}, which one node must do. It "
        "hurts from {hurts_per_second} on one prefix.{guess}"
    ),
    messages={"tablestore": {"": PARTITION, AGAINST: PARTITION}},
    check=check,
    bad=lambda: _of_tenants(20_000, of("tenant", "#"), time("#"), of("device")),
    good=lambda: _of_tenants(20_000, of("tenant", "#"), of("device", "#"), time()),
    near_miss=lambda: _of_tenants(2_000, of("tenant", "#"), time("#"), of("device")),
    under=("K004", "K005"),
)
