"""Counts of values, in bounded memory: exact up to a limit, then of a sample and of the busiest values."""

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from estimator.results.arrays import Ints

LIMIT_BYTES = 64 << 20
"""Memory for the values of one counter; then there is a sample, which is halved as often as needed."""
ENTRY_BYTES = 130
"""A counted value without its own bytes, measured."""
_HASHES = 1 << 32
_COUNTED = 1 << 12
"""Counts below are told apart by counting them, larger ones by sorting."""
_EACH = 16
"""One value of so many tells the mean length."""


@dataclass
class ValueCounter:
    """Counts of values.

    Once there are too many, only values with a small hash are counted: a sample of the values, each with its exact
    count, because whoever is in a smaller sample was in the larger one. Beside them stay the values that came often;
    what they had before they were last dropped is lost, which is less than `lost_count_max` each.
    """

    limit_bytes: int = LIMIT_BYTES
    counts: Counter[bytes] = field(default_factory=Counter)
    total: int = 0
    has_sample: bool = True
    """False: only the values that came often stay, once there are too many."""
    sample_share: float = 1.0
    """Of all values, so many are in the sample."""
    lost_count_max: int = 0
    _length_total: int = 0

    def add(self, values: Sequence[bytes]) -> None:
        """Count these values."""
        self.total += len(values)
        # The mean length is needed only to bound memory, so every 16th value is enough.
        self._length_total += _EACH * sum(map(len, values[::_EACH]))
        self.counts.update(values)
        if len(self.counts) > self.limit:
            self._shrink()

    @property
    def limit(self) -> int:
        """So many values are counted, for their mean length."""
        return int(self.limit_bytes / (ENTRY_BYTES + self._length_total / max(self.total, 1)))

    def _shrink(self) -> None:
        """Drop values that are neither in the sample nor among the busiest; halve the sample until that is enough."""
        numbers = np.fromiter(self.counts.values(), dtype=np.int64, count=len(self.counts))
        busiest = self.limit // 8
        # Strictly above: with many equal counts "at least" could keep all of them and free nothing.
        is_kept = is_busy = numbers > _nth_largest(numbers, busiest)
        hashes = np.fromiter(map(zlib.crc32, self.counts if self.has_sample else ()), dtype=np.int64)
        while self.has_sample:
            is_kept = is_busy | (hashes < self.sample_share * _HASHES)
            if int(is_kept.sum()) <= self.limit // 4:
                break
            self.sample_share /= 2
        self.lost_count_max += int(numbers[~is_kept].max(initial=0))
        self.counts = Counter(dict(compress(self.counts.items(), is_kept.tolist())))

    def _is_sampled(self, value: bytes) -> bool:
        return zlib.crc32(value) < self.sample_share * _HASHES

    @property
    def distinct(self) -> float:
        """Number of different values that came; estimated from the sample once there is one."""
        if self.sample_share == 1:
            return float(len(self.counts))
        return sum(map(self._is_sampled, self.counts)) / self.sample_share

    def weighted_counts(self) -> list[tuple[int, float]]:
        """Return counts of values, each with the number of values that it stands for."""
        if self.sample_share == 1:
            return [(count, 1.0) for count in self.counts.values()]
        sampled = 1 / self.sample_share
        # What was lost of such a value is below 5 % of its count, so it can stand for itself alone.
        frequent = 20 * self.lost_count_max
        return [
            (count, 1.0 if count >= frequent else sampled)
            for value, count in self.counts.items()
            if count >= frequent or self._is_sampled(value)
        ]

    def busiest(self, number: int) -> list[tuple[bytes, int]]:
        """Return the values that came most often, with their counts, the most frequent first."""
        return self.counts.most_common(number)


def _nth_largest(numbers: Ints, n: int) -> int:
    """Return the number that would be the nth if the largest came first: most are small, and so counted."""
    capped = np.minimum(numbers, _COUNTED)
    # Numbers of values with a count of at least c, from the largest c on: one pass instead of a sort of millions.
    at_least = np.bincount(capped)[::-1].cumsum()
    result = at_least.size - 1 - int(np.searchsorted(at_least, n))
    return result if result < _COUNTED else int(np.sort(numbers)[-n])


@dataclass(frozen=True)
class DistinctValues:
    """Different values of several counters together."""

    seen: float
    once: float
    """Of these, the values that came once."""
    twice: float
    requests: int
    is_sample: bool = False
    """True if these are counted in a sample of the values."""

    @property
    def unseen(self) -> float:
        """Values that did not come, at least.

        References
        ----------
        A. Chao, "Nonparametric estimation of the number of classes in a population", 1984, without bias.
        """
        return self.once * max(self.once - 1, 0.0) / (2 * (self.twice + 1))

    @property
    def covered_share(self) -> float:
        """Chance that the next request is for a value that came before.

        References
        ----------
        I. J. Good, "The population frequencies of species", 1953.
        """
        return 1 - self.once / self.requests if self.requests else 0.0


def distinct_in_any(counters: Iterable[ValueCounter]) -> DistinctValues:
    """Return the different values that came in any of these counters.

    Samples are by the same hash of the value, so the smallest of them is a sample of all values together.
    """
    all_of_them = tuple(counters)
    share = min((counter.sample_share for counter in all_of_them), default=1.0)
    requests = sum(counter.total for counter in all_of_them)
    times = _sum_counts(all_of_them)
    if share < 1:
        times = Counter({value: count for value, count in times.items() if zlib.crc32(value) < share * _HASHES})
    often = Counter(times.values())
    return DistinctValues(len(times) / share, often[1] / share, often[2] / share, requests, share < 1)


def _sum_counts(counters: Sequence[ValueCounter]) -> Counter[bytes]:
    if len(counters) == 1:
        return counters[0].counts
    total = Counter[bytes]()
    for counter in counters:
        total.update(counter.counts)
    return total
