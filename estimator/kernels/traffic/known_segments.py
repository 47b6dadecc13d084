"""Knowledge that a caller has of each segment of a key: its value, its beginning, or nothing."""

import math
from dataclasses import dataclass
from typing import assert_never

from designer.document import Spec, effective_value
from designer.document.access import Bind, Read
from designer.document.durations import DAY_SECONDS
from designer.document.field import Field, Pattern, Range
from designer.document.key import (
    AutoIncrement,
    Bucket,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    ReverseDomain,
    SaltSegment,
    Segment,
    TimeSegment,
)
from designer.document.new_ids import is_declared_counter
from designer.document.rotation import TablePeriod
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.results import SegmentFacts

from .assumptions import CLIENT_ALIGNED, ENUMERATION

FEW_BUCKETS = 1.5
"""A span that meets fewer time buckets in the mean lies in one of them more often than not: it is one key's."""


@dataclass(frozen=True)
class FixedKnowledge:
    """The caller knows the segment's bytes; with a time range, those of so many buckets."""

    buckets: float = 1


@dataclass(frozen=True)
class PrefixKnowledge:
    """The caller knows a contiguous part of the segment's values: a text's beginning, or a range of time."""

    buckets: float | None
    """Time buckets in the range; None for a text."""
    is_range: bool = False
    """It is a range of values, from one to another."""


@dataclass(frozen=True)
class FilterKnowledge:
    """The caller knows a range of values which the key does not keep together: it can only filter by them."""


@dataclass(frozen=True)
class ListableKnowledge:
    """The caller does not know it, but can ask for each of its few values."""

    values: float


@dataclass(frozen=True)
class NoKnowledge:
    """Nothing is known of the segment."""


Knowledge = FixedKnowledge | PrefixKnowledge | FilterKnowledge | ListableKnowledge | NoKnowledge


def segment_knowledge(
    spec: Spec, read: Read, segment: Segment, facts: SegmentFacts, most_ranges: float = math.inf
) -> Knowledge:
    """Return a read's knowledge of one segment.

    Salts, hashes and buckets of time are computed without knowing what is stored: a caller asks for as many as there
    are, at most `most_ranges`. The values of a field it must know: it lists few only.
    """
    binds = {bind.field: bind for bind in read.binds}
    match segment:
        case LiteralSegment():
            return FixedKnowledge()
        case FieldSegment():
            bind = binds.get(segment.field)
            if bind is None:
                return NoKnowledge() if _grows_unsaid(spec, spec.find(segment.field)) else _listable_knowledge(facts)
            if bind.is_range:
                return _range_knowledge(spec, segment, facts)
            return _prefix_knowledge(spec, bind, segment) if bind.prefix else FixedKnowledge()
        case DerivedSegment():
            bind = binds.get(segment.field)
            if bind is None:
                # A busy parent fills more buckets of its numbers than the mean one, and nobody knows how many.
                return NoKnowledge() if _grows_unsaid(spec, spec.find(segment.field)) else _listable_knowledge(facts)
            if bind.is_whole:
                return FixedKnowledge()
            if bind.is_range and isinstance(segment.how, Bucket):
                return _range_knowledge(spec, segment, facts)
            # A known beginning of the text decides the first characters, so it is a range only if the part starts
            # there.
            begins = not isinstance(segment.how, Bucket) and segment.how.start == 0 and not segment.transforms
            return PrefixKnowledge(buckets=None) if begins else NoKnowledge()
        case TablePeriod():
            return FixedKnowledge(tables_met(read, segment, facts))
        case HashSegment(fields=()):
            return FixedKnowledge() if read.exact_time else _computed_knowledge(segment, facts, most_ranges)
        case HashSegment() | SaltSegment():
            is_known = segment.fields and all(
                (f in binds and binds[f].is_whole) or (read.exact_time and is_timestamp(spec, f))
                for f in segment.fields
            )
            return FixedKnowledge() if is_known else _computed_knowledge(segment, facts, most_ranges)
        case TimeSegment():
            is_known = segment.field in binds and not binds[segment.field].is_range
            return _time(read, segment, facts, most_ranges, known=is_known)
        case _:
            assert_never(segment)


def is_timestamp(spec: Spec, field_id: str) -> bool:
    """Return whether a field holds times: who knows the exact time knows its value."""
    return bool(effective_value(spec, spec.find(field_id), "kind") == "timestamp")


