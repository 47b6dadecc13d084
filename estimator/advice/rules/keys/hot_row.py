"""A single row takes too much load.

**What** Writes (or reads) of a single row, or reads of the same short range, use a large part of a node. Or every
entity's row is overwritten many times a minute. Or a week of overwritten cells makes a row too large.
**Why** A row is never split: one node serves it, regardless of the node count. Each overwrite adds a cell, and old
cells remain until garbage collection, up to a week later.
**Instead** Write a new row per reading, or aggregate in memory and write the result at intervals. For shared
counters, spread one counter over several rows.
**Fine when** Only a few entities are that busy, and their rows stay below a fifth of a node.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/hot-tablets (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, write_mode
from designer.document.access import Write
from designer.document.durations import DAY_SECONDS
from designer.document.key import TimeSegment, segment_fields
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import bigtable
from estimator.facts.bigtable import NODE_SHARE_WARNING, warning_per_second
from estimator.facts.default_skew import assumed_skew_field
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.results import Estimate, HotRow, WriteLoad

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import DEVICE, NEWEST_ONLY, design, field_part, read_part

OVERWRITES_PER_MINUTE = 60.0
"""From hundreds of updates a minute the page advises to collect in memory; once a second is the least that means it."""
GARBAGE_DAYS = bigtable.UNCOLLECTED_DAYS_FOR_LIMITS
GARBAGE_BYTES = bigtable.LIMITS["row_bytes_recommended"].value
ROUNDING = 1e-6
"""Rates are sums of floats: 60 a minute may come out a hair below."""

_OVERWRITING = ("overwrite", "increment", "read_modify_write", "check_and_mutate", "add_to_aggregate", "new_cell")

MEDIAN = N_(
    "{access} updates the typical row of {table} at {median_per_minute}; the threshold is "
    "{limit_per_minute}. Only one node at a time serves a row. Old cells that are not collected "
    "yet may reach {garbage_bytes} in the busiest row."
)
GARBAGE = N_(
    "{access} updates the busiest row of {table} too often: old cells that are not collected yet "
    "may reach {garbage_bytes}, above {limit_bytes}."
)
BUSY_GUESSED = N_(
    "{access} sends {row_share} of its requests ({rate_per_second}) to one row of {table} ({key}). "
    "This assumes a default distribution for {field}; the design does not specify one. "
    "One node must serve this load, {work_share} of its limit. The threshold is {hurts_per_second} per row."
)
GARBAGE_GUESSED = N_(
    "{access} updates the busiest row of {table} too often: old cells that are not collected yet "
    "may reach {garbage_bytes}, above {limit_bytes}. This assumes a default distribution for {field}; the "
    "design does not specify one."
)
RANGE = N_(
    "{access} reads the same rows of {table} ({key}) with {row_share} of its requests ({rate_per_second}). "
    "One node must serve this load, {work_share} of its limit. The threshold is {hurts_per_second} per range."
)
RANGE_GUESSED = N_(
    "{access} reads the same rows of {table} ({key}) with {row_share} of its requests ({rate_per_second}). This "
    "assumes a default distribution for {field}; the design does not specify one. "
    "One node must serve this load, {work_share} of its limit. The threshold is {hurts_per_second} per range."
)
HOTTEST = N_(
    "{access} updates the busiest row of {table} ({key}) at {hottest_per_minute} and the typical "
    "row at {median_per_minute}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield at most one finding per write and read: the gravest of its reasons."""
    for rows in row_kinds(spec, estimate):
        loads = {write.id: (write, load) for write, load in rows.writes}
        for hot in rows.hot_rows:
            violation = _busy_violation(rows, hot) or (
                _overwrite_violation(rows, hot, *loads[hot.access]) if hot.access in loads else None
            )
            if violation is not None:
                yield violation


def _busy_violation(rows: RowKindFacts, hot: HotRow) -> Violation | None:
    """Return a finding for a row that fills a fifth of a node."""
    if hot.node_share < NODE_SHARE_WARNING:
        return None
    params = {
        **_names(rows, hot),
        "row_share": hot.share,
        "rate_per_second": hot.per_second,
        "work_share": hot.node_share,
        "hurts_per_second": warning_per_second(hot.per_second, hot.node_share),
    }
    about: tuple[str, ...] = (rows.table.id, hot.access)
    if not _is_large_by_itself(rows):  # what it overwrites is what makes the row large
        about = (*about, rows.kind.id)
    read = hot.access in {read.id for read in rows.kind.reads}
    plain, guessed = (RANGE, RANGE_GUESSED) if hot.is_range else ("", BUSY_GUESSED)
    message = guessed if "field" in params else plain
    cause = rows.kind.id if read else hot.access
    return Violation(hot.access, params, effect=hot.node_share, message=message, about=about, cause=cause)


