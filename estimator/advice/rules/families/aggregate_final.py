"""The type of an aggregate family cannot change later.

**What** A table without data has an aggregate family that becomes large.
**Why** You set the type of a family (sum, minimum, maximum, approximate count) at creation and cannot change it.
Aggregated values cannot be separated again: you cannot derive a maximum from a sum.
**Instead** Decide on the queries before the first write. If you may need two results, use two families, or also
keep the single values for a while.
**Fine when** The decision is final, or the source values are kept elsewhere.
**Source** https://cloud.google.com/bigtable/docs/aggregates (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import aggregate_name
from estimator.facts.families import family_usages
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import NEWEST_ONLY, Part, design, field_part, read_part, time_part
from ..shared.fixes import is_live

GIB = 1.0
"""Compressed, at the end of the horizon: less can be filled anew in an afternoon."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per aggregate family of an empty table that will be too large to refill in passing."""
    for usage in family_usages(spec, estimate):
        stored = sum(kind.bytes_by_cause.total for kind in usage.kinds)
        if usage.family.kind == "ordinary" or is_live(usage.table) or usage.compressed_gib(stored) < GIB:
            continue
        rows = {kind.row_kind: kind.rows for kind in usage.growth.kinds}
        yield Violation(
            at=usage.family.id,
            field="kind",
            params={
                "family": usage.family.label,
                "table": usage.table.label,
                "aggregate": aggregate_name(usage.family.kind),
                "date": usage.growth.dates[-1],
                "cells": sum(kind.cells_per_row * rows.get(kind.row_kind, 0.0) for kind in usage.kinds),
                "stored_gib": usage.compressed_gib(stored),
            },
            effect=usage.compressed_gib(stored),
        )


def _counters_design(resolution: str, pattern: str, **table: object) -> Spec:
    """Events of a thousand devices, counted per time bucket."""
    write: Part = {"mode": "add_to_aggregate"}
    return design(
        field_part("device", "#"),
        time_part(resolution=resolution, pattern=pattern),
        per_second=1_000,
        write=write,
        family={"kind": "sum"},
        gc={"kind": "union", "rules": [NEWEST_ONLY, {"kind": "max_age", "age_days": 730}]},
        column={"value": {"kind": "integer"}},
        table=table,
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    )


RULE = Rule(
    code="F007",
    severity="note",
    message=N_(
        "Family {family} of {table} stores the {aggregate}, and this type cannot change later. On {date} "
        "it holds {cells} cells ({stored_gib}); changing the aggregate then requires the original values."
    ),
    check=check,
    bad=lambda: _counters_design("minute", "%Y%m%d%H%M"),
    good=lambda: _counters_design("minute", "%Y%m%d%H%M", history_months=12),
    near_miss=lambda: _counters_design("hour", "%Y%m%d%H"),
    engines=BIGTABLE,
)
