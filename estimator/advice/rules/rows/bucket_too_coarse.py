"""A bucket is too large for its busiest row.

**What** One row holds all events of an entity within a bucket of time or numbers, and the busiest row exceeds
100 MB.
**Why** The size of the bucket determines the row size. Choose it so that even the busiest row stays readable.
**Instead** Use the coarsest bucket whose busiest row stays below 100 MB.
**Fine when** Only a few entities are that busy, and you can use a separate bucket for them.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.key import Bucket, DerivedSegment, TimeSegment
from designer.document.texts import N_
from designer.wording import bucket_name, resolution_name
from estimator.facts.buckets import (
    finer_bucket,
    finer_number_bucket,
    largest_bytes,
    number_bucket,
    numbers_in,
    time_bucket,
)
from estimator.facts.numbers import numbers
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.keys.patterns.time_buckets import segment_bucket
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import Edit, all_of, change
from ..shared.fixes import pad_digits, set_bucket
from ..shared.rowsizes import FINER, RECOMMENDED, bucketed_design, crossing_date, is_only_uncollected, row_name

BUCKET_SECONDS = 60.0
"""A finer time in the key tells single events apart: their rows are large because their cells are."""

NONE_DOES = N_(
    "One row per {resolution} is too large for {entity} in {table}. The row reaches {largest_bytes}, "
    "and no other bucket keeps it small."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind with a time bucket in its key and a too large largest row."""
    for rows in row_kinds(spec, estimate):
        segment = time_bucket(rows)
        seconds = rows.growth.bucket_seconds if rows.growth else None
        # Cells that wait for compaction would wait in smaller buckets, too.
        if crossing_date(rows, RECOMMENDED) is None or is_only_uncollected(rows, RECOMMENDED):
            continue
        if segment and seconds and seconds >= BUCKET_SECONDS:
            yield _build_violation(rows, segment)
        elif (numbers := number_bucket(rows)) is not None:
            yield _numbers(rows, numbers)


def _build_violation(rows: RowKindFacts, segment: TimeSegment) -> Violation:
    assert rows.growth is not None
    params: dict[str, object] = {
        "table": rows.table.label,
        "entity": row_name(rows),
        "resolution": bucket_name(segment_bucket(segment)),
        "largest_bytes": largest_bytes(rows),
    }
    finer = finer_bucket(rows)
    fix = set_bucket(finer.segment, finer.resolution) if finer else None
    if finer:
        params |= {"bucket": resolution_name(finer.resolution), "bucket_bytes": finer.largest_bytes}
    return Violation(
        at=segment.id,
        field="resolution",
        params=params,
        message="" if finer else NONE_DOES,
        effect=largest_bytes(rows),
        fix=fix,
        fix_label=FINER if fix is not None else "",
        about=(rows.kind.id,),
    )


def _numbers(rows: RowKindFacts, segment: DerivedSegment) -> Violation:
    assert rows.growth is not None
    assert isinstance(segment.how, Bucket)
    finer = finer_number_bucket(rows)
    params: dict[str, object] = {
        "table": rows.table.label,
        "entity": row_name(rows),
        "resolution": numbers_in(segment.how.size),
        "largest_bytes": largest_bytes(rows),
    }
    if finer:
        params |= {"bucket": finer.name, "bucket_bytes": finer.largest_bytes}
    return Violation(
        at=segment.id,
        field="how",
        params=params,
        message="" if finer else NONE_DOES,
        effect=largest_bytes(rows),
        fix=_finer_edit(rows, segment, finer.how) if finer else None,
        fix_label=FINER if finer else "",
        about=(rows.kind.id,),
    )


def _finer_edit(rows: RowKindFacts, segment: DerivedSegment, how: Bucket) -> Edit:
    """Build smaller buckets, whose numbers are as wide as the largest where they would outgrow those of now."""
    edit, finer = change(segment, "how", how), numbers(rows.spec, segment.model_copy(update={"how": how}))
    if finer is None or not finer.has_varying_length or rows.is_integer_column(segment):
        return edit
    return all_of([edit, pad_digits(segment, finer.widest)])


RULE = Rule(
    code="R003",
    severity="warning",
    message=N_(
        "One row per {resolution} is too large for {entity} in {table}: it reaches {largest_bytes}. One "
        "row per {bucket} is the coarsest bucket below the recommended size. Its largest row has "
        "{bucket_bytes}."
    ),
    check=check,
    bad=lambda: bucketed_design("week", 90, "%Gw%V"),
    good=lambda: bucketed_design("day", 90, "%Y%m%d"),
    near_miss=lambda: bucketed_design("week", 50, "%Gw%V"),
    engines=BIGTABLE,
    under=("R001", "R002"),
)
