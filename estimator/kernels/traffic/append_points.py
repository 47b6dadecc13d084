"""Fronts: writes that land at the growing end of one prefix, where no split can spread them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from designer.document import Spec
from designer.document.access import Write
from designer.document.durations import DAY_SECONDS
from designer.document.key import (
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    as_bytes,
    segment_fields,
)  # fmt: skip
from designer.document.popularity import Latest
from designer.document.rotation import TablePeriod
from estimator.kernels.keys import EventDistribution, KeyPattern, key_summary, prefix_shares
from estimator.kernels.keys.patterns.pattern import Constant, Level
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.kernels.keys.rendering.clock import time_text
from estimator.kernels.keys.values.popularity import top_share
from estimator.results import AppendPoint, KeyFacts, LeadValues

from .assumptions import FRONT, FRONT_LEAD
from .operations import OperationRate

LEADS = 4
"""Depths for which the spread over leading values is told."""

PARTS_MOST = 1_024
"""A hash of at most so many values divides the table into parts of several tablets; of more, a bucket has one."""

BUSIER = 2.0
"""New values of a counted field make a front where they are written more than so many times as often as others."""


def partition_depth(pattern: KeyPattern) -> int:
    """Return the number of segments that place a row: those of Tablestore's first column; on Bigtable all."""
    columns = pattern.inputs.columns
    return len(columns[0].segments) if columns else len(pattern.segments)


def find_growing_segment(
    segments: Sequence[Segment],
    facts: KeyFacts,
    *,
    append_point_s: float = FRONT.value,
    lead_s: float = FRONT_LEAD.value,
) -> int | None:
    """Place of the first segment whose growth keeps each prefix's new rows together; None: there is none.

    A run of time segments is as fine as its finest. A coarse bucket holds still for longer than splits need: then what
    stands behind it spreads the writes, or the row itself is what cannot be split. A hash of a bucket moves its one
    place from bucket to bucket, and so holds the writes together as the bucket does. A bucket that leads the key starts
    as one tablet; before a salt or a hash that one is split as fast as any other, at one of their values.
    """
    grows = {segment.id: segment.grows for segment in facts.segments}
    place = 0
    while place < len(segments):
        segment = segments[place]
        hashed = isinstance(segment, TimeSegment) and segment.hash is not None and not comes_again(segment)
        if (grows.get(segment.id) is None and not hashed) or isinstance(segment, TablePeriod):
            place += 1
            continue
        # A number that counts events moves on with each of them, so there is no bucket whose length could be too long.
        if not isinstance(segment, TimeSegment):
            return place
        end, finest = time_run(segments, place)
        leads = all(isinstance(s, LiteralSegment | TablePeriod) for s in segments[:place])
        # A day in front of a salt is divided between salts as soon as it has load, so only short buckets outrun the
        # splits.
        leads = leads and not (end < len(segments) and isinstance(segments[end], SaltSegment | HashSegment))
        if finest <= (lead_s if leads else append_point_s):
            return place
        place = end
    return None


def time_run(segments: Sequence[Segment], place: int) -> tuple[int, float]:
    """Return the end of a run of time segments that begins at a place, and the length of its finest buckets [s]."""
    end = place
    while end < len(segments) and isinstance(segments[end], TimeSegment | LiteralSegment):
        end += 1
    return end, min(segment_seconds(s) for s in segments[place:end] if isinstance(s, TimeSegment))


def comes_again(segment: TimeSegment) -> bool:
    """Return whether a hash has so few values that each is a part of the table that was divided long ago."""
    return segment.hash_values <= PARTS_MOST


def append_point(
    spec: Spec, flow: OperationRate, pattern: KeyPattern, distribution: EventDistribution, per_second: float
) -> AppendPoint | None:
    """Return the append points of one write in its peak window.

    Parameters
    ----------
    distribution : EventDistribution
        Of that window alone.
    per_second : float
        Rows written then. [1/s]
    """
    segments = pattern.segments[: partition_depth(pattern)]  # growth below one partition-key value is that value's load
    place = find_growing_segment(segments, key_summary(pattern))
    if place is None or flow.write is None or is_behind(flow.write):
        return None
    new = new_share(pattern, distribution, segments[place])
    if new <= 0:
        return None
    head, hottest, effective, distinct = _prefix_concentration(pattern, distribution, segments, place)
    share = head * new
    return AppendPoint(
        write=flow.id,
        segment=segments[place].id,
        prefix=pattern.readable_key(hottest),
        share=share,
        effective=effective,
        distinct=distinct,
        per_second=per_second * share,
        node_share=per_second * share * flow.seconds,
    )


