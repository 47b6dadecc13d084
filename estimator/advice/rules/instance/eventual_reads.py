"""A read that must see its own writes may be served without them.

**What** A read must see its own writes, but the read or the write uses multi-cluster routing. Or it reads a continuous
materialised view or a global secondary index.
**Why** Replication updates the clusters in the background, usually within seconds, at worst within minutes. If a
read reaches a different cluster than the write, it returns the older value. Views and global secondary indexes are
updated in the background, too, after the write has been confirmed.
**Instead** Send both through one app profile with single-cluster routing, or let the writer cache its own writes. Read
the table itself, or on Tablestore a local secondary index, which each write updates before it is confirmed.
**Fine when** The application handles a slightly old response: the caller retries, or shows its own input.
**Source** https://cloud.google.com/bigtable/docs/app-profiles (read 2026-11-20)
https://cloud.google.com/bigtable/docs/replication-overview (read 2026-11-20)
https://docs.cloud.google.com/bigtable/docs/continuous-materialized-views (read 2026-11-29)
https://www.alibabacloud.com/help/doc-detail/91947.htm (read 2026-11-29)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.engines import description_of
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from designer.wording import element_label
from estimator.facts.routing import Access, has_multi_cluster_routing, served_shares
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import Part, field_part, readings, time_part
from ..shared.examples import read_part as reads

SEVERAL = 2
"""Clusters from which on one can be behind another."""

UNRATED = N_(
    "{read} on {table} must read its own writes, but another cluster may serve it. Writes replicate "
    "there seconds to minutes later."
)

DERIVED = N_(
    "{read} on {table} must read its own writes, but the engine updates {table} in the background, after a write to "
    "{source} has been confirmed."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read that must see its own write but may be served before that is there."""
    for table, kind in spec.row_kinds():
        if _is_behind_its_source(table):
            yield from _of_derived(spec, table, kind)
            continue
        if not description_of(spec).has_several_places or len(spec.instance.clusters) < SEVERAL:
            continue
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


def _is_behind_its_source(table: Table) -> bool:
    """Return whether the engine writes the table's rows later than those of its source."""
    source = table.derived_from
    return source is not None and source.is_written_by_engine and source.how != "local_index"


def _of_derived(spec: Spec, table: Table, kind: RowKind) -> Iterator[Violation]:
    source = element_label(spec, table.derived_from.table) if table.derived_from is not None else ""
    for read in kind.reads:
        if effective_value(spec, read, "sees_own_write"):
            params = {"read": read.label, "table": table.label, "source": source}
            yield Violation(read.id, params, "sees_own_write", read.rate_per_second, message=DERIVED)


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
)
