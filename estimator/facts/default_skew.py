"""Skew that nobody has stated: what rests on a guessed popularity is milder, and says so."""

from designer.document import Spec, assumed, owner_id
from designer.document.access import Read, Write
from designer.document.activity import Every
from designer.document.field import Field
from designer.document.key import Segment, segment_fields
from designer.document.popularity import Popularity
from designer.document.texts import N_, Text

from .reading import Rows

GUESS = N_(" This assumes a default distribution for {field}; the design does not specify one.")


def guessed(rows: Rows, access: Write | Read | None = None, *, before: Segment | None = None) -> Text | str:
    """Return a sentence for the end of a message, as `guessed_skew`; empty if nothing is assumed."""
    field = guessed_skew(rows, access, before=before)
    return "" if field is None else Text(GUESS, {"field": field})


def guessed_length(rows: Rows, asked: Read) -> Text | str:
    """Return a sentence for the end of a message if the lengths of a read's ranges are assumed, else "".

    Ranges are as long as their values are busy, and that is an assumed value.
    """
    accesses: list[Write | Read] = [asked, *rows.kind.writes]
    bound = {bind.field for bind in asked.binds}
    for field in (field for field in skewed_by_guess(rows.spec) if field.id in bound):
        if any(_unsaid(rows.spec, field, access) for access in accesses):
            return Text(GUESS, {"field": field.label})
    return ""


def guessed_skew(rows: Rows, access: Write | Read | None = None, *, before: Segment | None = None) -> str | None:
    """Return a field of the key whose skew is only assumed; None where the design specifies it.

    For one write or read, or for all writes of the row kind; of the full key, or of the segments before one.
    """
    segments = rows.kind.segments
    segments = segments if before is None else segments[: segments.index(before)]
    fields = [rows.spec.find(each) for segment in segments for each in segment_fields(segment)]
    asked = [access] if access is not None else list(rows.kind.writes)
    unsaid = [field for field in fields if all(_unsaid(rows.spec, field, one) for one in asked)]
    skewed = (field for field in unsaid if assumed(rows.spec, field, "popularity").kind == "zipf")
    return next((field.label for field in skewed), None)


def skewed_by_guess(spec: Spec) -> tuple[Field, ...]:
    """Fields of keys of which nobody has said, for some write or read, that few values are far busier than others."""
    held: tuple[Field, ...] | None = spec.remembered.get("skewed_by_guess")
    if held is None:
        held = spec.remembered["skewed_by_guess"] = _skewed_by_guess(spec)
    return held


def _skewed_by_guess(spec: Spec) -> tuple[Field, ...]:
    found: set[str] = set()
    for _, kind in spec.row_kinds():
        accesses: list[Write | Read] = [*kind.writes, *kind.reads]
        keyed = {name for segment in kind.segments for name in segment_fields(segment)}
        for field in map(spec.find, keyed):
            if assumed(spec, field, "popularity").kind == "zipf":
                found |= {field.id for access in accesses if _unsaid(spec, field, access)}
    return tuple(field for field in spec.fields if field.id in found)


def _unsaid(spec: Spec, field: Field, access: Write | Read) -> bool:
    """Return True if the field's popularity is an assumed value where this write or read draws it."""
    said: list[Popularity | None] = [field.popularity]
    if isinstance(access, Read):
        said += [bind.popularity for bind in access.binds if bind.field == field.id]
    elif access.activity is not None:
        activity = spec.find(access.activity)
        said += [draw.popularity for draw in activity.draws if draw.field == field.id]
        if isinstance(activity.arrival, Every) and field.id in _owners(spec, activity.arrival.field):
            return False  # each value acts as often as any other, and its owner as often as it has values
    return all(popularity is None for popularity in said)


def _owners(spec: Spec, id: str) -> tuple[str, ...]:  # noqa: A002
    """Return the field, its owner, the owner's owner, and so on."""
    owner = owner_id(spec, id)
    return (id, *_owners(spec, owner)) if owner is not None else (id,)