def is_behind(write: Write) -> bool:
    """Return whether a write updates rows so old that it does not follow the end of the key range."""
    return write.row_age_days is not None and write.row_age_days * DAY_SECONDS > FRONT.value


def _prefix_concentration(
    pattern: KeyPattern, distribution: EventDistribution, segments: Sequence[Segment], place: int
) -> tuple[float, bytes, float, float]:
    """Share of the hottest prefix before a place, the prefix, effective number and number of prefixes."""
    pattern = _at_one_moment(pattern, distribution)
    if all(level.component < 0 for level in pattern.levels[:place]):
        literal = b"".join(level.order.text for level in pattern.levels[:place])  # type: ignore[attr-defined]
        return 1.0, literal, 1.0, 1.0
    spread = prefix_shares(pattern, distribution, place)
    return (
        float(spread.shares[0]),
        spread.hottest_prefix,
        # The effective number 1 / Σ p² (inverse Simpson index): 10 prefixes of 10 % count as 10, one of 90 % as about
        # 1.2.
        1 / max(float(np.sum(spread.prefixes_per_class * spread.shares**2)), 1e-300),
        float(spread.distinct_prefixes),
    )


def _at_one_moment(pattern: KeyPattern, distribution: EventDistribution) -> KeyPattern:
    """Return a pattern whose hashes of time are those of one moment: all that is written then has the same."""
    time_us = int(distribution.time.span_s[0] * 1e6)
    levels = []
    for level in pattern.levels:
        segment = level.segment
        if isinstance(segment, TimeSegment) and segment.hash is not None:
            # Over a day the hash of an hour has 24 values and looks like a spread of 24, but all writes of one moment
            # have the same one.
            text = time_text(segment, time_us) + as_bytes(segment.after)
            levels.append(Level(segment, -1, Constant(text)))
        else:
            levels.append(level)
    if all(level.component >= 0 or isinstance(level.segment, LiteralSegment) for level in levels):
        return pattern
    return replace(pattern, levels=tuple(levels), cache={})


def new_share(
    pattern: KeyPattern, distribution: EventDistribution, segment: Segment, *, append_point_s: float = FRONT.value
) -> float:
    """Share of the writes that go to values as new as splits can follow; 0 where old values are as busy."""
    if isinstance(segment, TimeSegment):
        return 1.0
    field = segment.field if isinstance(segment, FieldSegment) else getattr(segment, "field", None)
    if field is None or field in pattern.inputs.per_event:
        return 1.0
    shape = pattern.shapes[field]
    popularity = distribution.popularity.get(field, shape.popularity)
    # Values created since splits could last follow; at least the newest one itself.
    newest = max(shape.growth_per_day * append_point_s / DAY_SECONDS, 1.0)
    if not isinstance(popularity, Latest) or newest >= shape.total:
        return 0.0
    share = float(top_share(popularity, np.array([newest]), float(shape.total))[0])
    # With a skew near 0 new values are written no more often than others, and there is no front.
    return share if share > BUSIER * newest / shape.total else 0.0


def leading_values(kind: str, pattern: KeyPattern, distribution: EventDistribution) -> tuple[LeadValues, ...]:
    """Return the spread of writes over the values of the first one, two, … segments.

    They end before one that grows or has a new value with each event.
    """
    leads = []
    grows = {segment.id: segment.grows for segment in key_summary(pattern).segments}
    for depth, segment in enumerate(pattern.segments[: partition_depth(pattern)][:LEADS], start=1):
        if grows.get(segment.id) is not None or not pattern.inputs.per_event.isdisjoint(segment_fields(segment)):
            break
        if isinstance(segment, LiteralSegment):
            continue
        shares = prefix_shares(pattern, distribution, depth)
        # Inverse Simpson index, as in `_prefix_concentration`.
        effective = 1 / max(float(np.sum(shares.prefixes_per_class * shares.shares**2)), 1e-300)
        leads.append(
            LeadValues(kind, depth, float(shares.shares[0]), pattern.readable_key(shares.hottest_prefix), effective)
        )
    return tuple(leads)
