"""Prefix of a key in which a caller's knowledge finds rows; segments behind it are filtered."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from designer.document import Spec
from designer.document.access import Read
from designer.document.key import FieldSegment, HashSegment, LiteralSegment, SaltSegment, Segment, TimeSegment

from .assumptions import ENUMERATION
from .functional_dependencies import owners
from .known_segments import Begun, Fixed, Knowledge, Listed


@dataclass(frozen=True)
class Found:
    """End of a walk along the key with a caller's knowledge."""

    bound: tuple[Segment, ...]
    listed: tuple[tuple[Segment, float], ...]
    """Segments that the caller does not know and asks for value by value, with their number."""
    open: Segment | None
    """The first segment that is not found; None: the whole key is."""
    begun: Begun | None
    """What is known of the open segment."""
    filtered: tuple[Segment, ...]
    buckets: float
    """Separate time buckets among the bound segments."""

    @property
    def listed_ranges(self) -> float:
        """Ranges that the listed segments make of one."""
        return _ranges(self.listed)

    def listed_rows(self, spec: Spec, read: Read) -> float:
        """Rows that are there under one whole key with all listed values: a salt or an owner has only one."""
        rows, known = 1.0, {bind.field for bind in read.binds}
        determined = {owner for field in known for owner in owners(spec, field)}
        for segment, values in self.listed:
            if isinstance(segment, FieldSegment) and segment.field not in determined:
                rows *= values
        return rows


def find(segments: tuple[Segment, ...], known: Mapping[str, Knowledge], newest: Collection[str] = ()) -> Found:
    """Walk the key from its start to the first segment that is neither known nor worth listing.

    A segment of few values is listed only if a later one is known, or if the next is one of `newest`: its rows come
    newest first, and only the first of each value are wanted. Otherwise one scan is simpler.
    """
    bound: list[Segment] = []
    listed: list[tuple[Segment, float]] = []
    buckets = 1.0
    for place, segment in enumerate(segments):
        rest = tuple(s for s in segments[place + 1 :] if not isinstance(s, LiteralSegment))
        here = _split(known[segment.id], rest, known)
        worth = _told(rest, known) or (rest and rest[0].id in newest)
        if isinstance(here, Fixed):
            bound.append(segment)
            buckets = max(buckets, here.buckets)
        elif isinstance(here, Listed) and worth and _ranges([*listed, (segment, here.values)]) <= ENUMERATION.value:
            listed.append((segment, here.values))
        else:
            begun = here if isinstance(here, Begun) else None
            return Found(tuple(bound), tuple(listed), segment, begun, _told(rest, known), buckets)
    return Found(tuple(bound), tuple(listed), None, None, (), buckets)


def _ranges(listed: Sequence[tuple[Segment, float]]) -> float:
    """Ranges that listed segments make of one. A hash or salt of fields that are listed themselves adds none."""
    ranges, fields = 1.0, {segment.field for segment, _ in listed if isinstance(segment, FieldSegment)}
    for segment, values in listed:
        if not (
            isinstance(segment, HashSegment | SaltSegment) and segment.fields and fields.issuperset(segment.fields)
        ):
            ranges *= values
    return ranges


def _told(segments: tuple[Segment, ...], known: Mapping[str, Knowledge]) -> tuple[Segment, ...]:
    return tuple(s for s in segments if isinstance(known[s.id], Fixed | Begun))


def _split(here: Knowledge, rest: tuple[Segment, ...], known: Mapping[str, Knowledge]) -> Knowledge:
    """Return a range of a few time buckets as separate buckets if the segment behind them is known too."""
    behind = rest[0] if rest else None
    if not isinstance(here, Begun) or here.buckets is None or here.buckets > ENUMERATION.value:
        return here
    if behind and isinstance(known[behind.id], Fixed) and not isinstance(behind, TimeSegment):
        return Fixed(here.buckets)
    return here
