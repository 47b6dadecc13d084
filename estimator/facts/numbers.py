"""Integers as they stand in keys: the smallest and largest over the horizon, and when they outgrow their padding."""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from designer.document import Spec, effective_value
from designer.document.durations import MONTH_DAYS
from designer.document.encodings import Descending, Hexadecimal
from designer.document.field import Enumeration, Field, Pattern, Range
from designer.document.key import (
    BigEndian,
    Bucket,
    Case,
    DerivedSegment,
    FieldSegment,
    Offset,
    ReverseDigits,
    Segment,
    TimeSegment,
    Transform,
    ZeroPad,
)
from estimator.kernels.keys.rendering import clock


@dataclass(frozen=True)
class Numbers:
    """The integers that a segment shows as digits."""

    low: int
    high: int
    """The smallest and the largest within the horizon."""
    width: int | None
    """Digits to which they are padded."""
    overflows_days: float | None
    """Days after the start on which the first number is wider than its padding; None: not within the horizon."""

    widest: int
    """Digits of the largest number that the field is said to have, also where it does not come within the horizon."""
    notation: Literal["d", "x"] = "d"
    """Decimal or hexadecimal digits."""
    ending: str = ""
    """What stands behind the digits of each: the fraction of floats."""

    @property
    def has_varying_length(self) -> bool:
        """True if their texts are of different lengths."""
        widest = len(self._text(self.high))
        return widest > self.width if self.width else len(self._text(self.low)) < widest

    @property
    def misordered_pair(self) -> tuple[str, str]:
        """Two neighbours of which the smaller sorts last: 9 and 10, or 999999 and 1000000."""
        digits = self.width or len(self._text(self.low)) - len(self.ending)
        first = RADIX[self.notation] ** digits
        return self._text(first - 1), self._text(first)

    def _text(self, number: int) -> str:
        return f"{number:{self.notation}}{self.ending}"


RADIX = {"d": 10, "x": 16}


@dataclass(frozen=True)
class WrittenNumber:
    """The text of a number: `sign` times it plus `constant`."""

    sign: int
    constant: int

    def ends(self, low: int, high: int) -> tuple[int, int]:
        """Return the smallest and the largest that is written of the numbers low…high."""
        first, last = sorted((self.sign * low + self.constant, self.sign * high + self.constant))
        return first, last


def written_number_of(transforms: Sequence[Transform]) -> WrittenNumber:
    """Return what constants added and numbers counted down make of a number."""
    sign, constant = 1, 0
    for transform in transforms:
        if isinstance(transform, Offset):
            constant += transform.by
        elif isinstance(transform, Descending):
            sign, constant = -sign, transform.top - constant
    return WrittenNumber(sign, constant)


