"""Test vectors: values that try the edges of a key's fields, and the bytes that the design makes of them."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from designer.document import Spec, effective_value
from designer.document.encodings import Descending, Hexadecimal
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
    Transform,
    ZeroPad,
    as_bytes,
)
from estimator.kernels.keys.rendering.clock import plain_time_text, time_text
from estimator.kernels.keys.rendering.render import (
    Value,
    apply_transforms,
    as_text,
    hash_text,
    salt_number,
    salt_width,
    text_part,
)

from .expressions import BEGINNING, KeyParameter, error_name, segment_parameters
from .forms import SegmentForm, key_pattern, segment_forms, stops

VECTORS = 12
TIMES = (
    1_772_323_199_999_999, 1_772_323_200_000_000, 1_798_761_599_999_000, 1_798_761_600_000_000,
    1_709_164_800_123_456, 1_735_689_599_000_001, 1_798_848_000_500_000,
)  # fmt: skip
"""Ends of months and years, a leap day, and days whose ISO week is of another year. [microseconds since 1970]"""
_TEXTS = ("1", "42", "977", "d0001")
_UUIDS = ("00000000-0000-4000-8000-000000000000", "6fa459ea-ee8a-4ca4-894e-db77e160355e")
HOSTILE_TEXTS = ("", "-7", "a b", "9" * 41)
HOSTILE_NUMBERS = (-7, 10**18, 2**63 - 1)
HOSTILE_TIMES = (-1_000_000, 900_000_000_000_000, 253_402_300_800_000_000)
"""Before 1970, in 1998, and in the year 10000. [microseconds since 1970]"""
Argument = int | str | bytes | bool
Held = int | str | bytes
"""Content of a key or of one of its columns."""


@dataclass(frozen=True)
class KeyVectors:
    """Arguments with what is made of them."""

    keys: tuple[tuple[tuple[Argument, ...], tuple[Held, ...]], ...]
    """In the order of the keys, each of its columns."""
    refusals: tuple[tuple[tuple[Argument, ...], str], ...]
    """Arguments of which no key is made, with what the error names first."""
    is_cut: bool
    """Each of the keys is cut as it was made."""


def plan_vectors(
    spec: Spec, columns: Sequence[Sequence[Segment]], parameters: Sequence[KeyParameter],
    holds: Sequence[Callable[[bytes], Held]] = (bytes,),
) -> KeyVectors:  # fmt: skip
    """Return the test vectors of keys, and values that they refuse.

    Parameters
    ----------
    spec
        The design.
    columns
        Segments of the key, or of each of its columns.
    parameters
        What keys are made from.
    holds
        What a column holds of its text; ValueError where it takes none such.
    """
    vectors, refused = [], dict[tuple[Argument, ...], str]()
    formed = [form_segment for column in columns for form_segment in form_segments(spec, column)]
    rows = sample_arguments(spec, parameters)
    for row in [*rows, *_hostile_arguments(spec, columns, parameters, rows[0])]:
        values = reference_values(spec, parameters, row)
        misfit = _find_misfit(spec, formed, values)
        if misfit is not None:
            refused[row] = misfit
        elif row in rows:
            texts = [key_bytes(column, values) for column in columns]
            try:
                vectors.append((row, tuple(hold(text) for hold, text in zip(holds, texts, strict=True))))
            except ValueError:
                continue  # a value that the column does not take
    # In the order of the keys, which the generated test compares with the order in which they are made.
    vectors.sort(key=lambda vector: vector[1])
    is_cut = all(_is_cut(spec, columns, reference_values(spec, parameters, row), contents) for row, contents in vectors)
    return KeyVectors(tuple(vectors), tuple(refused.items()), is_cut)


def _hostile_arguments(
    spec: Spec, columns: Sequence[Sequence[Segment]], parameters: Sequence[KeyParameter], base: Sequence[Argument]
) -> Iterator[tuple[Argument, ...]]:
    """Yield arguments of which one holds a delimiter, or is too long, too large or too small for some keys."""
    delimiters = dict.fromkeys(
        stop for column in columns for segment, stop in zip(column, stops(column), strict=True)
        if stop and segment_parameters(spec, segment)
    )  # fmt: skip
    texts = (*(b"a" + stop + b"b" for stop in delimiters), *(text.encode() for text in HOSTILE_TEXTS))
    for place, parameter in enumerate(parameters):
        hostile: Sequence[Argument] = ()
        match parameter.type:
            case "bytes":
                hostile = texts
            case "text":
                hostile = [text.decode() for text in texts if _is_utf8(text)]
            case "integer":
                hostile = HOSTILE_NUMBERS
            case "time":
                hostile = HOSTILE_TIMES
        yield from ((*base[:place], argument, *base[place + 1 :]) for argument in hostile)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


FormedSegment = tuple[Segment, SegmentForm, bytes]
"""A segment with its form, and what stands behind it."""


def form_segments(spec: Spec, key: Sequence[Segment]) -> list[FormedSegment]:
    """Return the segments of a key with their forms."""
    return list(zip(key, segment_forms(spec, key), stops(key), strict=True))


def _find_misfit(spec: Spec, formed: Iterable[FormedSegment], values: Mapping[str, Argument]) -> str | None:
    """Return what the error on the first segment names that does not take the values; None if all do."""
    misfits = (segment for segment, form, stop in formed if not fits(segment, form, stop, values))
    first = next(misfits, None)
    return None if first is None else error_name(spec, segment_parameters(spec, first))


def fits(segment: Segment, form: SegmentForm, stop: bytes, values: Mapping[str, Argument]) -> bool:
    """Return whether a segment takes the values: its text will be cut as it is made."""
    try:
        text = segment_bytes(segment, values)
        if not _keeps_value(segment, values):
            return False
    except (ValueError, OverflowError):
        return False
    if form.misfit and re.fullmatch(form.pattern.encode("latin-1"), text, re.DOTALL) is None:
        return False
    # With the delimiter behind it, because one that begins inside of the text would be found first.
    return form.is_apart(stop) or not stop or (text + stop).find(stop) == len(text)


def _keeps_value(segment: Segment, values: Mapping[str, Argument]) -> bool:
    """Return whether a segment writes a value in the places that it has for it."""
    match segment:
        case TimeSegment(pattern=""):
            number = int(plain_time_text(
                segment.model_copy(update={"reversed": False, "raw": False, "hash": None}),
                int(values[f"time {segment.field or ''}"]),
            ))  # fmt: skip
            return number >= 0 and not (segment.raw and number >= 2**63)  # raw numbers are read back with a sign
        case FieldSegment() | DerivedSegment():
            value = _first_value(segment, values)
            for transform in segment.transforms:
                if not _keeps_number(value, transform):
                    return False
                value = apply_transforms(value, [transform])
    return True


def _keeps_number(value: Value, transform: Transform) -> bool:
    match transform:
        case ZeroPad(width=width):
            return re.fullmatch(rb"[0-9]{1,%d}" % width, as_text(value)) is not None
        case Hexadecimal(width=width):
            return bool(0 <= int(value) < 16**width)
        case Descending(top=top):
            return int(value) <= top
    return True


def _is_cut(
    spec: Spec, columns: Sequence[Sequence[Segment]], values: Mapping[str, Argument], contents: Sequence[Held]
) -> bool:
    """Return whether the text of each column is cut into the texts of its segments."""
    for column, content in zip(columns, contents, strict=True):
        pattern = key_pattern(spec, column)
        texts = [segment_bytes(segment, values) for segment in column]
        text = content if isinstance(content, bytes) else str(content).encode()
        match = None if pattern is None else re.fullmatch(pattern, text.decode("latin-1"), re.DOTALL)
        if match is None or [group.encode("latin-1") for group in match.groups()] != texts:
            return False
    return True


def sample_arguments(spec: Spec, parameters: Sequence[KeyParameter]) -> list[tuple[Argument, ...]]:
    """Return the arguments of each vector, in the order of the parameters."""
    columns = [_samples(spec, parameter) for parameter in parameters]
    rows = (
        # Each column goes through its values at another pace, so that few rows combine many of them, the same ones each
        # time.
        tuple(column[(number * (2 * place + 1) + number // 3) % len(column)] for place, column in enumerate(columns))
        for number in range(VECTORS if columns else 1)
    )
    return list(dict.fromkeys(rows))


def _samples(spec: Spec, parameter: KeyParameter) -> Sequence[Argument]:
    if parameter.type == "time":
        return TIMES
    if parameter.type == "salt":
        return (0, 1, 7, 2**63 + 11)  # of 64 bits, without a sign
    if parameter.type == "boolean":
        return (False, True)
    field: Field = spec.find(parameter.id)
    texts = _texts(spec, field, parameter.type)
    if parameter.bound == BEGINNING:
        is_domain = effective_value(spec, field, "kind") == "domain"
        texts = [str(text).partition(".")[2] if is_domain else str(text)[: -(-len(str(text)) // 2)] for text in texts]
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
        return [0, 7, 42, 977, 2**53 + 1]  # the last is no double
    kind = effective_value(spec, field, "kind")
    return {"float": ["0.5", "-1.25"], "uuid": _UUIDS, "domain": ["maps.google.com", "a.example"]}.get(kind, _TEXTS)


def key_bytes(segments: Sequence[Segment], values: Mapping[str, Argument]) -> bytes:
    """Return the key of these values by the estimator's own functions.

    Raises
    ------
    ValueError
        If a value does not fit the key.
    """
    return b"".join(segment_bytes(segment, values) + as_bytes(segment.after) for segment in segments)


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
            return as_text(apply_transforms(_first_value(segment, values), segment.transforms))
    raise ValueError(segment.kind)


def _first_value(segment: FieldSegment | DerivedSegment, values: Mapping[str, Argument]) -> Value:
    """Return what the transforms of a segment begin with."""
    value = _value(values, segment.field)
    if isinstance(segment, FieldSegment):
        return value
    if isinstance(segment.how, Bucket):
        return int(values.get(f"counter {segment.field}", value)) // segment.how.size
    return text_part(as_text(value), segment.how)


def _join_values(values: Mapping[str, Argument], names: Sequence[str]) -> bytes:
    return b"".join(as_text(_value(values, name)) for name in names)


def _value(values: Mapping[str, Argument], name: str) -> Value:
    if f"time {name}" in values:
        return int(values[f"time {name}"]) // 1000
    value = values[name]
    # Before whole numbers, as Python counts True among them.
    if isinstance(value, bool):
        return b"true" if value else b"false"
    return value.encode() if isinstance(value, str) else value


def _is_number(text: str) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True


def reference_values(
    spec: Spec, parameters: Sequence[KeyParameter], arguments: Sequence[Argument]
) -> Mapping[str, Argument]:
    """Return arguments by what they are of, with the numbers in counted texts that have one."""
    values: dict[str, Argument] = {}
    for parameter, argument in zip(parameters, arguments, strict=True):
        values[f"time {parameter.id}" if parameter.type == "time" else f"{parameter.bound} {parameter.id}".strip()] = (
            argument
        )
        field = spec.find(parameter.id) if parameter.id and parameter.type == "text" else None
        if field is not None and isinstance(field.values, Pattern) and isinstance(argument, str):
            before, _, after = field.values.split()
            digits = argument.removeprefix(before).removesuffix(after)
            if field.kind != "integer" and argument == f"{before}{digits}{after}" and _is_number(digits):
                values[f"counter {parameter.id}"] = int(digits)
    return values
