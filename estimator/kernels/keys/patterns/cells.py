"""Event time whose text does not sort as time does: a table of short spans of time.

It is a date with the day before the month, a month's name, or a hash of a bucket.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from designer.document.durations import DAY_SECONDS
from designer.document.key import Segment, TimeSegment, as_bytes
from estimator.results.arrays import Floats, Ints

from ..rendering import clock, render
from ..rendering.layout import EscapedTime, IntegerTime
from ..rendering.texts import Texts, append_delimiter
from ..values.shape import ValueShape
from ..values.value_tables import Entries
from .distributions import EventDistribution, TimeDistribution
from .hashed_times import BUCKETS_MOST, MARGIN_DAYS, time_texts
from .table import TextColumn, encode_texts, group_starts, table_of
from .time_buckets import pattern_resolution
from .times import sequence_number

CELLS_MOST = 1 << 16
"""Spans of time in a table; where buckets are shorter, a span stands for several."""


@dataclass(frozen=True, eq=False)
class TimeSpans:
    """Spans of time in the order of their texts. `start_us`, `end_us` int64 (cells,), in time order; `row` of each."""

    columns: tuple[TextColumn, ...]
    start_us: Ints
    end_us: Ints
    row: Ints
    cell: Ints
    """One cell of each row."""
    is_exact: bool
    stages: tuple[()] = ()
    _cache: dict[int, tuple[EventDistribution, Floats]] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.cell)

    @property
    def full(self) -> tuple[int, int]:
        """All rows."""
        return 0, len(self)

    def cumulative_shares(self, distribution: EventDistribution) -> Floats:
        """Share of each window's events in the rows before each row. float64 (windows, rows + 1)."""
        # Distributions hold arrays and are compared by identity. The entry keeps its distribution alive, so that the
        # id cannot become that of another one.
        cached = self._cache.get(id(distribution))
        if cached is not None and cached[0] is distribution:
            return cached[1]
        edges = np.append(self.start_us, self.end_us[-1:]) / 1e6
        share = np.diff(distribution.time.cdf(edges))
        order = np.argsort(self.row, kind="stable")
        rows = share[:, order]
        if len(self) < len(order):  # else each span of time has a text of its own
            rows = np.add.reduceat(rows, np.flatnonzero(np.diff(self.row[order], prepend=-1)), axis=1)
        sums = np.concatenate([np.zeros((len(rows), 1)), np.cumsum(rows, axis=1)], axis=1)
        # Time outside the listed spans is left out, so the rest is scaled to 1. A window wholly outside would divide 0
        # by 0.
        sums /= np.maximum(sums[:, -1:], 1e-300)
        if len(self._cache) >= 8:
            self._cache.pop(next(iter(self._cache)))
        self._cache[id(distribution)] = (distribution, sums)
        return sums

    def rows_at(self, time_us: Ints) -> Ints:
        """Return the row of each time. int64, any shape."""
        place = np.searchsorted(self.start_us, time_us, side="right") - 1
        return self.row[np.clip(place, 0, len(self.row) - 1)]

    def groups(self, depth: int) -> Ints:
        """See `Table.groups`."""
        return group_starts(self.columns, depth, len(self))

    def mass(self, distribution: EventDistribution, low: Ints, high: Ints) -> Floats:
        """Share of each window's events in rows low…high-1. float64 (windows, intervals)."""
        time = distribution.time
        if time.count == 1:
            sums = self.cumulative_shares(distribution)
            return np.asarray(sums[:, high] - sums[:, low])
        # Windows are short beside the table: an hour meets 12 of 200,000 buckets of five minutes. Each window looks
        # only at the cells that it meets, instead of (windows, rows) sums.
        first = np.searchsorted(self.start_us, time.start_s.min(axis=1) * 1e6, side="right") - 1
        last = np.searchsorted(self.start_us, time.end_s.max(axis=1) * 1e6)
        spans = zip(np.maximum(first, 0).tolist(), last.tolist(), strict=True)
        return np.array([self._mass_of(time.window(place), *span, low, high) for place, span in enumerate(spans)])

    def _mass_of(self, window: TimeDistribution, first: int, last: int, low: Ints, high: Ints) -> Floats:
        """Return the share of one window's events in rows low…high-1, all of them in some cells: (intervals,)."""
        if last <= first:
            return np.zeros(len(low))
        share = np.diff(window.cdf(np.append(self.start_us[first:last], self.end_us[last - 1]) / 1e6)[0])
        order = np.argsort(self.row[first:last], kind="stable")
        rows = self.row[first:last][order]
        sums = np.concatenate(([0.0], np.cumsum(share[order])))
        sums /= max(float(sums[-1]), 1e-300)
        return np.asarray(sums[np.searchsorted(rows, high)] - sums[np.searchsorted(rows, low)])


