"""Event time in keys without a table: segments whose text moves one way with time, as intervals of microseconds.

A field that is numbered as events come ("new per event": orders) is such a segment too: its number is a straight line
in time.
"""

import datetime
import math
import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from designer.document.durations import DAY_SECONDS, RESOLUTION_SECONDS
from designer.document.key import TimeSegment, as_bytes, complement_digits
from estimator.results.arrays import Floats, Ints

from ..rendering import clock
from ..rendering.digits import SIGN, Digits, Hits, Scale, Spans
from ..rendering.layout import IntegerTime
from ..rendering.texts import Texts, concatenate, decimal
from ..values.shape import ValueShape
from .distributions import EventDistribution
from .time_buckets import (
    FIRST_US,
    LAST_US,
    bucket_places,
    bucket_starts,
    clip_place,
    computed_places,
    first_bucket,
    first_buckets,
    last_us,
    pattern_resolution,
)


@dataclass(frozen=True, eq=False)
class TimeSteps:
    """A whole number that steps with time, written as digits; `down` where it is written as `top` minus it."""

    segment: str
    digits: Digits
    number: Callable[[int], int]
    """Time in microseconds → the number, never falling."""
    first_us: Callable[[int], int]
    """A number → the first time at which it, or more, is reached."""
    numbers: Callable[[Ints], Ints]
    """`number` of many times."""
    top: int | None = None
    prefix_free: bool = True
    firsts: Callable[[Ints], Ints] | None = None
    """`first_us` of many numbers, of times whose texts are all of one length; None where it has no array form."""

    @property
    def is_reversed(self) -> bool:
        """Later times sort before earlier ones."""
        return self.top is not None

    def text(self, time_us: int) -> bytes:
        """Return the text that an event at this time writes, delimiter included."""
        number = self.number(time_us)
        return self.digits.text(number if self.top is None else self.top - number)

    def texts(self, time_us: Ints) -> list[bytes]:
        """`text` of many times."""
        numbers = self.numbers(time_us)
        return self.digits.texts((numbers if self.top is None else self.top - numbers).tolist())

    def written_span(self, first_us: int, last_us: int) -> tuple[int, int]:
        """Return the numbers, from the first to before the second, that are written from a time to a later one."""
        low, end = self.number(first_us), self.number(last_us) + 1
        return (low, end) if self.top is None else (self.top + 1 - end, self.top + 1 - low)

    def split(self, low: int, high: int, rest: bytes) -> tuple[Spans, Hits]:
        """Return the times low…high-1 whose text is below `rest`, and those whose text is a prefix of it."""
        if low >= high:
            return [], []
        spans, hits = self.digits.split(*self._known_span(low, high - 1), rest)
        return [self._times(x, y, low, high) for x, y in spans], [
            (*self._times(x, y, low, high), n) for x, y, n in hits
        ]

    def _times(self, first: int, end: int, low: int, high: int) -> tuple[int, int]:
        if self.top is not None:
            first, end = self.top + 1 - end, self.top + 1 - first
        start = min(max(self._known_first_us(first), low), high)
        return start, max(min(max(self._known_first_us(end), low), high), start)

    @cached_property
    def _known_first_us(self) -> Callable[[int], int]:
        """`first_us`, remembered: spans that are split one after the other share ends."""
        return lru_cache(maxsize=4096)(self.first_us)

    @cached_property
    def _known_span(self) -> Callable[[int, int], tuple[int, int]]:
        return lru_cache(maxsize=256)(self.written_span)


def epoch_steps(segment: TimeSegment) -> TimeSteps:
    """Return the steps of a time segment without a pattern."""
    bucket = segment.bucket
    after = as_bytes(segment.after)
    top = clock.reverse_from(segment) if segment.reversed else None
    if isinstance(segment, IntegerTime):
        digits = Digits(raw_bytes=8, raw_base=SIGN)
    elif segment.raw:
        digits = Digits(raw_bytes=8, after=after)
    else:
        digits = Digits(width=len(str(top)) if top is not None else 1, after=after)
    if segment.unit == "bucket":
        return TimeSteps(
            segment.id,
            digits,
            lambda us: clock.bucket_place(us, bucket),
            lambda number: clock.place_start(clip_place(number, bucket), bucket),
            lambda us: bucket_places(us, bucket),
            top,
            firsts=lambda numbers: bucket_starts(np.clip(numbers, *computed_places(bucket)), bucket),
        )
    unit = clock.UNIT_US[segment.unit]
    return TimeSteps(
        segment.id,
        digits,
        lambda us: clock.bucket_start(us, bucket) // unit,
        lambda number: first_bucket(number * unit, bucket),
        _epoch_numbers(bucket, unit),
        top,
        firsts=lambda numbers: first_buckets(numbers * unit, bucket),
    )


