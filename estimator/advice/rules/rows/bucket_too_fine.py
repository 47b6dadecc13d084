"""Reads span many buckets.

**What** Most reads of these rows need a range of times or numbers that covers more than a hundred rows.
**Why** A bucket combines data that is read together into one row. If a read uses hundreds of buckets, it pays for
key, request and row each time. Similar neighbouring data is also split and compresses less well.
**Instead** Choose a bucket near the time range of the reads, if its largest row stays below 100 MB.
A bucket of counters, of overwritten values, or of cells of which a number of versions is kept needs a column for each
of the shorter times then.
**Fine when** The rows are written one by one and must be complete soon, or the long reads do not matter.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, write_mode
from designer.document.access import Read
from designer.document.durations import DAY_SECONDS
from designer.document.key import Bucket, DerivedSegment
from designer.document.texts import N_
from designer.wording import bucket_name, resolution_name
from estimator.facts.buckets import (
    ROW_LIMIT_BYTES,
    coarser_bucket,
    coarser_number_bucket,
    number_bucket,
    numbers_in,
    time_bucket,
)
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import prefixes
from estimator.kernels.growth.cells import DELETES, columns_of
from estimator.kernels.growth.collection import policy
from estimator.kernels.keys.patterns.time_buckets import segment_bucket
from estimator.results import Estimate, ReadPlan, RowGrowth

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import field_part, read_part, readings, time_part
from ..shared.fixes import set_bucket

BUCKETS = 100
"""So many rows for one read are too fine a bucket; from a tenth of that on a bucket pays, says the page."""
EVENTS_PER_BUCKET = 2.0
"""A row that holds fewer events is no bucket but a row per event."""
MOST_READS = 0.5

KEEPING = ("append_row", "new_cell", "new_column")
"""Modes of writes that leave what was written before; of others, a bucket holds one value in all."""

COARSER = N_("One row per {bucket}")
IN_COLUMNS = N_(
    "{read} reads {rows_read} rows of {row_bytes} each from {table}. Above {limit} rows, one row per {resolution} is "
    "too fine. One row per {bucket}, with a column for each {resolution}, gives {rows_then} rows, the largest "
    "{largest_bytes}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind with reads of over 100 rows, if a coarser bucket is possible."""
    for rows in row_kinds(spec, estimate):
        growth = rows.growth
        numbers = number_bucket(rows)
        if growth is None or growth.events_per_row < EVENTS_PER_BUCKET or not (growth.bucket_seconds or numbers):
            continue
        reads = [
            (read, plan, _number_buckets(rows, read, plan, numbers) if numbers else _buckets(read, growth))
            for read, plan in rows.reads
        ]
        wide = [read for read in reads if read[2] > BUCKETS]
        total = sum(_rate(plan) for _, plan, _ in reads)
        if wide and sum(_rate(plan) for _, plan, _ in wide) > MOST_READS * total:
            widest = max(wide, key=lambda entry: _rate(entry[1]))
            yield from _numbers(rows, growth, numbers, widest) if numbers else _find_violations(rows, growth, widest)


def _buckets(read: Read, growth: RowGrowth) -> float:
    assert growth.bucket_seconds
    # An exact time lies in one bucket, whatever its length.
    return read.time.days * DAY_SECONDS / growth.bucket_seconds if read.time and not read.exact_time else 1.0


def _number_buckets(rows: RowKindFacts, read: Read, plan: ReadPlan, segment: DerivedSegment) -> float:
    """Return the rows of one request for neighbouring buckets of numbers, in the mean of what stands behind them.

    A longer bucket leaves as many rows as a range has of entities behind it.
    """
    if plan.open_at != segment.id or read.newest_rows is not None or plan.access == "scan":
        return 1.0
    before = [(part, facts) for part, facts in rows.segments if part.id in plan.bound]
    place = rows.kind.segments.index(segment)
    behind = [
        (part, facts)
        for part, facts in rows.segments
        if part in rows.kind.segments[place + 1 :] and part.id not in plan.filtered
    ]
    entities = prefixes(rows.spec, [*before, *behind]) / prefixes(rows.spec, before) if behind else 1.0
    return plan.rows_returned / max(plan.ranges, 1.0) / max(entities, 1.0)


