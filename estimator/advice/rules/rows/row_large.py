"""A row exceeds the recommended size.

**What** The largest row exceeds 100 MB within the horizon.
**Why** One node reads a row and keeps it in memory as one piece. Large rows are slow, and a few of them slow down
everything else on the node.
**Instead** Use a finer time bucket, keep fewer versions, or move growing data to separate rows.
**Fine when** Rows of that size are few, and their reads are not latency-sensitive. It is only a note if expired
cells that are not collected yet make the row large.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator
from dataclasses import replace

from designer.document import Spec
from designer.document.texts import N_
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.rowsizes import RECOMMENDED, bucketed_design, is_only_uncollected, row_finding


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind whose largest row exceeds the recommended limit."""
    for rows in row_kinds(spec, estimate):
        violation = row_finding(rows, RECOMMENDED)
        if violation is not None:
            yield replace(violation, severity="note" if is_only_uncollected(rows, RECOMMENDED) else None)


RULE = Rule(
    code="R002",
    severity="warning",
    message=N_(
        "The row of {entity} in {table} exceeds {limit_bytes} on {date} and reaches {largest_bytes}{live}.{guess}"
    ),
    check=check,
    bad=lambda: bucketed_design("week", 90, "%Gw%V"),
    good=lambda: bucketed_design("day", 90, "%Y%m%d"),
    near_miss=lambda: bucketed_design("week", 50, "%Gw%V"),
    engines=BIGTABLE,
    under=("R001", "K014", "F004"),
)
