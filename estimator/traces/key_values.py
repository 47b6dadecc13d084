"""Field values and times taken from the keys of a log, and put into other keys: true bytes, one key at a time."""

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes
from zlib import crc32

from designer.document import Spec, effective_value
from designer.document.durations import RESOLUTION_SECONDS
from designer.document.encodings import Descending, Hexadecimal, PercentEncoding
from designer.document.key import (
    BigEndian,
    Bucket,
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
    as_bytes,
    complement_digits,
    segment_fields,
)
from designer.document.texts import N_
from designer.imports.keys import key_regex
from designer.wording import element_label
from estimator.kernels.keys.patterns.times import segment_bucket, segment_seconds
from estimator.kernels.keys.rendering.clock import DAY_US, FIXED_US, bucket_us, time_of_number, time_text
from estimator.kernels.keys.rendering.render import (
    Value,
    apply_transforms,
    as_text,
    hash_text,
    salt_number,
    salt_width,
    text_part,
)


class ReplayError(ValueError):
    """Requests that cannot be replayed: a sentence; `message` and `params` are for translation."""

    def __init__(self, message: str, **params: Any) -> None:
        self.message, self.params = message, params
        super().__init__(message.format(**params))


@dataclass(frozen=True)
class KeyValues:
    """What a key holds: values of fields, and the start of the time's bucket. [µs since 1970]"""

    fields: Mapping[str, Value]
    time_us: int | None


class KeyParser:
    """Takes keys of one pattern apart."""

    def __init__(self, spec: Spec, segments: Sequence[Segment]) -> None:
        self._regex = key_regex(spec, segments)
        self._readers: list[tuple[int, str, Callable[[bytes], Value]]] = []
        self._times: list[tuple[int, TimeSegment]] = []
        self.cut_fields: dict[str, tuple[Transform, ...]] = {}
        """Fields of which the keys hold a part, with the transforms that leave it."""
        for place, segment in enumerate(segments, 1):
            if isinstance(segment, FieldSegment):
                is_number = effective_value(spec, spec.find(segment.field), "kind") == "integer"
                self._readers.append((place, segment.field, _inverse(segment.transforms, is_number=is_number)))
                if any(_loses(transform, is_number=is_number) for transform in segment.transforms):
                    self.cut_fields[segment.field] = segment.transforms
            elif isinstance(segment, TimeSegment):
                self._times.append((place, segment))
        self._times.sort(key=lambda each: segment_seconds(each[1]))

    @property
    def fields(self) -> frozenset[str]:
        """Fields whose values the keys hold."""
        return frozenset(field for _, field, _ in self._readers)

    @property
    def time_bucket(self) -> str | None:
        """Buckets of the finest time in the keys, as `TimeSegment.bucket`; None if they hold none."""
        return segment_bucket(self._times[0][1]) if self._times else None

    def parse(self, key: bytes) -> KeyValues | None:
        """Return what a key holds; None if it has another pattern."""
        match = self._regex.fullmatch(key.decode("latin-1"))
        if match is None:
            return None
        try:
            fields = {field: read(match[place].encode("latin-1")) for place, field, read in self._readers}
            time = self._times[0] if self._times else None
            time_us = None if time is None else _read_time(time[1], match[time[0]])
        except (ValueError, OverflowError):
            return None
        return KeyValues(fields, time_us)


class KeyWriter:
    """Makes keys of one pattern.

    Raises
    ------
    ReplayError
        If the keys that values are taken from do not hold what these keys need.
    """

    def __init__(self, spec: Spec, segments: Sequence[Segment], source: KeyParser) -> None:
        self._parts = [(segment, as_bytes(segment.after)) for segment in segments]
        times = [segment for segment in segments if isinstance(segment, TimeSegment)]
        held = source.time_bucket
        self.needs_event_time = any(held is None or not _lies_within(held, segment_bucket(time)) for time in times)
        """Whether the time of the request itself is needed: a write's row is of that time, of a read nobody knows."""
        needed = [(segment, field) for segment in segments for field in segment_fields(segment)]
        missing = [field for _, field in needed if field not in source.fields]
        cut = [field for segment, field in needed if _is_cut(segment, source.cut_fields.get(field))]
        if missing or cut:
            raise _missing_error(spec, missing, cut)

    def write(self, values: KeyValues, time_us: int | None, row: bytes) -> bytes:
        """Return the key of these values; `row` tells rows apart whose salt is drawn at random.

        Raises
        ------
        ValueError
            If a value does not fit the pattern.
        """
        return b"".join([self._text(segment, values, time_us, row) + after for segment, after in self._parts])

    def _text(self, segment: Segment, values: KeyValues, time_us: int | None, row: bytes) -> bytes:
        fields = values.fields
        match segment:
            case LiteralSegment():
                return as_bytes(segment.text)
            case TimeSegment():
                if time_us is None:
                    raise ValueError("the time is not known")
                return time_text(segment, time_us)
            case FieldSegment():
                return as_text(apply_transforms(fields[segment.field], segment.transforms))
            case HashSegment():
                return hash_text(segment, _join_values(segment.fields, fields))
            case SaltSegment():
                salt = salt_number(_join_values(segment.fields, fields)) if segment.fields else crc32(row)
                return b"%0*d" % (salt_width(segment), salt % segment.modulo)
            case DerivedSegment():
                value = fields[segment.field]
                is_bucket = isinstance(segment.how, Bucket)
                coarse: Value = int(value) // segment.how.size if is_bucket else text_part(as_text(value), segment.how)  # type: ignore[union-attr, arg-type]
                return as_text(apply_transforms(coarse, segment.transforms))
        raise ValueError(f"no key of the log tells {segment.kind}")


