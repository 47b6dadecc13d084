"""Segments that depend on no other, where arithmetic can stand in for a table of their values."""

from dataclasses import replace

from designer.document.field import Random
from designer.document.key import FieldSegment, ReverseDigits, ZeroPad
from designer.document.popularity import Latest, Uniform

from ..rendering import render
from ..rendering.digits import Digits, digits_of
from .inputs import KeyInputs, fields_of
from .uniform import HEX, CountedValues, letters_of


def letters_for(inputs: KeyInputs, segment: FieldSegment) -> tuple[bytes, ...] | None:
    """Return the letters of each place if all texts of such letters are equally likely, else None."""
    shape = inputs.fields[segment.field]
    new = segment.field in inputs.per_event
    even = shape.popularity.kind == "uniform" and segment.field not in inputs.drawn_unevenly
    # Few values fit a table, which is exact. Uneven values need it, because letters are drawn evenly.
    if not new and (shape.total <= inputs.ids_max or not even):
        return None
    if not _is_sole_use(inputs, segment):
        return None
    # A counter written backwards begins with its units and tens, which run through all digits alike. The slow digits
    # stand last, where they decide little of the order.
    if new and shape.is_sequential and segment.transforms and isinstance(segment.transforms[-1], ReverseDigits):
        first = segment.transforms[0]
        width = first.width if isinstance(first, ZeroPad) else len(str(shape.total))
        return (b"0123456789",) * width
    if segment.transforms:
        return None
    if shape.kind == "uuid" and shape.values is None:
        return uuid_places()
    if isinstance(shape.values, Random) and shape.values.min == shape.values.max:
        letters = letters_of(render.letters(shape.values, shape.kind))
        return (letters,) * shape.values.min if letters else None
    return None


def counter_for(inputs: KeyInputs, segment: FieldSegment, after: bytes) -> CountedValues | None:
    """Numbers that are counted instead of listed, where they are too many for a table or new with every event."""
    shape = inputs.fields[segment.field]
    new = segment.field in inputs.per_event
    # Only even and by-age distributions are functions of the number itself. Zipf ranks are shuffled over the numbers,
    # so a range of numbers has no closed sum.
    by_number = isinstance(shape.popularity, Uniform | Latest) and segment.field not in inputs.drawn_unevenly
    if not (new or (shape.total > inputs.ids_max and by_number)):
        return None
    result = digits_of(shape, segment.transforms, after) if _is_sole_use(inputs, segment) else None
    if result is None:
        return None
    digits, scale = result
    counter = CountedValues(segment.id, shape, digits, scale.base + scale.offset, scale.top)
    return replace(counter, prefix_free=has_prefix_free_digits(digits, *counter.full))


def _is_sole_use(inputs: KeyInputs, segment: FieldSegment) -> bool:
    """Return True if the field decides nothing else in the key and follows no owner."""
    uses = sum(segment.field in fields_of(other) for other in inputs.segments)
    return uses == 1 and (inputs.is_new(segment.field) or inputs.fields[segment.field].owner is None)


def has_prefix_free_digits(digits: Digits, low: int, high: int) -> bool:
    """No number's text low…high-1 is the beginning of another's."""
    if digits.has_own_end:
        return True
    sizes = {len(digits.text(a)) for a, _ in digits.blocks(low, high) if a >= 0}
    return len(sizes) <= 1 and low >= 0


def uuid_places() -> tuple[bytes, ...]:
    """Return the letters of each place of a version-4 UUID."""
    shape = "xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx"
    return tuple({"x": HEX, "v": b"89ab"}.get(letter, letter.encode()) for letter in shape)
