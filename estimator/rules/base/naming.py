"""What messages call things: by their name where they have one, else by their id."""

from typing import Any

from designer.spec import Element, Spec
from designer.spec.key import (
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    Segment,
    TimeSegment,
)


def called(element: Element) -> str:
    """The element's name, or its id while it has none."""
    return getattr(element, "name", "") or element.id


def called_by_id(spec: Spec, id: str) -> str:  # noqa: A002
    """The name of the element with this id, or the id if it is not there."""
    element: Any = spec.by_id.get(id)
    return called(element) if element is not None else id


def segment_name(spec: Spec, segment: Segment) -> str:
    """What a segment shows: the field's name, the hash or salt of fields, or the literal's text."""
    match segment:
        case LiteralSegment():
            return segment.text
        case FieldSegment() | DerivedSegment():
            return called_by_id(spec, segment.field)
        case TimeSegment():
            return called_by_id(spec, segment.field) if segment.field else "time"
        case HashSegment():
            return f"hash({', '.join(called_by_id(spec, f) for f in segment.fields)})"
        case SaltSegment():
            return f"salt({', '.join(called_by_id(spec, f) for f in segment.fields)})"
