"""A family keeps more versions than any read needs.

**What** A family keeps more versions than its readers need. The need comes from the reads or from the family's
declared need. Of a counter that is incremented, only the newest version counts.
**Why** Each version is stored with its key, family, qualifier and timestamp, in every cluster and backup. Reads of
a row skip over the old versions.
**Instead** Keep as many versions as the most demanding read needs.
**Fine when** Old versions serve a purpose outside the design, such as an audit or recovery from a bad deployment.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
"""

import math
from collections.abc import Iterator

from designer.document import Spec
from designer.document.family import Gc, MaxVersions, Never
from designer.document.texts import N_
from estimator.facts.billing import stored_cost
from estimator.facts.families import FamilyUsage, family_usages, old_counts_bytes, surplus_severity
from estimator.facts.policies import collection_rule
from estimator.facts.reading import rows_by_table
from estimator.kernels.growth.collection import policy, stricter_policy
from estimator.kernels.growth.reader_needs import family_need
from estimator.results import Estimate, Severity

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import DEVICE, KEPT_A_MONTH, Part, design, field_part, read_part
from ..shared.fixes import is_live

UNCOUNTED = N_(
    "Family {family} of {table} keeps every version until it expires, but no read needs more than "
    "{asked}. {surplus_gib} ({surplus_share} of the table) is surplus. Cost a month: {surplus_cost}."
)
COUNTS = N_(
    "Each increment adds a version, and family {family} of {table} keeps every version until it expires. Only the "
    "newest holds the count. {surplus_gib} ({surplus_share} of the table) is surplus. Cost a month: {surplus_cost}."
)
FEWER = N_("Keep only the versions that reads need")
FEWER_STORED = N_("Keep only the versions that reads need: stored versions beyond that are permanently deleted")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per family with a significant surplus; one that collects nothing has another rule.

    In a replicated instance, collection by age alone is good advice: what a count collects must be replicated.
    """
    replicated = len(spec.instance.clusters) > 1
    for usage in family_usages(spec, estimate):
        family = usage.family
        if family.gc is None or isinstance(family.gc, Never):
            continue
        surplus, gc_policy = sum(kind.surplus_bytes for kind in usage.kinds), policy(family.gc)
        need, uncounted = family_need(spec, usage.table, family), UNCOUNTED
        # Cells that age alone collects count as needed while no read bounds versions. Old counters are the exception:
        # of them only the newest version has a meaning.
        if surplus <= 0 and math.isinf(gc_policy.caps[0]):
            surplus = sum(old_counts_bytes(rows, family) for rows in rows_by_table(spec, estimate)[usage.table.id])
            need, uncounted = policy(MaxVersions(versions=1)), COUNTS
        versions = need.versions_bound
        if surplus <= 0 or not 0 < versions < math.inf or (replicated and math.isinf(gc_policy.caps[0])):
            continue
        severity = surplus_severity(usage, surplus)
        if severity is not None:
            fewer = collection_rule(stricter_policy(gc_policy, need))
            message = "" if math.isfinite(gc_policy.caps[0]) else uncounted
            yield _build_violation(estimate, usage, surplus, versions, fewer, message=message, severity=severity)


def _build_violation(
    estimate: Estimate, usage: FamilyUsage, surplus: float, versions: float, fewer: Gc | None,
    *, message: str, severity: Severity,
) -> Violation:  # fmt: skip
    family, live = usage.family, is_live(usage.table)
    cap = policy(family.gc).caps[0]
    return Violation(
        at=family.id,
        field="gc",
        params={
            "family": family.label,
            "table": usage.table.label,
            "asked": versions,
            "surplus_gib": usage.compressed_gib(surplus),
            "surplus_share": usage.share(surplus),
            "surplus_cost": stored_cost(estimate, usage.compressed_bytes(surplus)),
        }
        | ({"kept": cap} if math.isfinite(cap) else {}),
        message=message,
        effect=usage.compressed_gib(surplus),
        severity=severity,
        fix=change(family, "gc", fewer) if fewer is not None else None,
        fix_safe=not live,
        fix_label="" if fewer is None else FEWER_STORED if live else FEWER,
    )


def _overwrites_design(month_count: int | None, gc: Part | None = None) -> Spec:
    """Build a design of a hundred thousand devices, each of which writes its state ten times a day."""
    device = {**DEVICE, "distinct": 100_000, "values": {"kind": "pattern", "text": "d{n:06}"}}
    pace = {"arrival": {"kind": "every", "seconds": 8_640, "field": "device"}}
    settings = {"newest_versions": month_count} if month_count else {}
    return design(
        field_part("device"),
        fields=(device,),
        per_second=None,
        activity=pace,
        write={"mode": "new_cell"},
        gc=gc or {"kind": "max_versions", "versions": 1_000},
        column={"value": {"kind": "json", "typical_bytes": 5_000}},
        reads=(read_part(binds=("device",), **settings),),
    )


RULE = Rule(
    code="F005",
    severity="warning",
    message=N_(
        "Family {family} of {table} keeps {kept} versions of a cell, but no read needs more than "
        "{asked}. {surplus_gib} ({surplus_share} of the table) is surplus. Cost a month: {surplus_cost}."
    ),
    check=check,
    bad=lambda: _overwrites_design(10),
    good=lambda: _overwrites_design(10, {"kind": "max_versions", "versions": 10}),
    near_miss=lambda: _overwrites_design(None, KEPT_A_MONTH),
    engines=BIGTABLE,
)
