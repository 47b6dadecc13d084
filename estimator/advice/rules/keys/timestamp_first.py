"""The row key starts with a time.

**What** The first segment of a table's key increases with time, so every new row sorts after all others. Or it is a
hash of a bucket of time, so all new rows sort next to each other until the next bucket begins elsewhere.
**Why** New rows go to the end of the key range, which one node serves, and so do reads of the newest rows of all. That
node is full while the rest of the cluster idles, and more nodes do not help.
**Instead** Start the key with a field that differs between writers, such as the device or the user. Put the time
after it. A hash of an hour moves the place of the writes once an hour, and does not spread the writes of one hour.
**Fine when** The writes, and the reads of the newest rows, use less than a fifth of a node (on Tablestore, fewer than
1,000 a second). Or the table is loaded once and then only read.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.key import Segment, TimeSegment
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.hashes import is_hashed_bucket
from estimator.facts.load import append_point_load, newest_read, whole_load
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.servers import server_of
from estimator.kernels.traffic.append_points import comes_again, time_run
from estimator.kernels.traffic.assumptions import FRONT
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import field_part, read_part, readings, time_part
from ..shared.fixes import lead_with_field

UNKNOWN_LOAD = N_(
    "The key of {table} starts with {segment}, so every new row goes to the end of the table. Its "
    "load is not computed: {why} For rows of 1 KiB, the threshold is {hurts_per_second}."
)
UNRATED = N_(
    "The key of {table} starts with {segment}, so every new row goes to the end of the table. The "
    "write rate is not specified; for rows of 1 KiB, the threshold is {hurts_per_second}."
)
COARSE = N_(
    "The key of {table} starts with {segment}, so all writes go to the newest part of the table. Its "
    "steps are long enough for splits to follow, but each step starts on one node."
)
COARSE_PARTITION = N_(
    "The key of {table} starts with {segment}, so all writes go to the newest part of the table. Its "
    "steps are long enough for splits to follow, but each step starts in one partition."
)
STEP = N_(
    "The key of {table} starts with {segment}. Each of its steps starts on one node. Until splits follow, this node "
    "must serve all writes ({rate_per_second}), {work_share} of its limit."
)
STEP_PARTITION = N_(
    "The key of {table} starts with {segment}. Each of its steps starts in one partition. Until splits follow, this "
    "partition must serve all writes ({rate_per_second}), {work_share} of its limit."
)
PARTITION = N_(
    "The key of {table} starts with {segment}. {write_share} of its writes ({rate_per_second}) go to "
    "the end of the table, in one partition. The threshold is {hurts_per_second}."
)
HASHED = N_(
    "The key of {table} starts with {segment}, which gives each bucket of time one place. A hash of the bucket does "
    "not spread the writes within it: {write_share} of the writes ({rate_per_second}) go to one place, which moves "
    "with each bucket. One node must serve these writes, {work_share} of its limit. The threshold is "
    "{hurts_per_second}."
)
HASHED_PARTITION = N_(
    "The key of {table} starts with {segment}, which gives each bucket of time one place. A hash of the bucket does "
    "not spread the writes within it: {write_share} of the writes ({rate_per_second}) go to one partition, which "
    "changes with each bucket. The threshold is {hurts_per_second}."
)
HASHED_UNRATED = N_(
    "The key of {table} starts with {segment}, which gives each bucket of time one place: a hash of the bucket "
    "does not spread the writes within it. Their load is not computed. For rows of 1 KiB, the threshold is "
    "{hurts_per_second}."
)
HASHED_COARSE = N_(
    "The key of {table} starts with {segment}, which gives each bucket of time one place. Its buckets are long "
    "enough for splits to follow, but each bucket starts on one node."
)
HASHED_COARSE_PARTITION = N_(
    "The key of {table} starts with {segment}, which gives each bucket of time one place. Its buckets are long "
    "enough for splits to follow, but each bucket starts in one partition."
)
HOURLY = read_part(rate_per_second=1 / 3600, time={"days": 1 / 24})
"""The last hour of all devices, once an hour: one range of this key."""
SELDOM = read_part(rate_per_second=1 / 3600, binds=("device",), time={"days": 1 / 24})
"""The last hour of one device, so seldom that the load of the example is that of its writes."""
BUCKETED = N_(
    "The key of {table} starts with {segment}. {write_share} of its writes ({rate_per_second}) go to the newest part "
    "of the table, which starts on one node with each step. Until it is split, this node must serve these writes, "
    "{work_share} of its limit. The threshold is {hurts_per_second}."
)
NEWEST = N_(
    "The key of {table} starts with {segment}, so the newest rows are at the end of the table, and {read} requests "
    "them at {rate_per_second}. One node must serve this load, {work_share} of its limit. The threshold is "
    "{hurts_per_second}."
)
NEWEST_PARTITION = N_(
    "The key of {table} starts with {segment}, so the newest rows are at the end of the table, in one partition, and "
    "{read} requests them at {rate_per_second}. The threshold is {hurts_per_second}."
)
LEAD = N_("Start the key with the field that has the most values")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind whose first varying segment shows a growing time."""
    for rows in row_kinds(spec, estimate):
        if rows.leading_segment is not None and is_hashed_bucket(rows.leading_segment[0]):
            yield from _check_hashed_bucket(rows, rows.leading_segment[0])
        if rows.leading_segment is None or rows.leading_segment[1].grows != "time":
            continue
        segment, _ = rows.leading_segment
        names = {"table": rows.table.label, "segment": segment_label(spec, segment)}
        about = (*rows.load_subject_ids, *rows.reads_ending_at(segment))
        load, read = append_point_load(rows, segment.id), newest_read(rows)
        if read is not None and read[1].burden >= 1 and (load is None or load.burden < 1):
            reader, busy = read
            figures = {name: value for name, value in busy.figures.items() if name != "write_share"}
            yield Violation(
                at=segment.id,
                params={**names, "read": reader.label, **figures},
                message=NEWEST,
                effect=busy.effect,
                severity="warning",
                about=(*about, reader.id),
            )
            continue
        step = whole_load(rows, segment.id) if load is None else None
        if step is not None and step.node_share >= 1:
            yield Violation(segment.id, {**names, **step.figures}, message=STEP, effect=step.effect, about=about)
            continue
        if load is None:
            why = rows.unknown_load_reason
            message = COARSE if rows.traffic is not None else UNRATED if why is None else UNKNOWN_LOAD
            params = {**names, "hurts_per_second": server_of(spec).typical_warning_per_second(), "why": why}
            yield Violation(segment.id, params, message=message, severity="note", about=about)
            continue
        fix = lead_with_field(rows, load.burden)
        yield Violation(
            at=segment.id,
            params={
                **names,
                **load.figures,
            },
            message=BUCKETED if _is_bucket(rows, segment) else "",
            effect=load.effect,
            severity=load.severity,
            fix=fix,
            fix_label=LEAD if fix is not None else "",
            about=about,
        )


