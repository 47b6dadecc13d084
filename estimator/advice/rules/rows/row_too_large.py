"""A row exceeds the size that can be read.

**What** The largest row exceeds 256 MB within the horizon.
**Why** The engine cannot return a larger row in full and never splits a row. Reads of the busiest entity fail while
all others still succeed.
**Instead** Use a finer time bucket, keep fewer versions, or move growing data to separate rows.
**Fine when** Never. This is a hard limit. The finding is only a warning if it depends on a default distribution, or
on expired cells that are not collected yet. Specify the distribution of the field that the message names.
**Source** https://cloud.google.com/bigtable/quotas (read 2026-11-20)
"""

from collections.abc import Iterator
from dataclasses import replace

from designer.document import Spec
from designer.document.texts import N_
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.rowsizes import HARD, assumed_field_of_rare_rows, bucketed_design, is_only_uncollected, row_finding


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind whose largest row exceeds the hard limit."""
    for rows in row_kinds(spec, estimate):
        violation = row_finding(rows, HARD)
        if violation is not None:
            uncertain = is_only_uncollected(rows, HARD) or assumed_field_of_rare_rows(rows, HARD) is not None
            yield replace(violation, severity="warning" if uncertain else None)


RULE = Rule(
    code="R001",
    severity="error",
    message=N_(
        "The row of {entity} in {table} exceeds {limit_bytes} on {date} and reaches {largest_bytes}{live}. "
        "From then on, a full read of the row fails.{guess}"
    ),
    under=("K030", "K014", "F004"),
    check=check,
    bad=lambda: bucketed_design("month", 400, "%Y%m"),
    good=lambda: bucketed_design("day", 400, "%Y%m%d"),
    near_miss=lambda: bucketed_design("month", 10, "%Y%m"),
    engines=BIGTABLE,
)
