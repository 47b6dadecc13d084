"""Cells of a family that garbage collection keeps, against those that its readers want to find."""

import datetime
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from designer.document import Spec, effective_value, write_mode
from designer.document.access import Read
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.family import Column, Family, Needed
from designer.document.key import TimeSegment
from designer.document.table import Table
from designer.document.texts import N_, Text
from estimator.kernels.growth.cells import written_columns
from estimator.kernels.growth.collection import Policy, policy
from estimator.kernels.growth.reader_needs import has_column, is_requested
from estimator.kernels.growth.retained_rows import has_single_version
from estimator.kernels.population.rotation import kept_days

from .reading import RowKindFacts

NEED = N_("the declared need of readers")
APPENDS = ("append_row",)
ROUNDING = 1 + 1e-9  # ages are turned from seconds, days and months
PACE_FACTOR = 1.5
"""Versions that last for less than the wanted time by this factor are too few; events come as chance has it."""


@dataclass(frozen=True)
class RetentionGap:
    """A reader that wants more than is kept: of age in days, or of versions."""

    reader: str | Text
    wanted: float
    kept: float
    age_days: float | None = None
    """The age to keep; None where versions lack."""
    versions: int | None = None
    kept_versions: float | None = None
    """Versions that are kept and, in the typical row, last for `kept` of the `wanted` days."""

    @property
    def missing_share(self) -> float:
        """Of what it asks for."""
        return 1 - self.kept / self.wanted if math.isfinite(self.wanted) else 1.0


def largest_retention_gap(spec: Spec, kinds: Sequence[RowKindFacts], family: Family) -> RetentionGap | None:
    """Return the reader of a family that misses most; None if all find what they want.

    Cells with a constant timestamp have no age, and those of an aggregate no versions.
    """
    columns = [column for column in family.columns if not has_single_version(family, column)]
    if family.gc is None or not columns:
        return None
    ahead_days = max((_ahead_days(rows, columns) for rows in kinds), default=0.0)
    gaps = [
        *_retention_gaps(kinds, policy(family.gc).shifted(ahead_days), family, columns),
        *(gap for rows in kinds for gap in _gaps_of_reads(rows, family, columns)),
    ]
    largest = max(gaps, key=lambda short: (short.age_days is not None, short.missing_share), default=None)
    if largest is None or largest.age_days is None:
        return largest
    # The rule counts from the timestamps.
    return replace(largest, age_days=max(largest.age_days - ahead_days, 0.0))


def _gaps_of_reads(rows: RowKindFacts, family: Family, columns: Sequence[Column]) -> Iterator[RetentionGap]:
    gc_policy = policy(family.gc).shifted(_ahead_days(rows, columns))
    yield from _reads(rows, gc_policy, family, columns)
    yield from _pace(rows, gc_policy, family, columns)


def _ahead_days(rows: RowKindFacts, columns: Sequence[Column]) -> float:
    """Return how long after the write the timestamps of a row kind's cells lie; of several writes, the most. [day]

    Writers that set different lifetimes mean that some cells go earlier than others.
    """
    ids = {column.id for column in columns}
    return max(
        (
            write.ahead_days
            for write in rows.kind.writes
            if not write.deletes and any(c.id in ids for _, c in written_columns(rows.table, rows.kind, write))
        ),
        default=0.0,
    )


def rotation_gap(table: Table, kinds: Sequence[RowKindFacts]) -> RetentionGap | None:
    """Return the reader that misses most when the oldest table of a rotating set has just been dropped; None if none.

    Then the newest table is empty, so that one period less is there than there are tables.
    """
    retention_days = kept_days(table, 0.0)
    if math.isinf(retention_days):
        return None
    needs = [need for family in table.families for need in (family.needed, *(c.needed for c in family.columns)) if need]
    readers: list[tuple[float, str | Text]] = [
        (math.inf if need.forever else need.age_days or 0.0, Text(NEED)) for need in needs
    ]
    # The table of its period has a row's time, also where its key has none.
    readers += [(_oldest_age_days(read, is_timed=True), read.label) for rows in kinds for read in rows.kind.reads]
    days, reader = max(readers, key=lambda pair: pair[0], default=(0.0, ""))
    return RetentionGap(reader, days, retention_days, age_days=days) if days > retention_days * ROUNDING else None


def first_rotation_loss(spec: Spec, table: Table, wanted_days: float) -> datetime.date:
    """Return the day from which a reader of so many days misses rows of tables that were dropped.

    A table is dropped as a new one begins. The first one that may have rows is that of the oldest row of all.
    """
    rotation = table.rotation
    assert rotation is not None
    assert rotation.kept_tables is not None
    start: datetime.date = effective_value(spec, spec, "start")
    oldest = start - datetime.timedelta(days=float(table.history_months or 0) * MONTH_DAYS)
    first_drop = rotation.begin(oldest, rotation.kept_tables)
    if first_drop > start:
        return first_drop
    held_days = (start - rotation.begin(start, 1 - rotation.kept_tables)).days
    return start if wanted_days > held_days else rotation.begin(start, 1)


