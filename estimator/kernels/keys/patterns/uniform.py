"""Texts that are uniform over all strings of given letters per place: hashes of what is new, random ids. No table."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Floats

from ..rendering.digits import Digits
from ..rendering.texts import Texts
from ..values.popularity import weight_sum
from ..values.shape import ValueShape
from .distributions import EventDistribution

Interval = tuple[float, float]
Number = TypeVar("Number", int, NDArray[Any])
HEX = b"0123456789abcdef"

COUNT_MOST = 2**256
"""More texts than a SHA-256 has are not counted: no two events draw the same, and a float has no room for 62^200."""


@dataclass(frozen=True, eq=False)
class UniformText:
    """A text with each place drawn evenly from its letters, then `after`. Its intervals are shares 0…1."""

    segment: str
    places: tuple[bytes, ...]
    """The letters of each place, in byte order."""
    after: bytes = b""
    values: float | None = None
    """How many of the texts there are, where a field has so many values; None: as many as there can be."""
    stages: tuple[()] = ()

    prefix_free = True
    full: Interval = (0.0, 1.0)

    @cached_property
    def count(self) -> float:
        """Number of possible texts, up to `COUNT_MOST`."""
        return float(min(prod(len(letters) for letters in self.places), COUNT_MOST))

    @property
    def distinct(self) -> float:
        """Number of texts in use; they are spread evenly and not listed."""
        return self.count if self.values is None else min(self.values, self.count)

    def split(self, low: float, high: float, rest: bytes) -> tuple[list[Interval], list[tuple[float, float, int]]]:
        """Shares of the texts below `rest`, and of the one that it begins with."""
        at, width = 0.0, 1.0
        for place, letters in enumerate(self.places):
            if place >= len(rest):
                return [(0.0, at)], []
            byte = rest[place]
            # Position in a number system with one digit per place: the lower letters' share of what the earlier places
            # leave.
            width /= len(letters)
            rank = bisect_left(letters, byte)
            at += width * rank
            if rank == len(letters) or letters[rank] != byte:
                return [(0.0, at)], []
        behind = rest[len(self.places) :]
        if behind.startswith(self.after):
            return [(0.0, at)], [(at, at + width, len(self.places) + len(self.after))]
        return [(0.0, at + width if self.after < behind else at)], []

    def mass(self, distribution: EventDistribution, low: Floats, high: Floats) -> Floats:
        """Return the share of an interval, which is its length."""
        return np.asarray(high - low)

    def text(self, share: float) -> bytes:
        """Return the text at a share of the key order, with its delimiter."""
        out = bytearray()
        for letters in self.places:
            share *= len(letters)
            # A share of just below 1 can round up to the number of letters.
            digit = min(int(share), len(letters) - 1)
            out.append(letters[digit])
            share -= digit
        return bytes(out) + self.after

    def texts(self, shares: Floats) -> list[bytes]:
        """`text` of many shares."""
        out = np.empty((len(shares), len(self.places) + len(self.after)), dtype=np.uint8)
        out[:, len(self.places) :] = np.frombuffer(self.after, np.uint8)
        rest = shares.copy()
        for place, letters in enumerate(self.places):
            rest *= len(letters)
            digit = np.minimum(rest.astype(np.int64), len(letters) - 1)
            out[:, place] = np.frombuffer(letters, np.uint8)[digit]
            rest -= digit
        return Texts.from_fixed(out).tolist()


@dataclass(frozen=True, eq=False)
class CountedValues:
    """The values of one field whose number is written in the key, however many; intervals are written numbers."""

    segment: str
    shape: ValueShape
    digits: Digits
    base: int
    """Value number i is written as i + base."""
    top: int | None = None
    """Where it is set, as `top` minus that."""
    prefix_free: bool = False
    stages: tuple[()] = ()

    @property
    def full(self) -> tuple[int, int]:
        """All that will ever be written."""
        low, high = self.written_span(0, self.shape.total)
        return int(low), int(high)

    def written_span(self, first: Number, end: Number) -> tuple[Number, Number]:
        """Return the numbers, from the first to before the second, as which values first…end-1 are written."""
        if self.top is None:
            return first + self.base, end + self.base
        return self.top - self.base + 1 - end, self.top - self.base + 1 - first

    def value_span(self, low: Number, high: Number) -> tuple[Number, Number]:
        """Return the values that are written as the numbers low…high-1: the inverse."""
        if self.top is None:
            return low - self.base, high - self.base
        return self.top - self.base + 1 - high, self.top - self.base + 1 - low

    def split(self, low: int, high: int, rest: bytes) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]]]:
        """Written numbers below `rest`, and those that it begins with."""
        return self.digits.split(low, high, rest)

    def mass(self, distribution: EventDistribution, low: NDArray[Any], high: NDArray[Any]) -> Floats:
        """Share of written numbers low…high-1 among those in use: even, or by age."""
        popularity = distribution.popularity.get(self.shape.id, self.shape.popularity)
        times = (
            # Midpoint rule over the time: the values in use shift as the field grows.
            distribution.time.collapse().quantile((np.arange(8) + 0.5) / 8) if self.shape.growth_per_day > 0 else [0.0]
        )
        total = np.zeros(np.shape(low))
        span = self.value_span(np.asarray(low), np.asarray(high))
        for time_s in times:
            first, end = self.shape.values_in_use(float(time_s))
            a, b = (np.minimum(np.maximum(x, first), end) for x in span)
            if popularity.kind == "latest":
                # Rank 1 is the newest value. Values a…b−1 have the ranks end − b + 1 … end − a, so they weigh W(end −
                # a) − W(end − b).
                n = end - first
                sums = [weight_sum(popularity, end - x, n) for x in (a, b)]
                total += (sums[0] - sums[1]) / weight_sum(popularity, n, n)
            else:
                total += (b - a) / (end - first)
        return total / len(times)


def letters_of(texts: Sequence[bytes]) -> bytes:
    """Single-byte letters in byte order; empty if some are longer."""
    return b"".join(sorted(texts)) if all(len(text) == 1 for text in texts) else b""
