"""Field values and times taken from the keys of a log, in columns: what each text holds is found once."""

import datetime
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from operator import itemgetter
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

import numpy as np

from designer.document import Spec, effective_value
from designer.document.encodings import Descending, Hexadecimal, PercentEncoding
from designer.document.key import (
    BigEndian,
    Case,
    FieldSegment,
    Offset,
    ReverseDigits,
    ReverseDomain,
    Segment,
    TimeSegment,
    Transform,
    Truncate,
    ZeroPad,
    complement_digits,
    shows_time,
)
from designer.imports.keys import key_lines_regex, key_values_regex
from estimator.kernels.keys.patterns.time_buckets import bucket_starts, segment_bucket, segment_seconds
from estimator.kernels.keys.rendering.clock import FIXED_US, UNIT_US, bucket_us, reverse_from, time_of_number
from estimator.kernels.keys.rendering.render import Value, as_text
from estimator.results.arrays import Flags

T = TypeVar("T")
NUMBER_MAX = 1 << 62
"""Larger numbers are not added and multiplied in arrays."""


class ReplayError(ValueError):
    """Requests that cannot be replayed: a sentence; `message` and `params` are for translation."""

    def __init__(self, message: str, **params: Any) -> None:
        self.message, self.params = message, params
        super().__init__(message.format(**params))

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.message, **self.params), ()


@dataclass(frozen=True)
class KeyValues:
    """Contents of keys, in columns: values of fields, and the start of the time's bucket. [µs since 1970]"""

    fields: Mapping[str, Sequence[Value]]
    times_us: Sequence[int] | None

    def select(self, is_selected: Flags) -> "KeyValues":
        """Return what those keys hold for which this is true."""
        if is_selected.all():
            return self
        flags = is_selected.tolist()
        fields = {field: list(compress(values, flags)) for field, values in self.fields.items()}
        return KeyValues(fields, None if self.times_us is None else list(compress(self.times_us, flags)))


class KeyParser:
    """Takes keys of one pattern apart."""

    def __init__(self, spec: Spec, segments: Sequence[Segment]) -> None:
        self._made_from = spec, segments
        self._readers: list[tuple[int, str, Callable[[bytes], Value] | None]] = []
        times: list[tuple[int, TimeSegment]] = []
        self.cut_fields: dict[str, tuple[Transform, ...]] = {}
        """Fields of which the keys hold a part, with the transforms that leave it."""
        for place, segment in enumerate(segments):
            if isinstance(segment, FieldSegment):
                is_number = effective_value(spec, spec.find(segment.field), "kind") == "integer"
                self._readers.append((place, segment.field, _inverse(segment.transforms, is_number=is_number)))
                if any(_loses(transform, is_number=is_number) for transform in segment.transforms):
                    self.cut_fields[segment.field] = segment.transforms
            elif shows_time(segment):
                times.append((place, segment))
        # The finest time implies all coarser ones.
        self._time = min(times, key=lambda pair: segment_seconds(pair[1]), default=None)
        self._places = sorted([place for place, _, _ in self._readers] + ([self._time[0]] if self._time else []))
        self._in_lines = re.compile(rb"^(?:%b)$" % key_lines_regex(spec, segments, self._places), re.MULTILINE)
        self._in_key = re.compile(key_values_regex(spec, segments, self._places), re.DOTALL)

    def __reduce__(self) -> tuple[Any, ...]:
        return KeyParser, self._made_from  # its readers are functions, which no process sends to another

    @property
    def fields(self) -> frozenset[str]:
        """Fields whose values the keys hold."""
        return frozenset(field for _, field, _ in self._readers)

    @property
    def time_bucket(self) -> str | None:
        """Buckets of the finest time in the keys, as `TimeSegment.bucket`; None if they hold none."""
        return segment_bucket(self._time[1]) if self._time else None

    def parse(self, keys: Sequence[bytes]) -> tuple[KeyValues, Flags]:
        """Return what the keys hold that have the pattern, and which of all have it."""
        texts, is_such = self._texts(keys)
        columns = [
            (field, texts[place] if read is None else map_distinct(read, texts[place]))
            for place, field, read in self._readers
        ]
        times = None if self._time is None else _read_times(self._time[1], texts[self._time[0]])
        is_read = np.ones(int(is_such.sum()), dtype=np.bool_)
        for column in (*(values for _, values in columns), times or ()):
            if None in column:
                is_read &= [value is not None for value in column]
        is_such[is_such] = is_read
        fields: Any = dict(columns)
        return KeyValues(fields, times).select(is_read), is_such  # type: ignore[arg-type]  # no None is left

    def _texts(self, keys: Sequence[bytes]) -> tuple[Mapping[int, Sequence[bytes]], Flags]:
        """Return the texts of segments by their places, of the keys that have the pattern, and which have it."""
        lines = b"\n".join(keys)
        if keys and lines.count(b"\n") == len(keys) - 1:
            rows: list[Any] = self._in_lines.findall(lines)
            if len(rows) == len(keys):  # each match takes whole lines, so each takes one
                is_one = len(self._places) == 1
                columns = (rows if is_one else list(map(itemgetter(n), rows)) for n in range(len(self._places)))
                return dict(zip(self._places, columns, strict=True)), np.ones(len(keys), dtype=np.bool_)
        matches = list(map(self._in_key.fullmatch, keys))
        valid_matches = [match for match in matches if match]
        texts = {place: [match[n] for match in valid_matches] for n, place in enumerate(self._places, 1)}
        return texts, np.array([match is not None for match in matches], dtype=np.bool_)


