"""The longest texts that segments can render: what limits are held against, where `cells.py` says the mean."""

from designer.document import Spec, effective_value
from designer.document.durations import MONTH_DAYS
from designer.document.family import Column
from designer.document.field import Enumeration, Field, Pattern, Random, Range, alphabet
from designer.document.key import DerivedSegment, FieldSegment, Part, Segment, as_bytes

from .cells import field_bytes, rendered_values, reserved_share, segment_bytes, transformed_bytes


def qualifier_bytes_max(spec: Spec, column: Column) -> float:
    """Return the longest qualifier that a column can have by the end of the horizon, in bytes."""
    if not column.qualifier_from:
        return float(len(as_bytes(column.qualifier)))
    return sum(segment_bytes_max(spec, segment) for segment in column.qualifier_from)


def segment_bytes_max(spec: Spec, segment: Segment) -> float:
    """Return the most bytes of a segment with its delimiter; times, hashes, salts and literals are fixed."""
    if not isinstance(segment, FieldSegment | DerivedSegment):
        return segment_bytes(spec, segment)
    longest = field_bytes_max(spec, spec.find(segment.field))
    if isinstance(segment, DerivedSegment) and isinstance(segment.how, Part) and segment.how.length:
        longest = min(longest, float(segment.how.length))
    reserved = float(reserved_share(spec, spec.find(segment.field)) > 0)  # one value may have such bytes alone
    return transformed_bytes(longest, segment.transforms, reserved) + len(as_bytes(segment.after))


def field_bytes_max(spec: Spec, field: Field) -> float:
    """Return the most bytes of a field's value by the end of the horizon."""
    match values := rendered_values(spec, field):
        case Enumeration():
            return float(max(len(item.value.encode()) for item in values.items))
        case Pattern():
            days = float(effective_value(spec, spec, "horizon_months")) * MONTH_DAYS
            grown = float(effective_value(spec, field, "growth_per_day") or 0) * days
            last = values.start + int(effective_value(spec, field, "distinct")) + int(grown) - 1
            before, padded, after = values.split()
            return float(len(before.encode()) + max(len(str(last)), padded) + len(after.encode()))
        case Random():
            widest = max((len(letter.encode()) for letter in alphabet(values.alphabet)), default=1)
            return float(values.max * (1 if effective_value(spec, field, "kind") == "bytes" else widest))
        case Range():
            return float(max(len(str(values.min)), len(str(values.max))))
    return 5.0 if effective_value(spec, field, "kind") == "boolean" else field_bytes(spec, field)
