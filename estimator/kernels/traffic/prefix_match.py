"""Prefix of a key in which a caller's knowledge finds rows; segments behind it are filtered."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from designer.document import Spec
from designer.document.access import Read
from designer.document.key import FieldSegment, HashSegment, LiteralSegment, SaltSegment, Segment, TimeSegment

from .functional_dependencies import owner_ids
from .known_segments import FilterKnowledge, FixedKnowledge, Knowledge, ListableKnowledge, PrefixKnowledge


@dataclass(frozen=True)
class KeyMatch:
    """End of a walk along the key with a caller's knowledge."""

    bound_segments: tuple[Segment, ...]
    listed_segments: tuple[tuple[Segment, float], ...]
    """Segments that the caller does not know and asks for value by value, with their number."""
    open_segment: Segment | None
    """The first segment that is not found; None: the whole key is."""
    open_knowledge: PrefixKnowledge | None
    """What is known of the open segment."""
    filtered_segments: tuple[Segment, ...]
    buckets: float
    """Separate time buckets among the bound segments."""
    asks: float = 1.0
    """Time buckets that are asked one after the other, from the newest back, until the newest rows are found."""
    asked_bucket: Segment | None = None
    """The bucket of which the listed segments part the newest rows: of each the first ones are asked."""
    whole_bucket: Segment | None = None
    """The bucket of which each is asked whole, as its rows are not in the order of time."""

    @property
    def listed_ranges(self) -> float:
        """Ranges that the listed segments make of one."""
        return _range_count(self.listed_segments)

    def listed_rows(self, spec: Spec, read: Read) -> float:
        """Rows that are there under one whole key with all listed values: a salt or an owner has only one."""
        rows, known_fields = 1.0, {bind.field for bind in read.binds}
        determined = {owner for field in known_fields for owner in owner_ids(spec, field)}
        for segment, values in self.listed_segments:
            # A salt or hash follows from the values, and an owner from what it owns, so only free fields multiply
            # rows.
            if isinstance(segment, FieldSegment) and segment.field not in determined:
                rows *= values
        return rows


def match_key(
    segments: tuple[Segment, ...], knowledge: Mapping[str, Knowledge], newest: Collection[str] = (),
    most_ranges: float = math.inf,
) -> KeyMatch:  # fmt: skip
    """Walk the key from its start to the first segment that is neither known nor worth listing.

    A segment of few values is listed only if a later one is known, or if the next is one of `newest`: its rows come
    newest first, and only the first of each value are wanted. Otherwise one scan is simpler. It is at most
    `most_ranges`, in as many requests as they need: the ranges of one may have 1 MiB (RowSet in the Go client's
    reference, pkg.go.dev/cloud.google.com/go/bigtable, read 2026-11-28), and a range costs a node as much in any.
    """
    bound: list[Segment] = []
    listed_segments: list[tuple[Segment, float]] = []
    buckets = 1.0
    for place, segment in enumerate(segments):
        rest = tuple(s for s in segments[place + 1 :] if not isinstance(s, LiteralSegment))
        here = _split_buckets(knowledge[segment.id], rest, knowledge, most_ranges)
        worth = _known_segments(rest, knowledge) or (rest and rest[0].id in newest)
        if isinstance(here, FixedKnowledge):
            bound.append(segment)
            # Several segments of time show one span (a month and a day), so the finest decides: a product would count
            # pairs that do not exist.
            buckets = max(buckets, here.buckets)
        elif (
            isinstance(here, ListableKnowledge)
            and worth
            # The product counts, as each value of one is combined with each of the other: 16 salts × 100 shops are
            # 1,600 ranges.
            and _range_count([*listed_segments, (segment, here.values)]) <= most_ranges
        ):
            listed_segments.append((segment, here.values))
        else:
            begun = here if isinstance(here, PrefixKnowledge) else None
            filtered = filtered_segments((segment, *segments[place + 1 :]), knowledge)
            return KeyMatch(tuple(bound), tuple(listed_segments), segment, begun, filtered, buckets)
    return KeyMatch(tuple(bound), tuple(listed_segments), None, None, (), buckets)


def _range_count(listed_segments: Sequence[tuple[Segment, float]]) -> float:
    """Ranges that listed segments make of one. A hash or salt of fields that are listed themselves adds none."""
    ranges, fields = 1.0, {segment.field for segment, _ in listed_segments if isinstance(segment, FieldSegment)}
    for segment, values in listed_segments:
        if not (
            isinstance(segment, HashSegment | SaltSegment) and segment.fields and fields.issuperset(segment.fields)
        ):
            ranges *= values
    return ranges


def _known_segments(segments: tuple[Segment, ...], knowledge: Mapping[str, Knowledge]) -> tuple[Segment, ...]:
    return tuple(s for s in segments if isinstance(knowledge[s.id], FixedKnowledge | PrefixKnowledge))


def filtered_segments(segments: tuple[Segment, ...], knowledge: Mapping[str, Knowledge]) -> tuple[Segment, ...]:
    """Return the segments that filter: the open one, which comes first, only where it finds no range."""
    here = (s for s in segments[:1] if isinstance(knowledge[s.id], FilterKnowledge))
    behind = (s for s in segments[1:] if not isinstance(s, LiteralSegment))
    known_types = FixedKnowledge | PrefixKnowledge | FilterKnowledge
    return (*here, *(s for s in behind if isinstance(knowledge[s.id], known_types)))


def _split_buckets(
    current: Knowledge, rest: tuple[Segment, ...], knowledge: Mapping[str, Knowledge], most_ranges: float
) -> Knowledge:
    """Return a range of a few time buckets as separate buckets if the segment behind them is known too."""
    behind = rest[0] if rest else None
    if not isinstance(current, PrefixKnowledge) or current.buckets is None or current.buckets > most_ranges:
        return current
    if behind and isinstance(knowledge[behind.id], FixedKnowledge) and not isinstance(behind, TimeSegment):
        return FixedKnowledge(current.buckets)
    return current


def segments_with_rows(
    segments: Sequence[Segment], knowledge: Mapping[str, Knowledge], match: KeyMatch
) -> tuple[Segment, ...]:
    """Return the segments that find rows: those bound, and a range with the finer times behind it.

    A range of days that are followed by their times begins and ends at such a time.
    """
    if match.open_segment is None or not match.open_knowledge:
        return match.bound_segments
    reached = [match.open_segment]
    if isinstance(match.open_segment, TimeSegment):
        for segment in segments[segments.index(match.open_segment) + 1 :]:
            if not isinstance(segment, TimeSegment | LiteralSegment) or not isinstance(
                knowledge[segment.id], FixedKnowledge | PrefixKnowledge
            ):
                break
            reached.append(segment)
    return (*match.bound_segments, *reached)
