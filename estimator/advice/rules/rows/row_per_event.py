"""Each event has a row with several columns, and reads use whole ranges of these rows.

**What** Each event is a row with one cell per value. Most reads use ten or more neighbouring rows with all their
cells.
**Why** Each cell stores its key, family and timestamp, and takes time to read. Values that are always read together
cost less in one cell, or in one row per time range.
**Instead** Serialise the values of an event into one column. Alternatively, collect the events of a time bucket in
one row, if the largest stays below 100 MB.
**Fine when** Readers filter on single values or read a single event, or simple writes are worth the difference.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, write_mode
from designer.document.access import Read
from designer.document.durations import DAY_SECONDS
from designer.document.key import TimeSegment
from designer.document.texts import N_
from designer.wording import resolution_name
from estimator.facts.buckets import SECONDS, event_bucket
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import WASTE_FACTOR
from estimator.facts.serialization import (
    RowWrite,
    gib_on_disk,
    reads_all_columns,
    request_share,
    row_write,
    saved_share_by_bucketing,
    saved_share_on_disk,
    saved_time_share,
)
from estimator.results import Estimate, ReadPlan

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import Part, field_part, read_part, readings, time_part
from ..shared.fixes import serialise_columns

COLUMNS = 2
"""One cell per event is serialised already."""
EVENTS_PER_ROW = 2.0
"""A row that holds more is a bucket."""
ROWS_PER_RANGE = 10.0
"""From so many neighbouring rows per range on, a bucket makes sense."""
MOST_READS = 0.5
SAVED_SHARE = 0.2
SAVED_GIB = 1.0
"""What is saved is worth a line from a fifth of these bytes and a GiB on."""

BUCKET = N_(
    "{read} reads {rows_read} rows of {cells} cells each per range from {table}. One serialised "
    "column per event saves {disk_share} on disk ({saved_gib}) and {time_share} of the node CPU time "
    "of this read. Alternatively, use one row per {bucket}, the largest {largest_bytes}. That saves "
    "{bucket_share} on disk and reduces the rows per range to {rows_then}."
)
SERIALISE = N_("Store the {cells} values of an event in one column: all readers and writers must serialise them")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write of one row with several cells per event, if most reads take whole ranges."""
    for rows in row_kinds(spec, estimate):
        # Rows with several events are buckets already.
        if rows.growth is None or rows.growth.events_per_row >= EVENTS_PER_ROW or not rows.reads:
            continue
        if not any(isinstance(segment, TimeSegment) for segment in rows.kind.segments):
            continue
        for write in rows.kind.writes:
            cells = row_write(rows, write) if write_mode(rows.spec, write) == "append_row" else None
            if cells and cells.cell_count >= COLUMNS:
                yield from _find_violations(rows, cells)


def _find_violations(rows: RowKindFacts, cells: RowWrite) -> Iterator[Violation]:
    reads = rows.reads
    ranges = [read for read in reads if _takes_ranges(read[1]) and reads_all_columns(rows, read[0], cells.columns)]
    if request_share(reads, ranges) <= MOST_READS:
        return
    share = saved_share_on_disk(rows, cells)
    saved_gib = gib_on_disk(rows, cells) * share
    if share < SAVED_SHARE or saved_gib < SAVED_GIB:
        return
    asked, plan = max(ranges, key=lambda pair: pair[1].node_seconds * (pair[1].per_second or 0.0))
    fix = serialise_columns(rows, cells.columns)
    bucket = _bucket(rows, cells, asked, plan)
    yield Violation(
        at=rows.kind.id,
        params={
            "read": asked.label,
            "table": rows.table.label,
            "rows_read": _rows_per_range(plan),
            "cells": cells.cell_count,
            "disk_share": share,
            "saved_gib": saved_gib,
            "time_share": saved_time_share(rows, plan, cells),
            **bucket,
        },
        message=BUCKET if bucket else "",
        effect=saved_gib,
        fix=fix,
        fix_label=SERIALISE if fix is not None else "",
        about=(rows.kind.id,),
    )


def _takes_ranges(plan: ReadPlan) -> bool:
    """Return whether the read takes many neighbouring rows; a sparse search is a problem of the key."""
    return _rows_per_range(plan) >= ROWS_PER_RANGE and plan.rows_scanned < WASTE_FACTOR * plan.rows_returned


def _rows_per_range(plan: ReadPlan) -> float:
    return plan.rows_returned / max(plan.ranges, 1.0)


def _bucket(rows: RowKindFacts, cells: RowWrite, read: Read, plan: ReadPlan) -> dict[str, object]:
    """Return the coarsest bucket in the span read whose largest row stays small, as parameters."""
    growth = rows.part.growth if rows.part else None
    spread = growth.entities.get(cells.write.id) if growth else None
    load = next((load for write, load in rows.writes if write.id == cells.write.id), None)
    if spread is None or load is None or _has_few_events(load.rows_per_second, float(spread.counts.sum())):
        return {}
    span = _span_seconds(read, _rows_per_range(plan), load.rows_per_second, float(spread.counts.sum()))
    bucket = event_bucket(rows.spec, cells.write, spread, load, span_seconds=span)
    if bucket is None:
        return {}
    resolution, seconds, largest = bucket
    events = load.rows_per_second * seconds / max(float(spread.counts.sum()), 1.0)
    if events < EVENTS_PER_ROW:
        return {}  # the key has an id of each event, or events are rarer than the span that is read
    return {
        "bucket": resolution_name(resolution),
        "rows_then": max(span / seconds, 1.0),
        "largest_bytes": largest,
        "bucket_share": saved_share_by_bucketing(rows, cells, events),
    }


def _has_few_events(per_second: float, entities: float) -> bool:
    """Return whether an entity has too few events for a bucket of its own, such as one with an id of each event."""
    return per_second * SECONDS["year"] < EVENTS_PER_ROW * entities


def _span_seconds(read: Read, per_range: float, per_second: float, entities: float) -> float:
    """Return the time that a range covers: as requested, else the mean entity's time for its events [s]."""
    if read.time is not None:
        return read.time.days * DAY_SECONDS
    return per_range * entities / per_second if per_second > 0 else 0.0


_VALUES = ("pressure", "temp", "humidity", "altitude")


def _values(*names: str, value_bytes: float = 5) -> Part:
    value = {"kind": "small_integers", "typical_bytes": value_bytes}
    return {"columns": [{"id": name, "qualifier": name, "value": value} for name in names]}


def _hours(rows: float, *names: str, value_bytes: float = 5) -> Spec:
    """Build a design of a thousand devices that report every ten seconds and reads of this many rows."""
    return readings(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        family=_values(*names, value_bytes=value_bytes),
        reads=(read_part(binds=("device",), time={"days": rows * 10 / DAY_SECONDS}),),
    )


RULE = Rule(
    code="R004",
    severity="note",
    message=N_(
        "{read} reads {rows_read} rows of {cells} cells each per range from {table}. One serialised "
        "column per event saves {disk_share} on disk ({saved_gib}) and {time_share} of the node CPU time "
        "of this read."
    ),
    check=check,
    bad=lambda: _hours(360, *_VALUES),
    good=lambda: _hours(360, "all", value_bytes=28),
    near_miss=lambda: _hours(9, *_VALUES),
    engines=BIGTABLE,
    under=("C003",),
)
