"""A row grows beyond what can be read.

**What** The largest row passes 256 MB within the horizon.
**Why** The engine cannot return a row above that size in full, and a row is never split: reads of the busiest entity
fail while all others still work.
**Instead** Give each row less time (a finer bucket), keep fewer versions, or move what grows into rows of its own.
**Fine when** Never: this is a hard limit. It is a warning where only the busiest rows pass it and nobody has said how
busy those are: say how traffic spreads over the field that the message names.
**Source** https://cloud.google.com/bigtable/quotas (read 2026-11-20)
"""

from collections.abc import Iterator
from dataclasses import replace

from designer.document import Spec
from designer.document.texts import N_
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import BIGTABLE, Found, Rule
from ..shared.rowsizes import HARD, bucketed, rests_on_guess, row_finding


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """A finding per row kind whose largest row passes the hard limit."""
    for rows in row_kinds(spec, estimate):
        found = row_finding(rows, HARD)
        if found is not None:
            yield replace(found, severity="warning" if rests_on_guess(rows, HARD) is not None else None)


RULE = Rule(
    code="R001",
    severity="error",
    message=N_(
        "The row of {entity} in {table} passes {limit_bytes} on {date} and comes to {largest_bytes}: it can then no "
        "longer be read in full."
    ),
    check=check,
    bad=lambda: bucketed("month", 400, "%Y%m"),
    good=lambda: bucketed("day", 400, "%Y%m%d"),
    near_miss=lambda: bucketed("month", 10, "%Y%m"),
    engines=BIGTABLE,
)
