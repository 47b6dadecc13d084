"""What messages call things: by their name where they have one, else by their id."""

from typing import Any

from designer.document import Element, Spec
from designer.document.family import Column
from designer.document.key import (
    AutoIncrement,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Resolution,
    SaltSegment,
    Segment,
    TimeSegment,
)
from designer.document.texts import N_, Text
from designer.wording import CHOICES


def resolution_name(resolution: Resolution) -> Text:
    """A time's resolution, or a bucket's length, in words."""
    return Text(CHOICES[resolution])


AGGREGATES = {
    "sum": N_("sum"),
    "min": N_("minimum"),
    "max": N_("maximum"),
    "hll": N_("approximate number of different values"),
}


def aggregate_name(kind: str) -> Text:
    """What an aggregate family keeps, in words."""
    return Text(AGGREGATES[kind])


def called(element: Element) -> str:
    """The element's name, or its id while it has none."""
    return getattr(element, "name", "") or element.id


def column_name(column: Column) -> str:
    """The column's qualifier, or its id where that is made from fields or empty."""
    return shorten(column.qualifier) or column.id


def called_by_id(spec: Spec, id: str) -> str:  # noqa: A002
    """The name of the element with this id, or the id if it is not there."""
    element: Any = spec.by_id.get(id)
    return called(element) if element is not None else id


LONGEST = 40
"""Characters of a text that messages quote."""


def shorten(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def segment_name(spec: Spec, segment: Segment) -> str | Text:
    """What a segment shows: the field's name, the hash or salt of fields, or the literal's text."""
    match segment:
        case LiteralSegment():
            return shorten(segment.text)
        case FieldSegment() | DerivedSegment():
            return called_by_id(spec, segment.field)
        case AutoIncrement():
            return called_by_id(spec, segment.id)
        case TimeSegment():
            return called_by_id(spec, segment.field) if segment.field else Text(N_("time"))
        case HashSegment():
            return f"hash({', '.join(called_by_id(spec, f) for f in segment.fields)})"
        case SaltSegment(fields=()):
            return Text(N_("the random salt"))
        case SaltSegment():
            return f"salt({', '.join(called_by_id(spec, f) for f in segment.fields)})"
