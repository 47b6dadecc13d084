"""Skew that nobody has stated: what rests on a guessed popularity is milder, and says so."""

from designer.document import Spec, effective_value, owner_id
from designer.document.access import Read, Write
from designer.document.activity import Every
from designer.document.field import Field
from designer.document.key import Segment, segment_fields
from designer.document.popularity import Popularity
from designer.document.texts import N_, Text

from .reading import RowKindFacts

GUESS = N_(" This assumes a default distribution for {field}; the design does not specify one.")


def assumed_skew_sentence(
    rows: RowKindFacts, access: Write | Read | None = None, *, before: Segment | None = None
) -> Text | str:
    """Return a sentence for the end of a message, as `assumed_skew_field`; empty if nothing is assumed."""
    field = assumed_skew_field(rows, access, before=before)
    return "" if field is None else Text(GUESS, {"field": field})


def assumed_length_sentence(rows: RowKindFacts, read: Read) -> Text | str:
    """Return a sentence for the end of a message if the lengths of a read's ranges are assumed, else "".

    Ranges are as long as their values are busy, and that is an assumed value.
    """
    accesses: list[Write | Read] = [read, *rows.kind.writes]
    bound = {bind.field for bind in read.binds}
    for field in (field for field in assumed_skew_fields(rows.spec) if field.id in bound):
        if any(_is_assumed(rows.spec, field, access) for access in accesses):
            return Text(GUESS, {"field": field.label})
    return ""


def assumed_skew_field(
    rows: RowKindFacts, access: Write | Read | None = None, *, before: Segment | None = None
) -> str | None:
    """Return a field of the key whose skew is only assumed; None where the design specifies it.

    For one write or read, or for all writes of the row kind; of the full key, or of the segments before one.
    """
    segments = rows.kind.segments
    segments = segments if before is None else segments[: segments.index(before)]
    fields = [rows.spec.find(segment_field) for segment in segments for segment_field in segment_fields(segment)]
    accesses = [access] if access is not None else list(rows.kind.writes)
    unsaid = [field for field in fields if all(_is_assumed(rows.spec, field, request) for request in accesses)]
    skewed = (field for field in unsaid if effective_value(rows.spec, field, "popularity").kind == "zipf")
    return next((field.label for field in skewed), None)


def assumed_skew_fields(spec: Spec) -> tuple[Field, ...]:
    """Fields of keys of which nobody has said, for some write or read, that few values are far busier than others."""
    cached: tuple[Field, ...] | None = spec.result_cache.get("skewed_by_guess")
    if cached is None:
        cached = spec.result_cache["skewed_by_guess"] = _cached_skew_fields(spec)
    return cached


def _cached_skew_fields(spec: Spec) -> tuple[Field, ...]:
    field_ids: set[str] = set()
    for _, kind in spec.row_kinds():
        accesses: list[Write | Read] = [*kind.writes, *kind.reads]
        keyed = {name for segment in kind.segments for name in segment_fields(segment)}
        for field in map(spec.find, keyed):
            if effective_value(spec, field, "popularity").kind == "zipf":
                field_ids |= {field.id for access in accesses if _is_assumed(spec, field, access)}
    return tuple(field for field in spec.fields if field.id in field_ids)


def _is_assumed(spec: Spec, field: Field, access: Write | Read) -> bool:
    """Return True if the field's popularity is an assumed value where this write or read draws it."""
    if spec.has_known_skew(field):
        return False
    laws: list[Popularity | None] = []
    if isinstance(access, Read):
        laws += [bind.popularity for bind in access.binds if bind.field == field.id]
    elif access.activity is not None:
        activity = spec.find(access.activity)
        laws += [draw.popularity for draw in activity.draws if draw.field == field.id]
        if isinstance(activity.arrival, Every) and field.id in _owners(spec, activity.arrival.field):
            return False  # each value acts as often as any other, and its owner as often as it has values
    return all(popularity is None for popularity in laws)


def _owners(spec: Spec, id: str) -> tuple[str, ...]:  # noqa: A002
    """Return the field, its owner, the owner's owner, and so on."""
    owner = owner_id(spec, id)
    return (id, *_owners(spec, owner)) if owner is not None else (id,)
