"""Contents of the row key page: grouped segments, and available additions as edits."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from designer.document import Element, Spec
from designer.document.edits import Batch, Edit, Insert, Move, Remove, Set, hash_of
from designer.document.engines import description_of
from designer.document.field import Field
from designer.document.guesses import effective_value
from designer.document.key import DerivedSegment, FieldSegment, KeyColumn, Segment
from designer.document.table import RowKind
from designer.document.texts import N_
from designer.wording import Chip, key_chips, key_of

NewId = Callable[[], str]

ADDED = N_("added a segment to a row key")
MOVED = N_("moved a segment of a row key")
REMOVED = N_("removed a segment of a row key")
MOST_FIELDS = 40
"""So many fields have a button; in the text form every one can be named."""
USUAL = "#"
"""The delimiter where a key has none yet."""


@dataclass(frozen=True)
class SegmentList:
    """Segments that stand in one list: the row key, or one primary-key column."""

    parent: str
    list: str
    column: KeyColumn | None
    segments: tuple[Segment, ...]
    chips: tuple[Chip, ...]

    @property
    def is_fixed(self) -> bool:
        """The service fills this column: it takes no segment."""
        return self.column is not None and self.column.auto_increment


@dataclass(frozen=True)
class KeyView:
    """A row kind's key as its page shows it."""

    kind: RowKind
    text: str
    groups: tuple[SegmentList, ...]
    open_element: Element | None
    """The segment or column whose settings are open."""
    in_columns: bool


def key_at(spec: Spec, at: str) -> KeyView | None:
    """Return the key that an element is or belongs to, or None if it is something else."""
    element = spec.by_id.get(at)
    kind = element if isinstance(element, RowKind) else _kind_of(spec, at)
    if kind is None:
        return None
    in_columns = description_of(spec).is_key_in_columns(kind)
    return KeyView(kind, key_of(spec, kind), tuple(_groups(spec, kind, in_columns)), spec.find(at), in_columns)


def _kind_of(spec: Spec, at: str) -> RowKind | None:
    """Return the row kind whose key contains this segment or column."""
    if not isinstance(spec.by_id.get(at), (KeyColumn, *get_args(get_args(Segment)[0]))):
        return None
    return next((kind for table in spec.tables for kind in table.row_kinds if _contains(kind, at)), None)


def _contains(kind: RowKind, at: str) -> bool:
    columns = kind.key_columns
    return any(part.id == at for part in (*kind.key, *columns, *(s for column in columns for s in column.segments)))


def _groups(spec: Spec, kind: RowKind, in_columns: bool) -> Iterator[SegmentList]:
    if not in_columns:
        yield SegmentList(kind.id, "key", None, kind.key, key_chips(spec, kind.key))
        return
    for column in kind.key_columns:
        yield SegmentList(column.id, "segments", column, column.segments, key_chips(spec, column.segments))


# --- moving and removing: delimiters stay where they are -----------------------------------------------------------


def build_move(segments: Sequence[Segment], id: str, before: str | None) -> Edit:  # noqa: A002
    """Build the edit that moves a segment before another (None: to the end).

    Every delimiter remains at its position.
    """
    ids = [segment.id for segment in segments]
    was_before = _id_at(ids, ids.index(id) + 1)
    rest = [segment_id for segment_id in ids if segment_id != id]
    rest.insert(rest.index(before) if before in rest else len(rest), id)
    move = Move(at=id, before=before, was_before=was_before)
    afters = {segment_id: segment.after for segment_id, segment in zip(rest, segments, strict=True)}
    changed = tuple(_set_delimiter(s, afters[s.id]) for s in segments if s.after != afters[s.id])
    return Batch(label=MOVED, edits=(move, *changed)) if changed else move


def build_removal(segments: Sequence[Segment], place: int) -> Edit:
    """Build the edit that removes a segment; the new last segment ends as the key did."""
    remove = Remove(at=segments[place].id, was_hash=hash_of(segments[place]))
    before, last = place - 1, segments[place]
    if place < len(segments) - 1 or before < 0 or segments[before].after == last.after:
        return remove
    return Batch(label=REMOVED, edits=(_set_delimiter(segments[before], last.after), remove))


def build_column_move(source: SegmentList, target: SegmentList, id: str, before: str | None) -> Edit:  # noqa: A002
    """Build the edit that moves a segment of one column before a segment of another (None: to its end).

    The delimiters of both columns are corrected.
    """
    ids = [segment.id for segment in source.segments]
    place = ids.index(id)
    move = Move(
        at=id, before=before, was_before=_id_at(ids, place + 1), parent=target.parent, was_parent=source.parent
    )  # fmt: skip
    own, there = source.segments[place], target.segments
    afters = {own.id: delimiter(there) if before else there[-1].after if there else ""}
    if there and not before:
        afters[there[-1].id] = there[-1].after or delimiter(there)
    if place and place == len(ids) - 1:
        afters[ids[place - 1]] = own.after
    all_of_both = (*source.segments, *there)
    changed = tuple(_set_delimiter(s, afters[s.id]) for s in all_of_both if s.after != afters.get(s.id, s.after))
    return Batch(label=MOVED, edits=(move, *changed)) if changed else move


