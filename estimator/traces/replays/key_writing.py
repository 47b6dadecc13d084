"""Keys of one pattern made of what other keys hold, in columns: what a segment makes of equal values is made once."""

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any
from zlib import crc32

import numpy as np

from designer.document import Spec
from designer.document.durations import RESOLUTION_SECONDS
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
    as_bytes,
    segment_fields,
)
from designer.document.texts import N_, TextList
from designer.wording import element_label
from estimator.kernels.keys.patterns.time_buckets import bucket_places, bucket_starts, segment_bucket
from estimator.kernels.keys.rendering.clock import DAY_US, UNIT_US, bucket_us, reverse_from, time_text
from estimator.kernels.keys.rendering.render import (
    Value,
    apply_transforms,
    as_text,
    hash_text,
    salt_number,
    salt_width,
    text_part,
)

from .key_values import KeyParser, KeyValues, ReplayError, map_distinct

FAR_US = 1_750 * 365 * DAY_US
"""Times nearer to 1970 are in buckets that arrays hold. [µs]"""

Texts = Sequence[bytes | None]


class KeyWriter:
    """Makes keys of one pattern.

    Raises
    ------
    ReplayError
        If the keys that values are taken from do not hold what these keys need.
    """

    def __init__(self, spec: Spec, segments: Sequence[Segment], source: KeyParser) -> None:
        self._segments = tuple(segments)
        times = [segment for segment in segments if isinstance(segment, TimeSegment)]
        bucket = source.time_bucket
        self.needs_event_time = any(bucket is None or not _lies_within(bucket, segment_bucket(time)) for time in times)
        """Whether the time of the request itself is needed: a write's row is of that time, of a read nobody knows."""
        needed = [(segment, field) for segment in segments for field in segment_fields(segment)]
        missing = [field for _, field in needed if field not in source.fields]
        partial_fields = [field for segment, field in needed if _is_cut(segment, source.cut_fields.get(field))]
        if missing or partial_fields:
            raise _missing_error(spec, missing, partial_fields, sorted(source.fields))

    def write(self, values: KeyValues, times_us: Sequence[int] | None, rows: Sequence[bytes]) -> Texts:
        """Return the keys of these values, None where a value does not fit the pattern.

        `times_us` are of their rows, as far as they are known; `rows` tell rows apart whose salt is drawn at random.
        """
        columns = [_segment_texts(segment, values, times_us, rows) for segment in self._segments]
        # One format for all keys, in which literal percent signs are doubled.
        form = b"".join(b"%b" + as_bytes(segment.after).replace(b"%", b"%%") for segment in self._segments)
        whole = zip(*columns, strict=True) if columns else repeat((), len(rows))
        if any(None in column for column in columns):
            return [None if None in parts else form % parts for parts in whole]
        return list(map(form.__mod__, whole))


def _segment_texts(
    segment: Segment, values: KeyValues, times_us: Sequence[int] | None, rows: Sequence[bytes]
) -> Sequence[bytes | None]:
    """Return the texts of a segment in each key, without its delimiter."""
    match segment:
        case LiteralSegment():
            return [as_bytes(segment.text)] * len(rows)
        case TimeSegment():
            return [None] * len(rows) if times_us is None else _time_texts(segment, times_us)
        case SaltSegment() if not segment.fields:
            # A salt that writes draw at random is in no log; a hash of the row spreads rows alike and is the same in
            # each run.
            return [_salt_text(segment, crc32(row)) for row in rows]
    columns = [values.fields[field] for field in segment_fields(segment)]
    if isinstance(segment, FieldSegment) and not segment.transforms and set(map(type, columns[0])) == {bytes}:
        return columns[0]  # type: ignore[return-value]  # bytes, as was asked
    make = _text_maker(segment)
    if len(columns) == 1:
        return map_distinct(lambda value: make((value,)), columns[0])
    return map_distinct(make, list(zip(*columns, strict=True)))


def _text_maker(segment: Segment) -> Callable[[Sequence[Value]], bytes]:
    """Return a function from the values of a segment's fields to its text; ValueError where they do not fit."""
    match segment:
        case FieldSegment(transforms=transforms):
            return lambda values: as_text(apply_transforms(values[0], transforms))
        case HashSegment():
            return lambda values: hash_text(segment, _join_values(values))
        case SaltSegment():
            return lambda values: _salt_text(segment, salt_number(_join_values(values)))
        case DerivedSegment(how=Bucket(size=size), transforms=transforms):
            return lambda values: as_text(apply_transforms(int(values[0]) // size, transforms))
        case DerivedSegment(how=how, transforms=transforms):
            part: Any = how
            return lambda values: as_text(apply_transforms(text_part(as_text(values[0]), part), transforms))
    raise ValueError(f"no key of the log tells {segment.kind}")


def _salt_text(segment: SaltSegment, number: int) -> bytes:
    return b"%0*d" % (salt_width(segment), number % segment.modulo)


def _join_values(values: Sequence[Value]) -> bytes:
    return b"".join(map(as_text, values))


def _time_texts(segment: TimeSegment, times_us: Sequence[int]) -> Texts:
    """Return the texts of times: of their buckets, each of which is written once."""
    if not times_us or max(max(times_us), -min(times_us)) >= FAR_US:
        return map_distinct(lambda time_us: time_text(segment, time_us), times_us)
    places = bucket_places(np.array(times_us, dtype=np.int64), segment.bucket)
    starts = bucket_starts(places, segment.bucket)
    if not segment.pattern and not segment.raw and segment.hash is None:
        numbers = places if segment.unit == "bucket" else starts // UNIT_US[segment.unit]
        numbers = reverse_from(segment) - numbers if segment.reversed else numbers
        if numbers.min() >= 0:
            width = len(str(reverse_from(segment))) if segment.reversed else 1
            return list(map((b"%%0%dd" % width).__mod__, numbers.tolist()))
    return map_distinct(lambda time_us: time_text(segment, time_us), starts.tolist())


def _is_cut(segment: Segment, transforms: tuple[Transform, ...] | None) -> bool:
    return bool(transforms) and not (isinstance(segment, FieldSegment) and segment.transforms == transforms)


def _missing_error(
    spec: Spec, missing: Sequence[str], partial_fields: Sequence[str], present: Sequence[str]
) -> ReplayError:
    """Return an error with the names of all fields that the keys do not hold, or hold only in part."""
    lacking, parts, others = (
        TextList(element_label(spec, field) for field in dict.fromkeys(fields))
        for fields in (missing, partial_fields, present)
    )
    if not parts and others:
        # Fields of two kinds of rows may have names that are nearly the same.
        return ReplayError(N_("the keys of the log do not hold {fields}, but {others}"), fields=lacking, others=others)
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
    # Months and years begin at midnight, and weeks on a Monday, which is no multiple of seven days since 1970: a
    # bucket that divides the day lies within one of them.
    return (DAY_US if whole is None or other == "week" else whole) % size == 0
