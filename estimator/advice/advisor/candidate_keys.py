"""Complete keys put together from the pieces of the present one, the most promising first."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations

from designer.document import Spec, effective_value, write_mode
from designer.document.durations import RESOLUTION_SECONDS, bucket_length_seconds
from designer.document.field import Field
from designer.document.key import (
    AutoIncrement,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Resolution,
    ReverseDigits,
    SaltSegment,
    Segment,
    TimeSegment,
    as_bytes,
)
from designer.document.table import RowKind
from estimator.facts.alphabets import clear_delimiter, value_bytes
from estimator.facts.buckets import PATTERNS
from estimator.facts.hashes import PREFIX_DIGITS

from .key_components import WIDE, Piece, Pieces, addable_pieces, domain_forms, pieces_of

ORDERS = 120
"""Orders of fields that are looked at: all of up to five."""
BUCKETS: tuple[Resolution, ...] = ("hour", "day", "week", "month")
_LEAST_SECONDS, _MOST_SECONDS = RESOLUTION_SECONDS["minute"], RESOLUTION_SECONDS["month"]
"""Buckets of these lengths are cut in another way."""
SALTS = (4, 16, 64)
FRONTS_ENOUGH = 1_000.0
"""Growing ends from which more of them promise nothing."""


@dataclass(frozen=True)
class KeyDraft:
    """A key as segments in order."""

    segments: tuple[Segment, ...]
    columns: tuple[tuple[Segment, ...], ...]
    """The same by primary-key column, on Tablestore."""
    changes: float
    """How much is different: of equal keys the one that changes least is offered."""


def draft_keys(spec: Spec, kind: RowKind, maximum: int, *, salted: bool = True) -> tuple[KeyDraft, ...]:
    """Return at most so many different keys, the most promising first; the present key may be among them.

    Salts are for loads that nothing else spreads: without `salted` there are none.
    """
    drafts: dict[tuple[object, ...], KeyDraft] = {}
    for draft in _drafts(spec, kind, SALTS if salted else ()):
        drafts.setdefault(_content(draft), draft)
    # Rounded, so that the order of drafts decides between equal costs and not the last bit of a logarithm.
    ranked = sorted(
        enumerate(drafts.values()), key=lambda pair: (round(expected_cost(spec, kind, pair[1]), 6), pair[0])
    )
    return tuple(draft for _, draft in ranked[:maximum])


def _content(draft: KeyDraft) -> tuple[object, ...]:
    return tuple(tuple(segment.model_copy(update={"id": "x"}) for segment in column) for column in draft.columns)


def _drafts(spec: Spec, kind: RowKind, salts: Sequence[int]) -> Iterator[KeyDraft]:
    pieces = pieces_of(spec, kind)
    extra = tuple(addable_pieces(spec, kind, [p.field for p in pieces.steady]))[:2]
    sets = [pieces.steady, *(((*pieces.steady, more)) for more in extra)]
    open_ = tuple(p for p in pieces.steady if not _is_personal(spec, p))
    if extra and len(open_) < len(pieces.steady):
        sets.append((*open_, *extra))  # the personal value makes way for what all readers know as well
    for chosen in sets:
        for order in _orders(spec, chosen):
            for time in _times(spec, kind, pieces.time):
                for place in _places(kind, order, time):
                    for draft in _spread_orders(spec, kind, order, time, place, salts):
                        yield _finish_draft(spec, kind, pieces, draft, len(chosen) - len(pieces.steady))


def _is_personal(spec: Spec, piece: Piece) -> bool:
    return bool(piece.field and effective_value(spec, spec.find(piece.field), "personal"))


def _orders(spec: Spec, pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    # All 120 orders of five fields; of six fields the first 120 of 720 keep the first field of the present key.
    for order in islice(permutations(pieces), ORDERS):
        if order and isinstance(order[0].segment, AutoIncrement):
            continue  # the partition key never counts by itself
        ways: list[tuple[Piece, ...]] = [()]
        for piece in order:
            ways = [(*way, form) for way in ways for form in domain_forms(spec, piece)]
        yield from ways


def _times(spec: Spec, kind: RowKind, time: TimeSegment | None) -> tuple[TimeSegment | None, ...]:
    """Forms of the time: newest first where that is meant, other buckets where a row takes many events."""
    wide = bool(kind.writes) and all(write_mode(spec, write) in WIDE for write in kind.writes)
    if time is None:
        if wide and _has_event_cells(spec, kind):
            return (None, *(_bucket(TimeSegment(id="time-bucket"), r) for r in BUCKETS))
        return (None,)
    forms: list[TimeSegment | None] = [time]
    if wide and _LEAST_SECONDS <= bucket_length_seconds(time.bucket) <= _MOST_SECONDS:
        forms += [_bucket(time, r) for r in BUCKETS if r != time.bucket]
    if not kind.key_columns and not time.raw:
        if time.reversed:
            forms.append(time.model_copy(update={"reversed": False, "reverse_from": None}))
        elif any(read.newest_rows for read in kind.reads):
            forms.append(time.model_copy(update={"pattern": "", "reversed": True}))
    return tuple(forms)


def _has_event_cells(spec: Spec, kind: RowKind) -> bool:
    """Return whether a row's cells are events in time; with data in qualifiers a row is a set read as one."""
    table = next(t for t in spec.tables if any(k.id == kind.id for k in t.row_kinds))
    columns = [c for f in table.families for c in f.columns if not kind.columns or c.id in kind.columns]
    return all(isinstance(s, TimeSegment | LiteralSegment) for c in columns for s in c.qualifier_from)