def numbers(spec: Spec, segment: Segment) -> Numbers | None:
    """Return the numbers of a segment; None if it shows none, negative ones, or not as digits."""
    if not isinstance(segment, FieldSegment | DerivedSegment):
        return None
    field: Field = spec.find(segment.field)
    divisor = segment.how.size if isinstance(segment, DerivedSegment) and isinstance(segment.how, Bucket) else 1
    if isinstance(segment, DerivedSegment) and not isinstance(segment.how, Bucket):
        return None
    is_float = effective_value(spec, field, "kind") == "float" and isinstance(field.values, Range)
    if (effective_value(spec, field, "kind") != "integer" and (not is_float or segment.transforms)) or not all(
        isinstance(t, ZeroPad | Offset | Descending | Hexadecimal | Case) for t in segment.transforms
    ):
        return None
    bounds = extent(spec, field)
    if bounds is None:
        return None
    low, start, end, per_day = bounds
    line = written_number_of(segment.transforms)
    width = next((t.width for t in reversed(segment.transforms) if isinstance(t, ZeroPad | Hexadecimal)), None)
    notation: Literal["d", "x"] = "x" if any(isinstance(t, Hexadecimal) for t in segment.transforms) else "d"
    least, high = line.ends(low // divisor, end // divisor)
    if least < -1:  # -1 alone still sorts before 0, as "-" is below digits
        return None  # of two negative numbers the greater sorts first: not a matter of width
    overflow, limit = None, RADIX[notation] ** (width or 0)
    if width is not None and high >= limit:
        # Counted down, the first number is the widest.
        outgrown = (limit - line.constant) * divisor if line.sign > 0 else start
        overflow = 0.0 if start >= outgrown or not per_day else (outgrown - start) / per_day
    most = line.ends(low // divisor, max(end, declared_maximum(field) or end) // divisor)[1]
    ending = ".0" if is_float else ""
    return Numbers(max(least, 0), high, width, overflow, len(f"{most:{notation}}{ending}"), notation, ending)


def time_numbers(spec: Spec, segment: TimeSegment, history_days: float) -> Numbers | None:
    """Return the epoch numbers that a segment shows, from the stored history to the horizon's end; None for others."""
    if segment.pattern or segment.raw or segment.reversed:
        return None
    start = datetime.datetime.combine(effective_value(spec, spec, "start"), datetime.time(), datetime.UTC)
    ends = (start - datetime.timedelta(days=history_days), start + datetime.timedelta(days=horizon_days(spec)))
    low, high = (clock.epoch_number(segment, clock.to_micros(end)) for end in ends)
    return Numbers(low, high, None, None, len(str(high)))


@dataclass(frozen=True)
class ByteOverflow:
    """Integers as raw bytes that become too few within the horizon."""

    length_bytes: int
    largest: int
    """The largest integer that the bytes hold."""
    needed: int
    """The largest integer at the end of the horizon, with what is added before it is written."""
    days: float
    """Days after the start on which the first integer does not fit."""


def byte_overflow(spec: Spec, segment: Segment) -> ByteOverflow | None:
    """Return when the integers of a segment no longer fit its raw bytes; None if they always do or are not known."""
    if not isinstance(segment, FieldSegment | DerivedSegment):
        return None
    length = next((t.length for t in segment.transforms if isinstance(t, BigEndian)), None)
    bucket = segment.how if isinstance(segment, DerivedSegment) else Bucket(size=1)
    bounds = extent(spec, spec.find(segment.field)) if length is not None else None
    if length is None or bounds is None or not isinstance(bucket, Bucket):
        return None
    low, start, end, per_day = bounds
    line = written_number_of(segment.transforms)
    largest = 256**length - 1
    needed = line.ends(low // bucket.size, end // bucket.size)[1]
    if needed <= largest:
        return None
    outgrown = (largest + 1 - line.constant) * bucket.size if line.sign > 0 else start
    return ByteOverflow(length, largest, needed, max(outgrown - start, 0) / per_day if per_day else 0.0)


def date_after(spec: Spec, days: float) -> datetime.date:
    """Return the date `days` days after the design's start."""
    start: datetime.date = effective_value(spec, spec, "start")
    return start + datetime.timedelta(days=math.floor(days))


def horizon_days(spec: Spec) -> float:
    """Return the length of the horizon, in days."""
    return float(effective_value(spec, spec, "horizon_months")) * MONTH_DAYS


def extent(spec: Spec, field: Field) -> tuple[int, int, int, float] | None:
    """Smallest number, largest at the start and at the end of the horizon, and how fast it grows a day."""
    values = effective_value(spec, field, "values")
    distinct = int(effective_value(spec, field, "distinct"))
    per_day = float(effective_value(spec, field, "growth_per_day") or 0)
    added = int(per_day * horizon_days(spec))
    if isinstance(values, Pattern):
        return values.start, values.start + distinct - 1, values.start + distinct - 1 + added, per_day
    if not isinstance(values, Range):
        return None
    if effective_value(spec, field, "assigned") != "sequential":
        return values.min, values.max, values.max, 0.0  # any of them may be the first
    top = values.max if field.values is not None else None  # a guessed range has no end that anybody stated
    start = values.min + distinct - 1
    end = start + added
    return values.min, _clamp(start, top), _clamp(end, top), per_day


def declared_maximum(field: Field) -> int | None:
    """Return the largest declared number of a field; None if none is declared."""
    return field.values.max if isinstance(field.values, Range) else None


def _clamp(value: int, top: int | None) -> int:
    return value if top is None else min(value, top)


def readable_segment(spec: Spec, segment: FieldSegment | DerivedSegment) -> FieldSegment | DerivedSegment:
    """Return the segment so that it sorts by value: numbers of fixed width, not negative, raw or reversed."""
    field: Field = spec.find(segment.field)
    if isinstance(segment, DerivedSegment) or effective_value(spec, field, "kind") != "integer":
        return segment
    return segment.model_copy(update={"transforms": number_transforms(spec, field, segment.transforms)})


def number_transforms(spec: Spec, field: Field, now: Sequence[Transform]) -> tuple[Transform, ...]:
    """Return an offset where values can be negative, then zero padding to the widest value in the horizon."""
    bounds = _value_bounds(spec, field)
    if bounds is None:
        return tuple(now)
    low, high = bounds
    if any(isinstance(t, Descending | Hexadecimal) for t in now):
        return tuple(now)
    retained = tuple(t for t in now if not isinstance(t, ZeroPad | BigEndian | ReverseDigits))
    added = sum(t.by for t in retained if isinstance(t, Offset))
    if low + added < 0:
        retained, added = (*(t for t in retained if not isinstance(t, Offset)), Offset(by=-low)), -low
    digits = len(str(high + added))
    width = max([digits, *(t.width for t in now if isinstance(t, ZeroPad))])
    # All are as wide as each other.
    if digits == len(str(low + added)) and not any(isinstance(t, ZeroPad) for t in now):
        return retained
    return (*retained, ZeroPad(width=width))


def _value_bounds(spec: Spec, field: Field) -> tuple[int, int] | None:
    values = effective_value(spec, field, "values")
    if isinstance(values, Enumeration):
        numbers = [int(item.value) for item in values.items]
        return min(numbers), max(numbers)
    if isinstance(values, Range) and values.min < 0:
        return values.min, values.max
    bounds = extent(spec, field)
    return (bounds[0], bounds[2]) if bounds else None
