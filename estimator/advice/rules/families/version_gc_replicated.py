"""A replicated instance collects old versions by count.

**What** A family limits the number of versions, its cells are overwritten more often than that, and the instance
has more than one cluster.
**Why** Collection by version count creates deletes, which Bigtable replicates to the other clusters and which use
CPU there. Collection by age does not: each cluster determines expired cells independently.
**Instead** Collect by age if readers do not need an exact number of versions. Filter for the newest version in
reads.
**Fine when** The clusters have spare CPU, or storage matters more: with collection by age, overwritten cells stay
longer.
**Source** https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
"""

import math
from collections.abc import Iterator

from designer.document import Spec, write_mode
from designer.document.access import Write
from designer.document.family import Family
from designer.document.texts import N_
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.growth.cells import DELETES, columns_of
from estimator.kernels.growth.collection import policy
from estimator.kernels.growth.retained_rows import has_single_version
from estimator.kernels.traffic.assumptions import REPLICATED_DELETE
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import DEVICE, NEWEST_ONLY, design, field_part, read_part

NODE_SHARE = 0.1
"""Of one node, in each cluster: below it the assumption of what a delete costs is less sure than the effect."""

CLUSTERS = (
    {"id": "cluster", "name": "main", "region": "us-central1"},
    {"id": "second", "name": "second", "region": "us-east1"},
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per family whose replicated deletes keep a node noticeably busy."""
    clusters = len(spec.instance.clusters)
    if clusters < 2:
        return
    kinds = tuple(row_kinds(spec, estimate))
    for table in spec.tables:
        for family in table.families:
            if not math.isfinite(policy(family.gc).caps[0]):
                continue
            deletes = [_delete_load(rows, family) for rows in kinds if rows.table.id == table.id]
            per_second, busy = (sum(values) for values in zip(*deletes, strict=True)) if deletes else (0.0, 0.0)
            if busy < NODE_SHARE:
                continue
            params = {"family": family.label, "table": table.label, "clusters": clusters}
            params |= {"deletes_per_second": per_second, "busy_nodes": busy}
            yield Violation(family.id, params, "gc", busy)


def _delete_load(rows: RowKindFacts, family: Family) -> tuple[float, float]:
    """Cells a second that the count of versions collects, and the node time that their deletes are taken to need."""
    versions = policy(family.gc).caps[0]
    if rows.growth is None or rows.growth.events_per_row <= versions:  # no cell is beyond the count
        return 0.0, 0.0
    collected = busy = 0.0
    for write, load in rows.writes:
        cells = _overwritten_columns(rows, write, family)
        if cells:
            collected += load.rows_per_second * cells
            busy += load.rows_per_second * load.node_seconds_per_row * _DELETING_SHARE
    return collected, busy


_DELETING_SHARE = REPLICATED_DELETE.value / (1 + REPLICATED_DELETE.value)
"""Of the node time of a write whose old versions are deleted by count, as the load is estimated."""


def _overwritten_columns(rows: RowKindFacts, write: Write, family: Family) -> int:
    """Columns of the family in which a write puts a cell before older ones: not those that it names anew each time."""
    if write_mode(rows.spec, write) in (*DELETES, "append_row", "new_column"):
        return 0
    columns = columns_of(rows.table, rows.kind, write.columns)
    return sum(
        mine.id == family.id and not has_single_version(family, column) and not column.qualifier_from
        for mine, column in columns
    )


def _overwrites_design(per_second: float, **settings: object) -> Spec:
    """Devices that overwrite their state, in two regions."""
    usual: dict[str, object] = {"gc": NEWEST_ONLY, "clusters": CLUSTERS}
    return design(
        field_part("device"),
        fields=({**DEVICE, "distinct": 30_000, "values": {"kind": "pattern", "text": "d{n:05}"}},),
        per_second=per_second,
        write={"mode": "overwrite"},
        reads=(read_part(binds=("device",), newest_versions=1),),
        **{**usual, **settings},  # type: ignore[arg-type]
    )


RULE = Rule(
    code="F010",
    severity="note",
    message=N_(
        "Family {family} of {table} collects by number of versions. {clusters} clusters replicate the "
        "deletes ({deletes_per_second}), which uses about {busy_nodes} in each cluster. Collection by "
        "age replicates no deletes."
    ),
    check=check,
    bad=lambda: _overwrites_design(20_000),
    good=lambda: _overwrites_design(500, gc={"kind": "max_age", "age_days": 1}),
    near_miss=lambda: _overwrites_design(10_000),
    engines=BIGTABLE,
)
