"""What the caller of a read knows of a key: the segments from its start on, and a time behind them."""

from collections.abc import Sequence
from dataclasses import dataclass

from designer.document import Spec
from designer.document.access import Read
from designer.document.key import AutoIncrement, SaltSegment, Segment, TimeSegment

from .dates import sorts_by_time
from .expressions import KeyParameter, segment_parameters

MOST_SALTS = 4096
"""Ranges that one read may have."""


@dataclass(frozen=True)
class KnownKey:
    """The beginning of a key that a caller knows."""

    count: int
    """Segments."""
    salts: tuple[tuple[str, int], ...]
    """Among them salts that nobody knows when reading, by id with their number of values: one range for each value."""
    has_time: bool
    """A time follows by which keys sort: the caller says from when to when."""
    is_point: bool
    """The whole key is known."""


def known_key(spec: Spec, key: Sequence[Segment], read: Read, *, length: int) -> KnownKey:
    """Return what a caller knows of the segments that all rows of a read share, of a key of so many segments."""
    fields = {bind.field for bind in read.binds if bind.is_whole}
    salts: dict[str, int] = {}
    count = 0
    for segment in key:
        if not _is_known(spec, segment, fields, read):
            if not isinstance(segment, SaltSegment) or segment.modulo > MOST_SALTS:
                break
            salts[segment.id] = segment.modulo
        count += 1
    has_time = _is_time_of_range(key[count:], read)
    while not has_time and 0 < count < length and key[count - 1].id in salts:
        count -= 1
        del salts[key[count].id]  # a range over all salts is one range
    return KnownKey(count, tuple(salts.items()), has_time, count == length)


def _is_known(spec: Spec, segment: Segment, fields: set[str], read: Read) -> bool:
    if isinstance(segment, AutoIncrement):
        return False
    return all(_is_parameter_known(each, fields, read) for each in segment_parameters(spec, segment))


def _is_parameter_known(parameter: KeyParameter, fields: set[str], read: Read) -> bool:
    return parameter.type != "salt" and (parameter.id in fields or (parameter.type == "time" and read.exact_time))


def _is_time_of_range(rest: Sequence[Segment], read: Read) -> bool:
    """Return whether a time follows what a read knows, and keys of a span of time are one range."""
    segment = rest[0] if rest else None
    if read.time is None or not isinstance(segment, TimeSegment) or isinstance(segment, AutoIncrement):
        return False
    return not segment.pattern or sorts_by_time(segment.pattern)