def map_distinct(function: Callable[[Any], T], inputs: Sequence[Hashable]) -> list[T | None]:
    """Return what a function gives for each input, computed once for equal ones; None where there is no such value."""
    results = {value: _value_or_none(function, value) for value in set(inputs)}
    return list(map(results.__getitem__, inputs))


def _value_or_none(function: Callable[[Any], T], value: Hashable) -> T | None:
    try:
        return function(value)
    except (ValueError, OverflowError):
        return None


def _loses(transform: Transform, *, is_number: bool) -> bool:
    """Return whether different values can become the same text."""
    return isinstance(transform, Truncate | Case) or (isinstance(transform, ZeroPad) and not is_number)


def _inverse(transforms: Sequence[Transform], *, is_number: bool) -> Callable[[bytes], Value] | None:
    """Return a function that takes transforms back, None where the text is the value; what they cut off stays away."""
    inverses = [_inverse_step(transform, is_number=is_number) for transform in reversed(transforms)]
    steps = [step for step in inverses if step is not None]
    if not steps and not is_number:
        return None

    def read(text: bytes) -> Value:
        value: Value = text
        for step in steps:
            value = step(value)
        return int(value) if is_number else value

    return read


def _inverse_step(transform: Transform, *, is_number: bool) -> Callable[[Value], Value] | None:
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
    return None


def _read_times(segment: TimeSegment, texts: Sequence[bytes]) -> list[int | None]:
    """Return the starts of the buckets that times' texts name. [µs since 1970]"""
    size = bucket_us(segment.bucket) if segment.unit == "bucket" else UNIT_US[segment.unit]
    if not segment.pattern and not segment.raw and size is not None and texts:
        numbers, top = list(map(int, texts)), reverse_from(segment)
        if segment.reversed:
            numbers = [top - number for number in numbers]
        if max(max(numbers), -min(numbers)) * size < NUMBER_MAX:
            values = np.array(numbers, dtype=np.int64)
            starts = bucket_starts(values, segment.bucket) if segment.unit == "bucket" else values * size
            return starts.tolist()  # type: ignore[no-any-return]
    return map_distinct(lambda text: _read_time(segment, text.decode("latin-1")), texts)


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
