"""The plain truth: one event rendered to one key, in plain Python, for every kind of segment, value and transform.

Everything faster in this package must give the same bytes; the property tests sort by these.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import assert_never

from designer.document.columnkey import encode_signed, escape
from designer.document.encodings import Descending, Hexadecimal, PercentEncoding, percent_encode
from designer.document.hashes import encode_hash, hash_digest
from designer.document.key import (
    BigEndian,
    Bucket,
    Case,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Offset,
    Part,
    ReverseDigits,
    ReverseDomain,
    SaltSegment,
    Segment,
    TimeSegment,
    Transform,
    Truncate,
    ZeroPad,
    as_bytes,
)

from ..values.shape import Enumeration, Pattern, Random, Range, ValueShape
from ..values.shuffle import mix_bits_of_int
from .clock import time_text
from .layout import EscapedTime, EscapeTransform, IntegerSalt, IntegerTime, SignedTransform

Value = int | bytes
"""A value on its way into a key: a whole number until it has to be text."""


@dataclass(frozen=True)
class Event:
    """Content of one key: the number of each field's value, the time, and the random salts by segment id."""

    numbers: Mapping[str, int]
    time_us: int = 0
    salts: Mapping[str, int] = field(default_factory=dict)


def key(segments: Sequence[Segment], shapes: Mapping[str, ValueShape], event: Event) -> bytes:
    """Return the row key of one event."""
    return b"".join(parts(segments, shapes, event))


def parts(segments: Sequence[Segment], shapes: Mapping[str, ValueShape], event: Event) -> tuple[bytes, ...]:
    """Each segment's bytes with the delimiter behind it."""
    return tuple(segment_text(s, shapes, event) + as_bytes(s.after) for s in segments)


