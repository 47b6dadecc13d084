"""Reads of the newest rows behind a bucket of time: bucket after bucket is asked, from the newest back.

The bucket ascends, or is hashed: in both the newest rows are not the first ones of the table. Or another part stands
between the bucket and the time itself, so that the newest rows lie anywhere in the bucket and it is read whole.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from designer.document.access import Read
from designer.document.durations import DAY_SECONDS
from designer.document.key import LiteralSegment, Segment, TimeSegment, sorts_backwards
from designer.document.rotation import TablePeriod
from estimator.engines import engine_of
from estimator.kernels.keys.patterns.time_buckets import segment_seconds

from .known_segments import Knowledge
from .prefix_match import KeyMatch, match_key
from .scope import StoredRows, asked_popularities


def bucket_by_bucket(
    stored_rows: StoredRows, read: Read, match: KeyMatch, knowledge: Mapping[str, Knowledge], newest: Collection[str],
    most_ranges: float,
) -> KeyMatch:  # fmt: skip
    """Return the match of a read that asks the newest bucket first, and the next until it has its rows.

    A caller who wants the newest rows knows today's bucket. In each bucket they come first, or first in each salt, but
    a scan over all buckets would begin in the oldest. Every other match is returned as it is.
    """
    behind = _match_in_bucket(stored_rows, read, match, knowledge, newest, most_ranges)
    if behind is None or not isinstance(match.open_segment, TimeSegment):
        return match
    bound_segments = (*match.bound_segments, *behind.bound_segments)
    below = stored_rows.values_per_owner(frozenset(s.id for s in bound_segments), asked_popularities(read))
    buckets = stored_rows.shown_span_days * DAY_SECONDS / segment_seconds(match.open_segment)
    # A value with N rows over B buckets needs about B · newest / N buckets beyond the newest one; with fewer rows than
    # are wanted, all B. Shape (classes,): busy values are done after one bucket, rare ones go far back.
    share = np.divide(read.newest_rows or 1, below.rows, out=np.ones_like(below.rows), where=below.rows > 0)
    asks = 1 + buckets * float(np.minimum(share, 1.0) @ below.asked)
    return replace(
        match,
        bound_segments=bound_segments,
        listed_segments=(*match.listed_segments, *behind.listed_segments),
        open_segment=behind.open_segment,
        filtered_segments=behind.filtered_segments,
        asks=asks,
        asked_bucket=match.open_segment if behind.listed_segments else None,
    )


def whole_buckets(stored_rows: StoredRows, read: Read, match: KeyMatch) -> KeyMatch:
    """Return the match of a read that finds the newest rows only among all of a bucket, from the newest bucket back.

    Behind the bucket the rows are not in the order of time: a part stands between it and the time, or the time runs the
    other way. Every other match is returned as it is.
    """
    opened, grows = match.open_segment, stored_rows.growth_by_segment
    if read.newest_rows is None or match.open_knowledge or match.filtered_segments:
        return match
    if not isinstance(opened, TimeSegment) or isinstance(opened, TablePeriod) or grows[opened.id] is None:
        return match
    if is_in_time_order(stored_rows.kind.segments, opened, _single_parts(stored_rows)):
        return match
    bound = frozenset(segment.id for segment in match.bound_segments)
    below = stored_rows.values_per_owner(bound, asked_popularities(read))
    buckets = stored_rows.shown_span_days * DAY_SECONDS / segment_seconds(opened)
    # As in `bucket_by_bucket`: B · newest / N buckets beyond the newest one.
    share = np.divide(read.newest_rows, below.rows, out=np.ones_like(below.rows), where=below.rows > 0)
    asks = 1 + buckets * float(np.minimum(share, 1.0) @ below.asked)
    behind = _next_segment(stored_rows.kind.segments, opened)
    return replace(match, open_segment=behind, asks=asks, whole_bucket=opened)


def rows_of_whole_buckets(stored_rows: StoredRows, read: Read, match: KeyMatch, most: float) -> float:
    """Return the rows in the buckets that a read meets whole until it has `most` of the newest. [rows]

    The newest bucket is half full in the mean; the oldest began half a bucket before the first row that is wanted.
    """
    assert isinstance(match.whole_bucket, TimeSegment)
    bound = frozenset(segment.id for segment in match.bound_segments)
    below = stored_rows.values_per_owner(bound, asked_popularities(read))
    half_bucket = segment_seconds(match.whole_bucket) / DAY_SECONDS / 2 / stored_rows.shown_span_days
    # Rows of half a bucket are read in vain at the old end; never more than all rows there are.
    return float(np.minimum(below.rows * half_bucket + most, below.rows) @ below.asked)


def rows_of_listed_values(stored_rows: StoredRows, read: Read, match: KeyMatch, most: float) -> float:
    """Return the first rows of each listed value in the newest buckets, until there are `most`. [rows]

    The newest bucket is filled to any part. A value of more rows than are wanted gives no more than these.
    """
    assert isinstance(match.asked_bucket, TimeSegment)
    below = stored_rows.values_per_owner(frozenset(s.id for s in match.bound_segments), asked_popularities(read))
    buckets = stored_rows.shown_span_days * DAY_SECONDS / segment_seconds(match.asked_bucket)
    full = np.maximum(below.rows / (buckets * match.listed_ranges), 1e-12)  # of one listed value in a bucket
    # The mean of min(most, filled part · full) over all parts from 0 to 1.
    newest = np.where(full <= most, full / 2, most - most**2 / (2 * full))
    older = np.minimum(most / np.maximum(below.rows, 1e-12), 1.0) * buckets * np.minimum(full, most)
    return float(np.minimum(match.listed_ranges * (newest + older), below.rows) @ below.asked)


def is_in_time_order(segments: Sequence[Segment], opened: Segment, single: Collection[str]) -> bool:
    """Return whether rows from a bucket of time on are one run in the order of their finest time.

    `single`: parts that have one value there, which part nothing.
    """
    behind = segments[segments.index(opened) + 1 :]
    finer = [segment for segment in behind if isinstance(segment, TimeSegment) and segment.hash is None]
    if not isinstance(opened, TimeSegment) or not finer:
        return True
    run = behind[: behind.index(finer[-1]) + 1]
    return all(
        sorts_backwards(segment) == sorts_backwards(opened) if segment in finer else segment.id in single
        for segment in run
        if not isinstance(segment, LiteralSegment)
    )


def is_newest_met_first(stored_rows: StoredRows, read: Read, segment: Segment) -> bool:
    """Return True if the read meets the newest value of a growing segment first."""
    counts = segment.id in stored_rows.counted_within and not stored_rows.times
    if stored_rows.growth_by_segment[segment.id] is None and not counts:
        return False
    if read.reverse is None and engine_of(stored_rows.spec).READS_EITHER_WAY:
        return True
    return sorts_backwards(segment) != bool(read.reverse)


def is_newest_first(stored_rows: StoredRows, read: Read, match: KeyMatch) -> bool:
    """Return True if, in the scan's direction, rows come newest first behind the known part of the key."""
    opened = match.open_segment
    if opened is None or match.whole_bucket is not None or not is_newest_met_first(stored_rows, read, opened):
        return False
    filtered = {segment.id for segment in match.filtered_segments}
    return is_in_time_order(stored_rows.kind.segments, opened, _single_parts(stored_rows) | filtered)


