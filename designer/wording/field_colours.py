"""One colour for each field in the whole design, by number: a key shows which fields it is made of."""

from designer.document import Spec, effective_value
from designer.document.key import DerivedSegment, FieldSegment, HashSegment, SaltSegment, Segment, TimeSegment

TIME_COLOUR = 2
_FIELD_COLOURS = (1, 3, 4, 5, 6, 7)
"""All colours but that of time, in the order of the fields; the seventh field starts over."""


def field_colour(spec: Spec, field: str) -> int:
    """Return the number of a field's colour, from 1, for times that of all times; 0 for no field of the design."""
    colours: dict[str, int] | None = spec.result_cache.get("field_colours")
    if colours is None:
        colours = {
            design_field.id: TIME_COLOUR
            if effective_value(spec, design_field, "kind") == "timestamp"
            else _FIELD_COLOURS[place % len(_FIELD_COLOURS)]
            for place, design_field in enumerate(spec.fields)
        }
        spec.result_cache["field_colours"] = colours
    return colours.get(field, 0)


def segment_colour(spec: Spec, segment: Segment) -> int:
    """Return the number of the colour of a segment's field; 0 for a literal, a random salt, a counter."""
    match segment:
        case FieldSegment() | DerivedSegment():
            return field_colour(spec, segment.field)
        case HashSegment() | SaltSegment():
            if not segment.fields:
                return TIME_COLOUR if isinstance(segment, HashSegment) else 0
            return field_colour(spec, segment.fields[0])
        case TimeSegment():
            return TIME_COLOUR
        case _:
            return 0


def is_derived(segment: Segment) -> bool:
    """Return whether a segment is made from its field and does not hold the field's value."""
    hashed = isinstance(segment, TimeSegment) and segment.hash is not None
    return hashed or isinstance(segment, HashSegment | SaltSegment | DerivedSegment)
