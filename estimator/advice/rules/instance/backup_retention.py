"""The engine rejects a backup's kind, retention or copy destination.

**What** A backup expires less than 6 hours after creation, or later than the edition allows. Or automated backups
are kept for less than 3 days or not created daily. Or a copy has no region, or is kept for more than 30 days. Or a
hot backup is on HDD, or of a table with infrequent access.
**Why** The engine rejects the backup or its policy, so no backup exists when you need it.
**Instead** Stay within the retention limit of the edition, or export data that must be kept longer.
**Fine when** Never. The engine rejects such a backup.
**Source** https://cloud.google.com/bigtable/docs/backups (read 2026-11-20)
https://cloud.google.com/bigtable/docs/editions-overview (read 2026-11-20)
https://cloud.google.com/bigtable/docs/tiered-storage (read 2026-11-20)
"""

from collections.abc import Iterator
from typing import Any

from designer.document import Spec, effective_value
from designer.document.table import Backup, Table
from designer.document.texts import N_, Text
from estimator.engines import bigtable
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import all_of, change
from ..shared.examples import field_part, readings, time_part

AUTOMATED_EVERY_HOURS = 24.0
"""The one frequency of automated backups. Source: the admin API's own text, read 2026-11-20."""

SHORT = N_("retention is {kept_days} (minimum {least_days})")
LONG = N_("retention is {kept_days} (maximum {most_days})")
OFTEN = N_("the interval is {every_hours} (automated backups require {daily_hours})")
COPIED = N_("copies are kept for {kept_days} (maximum {most_days})")
NOWHERE = N_("the destination region is not specified")
HOT_ON_HDD = N_("hot backups require SSD")
HOT_AND_COLD = N_("a table with infrequent access has no hot backups")
WITHIN = N_("Change the backup to settings that the engine accepts")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per backup, with all of its problems and one fix for them."""
    for table in spec.tables:
        for backup in table.backups:
            wrong = tuple(_broken_requirements(spec, table, backup))
            if wrong:
                yield Violation(
                    at=backup.id,
                    field=wrong[0][1],
                    params={"table": table.label, "reasons": tuple(reason for reason, _, _ in wrong)},
                    effect=float(len(wrong)),
                    fix=all_of([change(backup, name, value) for _, name, value in wrong]),
                    fix_safe=True,
                    fix_label=WITHIN,
                )


def _broken_requirements(spec: Spec, table: Table, backup: Backup) -> Iterator[tuple[Text, str, Any]]:
    """Yield each problem, its field and the nearest value that the engine accepts."""
    limits = bigtable.LIMITS
    retention_days, every = (
        float(effective_value(spec, backup, "kept_days")),
        float(effective_value(spec, backup, "every_hours")),
    )
    plus = effective_value(spec, spec.instance, "edition") == "enterprise_plus"
    most = limits["backup_days_plus" if plus else "backup_days"].value
    least = limits["automated_backup_days_min"].value if backup.automated else limits["backup_hours_min"].value / 24
    if retention_days < least:
        yield Text(SHORT, {"kept_days": retention_days, "least_days": least}), "kept_days", least
    if retention_days > most:
        yield Text(LONG, {"kept_days": retention_days, "most_days": most}), "kept_days", most
    elif backup.copies and retention_days > (most := limits["backup_copy_days"].value):
        yield Text(COPIED, {"kept_days": retention_days, "most_days": most}), "kept_days", most
    if backup.automated and every != AUTOMATED_EVERY_HOURS:
        params = {"every_hours": every, "daily_hours": AUTOMATED_EVERY_HOURS}
        yield Text(OFTEN, params), "every_hours", AUTOMATED_EVERY_HOURS
    if not all(region.strip() for region in backup.copies):
        yield Text(NOWHERE), "copies", tuple(region for region in backup.copies if region.strip())
    if backup.kind == "hot":
        if effective_value(spec, spec.instance, "storage") == "hdd":
            yield Text(HOT_ON_HDD), "kind", "standard"
        elif table.infrequent_access_days is not None:
            yield Text(HOT_AND_COLD), "kind", "standard"


def _backup_design(**backup: object) -> Spec:
    return readings(
        field_part("device", "#"), time_part(), per_second=100, table={"backups": ({"id": "backup", **backup},)}
    )


RULE = Rule(
    code="I014",
    severity="error",
    message=N_("The engine rejects this backup of {table}: {reasons}."),
    check=check,
    bad=lambda: _backup_design(kept_days=120, copies=("",)),
    good=lambda: _backup_design(kept_days=30, copies=("us-west1",)),
    near_miss=lambda: _backup_design(kept_days=90),
    engines=BIGTABLE,
)