def _single_parts(stored_rows: StoredRows) -> frozenset[str]:
    """Return the segments that have one value only."""
    return frozenset(segment for segment, values in stored_rows.distinct.items() if values <= 1)


def table_by_table(stored_rows: StoredRows, read: Read, match: KeyMatch) -> KeyMatch:
    """Return the match of a read of the newest rows that asks the newest table of a rotating set first, then the next.

    It is for a read that meets the newest rows first in each of them; without it, every table would be asked for all.
    """
    is_told = read.time is not None or read.exact_time
    if read.newest_rows is None or not stored_rows.rotates or is_told or match.buckets <= 1:
        return match
    period = next(segment for segment in stored_rows.times if isinstance(segment, TablePeriod))
    bound = frozenset(segment.id for segment in match.bound_segments if segment is not period)
    below = stored_rows.values_per_owner(bound, asked_popularities(read))
    tables = stored_rows.shown_span_days * DAY_SECONDS / segment_seconds(period)
    share = np.divide(read.newest_rows, below.rows, out=np.ones_like(below.rows), where=below.rows > 0)
    # Never more tables than there are, as old ones have been dropped.
    asks = min(1 + tables * float(np.minimum(share, 1.0) @ below.asked), match.buckets)
    return replace(match, buckets=1.0, asks=asks)


def _match_in_bucket(
    stored_rows: StoredRows, read: Read, match: KeyMatch, knowledge: Mapping[str, Knowledge], newest: Collection[str],
    most_ranges: float,
) -> KeyMatch | None:  # fmt: skip
    """Return the match behind the open bucket, up to the segment in which the newest comes first, if there is one."""
    opened, segments = match.open_segment, stored_rows.kind.segments
    if read.newest_rows is None or match.open_knowledge or match.listed_segments:
        return None
    if not isinstance(opened, TimeSegment) or isinstance(opened, TablePeriod):
        return None
    behind = match_key(segments[segments.index(opened) + 1 :], knowledge, newest, most_ranges)
    finer, grows = behind.open_segment, stored_rows.growth_by_segment
    is_bucket = opened.hash is not None or grows[opened.id] is not None
    if finer is None or finer.id not in newest or not is_bucket or grows[finer.id] is None or behind.open_knowledge:
        return None
    if any(not isinstance(segment, LiteralSegment) for segment in behind.bound_segments):
        return None
    if behind.listed_segments:
        return behind if opened.hash is None else None
    return behind if _is_run_the_other_way(stored_rows, read, opened, finer) else None


def _is_run_the_other_way(stored_rows: StoredRows, read: Read, opened: TimeSegment, finer: Segment) -> bool:
    """Return whether buckets ascend and the times in each descend, so that no one scan meets the newest first."""
    either_way = engine_of(stored_rows.spec).READS_EITHER_WAY
    if sorts_backwards(opened):
        return False
    if opened.hash is None and (read.reverse or either_way) and not sorts_backwards(finer):
        return False  # a scan from the other end finds them
    return sorts_backwards(finer) != bool(read.reverse) or (either_way and read.reverse is None)


def _next_segment(segments: Sequence[Segment], segment: Segment) -> Segment | None:
    behind = segments[segments.index(segment) + 1 :]
    return next((candidate for candidate in behind if not isinstance(candidate, LiteralSegment)), None)
