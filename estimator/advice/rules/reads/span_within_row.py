"""A read of a short time gets rows of a longer time in full.

**What** A read asks for a time range that is shorter than the time bucket of its rows, or than the time over which
versions stay in them. It does not limit the cells, and no range of columns is of this time.
**Why** The row key finds the row of the bucket. Without a limit on columns or on cell timestamps, the request scans and
returns all its cells.
**Instead** Request a range of cell timestamps, or begin the qualifiers with a time that sorts as text: a time range is
then a range of columns. If most reads are that short, use a finer time bucket.
**Fine when** Rows are small, or readers need the bucket in full.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
https://cloud.google.com/bigtable/docs/using-filters (read 2026-11-20)
"""

from collections.abc import Iterator, Sequence

from designer.document import Spec, effective_value, write_mode
from designer.document.access import Read
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column, Family
from designer.document.key import TimeSegment, segment_fields
from designer.document.texts import N_
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import WASTE_FACTOR, passing_severity
from estimator.kernels.growth.cells import columns_of, written_columns
from estimator.kernels.growth.collection import policy
from estimator.kernels.growth.reader_needs import is_requested
from estimator.kernels.growth.retained_rows import has_single_version
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.kernels.traffic.column_ranges import is_named_by_age, leading_segment, time_of_range
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import design, field_part, read_part

ADDS_CELLS = ("new_cell", "new_column")
EVENTS_PER_ROW = 2.0
"""A row with fewer is of one event, whatever its bucket."""
NAMES_PER_EVENT = 1_000
"""So many names for each event of a row: hardly two of its events have one."""

LIMIT = N_("Request only the cells of the last {span_days}")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read whose rows hold a longer time than it asks for, where that keeps a node busy."""
    for rows in row_kinds(spec, estimate):
        kept_seconds = _kept_seconds(rows)
        for read, plan in rows.reads:
            span_days = _asked_days(read)
            if span_days is None or not plan.has_actual_rows or plan.access == "scan":
                continue
            bucket_seconds = _bucket_seconds(rows, read) or kept_seconds
            factor = bucket_seconds / (span_days * DAY_SECONDS)
            if factor < WASTE_FACTOR or passing_severity(spec, read, plan, factor) != "warning":
                continue
            fix = change(read, "cell_days", span_days) if read.time is not None and not read.time.age_days else None
            yield Violation(
                at=read.id,
                field="cell_days",
                params={
                    "read": read.label,
                    "table": rows.table.label,
                    "span_days": span_days,
                    "bucket_days": bucket_seconds / DAY_SECONDS,
                    "returned_bytes": plan.bytes_returned,
                },
                effect=factor,
                fix=fix,
                fix_label=LIMIT if fix is not None else "",
                about=(read.id,),
            )


def _bucket_seconds(rows: RowKindFacts, read: Read) -> float:
    """Return the time of one row that holds cells of many times, and no range of columns is of the read's time. [s]

    0 where there is none, or the key shows no time.
    """
    segments = rows.kind.segments
    columns = [pair for pair in columns_of(rows.table, rows.kind) if time_of_range(read, segments, pair[1]) is None]
    leading = (leading_segment(column) for _, column in columns)
    by_age = any(segment is not None and is_named_by_age(rows.spec, segment) for segment in leading)
    if not (by_age or _collects_events(rows, read, columns)):
        return 0.0
    return min((segment_seconds(s) for s in rows.kind.segments if isinstance(s, TimeSegment)), default=0.0)


def _collects_events(rows: RowKindFacts, read: Read, columns: Sequence[tuple[Family, Column]]) -> bool:
    """Return whether each event leaves a cell of its own time in some of these columns that the read takes in full."""
    adding = [write for write in rows.kind.writes if write_mode(rows.spec, write) in ADDS_CELLS]
    if rows.growth is None or rows.growth.events_per_row < EVENTS_PER_ROW or not adding:
        return False
    added = {column.id for write in adding for _, column in written_columns(rows.table, rows.kind, write)}
    return any(
        column.id in added
        and not has_single_version(family, column)
        and is_requested(read, family, column)
        and (_names_events(rows, column) or (not column.qualifier_from and _keeps_versions(read, family)))
        for family, column in columns
    )


def _names_events(rows: RowKindFacts, column: Column) -> bool:
    """Return whether the qualifiers have an id of each event: a cell of another name may be older than what it says."""
    events = rows.growth.events_per_row if rows.growth else 0.0
    fields = [rows.spec.find(name) for segment in column.qualifier_from for name in segment_fields(segment)]
    uuids = [field for field in fields if effective_value(rows.spec, field, "kind") == "uuid"]
    return any(field.distinct is None or field.distinct >= NAMES_PER_EVENT * events for field in uuids)


def _keeps_versions(read: Read, family: Family) -> bool:
    return read.newest_versions is None and policy(family.gc).caps[0] > 1


def _kept_seconds(rows: RowKindFacts) -> float:
    """Return the time over which the versions of a mean row were written; 0 where the key shows a time. [s]"""
    timed = any(isinstance(segment, TimeSegment) for segment in rows.kind.segments)
    fields = [rows.spec.find(name) for segment in rows.kind.segments for name in segment_fields(segment)]
    if timed or any(effective_value(rows.spec, field, "kind") == "timestamp" for field in fields):
        return 0.0
    column_ids = {column.id for _, column in columns_of(rows.table, rows.kind) if column.qualifier_from}
    per_second = sum(load.rows_per_second for write, load in rows.writes if not write.deletes)
    if rows.size is None or not per_second:
        return 0.0
    versions = max(
        (c.cells_stored - c.cells_superseded for c in rows.size.columns if c.column not in column_ids), default=0
    )
    # A mean row gets per_second / rows versions a second, so its versions reach back this long.
    return versions * rows.size.rows / per_second if versions > 1 else 0.0


def _asked_days(read: Read) -> float | None:
    """Return the time range of a read that nothing but the row key limits. [day]"""
    is_limited = read.cell_days is not None or read.newest_columns is not None or any(b.is_range for b in read.binds)
    return None if read.time is None or is_limited else read.time.days


def _versions(days: float, **settings: float) -> Spec:
    """Build a design of a row per device, whose cell has a version per reading."""
    return design(
        field_part("device"),
        per_second=10,
        write={"mode": "new_cell"},
        reads=(read_part(binds=("device",), time={"days": days}, rate_per_second=100, **settings),),
    )


RULE = Rule(
    code="Q010",
    severity="warning",
    message=N_(
        "{read} asks for {span_days}, but each row of {table} holds {bucket_days}, and rows are read in full. A "
        "request returns {returned_bytes}."
    ),
    check=check,
    bad=lambda: _versions(0.25),
    good=lambda: _versions(0.25, cell_days=0.25),
    near_miss=lambda: _versions(20),
    engines=BIGTABLE,
)
