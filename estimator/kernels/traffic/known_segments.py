"""Knowledge that a caller has of each segment of a key: its value, its beginning, or nothing."""

import math
from dataclasses import dataclass
from typing import assert_never

from designer.document import Spec, assumed
from designer.document.access import Bind, Read
from designer.document.durations import DAY_SECONDS, RESOLUTION_SECONDS
from designer.document.field import Field
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
from estimator.kernels.keys.patterns.times import told_apart
from estimator.results import SegmentFacts

from .assumptions import CLIENT_ALIGNED, ENUMERATION

FEW_BUCKETS = 1.5
"""A span that meets fewer time buckets in the mean lies in one of them more often than not: it is one key's."""


@dataclass(frozen=True)
class Fixed:
    """The caller knows the segment's bytes; with a time range, those of so many buckets."""

    buckets: float = 1


@dataclass(frozen=True)
class Begun:
    """The caller knows a contiguous part of the segment's values: a text's beginning, or a range of time."""

    buckets: float | None
    """Time buckets in the range; None for a text."""


@dataclass(frozen=True)
class Listed:
    """The caller does not know it, but can ask for each of its few values."""

    values: float


@dataclass(frozen=True)
class Unknown:
    """Nothing is known of the segment."""


Knowledge = Fixed | Begun | Listed | Unknown


def knowledge(spec: Spec, read: Read, segment: Segment, facts: SegmentFacts) -> Knowledge:
    """Return a read's knowledge of one segment."""
    binds = {bind.field: bind for bind in read.binds}
    match segment:
        case LiteralSegment():
            return Fixed()
        case FieldSegment():
            bind = binds.get(segment.field)
            if bind is None:
                return _listed(facts)
            return _beginning(spec, bind, segment) if bind.prefix else Fixed()
        case DerivedSegment():
            bind = binds.get(segment.field)
            if bind is None:
                return _listed(facts)
            if not bind.prefix:
                return Fixed()
            begins = not isinstance(segment.how, Bucket) and segment.how.start == 0 and not segment.transforms
            return Begun(buckets=None) if begins else Unknown()
        case HashSegment() | SaltSegment():
            known = segment.fields and all(f in binds and not binds[f].prefix for f in segment.fields)
            return Fixed() if known else _listed(facts)
        case TimeSegment():
            return _time(read, segment, facts, known=segment.field in binds)
        case _:
            assert_never(segment)


def _listed(facts: SegmentFacts) -> Knowledge:
    few = facts.grows is None and facts.distinct <= ENUMERATION.value
    return Listed(max(facts.distinct, 1.0)) if few else Unknown()


def _beginning(spec: Spec, bind: Bind, segment: FieldSegment) -> Knowledge:
    """Return `Begun` if the stored order keeps values with one beginning together, else `Unknown`.

    Of a domain, the beginning is its parent.
    """
    field: Field = spec.find(segment.field)
    kinds = [transform.kind for transform in segment.transforms]
    domain = assumed(spec, field, "kind") == "domain"
    reversed_once = any(isinstance(t, ReverseDomain) for t in segment.transforms)
    keeps = all(kind in ("reverse_domain", "case", "truncate") for kind in kinds) and domain == reversed_once
    return Begun(buckets=None) if keeps else Unknown()


def _time(read: Read, segment: TimeSegment, facts: SegmentFacts, *, known: bool) -> Knowledge:
    if read.exact_time or known:
        return Fixed()
    if read.time is None or isinstance(segment, AutoIncrement):  # what the service counts is no time to ask for
        return Unknown()
    buckets = buckets_of(read.time.days, segment)
    if buckets < FEW_BUCKETS:
        return Fixed(buckets)
    if facts.text_order:
        return Begun(buckets)
    return Fixed(buckets) if buckets <= ENUMERATION.value else Unknown()


def buckets_of(days: float, segment: TimeSegment) -> float:
    """Return the time buckets that a span of time meets in the mean.

    A span that ends at any moment meets one more bucket than it is long, as it begins within one and ends within
    another. Callers that ask from where a bucket begins meet only whole ones.
    """
    length = days * DAY_SECONDS / RESOLUTION_SECONDS[told_apart(segment)]
    aligned = max(math.ceil(length - 1e-9), 1)
    return CLIENT_ALIGNED.value * aligned + (1 - CLIENT_ALIGNED.value) * (length + 1)
