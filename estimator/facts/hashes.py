"""Hashes that stand before the value that they are made from, to spread it: how many digits do that."""

import math
from typing import TypeGuard

from designer.document.hashes import HashForm, bits_per_place
from designer.document.key import FieldSegment, HashSegment, Segment, TimeSegment, shows_time
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.kernels.population.told_apart import MILLISECOND

from .reading import RowKindFacts

PREFIX_DIGITS = 4
"""Hexadecimal digits of a hash in front: 65,536 prefixes, as practice pages suggest."""

PER_NODE = 10
"""Prefixes for each node or partition with which none takes more than a tenth above the mean: the busiest of n takes
⌈p ÷ n⌉ of p."""


def is_hashed_bucket(segment: Segment) -> TypeGuard[TimeSegment]:
    """Return whether a segment is a hash of a bucket of time."""
    return isinstance(segment, TimeSegment) and segment.hash is not None


def is_prefix(rows: RowKindFacts, segment: HashSegment) -> bool:
    """Return True if all that the hash is made from follows it in the key, so that it adds no distinction."""
    place = rows.kind.segments.index(segment)
    if not segment.fields:
        behind = (segment for segment in rows.kind.segments[place + 1 :] if shows_time(segment))
        return any(segment_seconds(time_segment) <= MILLISECOND for time_segment in behind)
    key_fields = {s.field for s in rows.kind.segments[place + 1 :] if isinstance(s, FieldSegment)}
    return set(segment.fields) <= key_fields


def enough_digits(nodes: float, form: HashForm = "hex") -> int:
    """Length in a form that spreads over so many nodes or partitions; no less than the digits of the practice page."""
    bits = max(4.0 * PREFIX_DIGITS, math.log2(max(PER_NODE * nodes, 1.0)))
    return math.ceil(bits / bits_per_place(form) - 1e-9)  # a logarithm may be just above its whole number
