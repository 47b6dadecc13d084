"""Garbage collection removes what readers still want.

**What** A family keeps its cells for less time, or in fewer versions, than a read (or the stated need) asks for.
**Why** Expired cells go at some compaction within about a week, without a sign: answers are incomplete, and not even
equally so from row to row. What is gone cannot be brought back but from a backup.
**Instead** Raise the family's age or number of versions to what the longest reader wants, or let the reader want less.
**Fine when** The reader knows that it gets only what is left, and nobody takes the answer for complete.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
"""

import math
from collections.abc import Iterator

from designer.document import Spec
from designer.document.durations import MONTH_DAYS
from designer.document.table import Table
from designer.document.texts import N_
from estimator.facts.numbers import date_after
from estimator.facts.reading import rows_by_table
from estimator.facts.retention import Short, shortest
from estimator.results import Estimate

from ..shared import BIGTABLE, Found, Rule
from ..shared.examples import NEWEST_ONLY, design, of, read, readings, time
from ..shared.fixes import kept_longer

VERSIONS = N_(
    "Family {family} of {table} keeps {kept} versions of a cell, but {reader} wants {wanted}: {lost_share} of what it "
    "asks for is gone as soon as they are collected."
)
FOREVER = N_(
    "Family {family} of {table} keeps cells for {kept_days}, but its readers need them for ever, as the family says: "
    "the first are gone from {date} on."
)
KEEP = N_("Keep what readers want")


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """At most one finding per family: of the reader that misses most."""
    kinds = rows_by_table(spec, estimate)
    for table in spec.tables:
        for family in table.families:
            short = shortest(spec, kinds[table.id], family)
            if short is None:
                continue
            fix = kept_longer(spec, table, family, age_days=short.age_days, versions=short.versions)
            yield Found(
                at=family.id,
                field="gc",
                params={"family": family.label, "table": table.label, **_missing(spec, table, short)},
                message=_message(short),
                effect=short.lost_share,
                fix=fix,
                fix_safe=True,
                fix_label=KEEP if fix is not None else "",
            )


def _message(short: Short) -> str:
    if short.age_days is None:
        return VERSIONS
    return "" if math.isfinite(short.wanted) else FOREVER


def _missing(spec: Spec, table: Table, short: Short) -> dict[str, object]:
    """What a reader misses; by age, from the day on which the first cell is too old."""
    params: dict[str, object] = {"reader": short.reader, "lost_share": short.lost_share}
    if short.age_days is None:
        return {**params, "wanted": short.wanted, "kept": short.kept}
    days = max(short.kept - float(table.history_months or 0) * MONTH_DAYS, 0.0)
    dated = {**params, "kept_days": short.kept, "date": date_after(spec, days)}
    return {**dated, "wanted_days": short.wanted} if math.isfinite(short.wanted) else dated


RULE = Rule(
    code="F011",
    severity="error",
    message=N_(
        "Family {family} of {table} keeps cells for {kept_days}, but {reader} wants them from {wanted_days} back: "
        "{lost_share} of that time is gone, and answers are incomplete from {date} on."
    ),
    check=check,
    bad=lambda: readings(
        of("device", "#"), time(), per_second=100, reads=(read(binds=("device",), time={"days": 60}),)
    ),
    good=lambda: readings(
        of("device", "#"),
        time(),
        per_second=100,
        gc={"kind": "max_age", "age_days": 60},
        reads=(read(binds=("device",), time={"days": 60}),),
    ),
    near_miss=lambda: design(
        of("device"),
        per_second=10,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=(read(binds=("device",), newest_versions=1),),
    ),
    engines=BIGTABLE,
)