def _rate(plan: ReadPlan) -> float:
    """Return the requests per second; reads of unknown rates count equally [1/s]."""
    return 1.0 if plan.per_second is None else plan.per_second


def _find_violations(
    rows: RowKindFacts, growth: RowGrowth, widest: tuple[Read, ReadPlan, float]
) -> Iterator[Violation]:
    read, _, buckets = widest
    segment = time_bucket(rows)
    coarser = coarser_bucket(rows, buckets / BUCKETS)
    if segment is None or coarser is None:
        return
    # What a longer bucket would mix or push out keeps a column of its own there.
    keeps = _keeps_all(rows, growth, coarser.factor)
    largest = coarser.largest_bytes if keeps else float(growth.largest_bytes.max()) * coarser.factor
    if largest >= ROW_LIMIT_BYTES:
        return
    yield Violation(
        at=segment.id,
        field="resolution",
        params={
            "read": read.label,
            "table": rows.table.label,
            "rows_read": buckets,
            "row_bytes": float(growth.median_bytes[-1]),
            "resolution": bucket_name(segment_bucket(segment)),
            "bucket": resolution_name(coarser.resolution),
            "rows_then": buckets / coarser.factor,
            "largest_bytes": largest,
            "limit": BUCKETS,
        },
        effect=buckets,
        message="" if keeps else IN_COLUMNS,
        fix=set_bucket(segment, coarser.resolution) if keeps else None,
        fix_label=COARSER if keeps else "",
        about=(rows.kind.id, read.id),
    )


def _keeps_all(rows: RowKindFacts, growth: RowGrowth, factor: float) -> bool:
    """Return whether a bucket of so many present ones keeps what these keep.

    A write may neither add to nor write over what another one of the row has written, and the versions of a cell that
    are kept must do for all that come in the longer time, also in the largest row.
    """
    modes = {write_mode(rows.spec, write) for write in rows.kind.writes}
    if not modes <= {*KEEPING, *DELETES}:
        return False
    typical, largest = float(growth.median_bytes[-1]), float(growth.largest_bytes.max())
    versions = growth.events_per_row * factor * max(largest / typical if typical > 0 else 1.0, 1.0)
    cells = columns_of(rows.table, rows.kind)
    return all(policy(family.gc).caps[0] >= versions for family, column in cells if not column.qualifier_from)


def _numbers(
    rows: RowKindFacts, growth: RowGrowth, segment: DerivedSegment, widest: tuple[Read, ReadPlan, float]
) -> Iterator[Violation]:
    read, _, buckets = widest
    coarser = coarser_number_bucket(rows, buckets / BUCKETS)
    if coarser is None or not isinstance(segment.how, Bucket):
        return
    keeps = _keeps_all(rows, growth, coarser.size / segment.how.size)
    yield Violation(
        at=segment.id,
        field="how",
        params={
            "read": read.label,
            "table": rows.table.label,
            "rows_read": buckets,
            "row_bytes": float(growth.median_bytes[-1]),
            "resolution": numbers_in(segment.how.size),
            "bucket": coarser.name,
            "rows_then": max(buckets * segment.how.size / coarser.size, 1.0),
            "largest_bytes": coarser.largest_bytes,
            "limit": BUCKETS,
        },
        effect=buckets,
        fix=change(segment, "how", coarser.how) if keeps else None,
        fix_label=COARSER if keeps else "",
        about=(rows.kind.id, read.id),
    )


def _minutes(resolution: str, pattern: str, minutes: float) -> Spec:
    return readings(
        field_part("device", "#"),
        time_part(resolution=resolution, pattern=pattern),
        per_second=1_000,
        write={"mode": "new_cell"},
        reads=(read_part(binds=("device",), time={"days": minutes / 1_440}),),
    )


RULE = Rule(
    code="R009",
    severity="note",
    message=N_(
        "{read} reads {rows_read} rows of {row_bytes} each from {table}. Above {limit} rows, one row per "
        "{resolution} is too fine. One row per {bucket} gives {rows_then} rows, the largest "
        "{largest_bytes}."
    ),
    check=check,
    bad=lambda: _minutes("minute", "%Y%m%d%H%M", 1_440),
    good=lambda: _minutes("hour", "%Y%m%d%H", 1_440),
    near_miss=lambda: _minutes("minute", "%Y%m%d%H%M", BUCKETS),
    engines=BIGTABLE,
)