def _bucket(time: TimeSegment, resolution: Resolution) -> TimeSegment:
    pattern = PATTERNS[resolution] if time.pattern or not time.reversed else ""
    return time.model_copy(update={"resolution": resolution, "bucket_seconds": None, "pattern": pattern})


def _places(kind: RowKind, order: Sequence[Piece], time: TimeSegment | None) -> tuple[int, ...]:
    """Return the places for the time: the end, and after exactly the fields a time-range reader knows."""
    if time is None:
        return (0,)
    places = {len(order)}
    for read in kind.reads:
        known_fields = {bind.field for bind in read.binds if bind.is_whole}
        if read.time is not None or read.newest_rows is not None:
            places |= {n for n in range(len(order)) if {p.field for p in order[:n]} == known_fields}
    return tuple(sorted(places, reverse=True))


Order = tuple[Segment | Piece, ...]


def _spread_orders(
    spec: Spec, kind: RowKind, order: tuple[Piece, ...], time: TimeSegment | None, place: int, salts: Sequence[int]
) -> Iterator[Order]:
    """Yield the order as it is, then spread by a leading hash, by reversed digits and over salts."""
    timed: Order = order if time is None else (*order[:place], time, *order[place:])
    yield timed
    if not timed:
        return
    joined = _join_columns(kind, timed)
    if joined is not None:
        yield joined
    first = timed[0]
    if isinstance(first, Piece) and isinstance(first.segment, FieldSegment):
        yield (_hash(first), *timed)
        known_pieces = _known_pieces(kind, order)
        if len(known_pieces) > 1 and known_pieces == order[: len(known_pieces)]:
            yield (_hash(*known_pieces), *timed)
        backwards = _reverse_digits(spec, kind, first)
        if backwards is not None:
            yield (backwards, *timed[1:])
    if time is not None and place < len(order):  # behind few values or none, the time is where all writes go
        behind = order[place]
        for modulo in salts:
            salt = SaltSegment(id="salt", fields=_salt_fields(behind), modulo=modulo)
            yield (*timed[:place], salt, *timed[place:])
    elif kind.key_columns and isinstance(first, Piece) and len(order) > 1:
        second = timed[1]
        if isinstance(second, Piece) and len(_known_pieces(kind, (first, second))) == 2:
            yield (replace(first, beside=(*first.beside, second.segment, *second.beside)), *timed[2:])
        for modulo in salts:
            yield (first, SaltSegment(id="salt", fields=_salt_fields(order[-1]), modulo=modulo), *timed[1:])


def _salt_fields(piece: Piece) -> tuple[str, ...]:
    """Return the field that a salt is computed from, known to full-row readers; none for auto-increment."""
    return (piece.field,) if piece.field else ()


