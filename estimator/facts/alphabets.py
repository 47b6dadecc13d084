"""Bytes that a segment's values can contain; a delimiter must not be among them and must sort below."""

from designer.document import Spec, effective_value
from designer.document.encodings import UNRESERVED
from designer.document.field import Enumeration, Field, Pattern, Random, Range
from designer.document.guesses import alphabet
from designer.document.hashes import ALPHABETS, HashForm
from designer.document.key import DerivedSegment, FieldSegment, HashSegment, SaltSegment, Segment, TimeSegment, as_bytes

DELIMITERS = ("#", ",", "!", "|", "~")
"""Delimiters to offer, in this order; `#` and `,` sort below digits and letters, `!` below nearly all."""

_DIGITS = frozenset(b"0123456789")
_HEX = frozenset(b"0123456789abcdef-")
_PERCENT_ENCODED = UNRESERVED | frozenset(b"%")


def value_bytes(spec: Spec, segment: Segment) -> frozenset[int] | None:
    """Every byte that can stand in the segment's values; None where that is not known."""
    if isinstance(segment, HashSegment):
        return _hash_bytes(segment.form)
    if isinstance(segment, TimeSegment) and segment.hash is not None:
        return _hash_bytes(segment.hash_form)
    if isinstance(segment, SaltSegment):
        return _HEX
    if not isinstance(segment, FieldSegment | DerivedSegment):
        return None
    if any(t.kind == "big_endian" for t in segment.transforms):  # raw bytes are any
        return None
    field: Field = spec.find(segment.field)
    alphabet = _field_bytes(spec, field)
    if any(t.kind == "hex" for t in segment.transforms):
        alphabet = _HEX
    if any(t.kind == "percent" for t in segment.transforms):
        alphabet = _PERCENT_ENCODED if alphabet is None or alphabet - UNRESERVED else alphabet
    if alphabet is None or all(t.kind != "case" for t in segment.transforms):
        return alphabet
    text = bytes(sorted(alphabet))
    return alphabet | frozenset(text.lower()) | frozenset(text.upper())


def _hash_bytes(form: HashForm) -> frozenset[int] | None:  # to whichever case it turns them
    if form == "raw":
        return None
    return _HEX if form == "hex" else frozenset(ALPHABETS[form])


def _field_bytes(spec: Spec, field: Field) -> frozenset[int] | None:
    match effective_value(spec, field, "kind"):
        case "uuid":
            return _HEX
        case "integer" | "timestamp":
            return _DIGITS | frozenset(b"-")
        case "boolean":
            return frozenset(b"truefals")
        case "bytes" | "float":
            return None
    values = effective_value(spec, field, "values")
    match values:
        case Enumeration():
            return frozenset("".join(item.value for item in values.items).encode())
        case Pattern():
            head, _, rest = values.text.partition("{")
            return frozenset((head + rest.partition("}")[2]).encode()) | _DIGITS
        case Random():
            return frozenset(alphabet(values.alphabet).encode())
        case Range():
            return _DIGITS | frozenset(b"-")
    return None


def clear_delimiter(spec: Spec, segment: Segment, *, below: bool = False) -> str | None:
    """Return a delimiter that no value contains and, with `below`, that sorts before all of them."""
    alphabet = value_bytes(spec, segment)
    if not alphabet:
        return None
    for delimiter in DELIMITERS:
        byte = as_bytes(delimiter)[0]
        if byte not in alphabet and (not below or byte < min(alphabet)) and delimiter != segment.after:
            return delimiter
    return None
