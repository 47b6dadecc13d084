"""A read that must see its own writes may reach a cluster without them.

**What** A read must see its own writes, but the read or the write uses multi-cluster routing.
**Why** Replication updates the clusters in the background, usually within seconds, at worst within minutes. If a
read reaches a different cluster than the write, it returns the older value.
**Instead** Send both through one app profile with single-cluster routing, or let the writer cache its own writes.
**Fine when** The application handles a slightly old response: the caller retries, or shows its own input.
**Source** https://cloud.google.com/bigtable/docs/app-profiles (read 2026-11-20)
https://cloud.google.com/bigtable/docs/replication-overview (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.texts import N_
from estimator.facts.routing import Access, has_multi_cluster_routing, served_shares
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import Part, field_part, readings, time_part
from ..shared.examples import read_part as reads

SEVERAL = 2
"""Clusters from which on one can be behind another."""

UNRATED = N_(
    "{read} on {table} must read its own writes, but another cluster may serve it. Writes replicate "
    "there seconds to minutes later."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read that must see its own write but may be served by another cluster."""
    if len(spec.instance.clusters) < SEVERAL:
        return
    for table, kind in spec.row_kinds():
        homes = {_pinned_cluster(spec, write) for write in kind.writes}
        for read in kind.reads:
            if (
                not homes
                or not effective_value(spec, read, "sees_own_write")
                or homes == {_pinned_cluster(spec, read)} != {None}
            ):
                continue
            rate = read.rate_per_second
            params = {"read": read.label, "table": table.label, "rate_per_second": rate}
            yield Violation(read.id, params, "app_profile", rate, message="" if rate is not None else UNRATED)


def _pinned_cluster(spec: Spec, access: Access) -> str | None:
    """Return the one cluster that the access is pinned to; None where routing may change it at any time."""
    return None if has_multi_cluster_routing(spec, access) else next(iter(served_shares(spec, access)), None)


_CLUSTERS: tuple[Part, ...] = (
    {"id": "cluster", "name": "west", "region": "us-west1"},
    {"id": "central", "name": "central", "region": "us-central1"},
)
_PINNED: Part = {"id": "pinned", "name": "pinned", "routing": "single", "clusters": ("cluster",)}


def _read_after_write_design(profile: str | None, *, sees_own_write: bool = True) -> Spec:
    to = {} if profile is None else {"app_profile": profile}
    look = reads(binds=("device",), time={"days": 1 / 24}, sees_own_write=sees_own_write, **to)
    instance = {"clusters": _CLUSTERS, "app_profiles": (_PINNED,)}
    return readings(
        field_part("device", "#"), time_part(), per_second=1_000, write=to, reads=(look,), instance=instance
    )


RULE = Rule(
    code="I011",
    severity="note",
    message=N_(
        "{read} on {table} ({rate_per_second}) must read its own writes, but another cluster may serve "
        "it. Writes replicate there seconds to minutes later."
    ),
    check=check,
    bad=lambda: _read_after_write_design(None),
    good=lambda: _read_after_write_design("pinned"),
    near_miss=lambda: _read_after_write_design(None, sees_own_write=False),
    engines=BIGTABLE,
)