def _join_columns(kind: RowKind, timed: Order) -> Order | None:
    """Return the order with as many parts per primary-key column as now; None where each column has one."""
    spreading = (LiteralSegment, HashSegment, SaltSegment)
    sizes = [sum(not isinstance(s, spreading) for s in column.parts) for column in kind.key_columns]
    if max(sizes, default=1) <= 1 or sum(sizes) > len(timed):
        return None
    pieces: list[Segment | Piece] = []
    rest = list(timed)
    for size in sizes:
        own, rest = rest[:size], rest[size:]
        laid = [segment for part in own for segment in _laid_segments(part)]
        pieces += [Piece(laid[0], getattr(own[0], "field", "") or "", tuple(laid[1:]))] if laid else []
    return (*pieces, *rest)


def _known_pieces(kind: RowKind, order: Sequence[Piece]) -> tuple[Piece, ...]:
    known_fields = [{b.field for b in read.binds if b.is_whole} for read in kind.reads]
    return tuple(p for p in order if known_fields and p.field and all(p.field in fields for fields in known_fields))


def _hash(*pieces: Piece) -> HashSegment:
    return HashSegment(id="hash", fields=tuple(dict.fromkeys(p.field for p in pieces)), digits=PREFIX_DIGITS)


def _reverse_digits(spec: Spec, kind: RowKind, piece: Piece) -> Piece | None:
    """Return the piece with its digits reversed; None unless it is a number that no reader scans in order."""
    field: Field = spec.find(piece.field)
    if effective_value(spec, field, "kind") != "integer" or (not _known_pieces(kind, (piece,)) and kind.reads):
        return None
    now = getattr(piece.segment, "transforms", ())
    return replace(piece, segment=piece.segment.model_copy(update={"transforms": (*now, ReverseDigits())}))


# --- from an order to a key ----------------------------------------------------------------------------------


def _finish_draft(spec: Spec, kind: RowKind, pieces: Pieces, order: Order, added: int) -> KeyDraft:
    """Texts back in their places, a delimiter after each part but the last, and primary-key columns."""
    groups = [list(_laid_segments(part)) for part in order]
    if groups:
        groups[0] = [*pieces.lead, *groups[0]]
    columns = tuple(map(tuple, _columns(order, groups))) if kind.key_columns else (tuple(s for g in groups for s in g),)
    closed = tuple(_delimit(spec, column) for column in columns)
    flat = tuple(segment for column in closed for segment in column)
    return KeyDraft(flat, closed, _changes(kind, flat, added))


def _laid_segments(part: Segment | Piece) -> tuple[Segment, ...]:
    return (part.segment, *part.beside) if isinstance(part, Piece) else (part,)


def _columns(order: Order, groups: Sequence[list[Segment]]) -> Iterator[list[Segment]]:
    """Yield the parts of each column: a hash or salt shares that of what it spreads; four columns at most."""
    columns: list[list[Segment]] = []
    for number, group in enumerate(groups):
        part = order[number]
        joins = number > 0 and (isinstance(order[number - 1], HashSegment) or isinstance(part, SaltSegment))
        if columns and (joins or len(columns) == 4):
            columns[-1] += group
        else:
            columns.append(list(group))
    yield from columns


def _delimit(spec: Spec, segments: Sequence[Segment]) -> tuple[Segment, ...]:
    out: list[Segment] = []
    for number, segment in enumerate(segments):
        last = number == len(segments) - 1
        out.append(segment.model_copy(update={"after": "" if last else _delimiter(spec, segment, first=number == 0)}))
    return tuple(out)


def _delimiter(spec: Spec, segment: Segment, *, first: bool) -> str:
    """Its own where no value contains it and it sorts below them, else the first usual one that is so."""
    used_bytes, own = value_bytes(spec, segment), segment.after
    if isinstance(segment, LiteralSegment) and first:
        return own
    if isinstance(segment, LiteralSegment | TimeSegment):
        return own or "#"
    if isinstance(segment, HashSegment) and own:
        return own
    if used_bytes and own and as_bytes(own)[0] < min(used_bytes):
        return own
    return clear_delimiter(spec, segment.model_copy(update={"after": ""}), below=True) or own or "#"


