"""Cells have expired when they are written.

**What** A writer sets timestamps that are older than the maximum age of the family: a history is loaded with the times
of its events, or timestamps are set far back.
**Why** Garbage collection goes by the timestamp of a cell, not by when it was written. Such cells can be removed by the
next compaction: readers may not find them, but each costs a write, and is stored up to a week.
**Instead** Load only the part of the history that the family keeps, or raise its maximum age.
**Fine when** The cells are needed only until the next compaction.
**Source** https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
"""

import math
from collections.abc import Iterator

from designer.document import Spec
from designer.document.access import Write
from designer.document.activity import Backfill
from designer.document.collection import policy
from designer.document.family import Column, Family
from designer.document.texts import N_
from designer.wording import element_label
from estimator.facts.reading import row_kinds
from estimator.kernels.growth.cells import written_columns
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import Part, design, field_part, read_part, time_part

EXPIRED_SHARE = 0.01
"""Of the cells that a write puts into a family: less is the edge of a load that was cut to the maximum age."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write, for the family of which the largest share has expired."""
    for rows in row_kinds(spec, estimate):
        for write, load in rows.writes:
            columns = written_columns(rows.table, rows.kind, write)
            if write.deletes or load.rows_per_second <= 0 or not columns:
                continue
            family, column = max(columns, key=lambda pair: _expired_share(spec, write, *pair))
            expired_share = _expired_share(spec, write, family, column)
            if expired_share >= EXPIRED_SHARE:
                params = {
                    "write": element_label(spec, write.id),
                    "family": family.label,
                    "table": rows.table.label,
                    "kept_days": policy(family.gc).age_bound_days,
                    "expired_share": expired_share,
                }
                yield Violation(write.id, params, effect=expired_share, about=(write.id, family.id))


def _expired_share(spec: Spec, write: Write, family: Family, column: Column) -> float:
    """Return the share of a column's cells whose timestamps are beyond the maximum age as they are written."""
    kept_days = policy(family.gc).age_bound_days
    if math.isinf(kept_days) or family.kind != "ordinary" or column.timestamp == "constant":
        return 0.0
    arrival = None if write.activity is None else spec.find(write.activity).arrival
    left_days = kept_days + write.ahead_days
    if column.timestamp == "event" and isinstance(arrival, Backfill) and arrival.days > 0:
        return 1 - min(max(left_days / arrival.days, 0.0), 1.0)
    return float(left_days <= 0)


def _history(days: float, *, timestamp: str = "event") -> Spec:
    """Build a design with a row per reading of a history, of which a month is kept."""
    arrival: Part = {"kind": "backfill", "days": days, "sorted": False}
    return design(
        field_part("device", "#"),
        time_part(),
        per_second=1_000,
        activity={"name": "history", "arrival": arrival},
        column={"timestamp": timestamp},
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    )


RULE = Rule(
    code="F012",
    severity="warning",
    message=N_(
        "{expired_share} of the cells that {write} puts into {family} of {table} have timestamps older than "
        "{kept_days}: they have expired when they are written. They may be removed before a reader finds them."
    ),
    check=check,
    bad=lambda: _history(365),
    good=lambda: _history(30),
    near_miss=lambda: _history(365, timestamp="server"),
    engines=BIGTABLE,
)