def readable_steps(segment: IntegerTime) -> TimeSteps:
    """Readable digits that sort as time does, as the number that they spell, or as nines minus it."""
    top = 10 ** len(clock.format_time(segment.pattern, FIRST_US)) - 1 if segment.reversed else None

    def number(us: int) -> int:
        return int(clock.format_time(segment.pattern, clock.bucket_start(us, segment.bucket)))

    @lru_cache(maxsize=4096)
    def first_us(target: int) -> int:
        low, high = FIRST_US, last_us(segment.pattern)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if number(middle) >= target else (middle + 1, high)
        return low

    def numbers(us: Ints) -> Ints:
        # Text is made once per bucket, because formatting is the slow part and many times share one.
        places, which = np.unique(bucket_places(us, segment.bucket), return_inverse=True)
        texts = calendar_texts(segment.pattern, bucket_starts(places, segment.bucket))
        return np.array([int(text) for text in texts.tolist()], dtype=np.int64)[which]

    return TimeSteps(segment.id, Digits(raw_bytes=8, raw_base=SIGN), number, first_us, numbers, top)


def _epoch_numbers(bucket: str, unit: int) -> Callable[[Ints], Ints]:
    """Return a function from times in microseconds to their bucket's start in units of `unit` microseconds."""
    size = clock.bucket_us(bucket)
    if size is not None and unit % size == 0 and not clock.first_start_us(bucket):  # no bucket ends within a unit
        return lambda us: us // unit
    return lambda us: bucket_starts(bucket_places(us, bucket), bucket) // unit


def sequence_number(shape: ValueShape, time_us: int) -> int:
    """Return the number that a field numbered in order of events has reached."""
    days = (time_us - shape.start_s * 1e6) / (DAY_SECONDS * 1e6)
    return math.floor(shape.distinct + shape.growth_per_day * days)


def sequence_numbers(shape: ValueShape, time_us: Ints) -> Ints:
    """`sequence_number` of many times."""
    days = (time_us - shape.start_s * 1e6) / (DAY_SECONDS * 1e6)
    return np.asarray(np.floor(shape.distinct + shape.growth_per_day * days).astype(np.int64))


def sequence_us(shape: ValueShape, number: int) -> int:
    """Return the first microsecond at which that number is reached."""
    earliest, latest = FIRST_US - 400 * clock.DAY_US, LAST_US + clock.DAY_US
    guess = math.ceil((number - shape.distinct) / shape.growth_per_day * DAY_SECONDS * 1e6 + shape.start_s * 1e6)
    guess = min(max(guess, earliest), latest)
    # The quotient is off by a few microseconds, and by hours where 10^12 numbers are there and some are new each day.
    # The search ends exactly where `sequence_number` changes, as bounds and drawn keys must agree.
    margin_us = 4
    while True:
        low, high = max(guess - margin_us, earliest), min(guess + margin_us, latest)
        is_below = low == earliest or sequence_number(shape, low) < number
        if is_below and (high == latest or sequence_number(shape, high) >= number):
            return low + bisect_left(range(low, high), number, key=lambda us: sequence_number(shape, us))
        margin_us *= 16


def sequence_steps(segment: str, shape: ValueShape, digits: Digits, scale: Scale) -> TimeSteps:
    """Return the steps of a field numbered in order of events."""
    return TimeSteps(
        segment,
        digits,
        lambda us: scale.scaled_number(sequence_number(shape, us)),
        lambda number: sequence_us(shape, scale.first_value(number)),
        lambda us: (sequence_numbers(shape, us) + scale.base) // scale.size + scale.offset,
        scale.top,
        prefix_free=digits.has_own_end,
    )


