"""Test vectors: values that try the edges of a key's fields, and the bytes that the design makes of them."""

from collections.abc import Mapping, Sequence

from designer.document import Spec, effective_value
from designer.document.field import Enumeration, Field, Pattern, Random, Range
from designer.document.guesses import alphabet
from designer.document.key import (
    Bucket,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    as_bytes,
)
from estimator.kernels.keys.rendering.clock import time_text
from estimator.kernels.keys.rendering.render import (
    Value,
    apply_transforms,
    as_text,
    hash_text,
    salt_number,
    salt_width,
    text_part,
)

from .expressions import KeyParameter

VECTORS = 12
TIMES = (
    1_772_323_199_999_999, 1_772_323_200_000_000, 1_798_761_599_999_000, 1_798_761_600_000_000,
    1_709_164_800_123_456, 1_735_689_599_000_001, 1_798_848_000_500_000,
)  # fmt: skip
"""Ends of months and years, a leap day, and days whose ISO week is of another year. [microseconds since 1970]"""
_TEXTS = ("1", "42", "977", "d0001")
_UUIDS = ("00000000-0000-4000-8000-000000000000", "6fa459ea-ee8a-4ca4-894e-db77e160355e")
Argument = int | str | bytes | bool


def sample_arguments(spec: Spec, parameters: Sequence[KeyParameter]) -> list[tuple[Argument, ...]]:
    """Return the arguments of each vector, in the order of the parameters."""
    columns = [_samples(spec, one) for one in parameters]
    rows = (
        tuple(column[(number * (2 * place + 1) + number // 3) % len(column)] for place, column in enumerate(columns))
        for number in range(VECTORS if columns else 1)
    )
    return list(dict.fromkeys(rows))


def _samples(spec: Spec, parameter: KeyParameter) -> Sequence[Argument]:
    if parameter.type == "time":
        return TIMES
    if parameter.type == "salt":
        return (0, 1, 7, 2**63 + 11)
    if parameter.type == "boolean":
        return (False, True)
    field: Field = spec.find(parameter.id)
    texts = _texts(spec, field, parameter.type)
    return [text.encode() for text in texts if isinstance(text, str)] if parameter.type == "bytes" else texts


def _texts(spec: Spec, field: Field, type_: str) -> Sequence[int | str]:
    match field.values:
        case Enumeration(items=items):
            return [item.value for item in items]
        case Range(min=low, max=high):
            numbers = sorted({low, min(low + 9, high), (low + high) // 2, high})
            return [repr(float(n)) for n in numbers] if field.kind == "float" else numbers
        case Pattern() as pattern:
            before, width, after = pattern.split()
            return [f"{before}{pattern.start + n:0{width}d}{after}" for n in (0, 9, 10, 123_456)]
        case Random() as random:
            letters = alphabet(random.alphabet) or "a"
            lengths = (random.min, min(random.min + 1, random.max), min(random.max, 40))
            return [
                "".join(letters[(n + step) % len(letters)] for n in range(size)) for step, size in enumerate(lengths)
            ]
    if type_ == "integer":
        return [0, 7, 42, 2**53 + 1]
    kind = effective_value(spec, field, "kind")
    return {"float": ["0.5", "-1.25"], "uuid": _UUIDS, "domain": ["maps.google.com", "a.example"]}.get(kind, _TEXTS)


def key_bytes(segments: Sequence[Segment], values: Mapping[str, Argument]) -> bytes:
    """Return the key of these values by the estimator's own functions.

    Raises
    ------
    ValueError
        If a value does not fit the key.
    """
    return b"".join(segment_bytes(one, values) + as_bytes(one.after) for one in segments)


def segment_bytes(segment: Segment, values: Mapping[str, Argument]) -> bytes:
    """Return one segment's bytes of these values, without its delimiter."""
    match segment:
        case LiteralSegment():
            return as_bytes(segment.text)
        case TimeSegment():
            return time_text(segment, int(values[f"time {segment.field or ''}"]))
        case FieldSegment():
            return as_text(apply_transforms(_value(values, segment.field), segment.transforms))
        case HashSegment():
            own = b"%d" % (int(values["time "]) // 1000) if not segment.fields else b""
            return hash_text(segment, own or _join_values(values, segment.fields))
        case SaltSegment():
            number = salt_number(_join_values(values, segment.fields)) if segment.fields else int(values[segment.id])
            return b"%0*d" % (salt_width(segment), number % segment.modulo)
        case DerivedSegment():
            value = _value(values, segment.field)
            if isinstance(segment.how, Bucket):
                coarse: Value = int(values.get(f"counter {segment.field}", value)) // segment.how.size
            else:
                coarse = text_part(as_text(value), segment.how)
            return as_text(apply_transforms(coarse, segment.transforms))
    raise ValueError(segment.kind)


def _join_values(values: Mapping[str, Argument], names: Sequence[str]) -> bytes:
    return b"".join(as_text(_value(values, name)) for name in names)


def _value(values: Mapping[str, Argument], name: str) -> Value:
    if f"time {name}" in values:
        return int(values[f"time {name}"]) // 1000
    value = values[name]
    if isinstance(value, bool):
        return b"true" if value else b"false"
    return value.encode() if isinstance(value, str) else value


def reference_values(
    spec: Spec, parameters: Sequence[KeyParameter], arguments: Sequence[Argument]
) -> Mapping[str, Argument]:
    """Return arguments by what they are of, with the numbers in counted texts."""
    values: dict[str, Argument] = {}
    for one, argument in zip(parameters, arguments, strict=True):
        values[f"time {one.id}" if one.type == "time" else one.id] = argument
        field = spec.find(one.id) if one.id and one.type == "text" else None
        if field is not None and isinstance(field.values, Pattern) and isinstance(argument, str):
            before, _, after = field.values.split()
            if field.kind != "integer":
                values[f"counter {one.id}"] = int(argument[len(before) : len(argument) - len(after)])
    return values
