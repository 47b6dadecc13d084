"""A table has no backup.

**What** A table has no backup. It is not derived from another table and keeps its data for longer than a week.
**Why** Replication copies an accidental delete to every cluster within moments, and garbage collection makes it
permanent. Only a backup made beforehand can restore the data.
**Instead** Enable automated daily backups, which share unchanged data with the table.
**Fine when** You can reload the data from its source.
**Source** https://cloud.google.com/bigtable/docs/backups (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_
from estimator.engines import GiB
from estimator.kernels.growth.collection import policy
from estimator.kernels.population.rotation import kept_days
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import field_part, readings, time_part

SHORT_LIVED_DAYS = 7.0
"""Ours: what is gone after a week anyway is seldom worth a restore into a new table, which a backup is."""
NAMED = 3
"""Tables that are named; of the others there is a count."""

SEVERAL = N_(
    "{tables} tables have no backup; the largest are {named}. An accidental delete would permanently lose {live_bytes}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """One finding for all of them, at the largest."""
    sized = [(size, table) for table in spec.tables if (size := _lost_bytes(estimate, table)) is not None]
    if not sized:
        return
    sized.sort(key=lambda pair: -pair[0])
    stored, largest = sum(size for size, _ in sized), sized[0][1]
    params = {
        "table": largest.label,
        "tables": len(sized),
        "named": tuple(table.label for _, table in sized[:NAMED]),
        "live_bytes": stored,
    }
    yield Violation(largest.id, params, "backups", effect=stored / GiB, message="" if len(sized) == 1 else SEVERAL)


def _lost_bytes(estimate: Estimate, table: Table) -> float | None:
    """Return the live data lost without a backup at the horizon's end; None if not missed for long [bytes]."""
    part = estimate.tables.get(table.id)
    if table.backups or table.derived_from or _is_short_lived(table) or part is None or part.growth is None:
        return None
    return part.growth.live_bytes or None


def _is_short_lived(table: Table) -> bool:
    """Return whether all data of the table expires, or is dropped with its period's table, within days."""
    families = table.families
    if kept_days(table, over=1.0) <= SHORT_LIVED_DAYS:
        return True
    return bool(families) and all(policy(f.gc).age_bound_days <= SHORT_LIVED_DAYS for f in families)


def _backup_design(**table: object) -> Spec:
    return readings(field_part("device", "#"), time_part(), per_second=100, table=table)


RULE = Rule(
    code="I024",
    severity="note",
    message=N_("{table} has no backup. An accidental delete would permanently lose {live_bytes}."),
    check=check,
    bad=lambda: _backup_design(),
    good=lambda: _backup_design(backups=({"id": "backup"},)),
    near_miss=lambda: _backup_design(backups=({"id": "backup", "automated": False, "every_hours": 168},)),
    engines=BIGTABLE,
)