def cells_of(segments: Sequence[Segment], shapes: Mapping[str, ValueShape], first_s: float, end_s: float) -> TimeSpans:
    """Return the table of the time segments over stored history and horizon, and a month on both sides."""
    margin_s = MARGIN_DAYS * DAY_SECONDS
    first, last = int((first_s - margin_s) * 1e6), int((end_s + margin_s) * 1e6)
    starts, exact = _starts(segments, first, last)
    columns = []
    for segment in segments:
        after = as_bytes(segment.after)
        if isinstance(segment, TimeSegment) and (segment.hash is not None or _is_date(segment)):
            columns.append(encode_texts(append_delimiter(time_texts(segment, np.array(starts)), after)))
            continue
        texts = [_text(segment, shapes, at) + after for at in starts]
        columns.append(encode_texts(Texts.of(texts)))
    table = table_of(Entries(), columns)
    start = np.array(starts, dtype=np.int64)
    return TimeSpans(table.columns, start, np.append(start[1:], last), table.entry_row, table.entry, exact)


def _is_date(segment: TimeSegment) -> bool:
    return bool(segment.pattern) and not isinstance(segment, IntegerTime | EscapedTime)


def _starts(segments: Sequence[Segment], first: int, last: int) -> tuple[list[int], bool]:
    """Return the starts of the finest buckets, or of equal spans where those are too many.

    The second value is True for buckets.
    """
    # The longest span in which no segment's text can change: with hours and with buckets of 90 minutes, 30 minutes.
    size = math.gcd(*(_length(segment) for segment in segments)) or clock.DAY_US
    timed = all(isinstance(s, TimeSegment) for s in segments)
    hashed = all(isinstance(s, TimeSegment) and s.hash is not None for s in segments)
    if timed and (last - first) // size <= (BUCKETS_MOST if hashed else CELLS_MOST):
        start = first // size * size  # buckets of up to a day, or of a length, begin at whole multiples since 1970
        return list(range(start, last, size)), True
    step = (last - first) // CELLS_MOST
    return [first + step * place for place in range(CELLS_MOST)], False


def _length(segment: Segment) -> int:
    """Return a length at whose multiples since 1970 a time segment's text may change, in microseconds.

    It is at most a day for resolutions.
    """
    if not isinstance(segment, TimeSegment):
        return clock.DAY_US
    bucket_us = clock.bucket_us(segment.bucket) or clock.DAY_US
    if segment.pattern:
        text_us = clock.FIXED_US.get(pattern_resolution(segment.pattern), clock.DAY_US)
    else:
        text_us = clock.UNIT_US.get(segment.unit, 1)
    if segment.bucket_seconds is None:
        return min(max(bucket_us, text_us), clock.DAY_US)
    text_us = min(text_us, clock.DAY_US)
    return bucket_us if text_us % bucket_us else text_us  # of buckets that do not fill a day the last holds two days


def _text(segment: Segment, shapes: Mapping[str, ValueShape], at_us: int) -> bytes:
    numbers = {
        name: max(0, sequence_number(shape, at_us)) for name, shape in shapes.items() if shape.growth_per_day > 0
    }
    return render.segment_text(segment, shapes, render.Event(numbers, at_us))
