"""Counts of values, in bounded memory: exact up to a limit, then of a sample and of the busiest values."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Flags, Ints

from .byte_columns import ByteColumn, Hashes, are_sampled

LIMIT_BYTES = 64 << 20
"""Memory for the values of one counter; then there is a sample, which is halved as often as needed."""
ENTRY_BYTES = 48
"""A counted value: its hash and its count, and both once more where others are added."""
KEYS_BYTES = 24 << 20
"""Memory for the keys of a kind, of which only the busiest are told."""
_COUNTED = 1 << 12
"""Counts below are told apart by counting them, larger ones by sorting."""
_WAITING = 1 << 18
"""So many hashes at least are sorted at a time."""
_TEXTS = 16
"""So many of the busiest keys are kept as texts: more than are told."""


@dataclass
class ValueCounter:
    """Counts of values, by their hashes.

    Once there are too many, only values with a small hash are counted: a sample of the values, each with its exact
    count, because whoever is in a smaller sample was in the larger one. Beside them stay the values that came often;
    what they had before they were last dropped is lost, which is less than `lost_count_max` each.
    """

    limit_bytes: int = LIMIT_BYTES
    total: int = 0
    has_sample: bool = True
    """False: only the values that came often stay, once there are too many."""
    halvings: int = 0
    """Of the sample."""
    lost_count_max: int = 0
    _hashes: Hashes = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    """Of the values, in their order."""
    _counts: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    _waiting: list[Hashes] = field(default_factory=list)
    """Hashes that are not counted yet."""
    _waiting_size: int = 0

    def add(self, hashes: Hashes) -> None:
        """Count the values with these hashes."""
        self.total += hashes.size
        self._waiting.append(hashes)
        self._waiting_size += hashes.size
        if self.is_due:
            self.count_waiting()

    @property
    def is_due(self) -> bool:
        """True if so many hashes wait that they are counted together."""
        return self._waiting_size >= max(_WAITING, self._hashes.size // 2)

    def count_waiting(self) -> tuple[Hashes, Ints]:
        """Count what waits, and return the hashes of that with their counts."""
        if not self._waiting:
            return self._hashes[:0], self._counts[:0]
        waiting = np.sort(np.concatenate(self._waiting))
        self._waiting, self._waiting_size = [], 0
        firsts = np.flatnonzero(np.append(True, waiting[1:] != waiting[:-1]))
        hashes, counts = waiting[firsts], np.diff(np.append(firsts, waiting.size))
        at = np.searchsorted(self._hashes, hashes)
        is_known = np.append(self._hashes, np.uint64(0))[at] == hashes
        is_known &= at < self._hashes.size
        counts[is_known] += self._counts[at[is_known]]
        self._counts[at[is_known]] = counts[is_known]
        # Both are in order, so the new ones go between the others without another sort.
        new = np.flatnonzero(~is_known)
        places = at[new] + np.arange(new.size)
        is_old = np.ones(self._hashes.size + new.size, dtype=np.bool_)
        is_old[places] = False
        self._hashes = _merge(is_old, self._hashes, places, hashes[new])
        self._counts = _merge(is_old, self._counts, places, counts[new])
        if self._hashes.size > self.limit:
            self._shrink()
        return hashes, counts

    def counts(self) -> tuple[Hashes, Ints]:
        """Return the hashes of the values in their order, and how often each came."""
        self.count_waiting()
        return self._hashes, self._counts

    @property
    def limit(self) -> int:
        """So many values are counted."""
        return self.limit_bytes // ENTRY_BYTES

    @property
    def sample_share(self) -> float:
        """Of all values, so many are in the sample."""
        return 0.5**self.halvings

    def _shrink(self) -> None:
        """Drop values that are neither in the sample nor among the busiest; halve the sample until that is enough."""
        busiest = self.limit // 8
        # Strictly above: with many equal counts "at least" could keep all of them and free nothing.
        is_kept = is_busy = self._counts > _nth_largest(self._counts, busiest)
        while self.has_sample:
            is_kept = is_busy | are_sampled(self._hashes, self.halvings)
            if int(is_kept.sum()) <= self.limit // 4:
                break
            self.halvings += 1
        self.lost_count_max += int(self._counts[~is_kept].max(initial=0))
        self._hashes, self._counts = self._hashes[is_kept], self._counts[is_kept]

    @property
    def distinct(self) -> float:
        """Number of different values that came; estimated from the sample once there is one."""
        hashes, _ = self.counts()
        return np.count_nonzero(are_sampled(hashes, self.halvings)) / self.sample_share

    def weighted_counts(self) -> tuple[Ints, Flags]:
        """Return counts of values, and which of these stand for as many values as the sample has of one."""
        hashes, counts = self.counts()
        if not self.halvings:
            return counts, np.zeros(counts.size, dtype=np.bool_)
        # What was lost of such a value is below 5 % of its count, so it can stand for itself alone.
        is_frequent = counts >= 20 * self.lost_count_max
        is_told = is_frequent | are_sampled(hashes, self.halvings)
        return counts[is_told], ~is_frequent[is_told]

    def busiest(self, number: int) -> list[tuple[int, int]]:
        """Return the hashes of the values that came most often, with their counts, the most frequent first."""
        hashes, counts = self.counts()
        first = np.argsort(-counts, kind="stable")[:number]
        return list(zip(hashes[first].tolist(), counts[first].tolist(), strict=True))


def _merge(is_old: Flags, old: NDArray[Any], places: Ints, new: NDArray[Any]) -> NDArray[Any]:
    """Return values with new ones at their places between them."""
    result = np.empty(is_old.size, dtype=old.dtype)
    result[is_old], result[places] = old, new
    return result


@dataclass
class KeyCounter(ValueCounter):
    """Counts of keys, of which the busiest are known by their texts."""

    limit_bytes: int = KEYS_BYTES
    has_sample: bool = False
    _columns: list[ByteColumn] = field(default_factory=list)
    """The keys whose hashes wait."""
    _texts: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    """Counts and texts of the busiest keys, by their hashes."""

    def add_keys(self, keys: ByteColumn, hashes: Hashes) -> None:
        """Count keys with their hashes."""
        self._columns.append(keys.pack())
        self.add(hashes)

    def count_waiting(self) -> tuple[Hashes, Ints]:
        """Count what waits; a key that is among the busiest in the end is so when it is counted last."""
        waiting = list(zip(self._waiting, self._columns, strict=True))
        self._columns = []
        hashes, counts = super().count_waiting()
        first = np.argpartition(-counts, _TEXTS)[:_TEXTS] if counts.size > _TEXTS else np.arange(counts.size)
        least = min((count for count, _ in self._texts.values()), default=0) if len(self._texts) == _TEXTS else 0
        for value, count in zip(hashes[first].tolist(), counts[first].tolist(), strict=True):
            if value in self._texts:
                self._texts[value] = count, self._texts[value][1]
            elif count > least:
                self._texts[value] = count, _text_of(value, waiting)
        busiest = sorted(self._texts.items(), key=lambda item: -item[1][0])[:_TEXTS]
        self._texts = dict(busiest)
        return hashes, counts

    def busiest_keys(self, number: int) -> list[tuple[bytes, int]]:
        """Return the keys that came most often, with their counts, the most frequent first."""
        self.count_waiting()
        return [(text, count) for count, text in list(self._texts.values())[:number]]


def _text_of(value: int, columns: Iterable[tuple[Hashes, ByteColumn]]) -> bytes:
    """Return the text with this hash."""
    places = ((column, np.flatnonzero(hashes == np.uint64(value))) for hashes, column in columns)
    return next(column[int(at[0])] for column, at in places if at.size)


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
    pairs = [counter.counts() for counter in all_of_them]
    halvings = max((counter.halvings for counter in all_of_them), default=0)
    requests = sum(counter.total for counter in all_of_them)
    if len(pairs) == 1:
        ((hashes, times),) = pairs
    else:
        order = np.argsort(together := np.concatenate([hashes for hashes, _ in pairs]), kind="stable")
        together, counts = together[order], np.concatenate([counts for _, counts in pairs])[order]
        firsts = np.flatnonzero(np.append(True, together[1:] != together[:-1])) if together.size else order
        hashes, times = together[firsts], np.add.reduceat(counts, firsts) if firsts.size else counts
    share, times = 0.5**halvings, times[are_sampled(hashes, halvings)]
    once, twice = (np.count_nonzero(times == number) / share for number in (1, 2))
    return DistinctValues(times.size / share, once, twice, requests, halvings > 0)