def _retention_gaps(
    kinds: Sequence[RowKindFacts], gc_policy: Policy, family: Family, columns: Sequence[Column]
) -> Iterator[RetentionGap]:
    versions = max((_versions_written(rows) for rows in kinds), default=1.0)
    for need in (family.needed, *(column.needed for column in columns)):
        if need is not None:
            yield from _retention_gap(gc_policy, need, versions)


def _retention_gap(gc_policy: Policy, need: Needed, versions_made: float) -> Iterator[RetentionGap]:
    reader = Text(NEED)
    if need.forever and math.isfinite(gc_policy.age_bound_days):
        yield RetentionGap(reader, math.inf, gc_policy.age_bound_days, age_days=math.inf)
    if need.age_days is not None and need.age_days > gc_policy.age_bound_days * ROUNDING:
        yield RetentionGap(reader, need.age_days, gc_policy.age_bound_days, age_days=need.age_days)
    # Versions that nobody writes are not missed.
    if need.versions is not None and gc_policy.caps[0] < min(need.versions, versions_made):
        yield RetentionGap(reader, need.versions, gc_policy.caps[0], versions=need.versions)


def _reads(rows: RowKindFacts, gc_policy: Policy, family: Family, columns: Sequence[Column]) -> Iterator[RetentionGap]:
    own_columns = [column for column in columns if has_column(rows.kind, column)]
    bound = gc_policy.age_bound_days
    for read in rows.kind.reads:
        is_timed = any(isinstance(segment, TimeSegment) for segment in rows.kind.segments)
        days = _oldest_age_days(read, is_timed=is_timed)
        if days <= bound * ROUNDING and gc_policy.caps[0] >= (read.newest_versions or 0):
            continue
        read_columns = [column for column in own_columns if is_requested(read, family, column)]
        if read_columns and days > bound * ROUNDING:
            yield RetentionGap(read.label, days, bound, age_days=days)
        versioned = [column for column in read_columns if not column.qualifier_from]
        if (
            read.newest_versions
            and versioned
            and gc_policy.caps[0] < min(read.newest_versions, _versions_written(rows))
        ):
            yield RetentionGap(read.label, read.newest_versions, gc_policy.caps[0], versions=read.newest_versions)


def _pace(rows: RowKindFacts, gc_policy: Policy, family: Family, columns: Sequence[Column]) -> Iterator[RetentionGap]:
    """Yield a gap for each read of cells by their time of which newer versions have pushed out the oldest.

    As in the typical row: a popular entity's versions come faster.
    """
    most, growth, size = gc_policy.caps[0], rows.growth, rows.size
    own_columns = [column for column in columns if has_column(rows.kind, column) and not column.qualifier_from]
    if not math.isfinite(most) or growth is None or size is None or not size.rows or _versions_written(rows) <= most:
        return
    for read in rows.kind.reads:
        column_ids = {column.id for column in own_columns if is_requested(read, family, column)}
        writing = [
            load.rows_per_second
            for write, load in rows.writes
            # No columns named are all of them.
            if not write.deletes and column_ids.intersection(write.columns or rows.kind.columns or column_ids)
        ]
        a_day = sum(writing) * DAY_SECONDS / size.rows
        # A row gets versions only while its time lasts.
        filled = math.inf if growth.bucket_seconds is None else growth.bucket_seconds / DAY_SECONDS
        needed_days = min(read.cell_days or 0.0, filled, gc_policy.age_bound_days)
        if column_ids and a_day > 0 and needed_days > PACE_FACTOR * most / a_day:
            needed = math.ceil(needed_days * a_day)
            yield RetentionGap(read.label, needed_days, most / a_day, versions=needed, kept_versions=most)


def _oldest_age_days(read: Read, *, is_timed: bool) -> float:
    """Return the age of the oldest cell that a read wants, as far as the design specifies it, in days.

    A span of time counts where rows have a time.
    """
    age = read.age_days or 0.0
    days = max(read.cell_days or 0.0, age)
    if read.time is not None and is_timed:
        days = max(days, read.time.days + max(read.time.age_days, age))
    return days


def _versions_written(rows: RowKindFacts) -> float:
    """Versions that a cell would have if nothing were collected; one where each event makes a row."""
    if all(write_mode(rows.spec, write) in APPENDS for write in rows.kind.writes if not write.deletes):
        return 1.0
    return rows.growth.events_per_row if rows.growth is not None else math.inf