def _changes(kind: RowKind, segments: Sequence[Segment], added: int) -> float:
    """Parts that stand elsewhere, look different or are new."""
    old = {s.id: (n, s.model_copy(update={"after": ""})) for n, s in enumerate(kind.segments)}
    changed = 0.0
    for number, segment in enumerate(segments):
        place, before = old.get(segment.id, (None, None))
        if isinstance(segment, SaltSegment):
            changed += 1 + math.log2(segment.modulo)
        elif place is None:
            changed += 1.5
        else:
            changed += (0.5 if place != number else 0) + (
                1 if before != segment.model_copy(update={"after": ""}) else 0
            )
    buckets = {s.id: s.bucket for s in kind.segments if isinstance(s, TimeSegment)}
    recut = sum(isinstance(s, TimeSegment) and buckets.get(s.id) != s.bucket for s in segments)
    gone = sum(segment.id not in {s.id for s in segments} for segment in kind.segments)
    return changed + max(added, 0) + recut + 0.5 * gone


# --- which are worth measuring -------------------------------------------------------------------------------


def expected_cost(spec: Spec, kind: RowKind, draft: KeyDraft) -> float:
    """Return the expected cost of a key in powers of ten: scanned rows and missing append points.

    Lower is better. Independence of fields is assumed; the result only decides which keys to measure.
    """
    reading = [_search(spec, read, draft.segments) * _weight(read.rate_per_second) for read in kind.reads]
    weight = sum(_weight(read.rate_per_second) for read in kind.reads)
    fronts, grows = _fronts(spec, draft.segments)
    # A power of ten of missing append points weighs as much as three powers of ten of scanned rows.
    heat = 3 * max(math.log10(FRONTS_ENOUGH / fronts), 0.0) if grows else 0.0
    lead = next((s for s in draft.segments if not isinstance(s, LiteralSegment)), None)
    personal = isinstance(lead, FieldSegment) and bool(effective_value(spec, spec.find(lead.field), "personal"))
    return (sum(reading) / weight if weight else 0.0) + heat + 0.1 * draft.changes + (1.0 if personal else 0.0)


def _weight(rate: float | None) -> float:
    # The fourth root keeps a rare read from being ignored: 10,000 times the rate has 10 times the weight.
    return float(max(1.0 if rate is None else rate, 1e-6) ** 0.25)


def _search(spec: Spec, read: object, segments: Sequence[Segment]) -> float:
    """Powers of ten that are left to go through after the leading parts that the read knows."""
    whole = {b.field for b in read.binds if b.is_whole}  # type: ignore[attr-defined]
    begun = {b.field for b in read.binds if b.prefix}  # type: ignore[attr-defined]
    covered_fields, ranges = set[str](), 0.0
    for segment in segments:
        match segment:
            case LiteralSegment():
                continue
            case FieldSegment() | DerivedSegment() if segment.field in whole:
                covered_fields.add(segment.field)
            case FieldSegment() if segment.field in begun and any(
                t.kind == "reverse_domain" for t in segment.transforms
            ):
                covered_fields.add(segment.field)
                break
            case HashSegment() if set(segment.fields) <= whole:
                continue
            case SaltSegment():
                ranges += 0.0 if segment.fields and set(segment.fields) <= whole else math.log10(segment.modulo)
            # A range of time behind what is known is one scan, and nothing behind it narrows the scan.
            case TimeSegment():
                break
            case _:
                break
    return ranges + sum(math.log10(_distinct(spec, field)) for field in (whole | begun) - covered_fields)


def _distinct(spec: Spec, field: str) -> float:
    return max(float(effective_value(spec, spec.find(field), "distinct") or 1), 1.0)


def _fronts(spec: Spec, segments: Sequence[Segment]) -> tuple[float, bool]:
    """Return the number of values before the first growing part, and whether there is such a part."""
    fronts = 1.0
    for segment in segments:
        match segment:
            case TimeSegment():
                return fronts, True
            case FieldSegment():
                if _is_counter(spec, segment):
                    return fronts, True
                fronts *= _distinct(spec, segment.field)
            case HashSegment():
                fronts *= min(segment.values, math.prod(_distinct(spec, f) for f in segment.fields))
            case SaltSegment():
                fronts *= segment.modulo
    return fronts, False


def _is_counter(spec: Spec, segment: FieldSegment) -> bool:
    field: Field = spec.find(segment.field)
    if not effective_value(spec, field, "growth_per_day") or effective_value(spec, field, "assigned") != "sequential":
        return False
    return not any(isinstance(t, ReverseDigits) for t in segment.transforms)
