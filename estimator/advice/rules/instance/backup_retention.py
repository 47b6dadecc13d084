"""A backup is kept for a time, or copied to a place, that the engine does not take.

**What** A backup expires sooner than 6 hours after it is made or later than the edition allows; automated backups are
kept less than 3 days or not taken daily; or a copy has no region.
**Why** The engine refuses the backup or its policy, and there is then none on the day that it is needed.
**Instead** Stay within what the edition keeps, or export what must be kept for longer.
**Fine when** Never: such a backup cannot be made.
**Source** https://cloud.google.com/bigtable/docs/backups (read 2026-11-20)
https://cloud.google.com/bigtable/docs/editions-overview (read 2026-11-20)
"""

from collections.abc import Iterator
from typing import Any

from designer.document import Spec, assumed
from designer.document.table import Backup
from designer.document.texts import N_, Text
from estimator.engines import bigtable
from estimator.results import Estimate

from ..shared import BIGTABLE, Found, Rule
from ..shared.edits import all_of, change
from ..shared.examples import of, readings, time

AUTOMATED_EVERY_HOURS = 24.0
"""The one frequency of automated backups. Source: the admin API's own text, read 2026-11-20."""

SHORT = N_("kept {kept_days}, where {least_days} is the least")
LONG = N_("kept {kept_days}, where {most_days} is the most")
OFTEN = N_("taken every {every_hours}, where automated backups are taken every {daily_hours}")
NOWHERE = N_("copied to a region that is not named")
WITHIN = N_("Keep the backup as the engine takes it")


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """A finding per backup, with everything that is wrong about it and one fix for all of it."""
    for table in spec.tables:
        for backup in table.backups:
            wrong = tuple(_wrong(spec, backup))
            if wrong:
                yield Found(
                    at=backup.id,
                    field=wrong[0][1],
                    params={"table": table.label, "reasons": tuple(reason for reason, _, _ in wrong)},
                    effect=float(len(wrong)),
                    fix=all_of([change(backup, name, value) for _, name, value in wrong]),
                    fix_safe=True,
                    fix_label=WITHIN,
                )


def _wrong(spec: Spec, backup: Backup) -> Iterator[tuple[Text, str, Any]]:
    """What is wrong, the field, and the nearest value that the engine takes."""
    limits = bigtable.LIMITS
    kept, every = float(assumed(spec, backup, "kept_days")), float(assumed(spec, backup, "every_hours"))
    plus = assumed(spec, spec.instance, "edition") == "enterprise_plus"
    most = limits["backup_days_plus" if plus else "backup_days"].value
    least = limits["automated_backup_days_min"].value if backup.automated else limits["backup_hours_min"].value / 24
    if kept < least:
        yield Text(SHORT, {"kept_days": kept, "least_days": least}), "kept_days", least
    if kept > most:
        yield Text(LONG, {"kept_days": kept, "most_days": most}), "kept_days", most
    if backup.automated and every != AUTOMATED_EVERY_HOURS:
        params = {"every_hours": every, "daily_hours": AUTOMATED_EVERY_HOURS}
        yield Text(OFTEN, params), "every_hours", AUTOMATED_EVERY_HOURS
    if not all(region.strip() for region in backup.copies):
        yield Text(NOWHERE), "copies", tuple(region for region in backup.copies if region.strip())


def _backed_up(**backup: object) -> Spec:
    return readings(of("device", "#"), time(), per_second=100, table={"backups": ({"id": "backup", **backup},)})


RULE = Rule(
    code="I014",
    severity="error",
    message=N_("The engine refuses this backup of {table}: {reasons}."),
    check=check,
    bad=lambda: _backed_up(kept_days=120, copies=("",)),
    good=lambda: _backed_up(kept_days=30, copies=("us-west1",)),
    near_miss=lambda: _backed_up(kept_days=90),
    engines=BIGTABLE,
)
