"""Segments → text."""

import re
from collections.abc import Iterator, Sequence

from ..design import Spec
from ..encodings import Descending, Hexadecimal, PercentEncoding
from ..guesses import effective_value
from ..key import (
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
)

LENGTHS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
"""Units of the lengths of buckets. [s]"""

RESERVED = ("time", "field", "hash", "salt", "bucket", "part")
"""Words that mean more than a field of that name."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def render_key(spec: Spec, segments: Sequence[Segment]) -> str:
    """Return the text form of segments."""
    parts = [_render_segment(spec, segment, first=place == 0) for place, segment in enumerate(segments)]
    # The dollars of the last segment are followed by no brace and stay as they are.
    return "".join([*map(_double_dollars, parts[:-1]), *parts[-1:]])


def _double_dollars(part: str) -> str:
    """Return the text of a segment with the dollars at its end doubled: one before a brace belongs to the brace."""
    return part + "$" * (len(part) - len(part.rstrip("$")))


def _render_segment(spec: Spec, segment: Segment, *, first: bool) -> str:
    after = _escape_braces(segment.after)
    if isinstance(segment, LiteralSegment):
        # Bare text is split into literal and delimiter when it is read: it is only written so if that gives the same
        # parts.
        if first and _splits_alike(segment):
            return _escape_braces(segment.text) + after
        return "{" + _quote(segment.text) + "}" + after
    return "{" + ":".join(_words(spec, segment)) + "}" + after


def split_literal(text: str) -> tuple[str, str]:
    """Split a leading text into literal and delimiter.

    The delimiter is the punctuation at its end, unless the text is nothing else.
    """
    size = len(text)
    while size and not text[size - 1].isalnum():
        size -= 1
    return (text[:size], text[size:]) if size else (text, "")


def _splits_alike(segment: LiteralSegment) -> bool:
    whole = segment.text + segment.after
    return split_literal(whole) == (segment.text, segment.after) and whole != ""


def _words(spec: Spec, segment: Segment) -> Iterator[str]:
    match segment:
        case FieldSegment():
            yield _field_word(spec, segment.field)
            yield from map(_transform_word, segment.transforms)
        case TimeSegment(hash=str(algorithm)):
            time = ":".join((_hashed_time_word(spec, segment.field), *_time_options(segment)))
            yield f"hash({time})"
            yield from _hash_options(algorithm, segment.hash_form, segment.hash_digits)
        case TimeSegment():
            yield _time_word(spec, segment.field)
            yield from _time_options(segment)
        case HashSegment():
            yield f"hash({','.join(_name(spec, f) for f in segment.fields) or _own_time(spec)})"
            yield from _hash_options(segment.algorithm, segment.form, segment.digits)
        case SaltSegment():
            yield f"salt({','.join(_name(spec, f) for f in segment.fields)})"
            yield str(segment.modulo)
        case DerivedSegment(how=Bucket() as how):
            yield f"bucket({_name(spec, segment.field)},{how.size})"
            yield from map(_transform_word, segment.transforms)
        case DerivedSegment(how=Part() as how):
            # A start of 0 is what reading assumes, so it is not written.
            settings = (("start", how.start or None), ("length", how.length), ("before", how.before or None))
            options = [f"{k}={_quote(v) if isinstance(v, str) else v}" for k, v in settings if v is not None]
            yield f"part({','.join([_name(spec, segment.field), *options])})"
            yield from map(_transform_word, segment.transforms)


def _hashed_time_word(spec: Spec, field: str | None) -> str:
    name = "time" if field is None else _name(spec, field)
    return _quote(name) if field is not None and name == "time" else name


def _own_time(spec: Spec) -> str:
    """Return what a hash calls the time of the event, where no field is called so."""
    return "time:millisecond" if any("time" in (field.id, field.name) for field in spec.fields) else "time"


def _hash_options(algorithm: str, form: str, digits: int) -> Iterator[str]:
    yield from () if algorithm == "md5" else (algorithm,)
    yield from () if form == "hex" else (form,)
    yield from () if digits == 4 else (str(digits),)


def _time_options(segment: TimeSegment) -> Iterator[str]:
    # What reading assumes is not written: of a count of microseconds, that they are known.
    assumed = "microsecond" if segment.unit == "us" and segment.bucket_seconds is None else "millisecond"
    if segment.resolution != assumed:
        yield segment.resolution
    if segment.bucket_seconds is not None:
        yield f"bucket={length_text(segment.bucket_seconds)}"
    if segment.pattern:
        yield _quote(segment.pattern)
    if segment.unit != "ms":
        yield f"unit={segment.unit}"
    if segment.reversed:
        yield "rev"
    elif segment.reverse_from is not None:
        # "from" alone is read as reversed, so that the other order must be said.
        yield "asc"
    if segment.reverse_from is not None:
        yield f"from={segment.reverse_from}"
    if segment.raw:
        yield "raw"


def length_text(seconds: int) -> str:
    """Return a length of time in the largest unit of which it is a multiple: `5m`, `10d`."""
    # From days down to seconds, of which every whole number is a multiple.
    word = next(word for word, size in LENGTHS.items() if seconds % size == 0)
    return f"{seconds // LENGTHS[word]}{word}"


def _transform_word(transform: Transform) -> str:
    match transform:
        case ZeroPad():
            return f"pad{transform.width}"
        case ReverseDigits():
            return "reverse"
        case ReverseDomain():
            return "domain"
        case Case():
            return transform.to
        case Truncate():
            return f"first{transform.length}"
        case Offset():
            return f"plus{transform.by}" if transform.by >= 0 else f"minus{-transform.by}"
        case BigEndian():
            return f"bytes{transform.length}"
        case Hexadecimal():
            return f"hex{transform.width}"
        case Descending():
            return f"from={transform.top}"
        case PercentEncoding():
            return "percent"


def _field_word(spec: Spec, field: str) -> str:
    name = _name(spec, field)
    # Bare, a name of a function would be read as the function, and a time as a time segment.
    plain = _WORD.fullmatch(name) and name not in RESERVED and not _is_time(spec, field)
    return name if plain else f"field({name})"


def _time_word(spec: Spec, field: str | None) -> str:
    if field is None:
        return "time"
    name = _name(spec, field)
    return name if _WORD.fullmatch(name) and name not in RESERVED and _is_time(spec, field) else f"time({name})"


def _is_time(spec: Spec, field: str) -> bool:
    return bool(effective_value(spec, spec.find(field), "kind") == "timestamp")


def _name(spec: Spec, field: str) -> str:
    """Return the field's name if it is unambiguous, else its id."""
    name = spec.find(field).name
    # A name that is another field's id would be read as that field, since ids go before names.
    alone = name and [f.id for f in spec.fields if name in (f.name, f.id)] == [field]
    if not alone:
        return field
    return name if _WORD.fullmatch(name) else _quote(name)


def _quote(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _escape_braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
