"""Fixes to the order of a key's segments."""

from collections.abc import Sequence

from designer.document.edits import Move, rewrite_list
from designer.document.key import DerivedSegment, FieldSegment, Segment, as_bytes
from designer.document.texts import N_
from estimator.engines import tablestore
from estimator.facts.alphabets import clear_delimiter, value_bytes
from estimator.facts.reading import RowKindFacts
from estimator.facts.salts import busiest_share
from estimator.facts.servers import server_of

from ..edits import Edit

MOVE = N_("Move {known} before {segment}")
"""Label of the fix that puts what a read specifies before what it does not."""


def lead_with_field(rows: RowKindFacts, burden: float) -> Edit | None:
    """Return an edit that moves the field with most values to the start of the key.

    All readers must know it, and its busiest value must carry its load. `burden` is the ratio of the whole load
    to the
    limit of one value.
    """
    order = list(rows.kind.segments)
    lead = rows.leading_segment
    if lead is None:
        return None
    candidates = [
        (facts.distinct, segment)
        for segment, facts in rows.segments
        if isinstance(segment, FieldSegment)
        and facts.grows is None
        and rows.is_given_by_all_reads(segment.field)
        # In front, the field's busiest value is one place that takes its share of the whole load.
        and busiest_share(rows, segment.field) * burden < 1
    ]
    if not candidates:
        return None
    chosen = max(candidates, key=lambda candidate: candidate[0])[1]
    if rows.kind.key_columns:
        return _move_column_first(rows, chosen)
    order.remove(chosen)
    order.insert(order.index(lead[0]), chosen)
    return _reorder(rows, order)


def move_behind_known(rows: RowKindFacts, obstacle: Segment, known_segments: Sequence[Segment]) -> Edit | None:
    """Return an edit that moves a hash or salt behind the next, known fields, if all readers know them."""
    segments = list(rows.kind.segments)
    place = segments.index(obstacle)
    run = segments[place + 1 : place + 1 + len(known_segments)]
    # Without the hash in front of it, a growing field would collect all new rows at its end.
    steady = {segment.id for segment, facts in rows.segments if facts.grows is None}
    fields = [s.field for s in run if isinstance(s, FieldSegment | DerivedSegment) and s.id in steady]
    if not known_segments or run != list(known_segments) or len(fields) != len(run) or rows.kind.key_columns:
        return None
    if not all(rows.is_given_by_all_reads(field) for field in fields):
        return None
    return _reorder(rows, [*segments[:place], *run, obstacle, *segments[place + 1 + len(run) :]])


def move_known_forward(rows: RowKindFacts, obstacle: Segment, known_segments: Sequence[Segment]) -> Edit | None:
    """Return an edit that puts known fields before the segment that ends a read's known prefix.

    All readers must know them. Parts before them stay before, so that no prefix gets fewer values and no append
    point
    becomes busier.
    """
    steady = {segment.id for segment, facts in rows.segments if facts.grows is None}
    fields = [s.field for s in known_segments if isinstance(s, FieldSegment | DerivedSegment) and s.id in steady]
    if not known_segments or len(fields) != len(known_segments) or rows.kind.key_columns:
        return None
    if not all(rows.is_given_by_all_reads(field) for field in fields):
        return None
    rest = [segment for segment in rows.kind.key if segment not in known_segments]
    place = rest.index(obstacle)
    return _reorder(rows, [*rest[:place], *known_segments, *rest[place:]])


def promote_field(rows: RowKindFacts, salt: Segment) -> tuple[Segment | None, Edit | None]:
    """Return the best field to replace a salt: all readers know it and its busiest value carries its load.

    The field of most values, and the key without the salt; (None, None) if there is none.
    """
    place = rows.kind.segments.index(salt)
    total = sum(load.peak_rows_per_second for _, load in rows.writes)
    seconds = sum(load.peak_rows_per_second * load.node_seconds_per_row for _, load in rows.writes)
    heavy = server_of(rows.spec).burden(total, seconds)
    candidates = [
        (facts.distinct, segment)
        for segment, facts in rows.segments[place + 1 :]
        if isinstance(segment, FieldSegment)
        and facts.grows is None
        and rows.is_given_by_all_reads(segment.field)
        and busiest_share(rows, segment.field) * heavy < 1
    ]
    if not candidates or rows.traffic is None or rows.kind.key_columns:
        return None, None
    chosen = max(candidates, key=lambda candidate: candidate[0])[1]
    rest = [s for s in rows.kind.key if s not in (salt, chosen)]
    edit = _reorder(rows, [*rest[:place], chosen, *rest[place:]], [s.after for s in rows.kind.key if s != salt])
    return (chosen, edit) if edit is not None else (None, None)


def _reorder(rows: RowKindFacts, order: Sequence[Segment], afters: Sequence[str] = ()) -> Edit | None:
    """Return an edit with the key's segments in another order; delimiters keep their places between parts."""
    fixed = {segment.id for segment, facts in rows.segments if facts.fixed_width}
    segments: list[Segment] = []
    # Delimiters belong to places ("a#b:c"), but one that can occur in the value that now stands before it is replaced.
    for delimiter, segment in zip(afters or [s.after for s in rows.kind.key], order, strict=True):
        after: str | None = delimiter
        last = len(segments) == len(order) - 1
        if not last and segment.id not in fixed and not _is_separating(rows, segment, delimiter):
            after = clear_delimiter(rows.spec, segment, below=True)
        if after is None:
            return None
        segments.append(segment.model_copy(update={"after": after}))
    return rewrite_list(rows.spec, rows.kind.id, "key", segments)


def _is_separating(rows: RowKindFacts, segment: Segment, after: str) -> bool:
    used_bytes = value_bytes(rows.spec, segment)
    return bool(after) and used_bytes is not None and as_bytes(after)[0] not in used_bytes


def _move_column_first(rows: RowKindFacts, segment: Segment) -> Edit | None:
    """Its primary-key column before all others, if it is all that stands in it."""
    first = rows.kind.key_columns[0]
    own = next((column for column in rows.kind.key_columns if segment in column.segments), None)
    if (
        own is None
        or own is first
        or len(own.segments) != 1
        or own.auto_increment
        or _is_too_large_value(rows, segment)
    ):
        return None
    place = rows.kind.key_columns.index(own) + 1
    behind = rows.kind.key_columns[place].id if place < len(rows.kind.key_columns) else None
    return Move(at=own.id, before=first.id, was_before=behind)


def _is_too_large_value(rows: RowKindFacts, segment: Segment) -> bool:
    """Return whether its busiest value, as a partition key, would hold more than recommended."""
    growth = rows.part.growth if rows.part else None
    if growth is None or not isinstance(segment, FieldSegment):
        return True
    stored_bytes = float(growth.physical_bytes[-1]) * busiest_share(rows, segment.field)
    return stored_bytes > tablestore.LIMITS["partition_key_bytes_recommended"].value
