"""Segments that depend on no other, where arithmetic can stand in for a table of their values."""

from collections.abc import Sequence
from dataclasses import replace

from designer.document.field import Random
from designer.document.key import FieldSegment, ReverseDigits, Transform
from designer.document.popularity import Latest, Uniform

from ..rendering import render
from ..rendering.digits import Digits, digits_of
from ..values.shape import ValueShape
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
    if new and shape.is_sequential and segment.transforms and isinstance(segment.transforms[-1], ReverseDigits):
        return _letters_backwards(shape, segment.transforms[:-1])
    if segment.transforms:
        return None
    if shape.kind == "uuid" and shape.values is None:
        return uuid_places()
    if isinstance(shape.values, Random) and shape.values.min == shape.values.max:
        letters = letters_of(render.letters(shape.values, shape.kind))
        return (letters,) * shape.values.min if letters else None
    return None


def _letters_backwards(shape: ValueShape, transforms: Sequence[Transform]) -> tuple[bytes, ...] | None:
    """Return the letters of each place of a counter that is written backwards; None where it has no digits to count."""
    result = digits_of(shape, transforms, b"")
    if result is None:
        return None
    digits, scale = result
    low, end = CountedValues("", shape, digits, scale.base + scale.offset, scale.top).full
    if low < 0:
        return None
    first, last = digits.text(low), digits.text(end - 1)
    if len(first) < len(last):  # nearly all numbers have the most digits
        most_digits = len(last) - len(digits.before) - len(digits.after)
        first = digits.text(digits.radix ** (most_digits - 1))
    numerals = bytes(range(256)) if digits.raw_bytes else digits.numerals
    places = [bytes([byte]) for byte in last]
    steady = next((place for place, letter in enumerate(last) if first[place] != letter), len(last))
    # Backwards, the units and tens come first, which run through all digits alike. The slow digits stand last, where
    # they decide little of the order.
    for place in range(steady, len(last) - len(digits.after)):
        places[place] = numerals
    if steady < len(last):
        places[steady] = numerals[numerals.index(first[steady]) : numerals.index(last[steady]) + 1]
    return tuple(reversed(places))


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
    """Return whether no number's text low…high-1 is the beginning of another's."""
    if digits.has_own_end:
        return True
    sizes = {len(digits.text(a)) for a, _ in digits.blocks(low, high) if a >= 0}
    return len(sizes) <= 1 and low >= 0


def uuid_places() -> tuple[bytes, ...]:
    """Return the letters of each place of a version-4 UUID."""
    shape = "xxxxxxxx-xxxx-4xxx-vxxx-xxxxxxxxxxxx"
    return tuple({"x": HEX, "v": b"89ab"}.get(letter, letter.encode()) for letter in shape)
