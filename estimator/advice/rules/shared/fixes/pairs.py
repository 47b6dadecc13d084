"""A field of its own for the values that go with one owner."""

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.dump import to_plain_data
from designer.document.edits import Insert
from designer.document.field import FanOut, Field
from designer.document.key import FieldSegment, HashSegment, SaltSegment
from designer.document.popularity import Weights, Zipf
from estimator.facts.unlimited_rows import OpenPair

from ..edits import Edit, all_of, change
from .segments import free_id


def relate(pair: OpenPair, number: int) -> Edit:
    """Build a field of the members of one owner, so many for each, in place of the member in a row kind."""
    rows, spec, owner, member = pair.rows, pair.rows.spec, pair.owner, pair.member
    grown = None if owner.growth_per_day is None else owner.growth_per_day * number
    name, distinct = f"{member.label}_of_{owner.label}", int(effective_value(spec, owner, "distinct")) * number
    # A range of numbers that has fewer values than the new field needs would not be valid.
    has_room = member.capacity is None or member.capacity >= distinct
    field = Field(
        id=free_id(spec, f"{member.id}_of_{owner.id}"[:36]),
        name=name,
        kind=effective_value(spec, member, "kind"),
        values=member.values if has_room else None,
        distinct=distinct,
        growth_per_day=grown,
        belongs_to=owner.id,
        fan_out=_fan_out(spec, owner),
        personal=member.personal,
    )
    edits: list[Edit] = [Insert(parent="", list="fields", element=to_plain_data(field))]
    for segment in rows.kind.segments if pair.column is None else pair.column.qualifier_from:
        if isinstance(segment, FieldSegment) and segment.field == member.id:
            edits.append(change(segment, "field", field.id))
        elif isinstance(segment, HashSegment | SaltSegment) and member.id in segment.fields:
            edits.append(change(segment, "fields", _replace_id(segment.fields, member.id, field.id)))
    edits += [_rebind(read, member.id, field.id) for read in rows.kind.reads if member.id in _bound(read)]
    return all_of(edits)


def _fan_out(spec: Spec, owner: Field) -> FanOut | None:
    """Return that who is said to be busy meets more values, in proportion."""
    law = effective_value(spec, owner, "popularity")
    return FanOut(law=law) if spec.has_known_skew(owner) and isinstance(law, Zipf | Weights) else None


def _bound(read: Read) -> tuple[str, ...]:
    return tuple(bind.field for bind in read.binds)


def _replace_id(ids: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    return tuple(new if id_ == old else id_ for id_ in ids)


def _rebind(read: Read, old: str, new: str) -> Edit:
    binds = tuple(bind.model_copy(update={"field": new}) if bind.field == old else bind for bind in read.binds)
    return change(read, "binds", binds)
