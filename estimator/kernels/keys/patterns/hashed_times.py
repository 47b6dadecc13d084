"""Dates and hashes of buckets of time: their texts, and the hashes that are refused."""

from designer.document.durations import DAY_SECONDS
from designer.document.key import TimeSegment
from designer.document.table import RowKind
from designer.document.texts import N_
from estimator.results import NotComputableError, UnknownReason
from estimator.results.arrays import Ints

from ..rendering.clock import UNIT_US
from ..rendering.hashes import hash_texts
from ..rendering.texts import Texts, numerals
from .inputs import KeyInputs, fields_of
from .time_buckets import bucket_places, bucket_starts, segment_seconds
from .times import calendar_texts

BUCKETS_MOST = 1 << 18
"""Buckets that are hashed one by one: five minutes for more than two years."""

MARGIN_DAYS = 31
"""Before and after the stored time that spans of time are listed for, too."""

SHARED_MOST = 0.5
"""Up to so many buckets of time for each value of their hash, rows are computed as if no two buckets shared one."""


def time_texts(segment: TimeSegment, time_us: Ints) -> Texts:
    """Return the date or the hash of the bucket that each time is in, without delimiter: as `render.segment_text`."""
    places = bucket_places(time_us, segment.bucket)
    starts = bucket_starts(places, segment.bucket)
    if segment.pattern:
        plain = calendar_texts(segment.pattern, starts, is_reversed=segment.reversed)
    else:
        plain = numerals(places if segment.unit == "bucket" else starts // UNIT_US[segment.unit], 0, "d")
    if segment.hash is None:
        return plain
    return hash_texts(segment.hash, segment.hash_form, segment.hash_digits, plain)


def refuse_hashes(inputs: KeyInputs, kind: RowKind) -> None:
    """Raise `NotComputableError` for hashes of too many buckets, and for those too short to tell buckets apart.

    Where every second bucket may have the hash of another one, and nothing else in the key shows the time, rows are not
    those of a bucket any more.
    """
    stored_s = inputs.end_s - inputs.first_s
    times = [segment for segment in inputs.segments if isinstance(segment, TimeSegment)]
    names = (name for segment in inputs.segments for name in fields_of(segment))
    # What the hash alone must tell apart: nothing behind a timestamp, the buckets of a day behind a date, and all of
    # the stored time where nothing else shows the time.
    span_seconds = 0.0 if any(map(inputs.is_timestamp, names)) else stored_s
    span_seconds = min(
        (segment_seconds(time_segment) for time_segment in times if time_segment.hash is None), default=span_seconds
    )
    for segment in times:
        if segment.hash is None:
            continue
        length = segment_seconds(segment)
        names_ = {"row_kind": kind.label, "bucket_seconds": length}
        # Every bucket is hashed and gets a row of a table, so memory limits them.
        if (stored_s + 2 * MARGIN_DAYS * DAY_SECONDS) / length > BUCKETS_MOST:
            message = N_(
                "The row key of {row_kind} has a hash of each {bucket_seconds}, which are {distinct} until the end of "
                "the horizon. At most {most} are computed: take a longer bucket, or a shorter horizon."
            )
            params = {**names_, "distinct": stored_s / length, "most": BUCKETS_MOST}
            raise NotComputableError(UnknownReason(message, segment.id, params))
        if span_seconds / length > segment.hash_values * SHARED_MOST:
            message = N_(
                "The row key of {row_kind} tells times apart only by a hash of each {bucket_seconds}. It has {values} "
                "values for {distinct} buckets, so rows of different times would have the same key: write more digits "
                "of the hash, or the time after it."
            )
            params = {**names_, "values": segment.hash_values, "distinct": span_seconds / length}
            raise NotComputableError(UnknownReason(message, segment.id, params))