def _is_cut(segment: Segment, cut: tuple[Transform, ...] | None) -> bool:
    return bool(cut) and not (isinstance(segment, FieldSegment) and segment.transforms == cut)


def _missing_error(spec: Spec, missing: Sequence[str], cut: Sequence[str]) -> ReplayError:
    """Return an error with the names of all fields that the keys do not hold, or hold only in part."""
    lacking, parts = (
        ", ".join(element_label(spec, field) for field in dict.fromkeys(fields)) for fields in (missing, cut)
    )
    if not parts:
        return ReplayError(N_("the keys of the log do not hold {fields}"), fields=lacking)
    if not lacking:
        return ReplayError(N_("the keys of the log hold only a part of {fields}"), fields=parts)
    message = N_("the keys of the log do not hold {fields} and hold only a part of {others}")
    return ReplayError(message, fields=lacking, others=parts)


def _lies_within(bucket: str, other: str) -> bool:
    """Return whether a bucket's start tells which of the others an event in it is in."""
    if bucket in RESOLUTION_SECONDS and other in RESOLUTION_SECONDS:
        return RESOLUTION_SECONDS[bucket] <= RESOLUTION_SECONDS[other]  # type: ignore[index]
    size, whole = bucket_us(bucket), bucket_us(other)
    if size is None:
        return False
    return (DAY_US if whole is None or other == "week" else whole) % size == 0


def _join_values(names: Sequence[str], fields: Mapping[str, Value]) -> bytes:
    return b"".join(as_text(fields[name]) for name in names)


def _loses(transform: Transform, *, is_number: bool) -> bool:
    """Return whether different values can become the same text."""
    return isinstance(transform, Truncate | Case) or (isinstance(transform, ZeroPad) and not is_number)


def _inverse(transforms: Sequence[Transform], *, is_number: bool) -> Callable[[bytes], Value]:
    """Return a function that takes transforms back; what they cut off stays away."""
    steps = [_inverse_step(transform, is_number=is_number) for transform in reversed(transforms)]

    def read(text: bytes) -> Value:
        value: Value = text
        for step in steps:
            value = step(value)
        return int(value) if is_number else value

    return read


def _inverse_step(transform: Transform, *, is_number: bool) -> Callable[[Value], Value]:
    match transform:
        case BigEndian():
            return lambda value: int.from_bytes(as_text(value), "big")
        case Hexadecimal():
            return lambda value: int(as_text(value), 16)
        case Descending(top=top):
            return lambda value: top - int(value)
        case PercentEncoding():
            return lambda value: unquote_to_bytes(as_text(value))
        case Offset(by=by):
            return lambda value: int(value) - by
        case ReverseDigits():
            return lambda value: as_text(value)[::-1]
        case ReverseDomain():
            return lambda value: b".".join(reversed(as_text(value).split(b".")))
        case ZeroPad() if is_number:
            return int
    return lambda value: value


def _read_time(segment: TimeSegment, text: str) -> int:
    """Return the start of the bucket that a time's text names. [µs since 1970]"""
    if segment.pattern:
        date = complement_digits(text.encode("latin-1")).decode("latin-1") if segment.reversed else text
        return _read_date(segment.pattern, date)
    number = int.from_bytes(text.encode("latin-1"), "big") if segment.raw else int(text)
    return time_of_number(segment, number)


def _read_date(pattern: str, text: str) -> int:
    millis = 0
    if "%f" in pattern:  # milliseconds, three digits
        pattern, text, millis = _without_millis(pattern, text)
    pattern = pattern.replace("%-", "%")
    if "%G" in pattern and "%u" not in pattern:
        pattern, text = f"{pattern} %u", f"{text} 1"  # the Monday of the week
    date = datetime.datetime.strptime(f"{text} +0000", f"{pattern} %z")
    return int(date.timestamp()) * FIXED_US["second"] + millis * FIXED_US["millisecond"]


def _without_millis(pattern: str, text: str) -> tuple[str, str, int]:
    before, _, after = pattern.partition("%f")
    if after:
        raise ValueError("milliseconds are read only at the end of a date")
    return before, text[:-3], int(re.fullmatch(r"\d{3}", text[-3:])[0])  # type: ignore[index]
