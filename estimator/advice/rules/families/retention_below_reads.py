"""Garbage collection deletes cells that readers still need.

**What** A family (on Tablestore, a table) keeps its cells for less time, or in fewer versions, than a read or the
declared need requires. Or tables that rotate are dropped before a read has stopped asking for them.
**Why** Compaction deletes expired cells within about a week, without notice; Tablestore does not return them at all.
Results are incomplete, and differ from row to row. Deleted data can be restored only from a backup.
**Instead** Raise the family's age or number of versions (the table's time to live or versions) to the longest need of
its readers, or reduce that need.
**Fine when** The reader expects only the remaining cells and does not treat the result as complete.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
https://help.aliyun.com/en/tablestore/data-versions-and-ttl (read 2026-11-20)
"""

import math
from collections.abc import Iterator, Sequence

from designer.document import Spec
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.engines import description_of
from designer.document.table import Table, Tablestore, time_to_live
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.facts.numbers import date_after
from estimator.facts.reading import RowKindFacts, rows_by_table
from estimator.facts.retention import RetentionGap, first_rotation_loss, largest_retention_gap, rotation_gap
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.edits import change
from ..shared.examples import NEWEST_ONLY, design, field_part, read_part, readings, time_part
from ..shared.fixes import extend_retention

VERSIONS = N_(
    "Family {family} of {table} keeps {kept} versions of a cell, but {reader} requires {wanted}. "
    "Garbage collection deletes {lost_share} of the required versions."
)
PACE = N_(
    "Family {family} of {table} keeps {kept} versions of a cell. In the typical row these cover {kept_days}, but "
    "{reader} requires {wanted_days}. {lost_share} of that period is missing."
)
FOREVER = N_(
    "Family {family} of {table} keeps cells for {kept_days}, but the design declares that readers "
    "need them indefinitely. Garbage collection deletes the first cells from {date}."
)
ROTATED = N_(
    "{table} retains {count_tables}. When a new one begins, they hold {kept_days}, but {reader} requires "
    "{wanted_days}. Up to {lost_share} of that period is missing, and results are incomplete from {date}."
)
ROTATED_FOREVER = N_(
    "{table} retains {count_tables}, but the design declares that readers need its cells indefinitely. The first table "
    "is dropped on {date}."
)
TABLE_AGE = N_(
    "{table} keeps data for {kept_days}, but {reader} requires {wanted_days}. {lost_share} of that period is missing, "
    "and results are incomplete from {date}."
)
TABLE_VERSIONS = N_(
    "{table} keeps {kept} versions of an attribute, but {reader} requires {wanted}. The service deletes {lost_share} "
    "of the required versions."
)
TABLE_PACE = N_(
    "{table} keeps {kept} versions of an attribute. In the typical row these cover {kept_days}, but {reader} requires "
    "{wanted_days}. {lost_share} of that period is missing."
)
TABLE_FOREVER = N_(
    "{table} keeps data for {kept_days}, but the design declares that readers need it indefinitely. The service "
    "deletes the first data from {date}."
)
ROUNDING = 1e-3
"""Seconds by which an age in days may exceed whole ones."""
KEEP = N_("Keep the cells that readers need")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield at most one finding per family, or table on Tablestore: of the reader that misses most."""
    kinds = rows_by_table(spec, estimate)
    for table in spec.tables:
        if not description_of(spec).has_families:
            yield from _of_table(spec, table, kinds[table.id])
            continue
        if (short := rotation_gap(table, kinds[table.id])) is not None:
            yield _rotation_violation(spec, table, short)
        for family in table.families:
            short = largest_retention_gap(spec, kinds[table.id], family)
            if short is None:
                continue
            fix = extend_retention(spec, table, family, age_days=short.age_days, versions=short.versions)
            yield Violation(
                at=family.id,
                field="gc",
                params={"family": family.label, "table": table.label, **_missing_data(spec, table, short)},
                message=_message(short),
                effect=short.missing_share,
                fix=fix,
                fix_safe=True,
                fix_label=KEEP if fix is not None else "",
            )


def _of_table(spec: Spec, table: Table, kinds: Sequence[RowKindFacts]) -> Iterator[Violation]:
    """Yield at most one finding: one time to live and one number of versions hold for all attributes of a table."""
    families = engine_of(spec).as_stored(table).families
    gaps = [short for family in families if (short := largest_retention_gap(spec, kinds, family)) is not None]
    if not gaps:
        return
    short = max(gaps, key=lambda gap: (gap.age_days is not None, gap.missing_share))
    settings = table.tablestore or Tablestore()
    more = {"max_versions": short.versions}
    if short.age_days is not None:
        seconds = short.age_days * DAY_SECONDS
        more = {"ttl_seconds": time_to_live(seconds - ROUNDING)}
    yield Violation(
        at=table.id,
        field="tablestore",
        params={"table": table.label, **_missing_data(spec, table, short)},
        message=_message(short),
        effect=short.missing_share,
        fix=change(table, "tablestore", settings.model_copy(update=more)),
        fix_safe=True,
        fix_label=KEEP,
    )


def _rotation_violation(spec: Spec, table: Table, short: RetentionGap) -> Violation:
    assert table.rotation is not None
    is_finite = math.isfinite(short.wanted)
    # One more, which is being filled.
    enough = math.ceil(short.wanted / table.rotation.period_days - 1e-9) + 1 if is_finite else None
    return Violation(
        at=table.id,
        field="rotation",
        params={
            "table": table.label,
            "count_tables": table.rotation.kept_tables,
            **_missing_data(spec, table, short),
            "date": first_rotation_loss(spec, table, short.wanted),
        },
        message=ROTATED if is_finite else ROTATED_FOREVER,
        effect=short.missing_share,
        fix=change(table, "rotation", table.rotation.model_copy(update={"kept_tables": enough})),
        fix_safe=True,
        fix_label=KEEP,
    )


def _message(short: RetentionGap) -> str:
    if short.kept_versions is not None:
        return PACE
    if short.age_days is None:
        return VERSIONS
    return "" if math.isfinite(short.wanted) else FOREVER


def _missing_data(spec: Spec, table: Table, short: RetentionGap) -> dict[str, object]:
    """Return the data that a reader misses; by age, from the day on which the first cell is too old."""
    params: dict[str, object] = {"reader": short.reader, "lost_share": short.missing_share}
    if short.kept_versions is not None:
        times = {"kept_days": short.kept, "wanted_days": short.wanted}
        return {**params, **times, "kept": short.kept_versions}
    if short.age_days is None:
        return {**params, "wanted": short.wanted, "kept": short.kept}
    days = max(short.kept - float(table.history_months or 0) * MONTH_DAYS, 0.0)
    dated = {**params, "kept_days": short.kept, "date": date_after(spec, days)}
    return {**dated, "wanted_days": short.wanted} if math.isfinite(short.wanted) else dated


RULE = Rule(
    code="F011",
    severity="error",
    message=N_(
        "Family {family} of {table} keeps cells for {kept_days}, but {reader} requires {wanted_days}. "
        "{lost_share} of that period is missing, and results are incomplete from {date}."
    ),
    check=check,
    bad=lambda: readings(
        field_part("device", "#"), time_part(), per_second=100, reads=(read_part(binds=("device",), time={"days": 60}),)
    ),
    good=lambda: readings(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        gc={"kind": "max_age", "age_days": 60},
        reads=(read_part(binds=("device",), time={"days": 60}),),
    ),
    near_miss=lambda: design(
        field_part("device"),
        per_second=10,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=(read_part(binds=("device",), newest_versions=1),),
    ),
    messages={
        "tablestore": {"": TABLE_AGE, VERSIONS: TABLE_VERSIONS, PACE: TABLE_PACE, FOREVER: TABLE_FOREVER},
    },
)