def _listable_knowledge(facts: SegmentFacts) -> Knowledge:
    few = facts.grows is None and facts.distinct <= ENUMERATION.value
    return ListableKnowledge(max(facts.distinct, 1.0)) if few else NoKnowledge()


def _computed_knowledge(
    segment: HashSegment | SaltSegment | TimeSegment, facts: SegmentFacts, most_ranges: float
) -> Knowledge:
    """Return `ListableKnowledge` of the values that a salt or a hash may have, or of those of few fields."""
    if isinstance(of_few := _listable_knowledge(facts), ListableKnowledge):
        return of_few
    match segment:
        case SaltSegment():
            values = float(segment.modulo)
        case HashSegment():
            values = segment.values
        case TimeSegment():
            values = segment.hash_values
    return ListableKnowledge(values) if values <= most_ranges else NoKnowledge()


def _grows_unsaid(spec: Spec, field: Field) -> bool:
    """Return whether each event takes the next number of a field, as nobody says how many come a day."""
    return field.growth_per_day is None and is_declared_counter(spec, field)


def _prefix_knowledge(spec: Spec, bind: Bind, segment: FieldSegment) -> Knowledge:
    """Return `PrefixKnowledge` if the stored order keeps values with one beginning together, else `NoKnowledge`.

    Of a domain, the beginning is its parent.
    """
    field: Field = spec.find(segment.field)
    kinds = [transform.kind for transform in segment.transforms]
    domain = effective_value(spec, field, "kind") == "domain"
    reversed_once = any(isinstance(t, ReverseDomain) for t in segment.transforms)
    keeps = all(kind in ("reverse_domain", "case", "truncate", "percent") for kind in kinds) and domain == reversed_once
    return PrefixKnowledge(buckets=None) if keeps else NoKnowledge()


def _range_knowledge(spec: Spec, segment: FieldSegment | DerivedSegment, facts: SegmentFacts) -> Knowledge:
    """Return `PrefixKnowledge` if the key sorts as the values do, so that they are one range, else a filter."""
    field: Field = spec.find(segment.field)
    kinds = {transform.kind for transform in segment.transforms}
    is_reordered = bool(kinds & {"reverse_digits", "reverse_domain"})
    if effective_value(spec, field, "kind") in ("integer", "float") and not isinstance(field.values, Range | Pattern):
        # Numbers from a list or random text sort as texts, "10" before "9", unless the key pads them.
        is_reordered = is_reordered or (field.values is not None and not kinds & {"pad", "big_endian", "hex"})
    return PrefixKnowledge(None, is_range=True) if facts.text_order and not is_reordered else FilterKnowledge()


def _time(read: Read, segment: TimeSegment, facts: SegmentFacts, most_ranges: float, *, known: bool) -> Knowledge:
    if read.exact_time or known:
        return FixedKnowledge()
    if read.time is None or isinstance(segment, AutoIncrement):  # what the service counts is no time to ask for
        return NoKnowledge()
    buckets = covered_buckets(read.time.days, segment)
    if buckets < FEW_BUCKETS:
        return FixedKnowledge(buckets)
    if facts.text_order:
        return PrefixKnowledge(buckets)
    if buckets <= most_ranges:
        return FixedKnowledge(buckets)
    return _computed_knowledge(segment, facts, most_ranges) if segment.hash is not None else NoKnowledge()


def tables_met(read: Read, segment: TablePeriod, facts: SegmentFacts) -> float:
    """Return the tables of a rotating set that a request asks: those of its time, or all."""
    there = min(facts.distinct + 1, segment.kept_tables or math.inf)  # they began at any moment of a period
    if read.exact_time:
        return 1.0
    return there if read.time is None else min(covered_buckets(read.time.days, segment), there)


def covered_buckets(days: float, segment: TimeSegment) -> float:
    """Return the time buckets that a span of time meets in the mean.

    A span that ends at any moment meets one more bucket than it is long, as it begins within one and ends within
    another. Callers that ask from where a bucket begins meet only whole ones.
    """
    length = days * DAY_SECONDS / segment_seconds(segment)
    # The tolerance keeps 7 days ÷ 1 day, which can be 7.000000000001, from being 8 buckets.
    aligned = max(math.ceil(length - 1e-9), 1)
    # A span of n buckets with a random end meets n + 1 in the mean: the last 24 hours are parts of two days.
    return CLIENT_ALIGNED.value * aligned + (1 - CLIENT_ALIGNED.value) * (length + 1)