def segment_text(segment: Segment, shapes: Mapping[str, ValueShape], event: Event) -> bytes:
    """One segment's bytes without its delimiter."""
    match segment:
        case LiteralSegment():
            return as_bytes(segment.text)
        case IntegerTime():
            return encode_signed(int(time_text(segment, event.time_us)))
        case EscapedTime():
            return escape(time_text(segment, event.time_us))
        case TimeSegment():
            return time_text(segment, event.time_us)
        case FieldSegment():
            return as_text(apply_transforms(field_value(shapes[segment.field], event), segment.transforms))
        case HashSegment():
            data = _hash_fields(segment.fields, shapes, event) if segment.fields else b"%d" % (event.time_us // 1000)
            return hash_text(segment, data)
        case SaltSegment():
            salt = (
                event.salts[segment.id]
                if not segment.fields
                else salt_number(_hash_fields(segment.fields, shapes, event))
            )
            if isinstance(segment, IntegerSalt):
                return encode_signed(salt % segment.modulo)
            return b"%0*d" % (salt_width(segment), salt % segment.modulo)
        case DerivedSegment():
            shape = shapes[segment.field]
            if isinstance(segment.how, Bucket):
                coarse: Value = counted_number(shape, event) // segment.how.size
            else:
                coarse = text_part(as_text(field_value(shape, event)), segment.how)
            return as_text(apply_transforms(coarse, segment.transforms))
        case _:
            assert_never(segment)


def _hash_fields(fields: Sequence[str], shapes: Mapping[str, ValueShape], event: Event) -> bytes:
    return b"".join(as_text(field_value(shapes[name], event)) for name in fields)


def salt_width(segment: SaltSegment) -> int:
    """Digits of the largest salt."""
    return len(str(segment.modulo - 1))


def field_value(shape: ValueShape, event: Event) -> Value:
    """Return the value of a field in an event; a timestamp is the event's, in milliseconds."""
    if shape.kind == "timestamp" and shape.values is None:
        return event.time_us // 1000
    return value(shape, event.numbers[shape.id])


def value(shape: ValueShape, number: int) -> Value:
    """Value number i of a field."""
    values = shape.values
    match values:
        case Enumeration():
            return values.items[number].value.encode()
        case Range():
            whole = values.min + number
            return repr(float(whole)).encode() if shape.kind == "float" else whole
        case Pattern():
            before, width, after = values.split()
            return f"{before}{values.start + number:0{width}d}{after}".encode()
        case Random():
            return random_bytes(shape, values, number)
        case None:
            return _by_kind(shape, number)
        case _:
            assert_never(values)


def _by_kind(shape: ValueShape, number: int) -> Value:
    if shape.kind == "uuid":
        return uuid_text(shape, number)
    if shape.kind == "boolean":
        return (b"false", b"true")[number % 2]
    if shape.kind == "float":
        return repr(number / 10).encode()
    raise ValueError(f"no values for a field of kind {shape.kind}")


def counted_number(shape: ValueShape, event: Event) -> int:
    """Return the whole number in a value: an integer, a pattern's counter, else the value's number."""
    whole = field_value(shape, event)
    if isinstance(whole, int) or shape.kind == "integer":
        return int(whole)
    return event.numbers[shape.id] + (shape.values.start if isinstance(shape.values, Pattern) else 0)


def letters(values: Random, kind: str) -> tuple[bytes, ...]:
    """Return the characters of random text in UTF-8; for bytes, all 256."""
    if kind == "bytes":
        return tuple(bytes([b]) for b in range(256))
    return tuple(c.encode() for c in values.letters)


def distinct_width(total: int, base: int) -> int:
    """Characters that tell so many values apart."""
    width, reach = 0, 1
    while reach < total and base > 1:
        width, reach = width + 1, reach * base
    return width


@lru_cache(maxsize=256)
def stride(base: int, width: int) -> tuple[int, int]:
    """Modulus and step of the walk that spreads counted values over all texts of a width: near the golden ratio."""
    modulus = base**width
    # Multiples of the golden ratio are spaced most evenly. A step without a common divisor with the modulus visits
    # every text once before it repeats, so the walk is a permutation.
    step = int(modulus * 0.6180339887498949) | 1
    while math.gcd(step, modulus) != 1:
        step += 2
    return modulus, step


def random_length(values: Random, number: int, *, seed: int, least: int) -> int:
    """Return the length of a random text: uniform below and above the typical one, so that the mean holds."""
    low, high = values.min, values.max
    if low < high:
        middle = (low + high) / 2 if values.typical is None else min(max(values.typical, low), high)
        bits = mix_bits_of_int(number, seed)
        coin, place = (bits >> 32) / 2**32, (bits & 0xFFFFFFFF) / 2**32
        # This choice between the halves keeps the mean at the typical length: with 1…10 and 3 typical, 7 of 9 texts
        # are short.
        if coin < (high - middle) / (high - low):
            high = int(middle)
        else:
            low = math.ceil(middle)
        low = low + int(place * (high - low + 1))
    return max(low, min(least, values.max))


def random_bytes(shape: ValueShape, values: Random, number: int) -> bytes:
    """Random text number i: distinct numbers give distinct texts while the alphabet has room for them."""
    chars = letters(values, shape.kind)
    least = distinct_width(shape.total, len(chars))
    length = random_length(values, number, seed=shape.seed, least=least)
    # The alphabet has too few texts of the allowed lengths for so many values, so texts are counted up instead of
    # spread.
    if least > values.max:
        return _shortlex(chars, values.min, number)
    modulus, step = stride(len(chars), least)
    place = (number * step + shape.seed) % modulus
    out = []
    for _ in range(least):
        place, digit = divmod(place, len(chars))
        out.append(chars[digit])
    out.reverse()
    for at in range(least, length):
        out.append(chars[mix_bits_of_int(number, shape.seed + at) % len(chars)])
    return b"".join(out[:length])


def _shortlex(chars: Sequence[bytes], width: int, number: int) -> bytes:
    while number >= len(chars) ** width:
        number -= len(chars) ** width
        width += 1
    out = []
    for _ in range(width):
        number, digit = divmod(number, len(chars))
        out.append(chars[digit])
    return b"".join(reversed(out))


UUID_LEAD = 12
"""Hex digits of a uuid before its version."""


def uuid_text(shape: ValueShape, number: int) -> bytes:
    """Return a random (version 4) UUID of 36 characters; distinct up to 16^12 values."""
    modulus, step = stride(16, UUID_LEAD)
    lead = (number * step + shape.seed) % modulus
    tail = mix_bits_of_int(number, shape.seed)
    more = mix_bits_of_int(number, shape.seed + 1) & 0xFF
    text = f"{lead:012x}4{tail & 0xFFF:03x}{'89ab'[tail >> 12 & 3]}{tail >> 16:012x}{more:03x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}".encode()


def as_text(value: Value) -> bytes:
    """Return a number as decimal text, and text unchanged."""
    return b"%d" % value if isinstance(value, int) else value


def apply_transforms(value: Value, transforms: Sequence[Transform]) -> Value:
    """Return a value after its transforms, applied in order.

    Raises
    ------
    ValueError
        If a transform of numbers meets text that is none, or a number does not fit.
    """
    for transform in transforms:
        value = _apply_transform(value, transform)
    return value


def _apply_transform(value: Value, transform: Transform | SignedTransform | EscapeTransform) -> Value:
    match transform:
        case SignedTransform():
            return encode_signed(int(value))
        case EscapeTransform():
            return escape(as_text(value))
        case ZeroPad():
            return as_text(value).zfill(transform.width)
        case ReverseDigits():
            return as_text(value)[::-1]
        case ReverseDomain():
            return b".".join(reversed(as_text(value).split(b".")))
        case Case():
            text = as_text(value).decode(errors="surrogateescape")
            text = text.lower() if transform.to == "lower" else text.upper()
            return text.encode(errors="surrogateescape")
        case Truncate():
            return as_text(value)[: transform.length]
        case Offset():
            return int(value) + transform.by
        case BigEndian():
            return big_endian(int(value), transform.length)
        case Hexadecimal():
            return f"{int(value):x}".encode().zfill(transform.width)
        case Descending():
            return transform.top - int(value)
        case PercentEncoding():
            return percent_encode(as_text(value))
        case _:
            assert_never(transform)


def big_endian(value: int, length: int) -> bytes:
    """Unsigned big-endian bytes; ValueError if the number does not fit."""
    if not 0 <= value < 1 << 8 * length:
        raise ValueError(f"{value} does not fit into {length} unsigned bytes")
    return value.to_bytes(length, "big")


def text_part(text: bytes, part: Part) -> bytes:
    """Part of a text, in characters."""
    # Parts are counted in characters, and bytes that are not UTF-8 must come back unchanged.
    chars = text.decode(errors="surrogateescape")
    if part.before:
        chars = chars.split(part.before, 1)[0]
    end = None if part.length is None else part.start + part.length
    return chars[part.start : end].encode(errors="surrogateescape")


def hash_text(segment: HashSegment, data: bytes) -> bytes:
    """Return the beginning of a hash of bytes, in the segment's form."""
    return encode_hash(hash_digest(segment.algorithm, data), segment.form)[: segment.digits]


def salt_number(data: bytes) -> int:
    """Return the number that a salt takes modulo: the first eight bytes of the MD5, big-endian."""
    return int.from_bytes(hashlib.md5(data, usedforsecurity=False).digest()[:8], "big")