@dataclass(frozen=True, eq=False)
class CalendarText:
    """Readable text that sorts as time does, or the other way, from the start of a bucket."""

    segment: str
    pattern: str
    resolution: str
    after: bytes
    within: bool = False
    """The text shows a part of the time only; segments before it show the coarser part."""
    is_reversed: bool = False
    """Each digit d is written as 9 - d, so that later times sort before earlier ones."""
    prefix_free: bool = True
    _found: dict[bytes, tuple[int, int, int]] = field(default_factory=dict, repr=False)

    def text(self, time_us: int) -> bytes:
        """Return the text that an event at this time writes, delimiter included."""
        text = clock.format_time(self.pattern, clock.bucket_start(time_us, self.resolution))
        return (complement_digits(text) if self.is_reversed else text) + self.after

    def texts(self, time_us: Ints) -> list[bytes]:
        """`text` of many times: once per bucket."""
        places, which = np.unique(bucket_places(time_us, self.resolution), return_inverse=True)
        labels = calendar_texts(self.pattern, bucket_starts(places, self.resolution), is_reversed=self.is_reversed)
        texts = [text + self.after for text in labels.tolist()]
        return [texts[place] for place in which.tolist()]

    @cached_property
    def width(self) -> int:
        """Bytes of every text."""
        return len(self.text(FIRST_US))

    def split(self, low: int, high: int, rest: bytes) -> tuple[Spans, Hits]:
        """Return the times low…high-1 whose text is below `rest`, and those whose text is a prefix of it."""
        lead = rest[: self.width]
        # A text that shows only a part of the time repeats ("05" every day), so it is looked up between the times that
        # the segments before it leave. A full text has one place and is remembered.
        start, end = self._find_within(lead, low, high) if self.within else self._find(lead, low, high)
        below = (end, high) if self.is_reversed else (low, start)
        return [below], [(start, end, self.width)] if start < end else []

    def _find_within(self, lead: bytes, low: int, high: int) -> tuple[int, int]:
        start = self._first(self._is_reached(lead), low, high)
        return start, self._first(self._is_passed(lead), start, high) if len(lead) == self.width else start

    def _is_reached(self, lead: bytes) -> Callable[[bytes], bool]:
        """Return whether a text is that of a time at or after those whose text a key begins with."""
        return (lambda text: text <= lead) if self.is_reversed else (lambda text: text >= lead)

    def _is_passed(self, lead: bytes) -> Callable[[bytes], bool]:
        return (lambda text: text < lead) if self.is_reversed else (lambda text: text > lead)

    def _find(self, lead: bytes, low: int, high: int) -> tuple[int, int]:
        cached = self._found.get(lead)
        if cached is None:
            if len(self._found) > 100_000:
                self._found.clear()
            cached = self._found[lead] = self._locate(lead)
        start, end = (min(max(at, low), high) for at in cached[:2])
        return start, end

    def _locate(self, lead: bytes) -> tuple[int, int, int]:
        """First time whose text has reached `lead`, first one whose text has passed it."""
        # Parsing a complete text takes one step. Bisection over 2^53 microseconds formats some fifty texts.
        read = self._parse_bucket(lead)
        if read is not None:
            return (*read, 0)
        start = self._first(self._is_reached(lead))
        if len(lead) < self.width or self.text(start) != lead:
            return start, start, 0
        # A text can be coarser than the bucket (a month shown of a kept day): then the bucket's end still has this
        # text.
        end = clock.bucket_end(clock.bucket_start(start, self.resolution), self.resolution)
        if self.text(end) == lead:
            end = self._first(self._is_passed(lead))
        return start, end, 0

    def _parse_bucket(self, lead: bytes) -> tuple[int, int] | None:
        """Return the bucket that a full text names; None if it is ambiguous or names none."""
        size = len(lead) - len(self.after)
        plain = complement_digits(lead[:size]) + lead[size:] if self.is_reversed else lead
        match = self._shape.fullmatch(plain)
        if match is None or self.bucket is None:
            return None
        part = {name: int(digits) for name, digits in match.groupdict().items()}
        try:
            if "G" in part:
                day = datetime.date.fromisocalendar(part["G"], part.get("V", 1), 1)
            else:
                year = part["Y"] if "Y" in part else _CENTURY + part["y"]
                day = datetime.date(year, part.get("m", 1), part.get("d", 1))
                day += datetime.timedelta(days=part.get("j", 1) - 1)
            at = datetime.datetime(
                day.year, day.month, day.day, part.get("H", 0), part.get("M", 0), part.get("S", 0),
                part.get("f", 0) * 1000, datetime.UTC,
            )  # fmt: skip
        except (ValueError, OverflowError):
            return None
        start = clock.bucket_start(clock.to_micros(at), self.bucket)
        if not FIRST_US <= start < self._last_us or self.text(start) != lead:
            return None
        return start, clock.bucket_end(start, self.bucket)

    @cached_property
    def _last_us(self) -> int:
        return last_us(self.pattern)

    @cached_property
    def _shape(self) -> re.Pattern[bytes]:
        parts = clock.DIRECTIVE.split(self.pattern)
        widths = {"Y": 4, "G": 4, "j": 3, "f": 3}
        out = [
            f"(?P<{part}>[0-9]{{{widths.get(part, 2)}}})" if place % 2 and part != "%" else re.escape(part)
            for place, part in enumerate(parts)
        ]
        return re.compile("".join(out).encode() + re.escape(self.after), re.DOTALL)

    @cached_property
    def bucket(self) -> str | None:
        """The buckets that texts tell apart: the coarser of kept and shown, where one divides the other."""
        pattern, resolution = pattern_resolution(self.pattern), self.resolution
        fine = ("microsecond", "millisecond", "second", "minute", "hour", "day")
        resolution_us, text_us = clock.bucket_us(resolution), clock.FIXED_US.get(pattern)
        if resolution not in RESOLUTION_SECONDS and resolution_us is not None:  # a length in seconds
            if pattern in fine and text_us is not None:
                return resolution if resolution_us % text_us == 0 else pattern if text_us % resolution_us == 0 else None
            return pattern if clock.DAY_US % resolution_us == 0 else None
        if resolution in fine and pattern in fine:
            return max(resolution, pattern, key=fine.index)
        if resolution in fine:
            return pattern
        if pattern in fine or resolution == pattern:
            return resolution
        return "year" if {resolution, pattern} == {"month", "year"} else None

    def _first(self, predicate: Callable[[bytes], bool], low: int = FIRST_US, high: int | None = None) -> int:
        """Return the first time low…high-1 whose text fulfils `predicate`, else `high`.

        Texts before it must not fulfil it.
        """
        high = self._last_us if high is None else high
        while low < high:
            middle = (low + high) // 2
            if predicate(self.text(middle)):
                high = middle
            else:
                low = middle + 1
        return low


