"""Row keys, and what each of their segments is."""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.document import Spec
from designer.document.encodings import Descending, Hexadecimal, PercentEncoding
from designer.document.family import Column
from designer.document.hashes import HashForm
from designer.document.key import (  # fmt: skip
    AutoIncrement,
    Case,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Offset,
    ReverseDigits,
    ReverseDomain,
    SaltSegment,
    Segment,
    TimeSegment,
    Transform,
    Truncate,
    ZeroPad,
)
from designer.document.keytext import render_columns, render_key
from designer.document.table import RowKind
from designer.document.texts import N_, Text

from .field_colours import is_derived, segment_colour
from .names import segment_source


@dataclass(frozen=True)
class Chip:
    """One key segment as it is shown: its colour, its short text form, what follows it, and what it is."""

    id: str
    colour_class: str
    literal: bool
    form: str
    after: str
    what: tuple[Text, ...]
    is_hashed_bucket: bool = False
    """It gives each bucket of time a place of its own."""
    is_reversed: bool = False
    """Larger values sort first, as of `time:rev`."""


def key_chips(spec: Spec, segments: tuple[Segment, ...]) -> tuple[Chip, ...]:
    """Return the segments of a key in order."""
    return tuple(
        Chip(
            segment.id,
            colour_class(spec, segment),
            isinstance(segment, LiteralSegment),
            _form(spec, segment),
            segment.after,
            _what(spec, segment),
            isinstance(segment, TimeSegment) and segment.hash is not None,
            _is_reversed(segment),
        )
        for segment in segments
    )


def _is_reversed(segment: Segment) -> bool:
    if isinstance(segment, FieldSegment):
        return any(isinstance(transform, Descending) for transform in segment.transforms)
    return isinstance(segment, TimeSegment) and segment.reversed


def colour_class(spec: Spec, segment: Segment) -> str:
    """Return the style classes of a segment: those of its field's colour."""
    return f"field-{segment_colour(spec, segment)}{' is-derived' if is_derived(segment) else ''}"


def key_text(spec: Spec, segments: tuple[Segment, ...]) -> str:
    """Return a key in one line: `{tenant}#{device:pad6}#{time:day}`."""
    return render_key(spec, segments)


def key_of(spec: Spec, kind: RowKind) -> str:
    """Return a row kind's key in one line.

    Primary-key columns have the form `{tenant} | [day INTEGER] {time:day}`.
    """
    if kind.key_columns and not kind.key:
        return render_columns(spec, kind.key_columns)
    return render_key(spec, kind.key)


def _form(spec: Spec, segment: Segment) -> str:
    if isinstance(segment, LiteralSegment):
        return segment.text
    if isinstance(segment, AutoIncrement):
        return "auto"
    text = _text_of(spec, segment)
    if not isinstance(segment, FieldSegment) or not text.startswith("field("):
        return text
    # In a key's text a name of other letters is written `field("…")`; a chip needs no quotes to tell where it ends.
    written_name = _text_of(spec, segment.model_copy(update={"transforms": ()}))
    name: str = spec.find(segment.field).label
    return name + text[len(written_name) :]


def _text_of(spec: Spec, segment: Segment) -> str:
    return render_key(spec, (segment.model_copy(update={"after": ""}),))[1:-1]


HASHES: Mapping[HashForm, str] = {
    "hex": N_("the first {digits} hex digits of {algorithm} of {field}"),
    "base64": N_("the first {digits} characters of {algorithm} of {field} in base64"),
    "base64url": N_("the first {digits} characters of {algorithm} of {field} in base64url"),
    "raw": N_("the first {digits} bytes of {algorithm} of {field}, as raw bytes"),
}


HASHES_OF_IT: Mapping[HashForm, str] = {
    "hex": N_("of which the first {digits} hex digits of {algorithm}"),
    "base64": N_("of which the first {digits} characters of {algorithm} in base64"),
    "base64url": N_("of which the first {digits} characters of {algorithm} in base64url"),
    "raw": N_("of which the first {digits} bytes of {algorithm}, as raw bytes"),
}


def _what(spec: Spec, segment: Segment) -> tuple[Text, ...]:
    field = {"field": segment_source(spec, segment)}
    match segment:
        case LiteralSegment():
            return (Text(N_("the same text in every key")),)
        case FieldSegment():
            return (Text(N_("the value of {field}"), field), *map(transform_words, segment.transforms))
        case DerivedSegment():
            first = (
                Text(N_("{field} divided by {size}"), field | {"size": segment.how.size})
                if segment.how.kind == "bucket"
                else Text(N_("part of {field}"), field)
            )
            return (first, *map(transform_words, segment.transforms))
        case AutoIncrement():
            return (Text(N_("an auto-increment number")),)
        case TimeSegment():
            parts = [_time_words(segment)]
            if segment.reversed:
                date = N_("newest first, each digit d as 9 − d")
                parts.append(Text(date if segment.pattern else N_("newest first")))
            if segment.raw:
                parts.append(Text(N_("as 8 raw bytes")))
            if segment.hash is not None:
                hashed = {"digits": segment.hash_digits, "algorithm": segment.hash}
                parts.append(Text(HASHES_OF_IT[segment.hash_form], hashed))
            return tuple(parts)
        case HashSegment():
            params = field | {"digits": segment.digits, "algorithm": segment.algorithm}
            return (Text(HASHES[segment.form], params),)
        case SaltSegment():
            if not segment.fields:
                return (Text(N_("a random number below {modulo}"), {"modulo": segment.modulo}),)
            return (Text(N_("hash of {field}, modulo {modulo}"), field | {"modulo": segment.modulo}),)


def _time_words(segment: TimeSegment) -> Text:
    if segment.bucket_seconds is None:
        return Text(TIMES[segment.resolution])
    return Text(N_("the time, in buckets of {bucket_seconds}"), {"bucket_seconds": segment.bucket_seconds})


TIMES: Mapping[str, str] = {
    "microsecond": N_("the time, to the microsecond"),
    "millisecond": N_("the time, to the millisecond"),
    "second": N_("the time, to the second"),
    "minute": N_("the minute"),
    "hour": N_("the hour"),
    "day": N_("the day"),
    "week": N_("the week"),
    "month": N_("the month"),
    "year": N_("the year"),
}


def transform_words(transform: Transform) -> Text:
    """Return the effect of a transform on a value, in words."""
    match transform:
        case ZeroPad():
            return Text(N_("zero-padded to {width} digits"), {"width": transform.width})
        case ReverseDigits():
            return Text(N_("reversed"))
        case ReverseDomain():
            return Text(N_("labels reversed"))
        case Case():
            return Text(N_("in lower case")) if transform.to == "lower" else Text(N_("in upper case"))
        case Truncate():
            return Text(N_("its first {length_bytes}"), {"length_bytes": transform.length})
        case Offset():
            return Text(N_("plus {by}"), {"by": transform.by})
        case Hexadecimal():
            return Text(N_("as {width} hexadecimal digits"), {"width": transform.width})
        case Descending():
            return Text(N_("subtracted from {top}"), {"top": str(transform.top)})
        case PercentEncoding():
            return Text(N_("percent-encoded"))
        case _:
            return Text(N_("as raw big-endian bytes"))


def qualifier_of(spec: Spec, column: Column) -> str:
    """Return the qualifier, or the pattern that generates it."""
    return column.qualifier or key_text(spec, column.qualifier_from)
