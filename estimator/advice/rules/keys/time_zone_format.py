"""A readable time in the key does not sort in time order.

**What** A read relies on time order, but the time format does not sort. The day comes before the month, leading
zeros are missing, or months are spelled out. Or the format uses a 12-hour clock, or combines a week with the
calendar year.
**Why** Keys sort in byte order. If text order differs from time order, neighbouring times are far apart. A time
range becomes many row ranges, and a scan cannot find the newest rows at one end.
**Instead** Write year, month, day, hour, minute and second in this order, zero-padded, in UTC, as in ISO 8601.
Combine a week with the year that it belongs to (%G and %V).
**Fine when** Every read specifies the exact time, or needs all times of an entity. Times in the design are UTC.
Local time with daylight saving repeats the last hour of summer. It cannot be entered and should not be in a key.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from designer.document import Spec
from designer.document.access import Read
from designer.document.edits import Edit
from designer.document.key import LiteralSegment, Resolution, TimeSegment, shows_time
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.buckets import PATTERNS
from estimator.facts.calendar import misordered_texts
from estimator.facts.load import prefix_load
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.keys.patterns.time_buckets import pattern_resolution
from estimator.kernels.traffic.known_segments import FEW_BUCKETS, covered_buckets
from estimator.results import Estimate, ReadPlan

from ..shared import Rule, Violation
from ..shared.edits import change
from ..shared.examples import KEPT_A_MONTH, Part, design, field_part, read_part, time_part
from ..shared.fixes.segments import FINE_PATTERN

UNREAD = N_(
    "{segment} in the key of {table} has the format {pattern}: {later} sorts before {earlier}. No "
    "defined read depends on this order."
)
ANY_TIME = N_(
    "{segment} in the key of {table} has the format {pattern}: {later} sorts before {earlier}. "
    "{read} asks for {span_days}, but no range of keys is of that time: each request reads {scanned} rows of any time."
)
ISO = N_("Write {segment} as {iso}")
RESOLUTIONS: tuple[Resolution, ...] = get_args(Resolution)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind whose readable time is out of order, if a read depends on time."""
    for rows in row_kinds(spec, estimate):
        times = [s for s in rows.kind.segments if shows_time(s)]
        if not times or not all(time.pattern for time in times) or _is_ordered(rows, times):
            continue
        # Several segments can show one time, such as a day and an hour. The first whose addition breaks the order is
        # named.
        segment = next(time for place, time in enumerate(times) if misordered_texts(times[: place + 1]))
        going = [(read, plan) for read, plan in rows.reads if _reads_by_time(rows, read, plan, segment)]
        if going or not rows.kind.reads:
            yield _build_violation(
                rows, times, segment, max(going, key=lambda pair: pair[1].rows_scanned, default=None)
            )


def _is_ordered(rows: RowKindFacts, times: Sequence[TimeSegment]) -> bool:
    facts = [facts for segment, facts in rows.segments if shows_time(segment)]
    return not facts or all(fact.text_order for fact in facts) or misordered_texts(times) is None


def _reads_by_time(rows: RowKindFacts, read: Read, plan: ReadPlan, segment: TimeSegment) -> bool:
    """Return whether the read's prefix ends at this time and it wants a span of it or the newest rows."""
    before = rows.kind.segments[: rows.kind.segments.index(segment)]
    if read.exact_time or plan.open_at in {s.id for s in before}:
        return False
    if read.newest_rows is not None:
        return True
    return read.time is not None and covered_buckets(read.time.days, segment) >= FEW_BUCKETS


def _build_violation(
    rows: RowKindFacts, times: Sequence[TimeSegment], segment: TimeSegment, going: tuple[Read, ReadPlan] | None
) -> Violation:
    earlier, later = misordered_texts(times) or ("", "")
    params: dict[str, Any] = {
        "table": rows.table.label,
        "segment": segment_label(rows.spec, segment),
        "pattern": "".join(time.pattern for time in times),
        "earlier": earlier,
        "later": later,
    }
    iso = _iso_pattern(segment)
    fix = _rewrite_edit(rows, times, iso)
    message = UNREAD if going is None else ""
    if going is not None:
        read, plan = going
        params |= {"read": read.label, "ranges": plan.ranges, "scanned": plan.rows_scanned}
        params["wanted"] = max(plan.rows_returned, 1.0)
        if read.time is not None and plan.open_at == segment.id:
            message = ANY_TIME
            params["span_days"] = read.time.days
    return Violation(
        at=segment.id,
        field="pattern",
        params={**params, "iso": iso},
        message=message,
        severity="warning" if going else "note",
        effect=going[1].ranges if going else None,
        fix=fix,
        fix_label=ISO if fix is not None else "",
        about=(going[0].id,) if going else (),
    )


def _iso_pattern(segment: TimeSegment) -> str:
    """Return the sortable pattern with the same content: the coarser of the resolutions kept and shown."""
    resolution = pattern_resolution(segment.pattern)
    if segment.bucket_seconds is None:
        # A bucket of an hour shown with minutes differs only by hours, and minutes shown as hours differ only by
        # hours, too.
        resolution = max(segment.resolution, resolution, key=RESOLUTIONS.index)
    if "%V" in segment.pattern.replace("-", ""):
        resolution = "week"
    return {**PATTERNS, "year": "%Y", "millisecond": FINE_PATTERN}.get(resolution, FINE_PATTERN)


def _rewrite_edit(rows: RowKindFacts, times: Sequence[TimeSegment], iso: str) -> Edit | None:
    """None where several segments show one time, or where times in order would make a busy end of the key."""
    before = rows.kind.segments[: rows.kind.segments.index(times[0])]
    if len(times) != 1 or all(isinstance(s, LiteralSegment) for s in before):
        return None
    load = prefix_load(rows, len(before))
    return change(times[0], "pattern", iso) if load is not None and load.burden < 1 else None


def _by_day(pattern: str, **settings: Part | bool) -> Spec:
    """Build a design with a row per device and day."""
    return design(
        field_part("device", "#"),
        time_part(resolution="day", pattern=pattern),
        per_second=100,
        write={"mode": "overwrite"},
        gc=KEPT_A_MONTH,
        reads=(read_part(binds=("device",), **settings),),
    )


RULE = Rule(
    code="K025",
    severity="warning",
    message=N_(
        "{segment} in the key of {table} has the format {pattern}: {later} sorts before {earlier}. "
        "{read} reads by time, so it scans {scanned} rows in {ranges} ranges to return {wanted}."
    ),
    check=check,
    bad=lambda: _by_day("%d.%m.%Y", time={"days": 7}),
    good=lambda: _by_day("%Y%m%d", time={"days": 7}),
    near_miss=lambda: _by_day("%d.%m.%Y", exact_time=True),
)
