"""Components of a key: fields, time, the literals that stay beside them, and possible additions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from designer.document import Spec, effective_value, owner_id
from designer.document.key import (
    AutoIncrement,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    ReverseDomain,
    Segment,
    TimeSegment,
    Transform,
)
from designer.document.table import RowKind
from estimator.facts.buckets import PATTERNS
from estimator.facts.numbers import readable_segment
from estimator.kernels.keys.patterns.time_buckets import segment_seconds

WIDE = ("new_cell", "new_column")
"""Modes in which a row takes many events: the time in its key is a bucket that may be chosen."""


@dataclass(frozen=True)
class Piece:
    """One field, or a form of it, that may stand anywhere in the key, with what goes with it."""

    segment: Segment
    field: str
    beside: tuple[Segment, ...] = ()
    """Texts that follow it, or what shares its primary-key column."""
    added: bool = False
    """It is not in the present key."""


@dataclass(frozen=True)
class Pieces:
    """All of a key."""

    lead: tuple[LiteralSegment, ...]
    """Texts at the beginning, which tell row kinds apart."""
    steady: tuple[Piece, ...]
    time: TimeSegment | None


def pieces_of(spec: Spec, kind: RowKind) -> Pieces:
    """Return the pieces of the present key without hashes; a field that only a hash contains is included."""
    lead: list[LiteralSegment] = []
    steady: list[Piece] = []
    times: list[TimeSegment] = []
    for segment in kind.segments:
        match segment:
            case LiteralSegment() if steady:
                steady[-1] = replace(steady[-1], beside=(*steady[-1].beside, segment))
            case LiteralSegment():
                lead.append(segment)
            case AutoIncrement():
                steady.append(Piece(segment, ""))
            case TimeSegment():
                # A hash of a bucket hides the time; candidates show it and spread otherwise.
                times.append(segment.model_copy(update={"hash": None}))
            case FieldSegment() | DerivedSegment():
                steady.append(Piece(readable_segment(spec, segment), segment.field))
    visible_fields = {piece.field for piece in steady if isinstance(piece.segment, FieldSegment)}
    for segment in kind.segments:
        for hidden in segment.fields if isinstance(segment, HashSegment) else ():
            if hidden not in visible_fields:
                steady.append(Piece(_field_segment(spec, hidden), hidden))
                visible_fields.add(hidden)
    finest = min(times, key=segment_seconds, default=None)
    return Pieces(tuple(lead), tuple(steady), finest and readable_time(finest))


def readable_time(time: TimeSegment) -> TimeSegment:
    """Return the segment with a readable bucket rewritten, where necessary, so that it sorts by time."""
    if not time.pattern or time.bucket not in PATTERNS or _is_sortable(time.pattern):
        return time
    return time.model_copy(update={"pattern": PATTERNS[time.resolution]})


def _is_sortable(pattern: str) -> bool:
    """Year, then ever smaller parts, each once and of one width."""
    order = ("Y", "G", "m", "V", "j", "d", "H", "M", "S", "f")
    parts = [part[:1] for part in pattern.split("%")[1:]]
    places = [order.index(part) if part in order else -1 for part in parts]
    return bool(parts) and parts[0] in "YG" and places == sorted(set(places)) and -1 not in places


def _field_segment(spec: Spec, id: str) -> FieldSegment:  # noqa: A002
    return FieldSegment.model_validate(readable_segment(spec, FieldSegment(id=f"{id[:30]}-shown", field=id)))


def addable_pieces(spec: Spec, kind: RowKind, key_fields: Sequence[str]) -> Iterator[Piece]:
    """Fields that every read knows and every write has, or that the key's fields belong to: they may stand in front."""
    owners = [owner_id(spec, field) for field in key_fields]
    for field in spec.fields:
        if field.id in key_fields or effective_value(spec, field, "personal"):
            continue
        whole = [any(b.field == field.id and b.is_whole for b in read.binds) for read in kind.reads]
        if whole and ((field.id in owners and any(whole)) or (all(whole) and _is_drawn(spec, kind, field.id))):
            yield Piece(_field_segment(spec, field.id), field.id, added=True)


def _is_drawn(spec: Spec, kind: RowKind, field: str) -> bool:
    activities = [spec.find(write.activity) for write in kind.writes if write.activity]
    return bool(activities) and all(any(d.field == field for d in activity.draws) for activity in activities)


def domain_forms(spec: Spec, piece: Piece) -> tuple[Piece, ...]:
    """Return a domain with its labels in natural and in reverse order; any other piece unchanged."""
    segment = piece.segment
    if not isinstance(segment, FieldSegment) or effective_value(spec, spec.find(piece.field), "kind") != "domain":
        return (piece,)
    plain = tuple(t for t in segment.transforms if not isinstance(t, ReverseDomain))
    backwards: tuple[Transform, ...] = (ReverseDomain(), *plain)
    return tuple(replace(piece, segment=segment.model_copy(update={"transforms": t})) for t in (backwards, plain))