def _is_bucket(rows: RowKindFacts, segment: Segment) -> bool:
    """Return whether the newest part of a table lasts long enough to be split."""
    segments = rows.kind.segments
    return isinstance(segment, TimeSegment) and time_run(segments, segments.index(segment))[1] > FRONT.value


def _check_hashed_bucket(rows: RowKindFacts, segment: TimeSegment) -> Iterator[Violation]:
    """Yield a finding for a key that starts with a hash of a bucket; none where its places were split long ago."""
    load = append_point_load(rows, segment.id)
    if load is None and comes_again(segment):
        return
    params = {"table": rows.table.label, "segment": segment_label(rows.spec, segment)}
    if load is None:
        yield Violation(
            segment.id,
            {**params, "hurts_per_second": server_of(rows.spec).typical_warning_per_second()},
            message=HASHED_UNRATED if rows.traffic is None else HASHED_COARSE,
            severity="note",
            about=rows.load_subject_ids,
        )
        return
    fix = lead_with_field(rows, load.burden)
    yield Violation(
        at=segment.id,
        params={**params, **load.figures},
        message=HASHED,
        effect=load.effect,
        severity=load.severity,
        fix=fix,
        fix_label=LEAD if fix is not None else "",
        about=rows.load_subject_ids,
    )


RULE = Rule(
    code="K004",
    severity="warning",
    message=N_(
        "The key of {table} starts with {segment}. {write_share} of its writes ({rate_per_second}) go to "
        "the end of the table. One node must serve these writes, {work_share} of its limit. The threshold is "
        "{hurts_per_second}."
    ),
    messages={
        "tablestore": {
            "": PARTITION,
            COARSE: COARSE_PARTITION,
            STEP: STEP_PARTITION,
            BUCKETED: PARTITION,
            NEWEST: NEWEST_PARTITION,
            HASHED: HASHED_PARTITION,
            HASHED_COARSE: HASHED_COARSE_PARTITION,
        }
    },
    check=check,
    bad=lambda: readings(time_part("#"), field_part("device"), per_second=20_000, reads=(SELDOM,)),
    good=lambda: readings(field_part("device", "#"), time_part(), per_second=20_000, reads=(SELDOM,)),
    near_miss=lambda: readings(time_part("#"), field_part("device"), per_second=40, reads=(HOURLY,)),
)
