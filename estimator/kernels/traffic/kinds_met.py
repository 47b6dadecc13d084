"""Rows of several kinds that one range of a read holds: those that it returns, and those that it only scans."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from designer.document.access import Read
from designer.document.key import LiteralSegment, Segment, as_bytes
from designer.document.shared_prefix import SharedPrefix, begins_alike, shared_prefix
from designer.document.table import RowKind
from estimator.results import RowKindSize

from .cells import ReadCells
from .known_segments import Knowledge
from .prefix_match import KeyMatch, filtered_segments
from .rows_met import rows_share
from .scope import StoredRows


@dataclass(frozen=True)
class OtherKind:
    """Another row kind of the table."""

    kind: RowKind
    size: RowKindSize
    stored: Callable[[], StoredRows] | None
    """Its rows; None where it has no key yet."""


@dataclass(frozen=True)
class RowsMet:
    """Rows of one kind that a read meets."""

    scanned: float
    returned: float
    unmatched: float
    """Share of the rows scanned that the filter of their values drops. [1]"""
    cells: ReadCells
    row_bytes: float

    def cut(self, returned: float) -> "RowsMet":
        """Return what is met of them where a scan ends after so many."""
        share = min(returned / self.returned, 1.0) if self.returned > 0 else 1.0
        return replace(self, scanned=self.scanned * share, returned=returned)


@dataclass(frozen=True)
class UnaskedRows:
    """Rows of kinds that a read scans and does not ask for."""

    rows: float = 0.0
    bytes: float = 0.0


def shared_match(
    match: KeyMatch,
    segments: Sequence[Segment],
    others: Sequence[Sequence[Segment]],
    knowledge: Mapping[str, Knowledge],
) -> KeyMatch:
    """Return what a walk finds of a key where rows of other keys are wanted, too: it ends where the keys part."""
    shared = shared_prefix(segments, others)
    inside = segments[: shared.segments]
    if match.open_segment in inside[:-1] or (match.open_segment in inside and shared.is_whole(segments)):
        return match
    # Where this key ends before the others do, the open segment is the one with which another key goes on.
    behind = segments[shared.segments :] or next(
        rest for other in others if (rest := other[shared_prefix(other, [segments]).segments :])
    )
    return replace(
        match,
        bound_segments=tuple(segment for segment in match.bound_segments if segment in inside),
        listed_segments=tuple(pair for pair in match.listed_segments if pair[0] in inside),
        open_segment=behind[0],
        open_knowledge=None,
        filtered_segments=filtered_segments(tuple(segments[shared.segments :]), knowledge),
        buckets=match.buckets if any(segment in inside for segment in match.bound_segments) else 1.0,
    )


def unasked_rows(
    stored_rows: StoredRows, read: Read, match: KeyMatch, others: Sequence[OtherKind],
    known_of: Callable[[StoredRows, Read], Mapping[str, Knowledge]],
) -> UnaskedRows:  # fmt: skip
    """Return the rows of kinds that lie within a range without being asked for: keys that begin as the range does.

    A range that ends at values or times of its own kind holds no others.
    """
    if match.open_segment is None or match.open_knowledge is not None or match.listed_segments:
        return UnaskedRows()
    key = stored_rows.kind.segments
    other_keys = [other.kind.segments for other in others if other.kind.id in read.row_kinds]
    shared = shared_prefix(key, other_keys)
    if len(match.bound_segments) < shared.segments:
        bound = match.bound_segments
        shared = shared_prefix(bound, [bound])
    rows, size_bytes = 0.0, 0.0
    for other in others:
        # Only keys with the same beginning lie within the range: "user#1#…" holds orders and visits of user 1.
        if other.kind.id in read.row_kinds or not begins_alike(key, shared, other.kind.segments):
            continue
        kind_rows = other.size.rows
        if other.stored is not None and match.bound_segments:
            there = other.stored()
            kind_rows *= rows_share(there, read, _beginning(there, key, shared), known_of(there, read))
        rows += kind_rows
        size_bytes += kind_rows * other.size.bytes_stored
    return UnaskedRows(rows, size_bytes)


def _beginning(stored_rows: StoredRows, key: Sequence[Segment], shared: SharedPrefix) -> Sequence[Segment]:
    """Return the segments of another kind that a range knows, which begins with a part of a key."""
    return stored_rows.kind.segments[: shared_prefix(stored_rows.kind.segments, [key[: shared.segments]]).segments]


def order_of_kinds(keys: Sequence[Sequence[Segment]], *, is_reversed: bool) -> list[int]:
    """Return the places of row kinds in the order in which a scan meets them: by the text with which they part.

    Where values follow instead of a text, which are letters and digits, it is taken as if these began with a digit.
    """

    def text(key: Sequence[Segment]) -> bytes:
        others = [other for other in keys if other is not key]
        shared = shared_prefix(key, others)
        last = key[shared.segments - 1 : shared.segments]
        rest = b"".join(as_bytes(segment.after)[len(shared.after) :] for segment in last)
        behind = key[shared.segments : shared.segments + 1]
        if rest or not behind:
            return rest
        return as_bytes(behind[0].text) if isinstance(behind[0], LiteralSegment) else b"0"

    return sorted(range(len(keys)), key=lambda place: text(keys[place]), reverse=is_reversed)


def take_in_order(amounts: Sequence[float], most: float) -> list[float]:
    """Return how much is taken of each of some amounts, one after the other, up to a limit in all.

    >>> take_in_order([2.0, 5.0, 1.0], 4.0)
    [2.0, 2.0, 0.0]
    """
    parts: list[float] = []
    for amount in amounts:
        parts.append(min(amount, max(most - sum(parts), 0.0)))
    return parts
