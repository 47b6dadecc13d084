"""Runs of readable time."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from estimator.kernels.keys.patterns.time_buckets import FIRST_US, LAST_US, bucket_places, bucket_starts
from estimator.kernels.keys.patterns.times import CalendarText, calendar_texts
from estimator.kernels.keys.rendering.digits import Hits, Spans
from estimator.kernels.keys.rendering.texts import Texts, concatenate
from estimator.results.arrays import Bytes, Ints

from .group import write_texts


@dataclass(frozen=True, eq=False)
class CalendarGroup:
    """Readable time."""

    part: tuple[int, int]
    calendar: CalendarText
    bucket: str
    low: int
    size: int

    @property
    def width(self) -> int:
        """See `SegmentGroup`."""
        return self.calendar.width

    has_varying_length = False

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """See `SegmentGroup`."""
        return write_texts(self.texts(ranks), out, at)

    def ranks(self, draws: Ints) -> Ints:
        """See `SegmentGroup`."""
        return self._flip(bucket_places(draws, self.bucket) - self.low)

    def _flip(self, places: Ints) -> Ints:
        """Return ranks of buckets counted from the first, or the buckets of ranks: the last first where reversed."""
        return self.size - 1 - places if self.calendar.is_reversed else places

    def starts(self, ranks: Ints) -> Ints:
        """Return the first time of each rank's bucket, in microseconds."""
        return bucket_starts(self._flip(ranks) + self.low, self.bucket)

    def texts(self, ranks: Ints) -> Texts:
        """See `SegmentGroup`."""
        # Rendering a calendar text is much slower than copying one, so all buckets are rendered once where most of
        # them will be needed: one day in minutes has 1,440.
        if self.size <= 4 * len(ranks):
            return self._all_texts.take(ranks)
        return self._render(ranks)

    @cached_property
    def _all_texts(self) -> Texts:
        return self._render(np.arange(self.size))

    def _render(self, ranks: Ints) -> Texts:
        starts = self.starts(ranks)
        resolution = self.calendar.resolution
        starts = bucket_starts(bucket_places(starts, resolution), resolution)
        texts = calendar_texts(self.calendar.pattern, starts, is_reversed=self.calendar.is_reversed)
        after = Texts.constant(self.calendar.after, len(texts))
        return concatenate([texts, after]) if self.calendar.after else texts

    def locate(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """See `SegmentGroup`."""
        low, high = state.get(self.part[0], (FIRST_US, LAST_US))
        spans, hits = self.calendar.split(low, high, rest)
        rank = self._count_below(low, spans, hits)
        if hits:
            state[self.part[0]] = hits[0][0], hits[0][1]
        if not 0 <= rank < self.size or not hits:
            return min(max(rank, 0), self.size), -1
        return rank, hits[0][2]

    def _count_below(self, low: int, spans: Spans, hits: Hits) -> int:
        """Return how many buckets sort before the one that is found, or before where it would be."""
        if self.calendar.is_reversed:
            edge = hits[0][1] if hits else spans[0][0]
            is_all = edge == low  # the segment before may leave a part of a bucket: that one is below what it begins
            return self.size - 1 + is_all - self._place(edge if is_all else edge - 1)
        edge = hits[0][0] if hits else spans[0][1]
        inside = edge == low  # the segment before may leave a part of a bucket: that one is not below what begins in it
        return self._place(edge if inside else edge - 1) + (not inside)

    def _place(self, time_us: int) -> int:
        return int(bucket_places(np.array([time_us]), self.bucket)[0]) - self.low
