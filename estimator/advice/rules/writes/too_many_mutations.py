"""One request has more mutations than the engine accepts.

**What** The rows of one request, times the cells per row, exceed 100,000 mutations.
**Why** The limit counts every set cell and every deletion in all rows of a request. The engine rejects the whole
request; a client that retries it never succeeds.
**Instead** Send fewer rows per request. Some thousands of mutations already save almost all round trips, and
smaller requests mean smaller failures and retries.
**Fine when** Never. The engine rejects the request.
**Source** https://cloud.google.com/bigtable/quotas (read 2026-11-20)
"""

import math
from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import bigtable
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.growth.cells import columns_of
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import field_part, readings, time_part

LIMIT = bigtable.LIMITS["mutations_per_request"].value
FEWER = N_("Limit the rows per request to the number that fits")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write whose requests are too large."""
    for rows in row_kinds(spec, estimate):
        for write in () if rows.is_written_by_engine else rows.kind.writes:
            row_mutations = mutations_per_row(rows, write)
            rows_per_request = float(effective_value(spec, write, "rows_per_request"))
            mutations = rows_per_request * row_mutations
            if mutations <= LIMIT:
                continue
            fitting = math.floor(LIMIT / row_mutations)
            yield Violation(
                at=write.id,
                field="rows_per_request",
                params={
                    "write": element_label(spec, write.id),
                    "table": rows.table.label,
                    "rows": rows_per_request,
                    "each": row_mutations,
                    "mutations": mutations,
                    "limit": LIMIT,
                    "fitting": fitting,
                },
                effect=mutations,
                fix=change(write, "rows_per_request", fitting) if fitting else None,
                fix_safe=True,
                fix_label=FEWER if fitting else "",
            )


def mutations_per_row(rows: RowKindFacts, write: Write) -> float:
    """Mutations that one row takes: one per cell set or deleted, one per family or row deleted."""
    if write.mode in ("delete_row", "delete_prefix"):
        return 1.0
    touched = columns_of(rows.table, rows.kind, write.columns)
    if write.mode == "delete_family":
        return float(len({family.id for family, _ in touched}))
    return sum(float(effective_value(rows.spec, column, "presence")) for _, column in touched)


def _requests_design(rows_per_request: int) -> Spec:
    """Build a design of readings that a loader collects before it writes them."""
    return readings(
        field_part("device", "#"), time_part(), per_second=1_000, write={"rows_per_request": rows_per_request}
    )


RULE = Rule(
    code="W002",
    severity="error",
    message=N_(
        "{write} sends {rows} rows of {table} in one request: {mutations} mutations, {each} per row. The "
        "engine accepts {limit}, so at most {fitting} rows fit."
    ),
    check=check,
    bad=lambda: _requests_design(100_001),
    good=lambda: _requests_design(1_000),
    near_miss=lambda: _requests_design(100_000),
    engines=BIGTABLE,
)