def build_step_move(groups: Sequence[SegmentList], id: str, step: int) -> Edit | None:  # noqa: A002
    """Build the edit that moves a segment by one position, at the edge of its column into the next column.

    Return None at the end.
    """
    takers = [group for group in groups if not group.is_fixed]
    number = next(n for n, group in enumerate(takers) if any(segment.id == id for segment in group.segments))
    own = takers[number]
    place = next(n for n, segment in enumerate(own.segments) if segment.id == id)
    if 0 <= place + step < len(own.segments):
        return build_move(own.segments, id, neighbour(own.segments, place, step))
    if not 0 <= number + step < len(takers):
        return None
    other = takers[number + step]
    return build_column_move(
        own, other, id, _id_at([segment.id for segment in other.segments], 0) if step > 0 else None
    )


def neighbour(segments: Sequence[Segment], place: int, step: int) -> str | None:
    """Return the segment before which a segment is after a move by one position."""
    return _id_at([segment.id for segment in segments], place + (step if step < 0 else step + 1))


def _id_at(ids: Sequence[str], place: int) -> str | None:
    return ids[place] if place < len(ids) else None


def _set_delimiter(segment: Segment, after: str) -> Set:
    return Set(at=segment.id, name="after", value=after, was=segment.after)


# --- what can be added --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Addition:
    """Something that can be added to a group, with the edit that does it."""

    label: str
    """A message; empty for a field, which has its name."""
    name: str
    edit: Edit


def additions(spec: Spec, group: SegmentList, new_id: NewId) -> Iterator[Addition]:
    """Segments that can be added: each field, the time, a text, and what is made from the key's first field."""
    for field in spec.fields[:MOST_FIELDS]:
        kind = "time" if _is_time(spec, field) else "field"
        yield Addition("", field.label, _append(group, {"id": new_id(), "kind": kind, "field": field.id}))
    yield Addition(N_("time of the event"), "", _append(group, {"id": new_id(), "kind": "time"}))
    yield Addition(N_("fixed text"), "", _append(group, {"id": new_id(), "kind": "literal", "text": "v1"}))
    lead = _leading_field(spec, group)
    if lead is None:
        return
    hashed = {"id": new_id(), "kind": "hash", "fields": [lead.id]}
    salted = {"id": new_id(), "kind": "salt", "fields": [lead.id], "modulo": 16}
    yield Addition(N_("hash of {field}, at the start"), lead.label, _prepend(group, hashed))
    yield Addition(N_("salt of {field}, at the start"), lead.label, _prepend(group, salted))
    number = effective_value(spec, lead, "kind") in ("integer", "float")
    how = {"kind": "bucket", "size": 100} if number else {"kind": "part", "length": 2}
    derived = {"id": new_id(), "kind": "derived", "field": lead.id, "how": how}
    label = N_("bucket of {field}") if number else N_("part of {field}, as a segment")
    yield Addition(label, lead.label, _append(group, derived))


def _is_time(spec: Spec, field: Field) -> bool:
    return bool(effective_value(spec, field, "kind") == "timestamp")


def _leading_field(spec: Spec, group: SegmentList) -> Field | None:
    """Return the most useful field for a hash or salt: the first of the key, else of the design."""
    for segment in group.segments:
        if isinstance(segment, FieldSegment | DerivedSegment):
            return next(f for f in spec.fields if f.id == segment.field)
    return next((field for field in spec.fields if not _is_time(spec, field)), None)


def _append(group: SegmentList, element: dict[str, Any]) -> Edit:
    """Build the edit that appends a segment; the one that was last gets a delimiter if it has none."""
    added = Insert(parent=group.parent, list=group.list, element=element)
    last = group.segments[-1] if group.segments else None
    if last is None or last.after:
        return added
    return Batch(label=ADDED, edits=(_set_delimiter(last, delimiter(group.segments)), added))


def _prepend(group: SegmentList, element: dict[str, Any]) -> Edit:
    before = group.segments[0].id if group.segments else None
    after = {"after": delimiter(group.segments)} if before else {}
    return Insert(parent=group.parent, list=group.list, element={**element, **after}, before=before)


def delimiter(segments: Sequence[Segment]) -> str:
    """Return the most frequent delimiter of these segments."""
    used = Counter(segment.after for segment in segments if segment.after)
    return used.most_common(1)[0][0] if used else USUAL
