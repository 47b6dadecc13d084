"""Columns with different retention needs share a family.

**What** Some columns of a family need fewer versions, or less time, than others. The family must keep all columns
for the most demanding one.
**Why** Garbage collection applies to a whole family, not to single columns. The less demanding columns keep
versions that no read uses, in every cluster and backup.
**Instead** Move the less demanding columns to a separate family with its own policy.
**Fine when** The less demanding columns are small or rarely overwritten, so there is little to collect.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
"""

from collections.abc import Iterator, Sequence
from functools import reduce

from designer.document import Spec
from designer.document.family import Column
from designer.document.texts import N_
from designer.wording import element_label, shorten
from estimator.facts.billing import stored_cost
from estimator.facts.families import FamilyUsage, family_usages, surplus_severity
from estimator.facts.policies import collection_rule, describe_policy, simplify
from estimator.kernels.growth.collection import policy, stricter_policy
from estimator.kernels.growth.reader_needs import column_need, column_reads, family_need, milder_policy
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import Edit
from ..shared.examples import DEVICE, Part, design, field_part, read_part
from ..shared.fixes import split_off

SPLIT = N_("Move them to a separate family; readers and writers must then name it")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per family whose modest columns keep more than they need because of the others."""
    for usage in family_usages(spec, estimate):
        # What columns keep beyond their own need, minus what the family keeps beyond the need of all of them: the
        # former alone includes what a stricter rule for the whole family would save, which is another finding.
        surplus = sum(sum(kind.surplus_by_column.values()) - kind.surplus_bytes for kind in usage.kinds)
        severity = surplus_severity(usage, surplus)
        modest = _modest_columns(spec, usage) if severity is not None else ()
        if severity is None or not modest:
            continue
        # One rule for all of them must keep what any of them needs.
        need = reduce(milder_policy, (column_need(spec, usage.table, usage.family, column) for column in modest))
        fix = _split(spec, usage, modest)
        yield Violation(
            at=usage.family.id,
            field="columns",
            params={
                "family": usage.family.label,
                "table": usage.table.label,
                "columns": tuple(shorten(element_label(spec, column.id)) for column in modest),
                "need": describe_policy(need),
                "most": describe_policy(
                    stricter_policy(policy(usage.family.gc), family_need(spec, usage.table, usage.family))
                ),
                "surplus_gib": usage.compressed_gib(surplus),
                "surplus_share": usage.share(surplus),
                "surplus_cost": stored_cost(estimate, usage.compressed_bytes(surplus)),
            },
            effect=usage.compressed_gib(surplus),
            severity=severity,
            fix=fix,
            fix_label=SPLIT if fix is not None else "",
        )


def _modest_columns(spec: Spec, usage: FamilyUsage) -> tuple[Column, ...]:
    """Return the columns that need less than the whole family; none if no known read needs the others.

    If the needs differ (one version here, a month there), return those of the column with the largest surplus.
    """
    table, family = usage.table, usage.family
    whole = simplify(family_need(spec, table, family))
    needs = {c.id: simplify(column_need(spec, table, family, c)) for c in family.columns}
    modest = tuple(c for c in family.columns if needs[c.id] != whole)
    if len(modest) == len(family.columns):
        worst = max(family.columns, key=lambda c: sum(kind.surplus_by_column.get(c.id, 0.0) for kind in usage.kinds))
        modest = tuple(c for c in family.columns if needs[c.id] == needs[worst.id])
    readers = (c.needed or family.needed or column_reads(table, family, c) for c in family.columns if c not in modest)
    return modest if any(readers) else ()


def _split(spec: Spec, usage: FamilyUsage, modest: Sequence[Column]) -> Edit | None:
    """Return an edit that splits modest columns off with the rule they need; None if needs differ further."""
    own = {simplify(column_need(spec, usage.table, usage.family, c)) for c in modest}
    rest = {simplify(column_need(spec, usage.table, usage.family, c)) for c in usage.family.columns if c not in modest}
    if len(own) > 1 or len(rest) > 1:
        return None
    rule = collection_rule(stricter_policy(policy(usage.family.gc), own.pop()))
    return split_off(usage.table, usage.family, modest, rule, spec=spec) if rule is not None else None


def _settings_design(versions: int, *, history: str = "family") -> Spec:
    """Build a design of device states with history and newest settings, in one family or in two."""
    device = {**DEVICE, "distinct": 100_000, "values": {"kind": "pattern", "text": "d{n:06}"}}
    pace = {"arrival": {"kind": "every", "seconds": 8_640, "field": "device"}}
    value = {"kind": "json", "typical_bytes": 5_000}
    states = {"id": "states", "qualifier": "s", "value": value}
    settings = {"id": "settings", "qualifier": "c", "value": value}
    thousand, newest = {"kind": "max_versions", "versions": 1_000}, {"kind": "max_versions", "versions": versions}
    single = [{"id": "family", "name": "m", "gc": thousand, "columns": [states, settings]}]
    two = [
        {"id": "family", "name": "m", "gc": thousand, "columns": [states]},
        {"id": "other", "name": "c", "gc": newest, "columns": [settings]},
    ]
    reads: tuple[Part, ...] = (
        read_part(binds=("device",), columns=("states",), newest_versions=1_000),
        {
            **read_part(binds=("device",), columns=("settings",), newest_versions=versions),
            "id": "newest",
            "name": "newest",
        },
    )
    return design(
        field_part("device"),
        fields=(device,),
        per_second=None,
        activity=pace,
        write={"mode": "new_cell"},
        reads=reads,
        table={"families": single if history == "family" else two},
    )


RULE = Rule(
    code="F003",
    severity="warning",
    message=N_(
        "For {columns} in family {family} of {table}, {need} is enough. The family keeps {most} for its "
        "other columns. That leaves {surplus_gib} that no read uses, {surplus_share} of the table. Cost "
        "a month: {surplus_cost}."
    ),
    check=check,
    bad=lambda: _settings_design(1),
    good=lambda: _settings_design(1, history="apart"),
    near_miss=lambda: _settings_design(1_000),
    engines=BIGTABLE,
)