_CENTURY = 2_000
"""Of years that are written with two digits."""


def calendar_texts(pattern: str, start_us: Ints, *, is_reversed: bool = False) -> Texts:
    """`clock.format_time` of many times; reversed, each digit d as 9 - d."""
    # Calendar arithmetic is done once per day in Python; the time of day is arithmetic on arrays.
    days, place = np.unique(start_us // clock.DAY_US, return_inverse=True)
    dates = [clock.from_micros(day * clock.DAY_US) for day in days.tolist()]
    of_day = start_us - days[place] * clock.DAY_US
    parts: list[Texts] = []
    for turn, part in enumerate(clock.DIRECTIVE.split(pattern)):
        if turn % 2 == 0 or part == "%":
            parts.append(Texts.constant(part.encode(), len(start_us)))
        elif part in _OF_DAY:
            size, count, width = _OF_DAY[part]
            parts.append(decimal(of_day // size % count, width))
        elif part in ("I", "p"):
            hours = [clock.from_micros(hour * 3_600_000_000) for hour in range(24)]
            texts = Texts.of([clock.directive(part, hour).encode() for hour in hours])
            parts.append(texts.take(of_day // 3_600_000_000))
        else:
            parts.append(Texts.of([clock.directive(part, date).encode() for date in dates]).take(place))
    texts = concatenate(parts)
    return Texts(_COMPLEMENTS[texts.data], texts.length) if is_reversed else texts


_COMPLEMENTS = np.frombuffer(complement_digits(bytes(range(256))), np.uint8)


_OF_DAY = {
    "H": (3_600_000_000, 24, 2), "-H": (3_600_000_000, 24, 1), "M": (60_000_000, 60, 2), "S": (1_000_000, 60, 2),
    "f": (1_000, 1_000, 3),
}  # fmt: skip
"""Directives that tell the time of day: length of the unit [microseconds], how many there are, digits."""


@dataclass(frozen=True, eq=False)
class EventTime:
    """The time of the event: intervals of microseconds since 1970."""

    stages: tuple[()] = ()
    full: tuple[int, int] = (FIRST_US, LAST_US)

    def mass(self, distribution: EventDistribution, low: Ints, high: Ints) -> Floats:
        """Share of each window's events in low…high-1. float64 (windows, intervals), windows beside each other."""
        ends, time = np.concatenate([low, high]), distribution.time
        if time.count == 1:
            levels = time.cdf(ends / 1e6)
            return np.asarray(levels[:, len(low) :] - levels[:, : len(low)])
        # Neighbouring boxes share their ends, so each time is evaluated once, and contiguous rows per edge make the
        # lookup of all windows one copy.
        edges, place = np.unique(ends, return_inverse=True)
        by_edge = np.ascontiguousarray(time.cdf(edges / 1e6).T)
        return np.asarray(by_edge[place[len(low) :]] - by_edge[place[: len(low)]]).T
