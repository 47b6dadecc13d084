"""Hashes that stand before the value that they are made from, to spread it: how many digits do that."""

import math

from designer.document.key import FieldSegment, HashSegment

from .reading import RowKindFacts

PREFIX_DIGITS = 4
"""Hexadecimal digits of a hash in front: 65,536 prefixes, as practice pages suggest."""

PER_NODE = 10
"""Prefixes for each node or partition with which none takes more than a tenth above the mean: the busiest of n takes
⌈p ÷ n⌉ of p."""


def is_prefix(rows: RowKindFacts, segment: HashSegment) -> bool:
    """Return True if all that the hash is made from follows it in the key, so that it adds no distinction."""
    place = rows.kind.segments.index(segment)
    shown = {s.field for s in rows.kind.segments[place + 1 :] if isinstance(s, FieldSegment)}
    return set(segment.fields) <= shown


def enough_digits(nodes: float) -> int:
    """Hexadecimal digits that spread over so many nodes or partitions; no fewer than the four of the practice page."""
    return max(PREFIX_DIGITS, math.ceil(math.log(max(PER_NODE * nodes, 1.0), 16) - 1e-9))
