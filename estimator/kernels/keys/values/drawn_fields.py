"""Fields that an event draws: those that the keys and qualifiers of its writes are made from."""

from collections.abc import Iterator

from designer.document import Spec, owner_id
from designer.document.field import Enumeration, Field
from designer.document.key import Segment, segment_fields


def has_stated_popularity(field: Field) -> bool:
    """Return whether a person has said how often a field's values are drawn."""
    return field.has_known_skew or isinstance(field.values, Enumeration)


def drawn_fields(spec: Spec, activity_id: str) -> tuple[str, ...]:
    """Return the fields that each event of an activity draws, as keys or qualifiers that its writes make show them."""
    key = ("drawn_fields", activity_id)
    field_ids: tuple[str, ...] | None = spec.result_cache.get(key)
    if field_ids is None:
        names = (name for segment in _written_segments(spec, activity_id) for name in segment_fields(segment))
        field_ids = spec.result_cache[key] = tuple(dict.fromkeys(names))
    return field_ids


def _written_segments(spec: Spec, activity_id: str) -> Iterator[Segment]:
    for table, kind in spec.row_kinds():
        for write in kind.writes:
            if write.activity != activity_id or write.deletes:
                continue
            yield from kind.segments
            column_ids = frozenset(write.columns or kind.columns)
            for family in table.families:
                for column in family.columns:
                    if not column_ids or column.id in column_ids:
                        yield from column.qualifier_from


def owner_chain(spec: Spec, field_id: str) -> tuple[str, ...]:
    """Return a field and the fields that it belongs to, the root first; a circle ends where it closes."""
    chain, owner = [field_id], owner_id(spec, field_id)
    while owner is not None and owner not in chain:
        chain.append(owner)
        owner = owner_id(spec, owner)
    return tuple(reversed(chain))
