"""A row grows beyond the recommended size.

**What** The largest row passes 100 MB within the horizon.
**Why** A row is read and kept in memory as one piece by one node: large ones are slow, and a few of them slow down
everything beside them.
**Instead** Give each row less time (a finer bucket), keep fewer versions, or move what grows into rows of its own.
**Fine when** Rows of that size are few, and nobody waits for them.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import BIGTABLE, Found, Rule
from ..shared.rowsizes import RECOMMENDED, bucketed, row_finding


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """A finding per row kind whose largest row passes the recommended limit."""
    for rows in row_kinds(spec, estimate):
        found = row_finding(rows, RECOMMENDED)
        if found is not None:
            yield found


RULE = Rule(
    code="R002",
    severity="warning",
    message=N_("The row of {entity} in {table} passes {limit_bytes} on {date} and comes to {largest_bytes}."),
    check=check,
    bad=lambda: bucketed("week", 90, "%Gw%V"),
    good=lambda: bucketed("day", 90, "%Y%m%d"),
    near_miss=lambda: bucketed("week", 50, "%Gw%V"),
    engines=BIGTABLE,
    under=("R001", "K014"),
)