def _overwrite_violation(rows: RowKindFacts, hot: HotRow, write: Write, load: WriteLoad) -> Violation | None:
    """Return a finding for a constantly overwritten row; a time in the key creates new rows instead."""
    if write_mode(rows.spec, write) not in _OVERWRITING or any(isinstance(s, TimeSegment) for s in rows.kind.segments):
        return None
    # Each overwrite leaves an old cell until it is collected, up to a week later.
    garbage = hot.share * load.rows_per_second * _garbage_days(rows) * DAY_SECONDS * load.bytes_per_row
    garbage = min(garbage, bigtable.UNCOLLECTED_BYTES_MOST)
    params = {
        **_names(rows, hot),
        "median_per_minute": hot.median_per_minute,
        "limit_per_minute": OVERWRITES_PER_MINUTE,
        "hottest_per_minute": hot.per_second * 60,
        "garbage_bytes": garbage,
        "limit_bytes": GARBAGE_BYTES,
    }
    is_garbage = garbage > GARBAGE_BYTES and not _is_large_by_itself(rows)
    about = (rows.kind.id,) if is_garbage else ()  # what the row weighs; a load that fills a node is found before
    if write_mode(rows.spec, write) == "add_to_aggregate":  # sums leave no old cells, and a row takes thousands of them
        return None
    if hot.median_per_minute >= OVERWRITES_PER_MINUTE * (1 - ROUNDING):
        return Violation(hot.access, params, "mode", hot.median_per_minute, message=MEDIAN, about=about, cause=write.id)
    if is_garbage:
        message = GARBAGE_GUESSED if "field" in params else GARBAGE
        return Violation(hot.access, params, "mode", garbage, message=message, about=about, cause=rows.kind.id)
    if hot.per_second * 60 >= OVERWRITES_PER_MINUTE * (1 - ROUNDING):
        effect = hot.per_second * 60
        return Violation(
            hot.access, params, "mode", effect, severity="note", message=HOTTEST, about=about, cause=write.id
        )
    return None


def _is_large_by_itself(rows: RowKindFacts) -> bool:
    """Return True if live cells alone take the largest row above a limit: that is another finding."""
    return rows.growth is not None and any(
        sure_crossing.date is not None for sure_crossing in rows.growth.sure_crossings
    )


def _garbage_days(rows: RowKindFacts) -> float:
    """Return how long a row gathers old cells: until collection, or the end of its entity's or table's use [day]."""
    lives = (
        rows.spec.find(segment_field).lifetime_days
        for segment in rows.kind.segments
        for segment_field in segment_fields(segment)
    )
    rotation = rows.table.rotation
    written_days = GARBAGE_DAYS if rotation is None else rotation.period_days
    return float(min([GARBAGE_DAYS, written_days, *(days for days in lives if days is not None)]))


def _names(rows: RowKindFacts, hot: HotRow) -> dict[str, object]:
    access = rows.spec.find(hot.access)
    field = assumed_skew_field(rows, access)
    names: dict[str, object] = {
        "access": element_label(rows.spec, access.id),
        "table": rows.table.label,
        "key": hot.key,
    }
    return names if field is None else {**names, "field": field}


def _metric(seconds: float) -> Spec:
    """Every device overwrites its one row every so many seconds."""
    return design(
        field_part("device", "#"),
        {"id": "metric_part", "kind": "literal", "text": "memusage"},
        fields=(DEVICE,),
        per_second=None,
        activity={"arrival": {"kind": "every", "seconds": seconds, "field": "device"}},
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        column={"value": {"kind": "integer", "typical_bytes": 8}},
        reads=(read_part(binds=("device",)),),
    )


RULE = Rule(
    code="K014",
    severity="warning",
    message=N_(
        "{access} sends {row_share} of its requests ({rate_per_second}) to one row of {table} ({key}). "
        "One node must serve this load, {work_share} of its limit. The threshold is {hurts_per_second} per row."
    ),
    check=check,
    bad=lambda: _metric(1),
    good=lambda: _metric(60),
    near_miss=lambda: _metric(1.01),
    engines=BIGTABLE,
    under=("K030", "K004", "K005"),
)
