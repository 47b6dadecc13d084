"""Names and the node time that they take in windows of time; of too many the lightest are dropped."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Floats, Ints

from ..blocks import OPERATION_CODES

Hashes = NDArray[np.uint64]
PAIRS_MAX = 2_000_000
"""So many names in windows are added up; of more, the heavier half stays."""
_OPERATIONS = len(OPERATION_CODES)
_SPREAD = 0x9E3779B97F4A7C15
"""An odd number, so that each window turns a name into another one."""


def hash_names(names: Sequence[bytes], tag: bytes = b"") -> Hashes:
    """Return 64 bits for each name, the same ones in every process."""
    distinct = tuple(dict.fromkeys(names))
    hashes = np.frombuffer(b"".join(blake2b(tag + name, digest_size=8).digest() for name in distinct), dtype=np.uint64)
    if len(distinct) == len(names):
        return hashes
    places = dict(zip(distinct, range(len(distinct)), strict=True))
    return np.asarray(hashes[np.fromiter(map(places.__getitem__, names), dtype=np.int64, count=len(names))])


@dataclass
class HeaviestNames:
    """Node time of names in windows."""

    limit: int = PAIRS_MAX
    pairs: Hashes = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    seconds: Floats = field(default_factory=lambda: np.zeros(0))

    def add(self, names: Hashes, windows: Ints, seconds: Floats) -> None:
        """Add the node time of requests, each for a name in a window."""
        new = names ^ (windows.astype(np.uint64) * np.uint64(_SPREAD))
        pairs, places = np.unique(np.concatenate([self.pairs, new]), return_inverse=True)
        totals: Floats = np.zeros(pairs.size)
        np.add.at(totals, places.reshape(-1), np.concatenate([self.seconds, seconds]))
        if pairs.size > self.limit:
            heaviest = np.sort(np.argpartition(totals, -self.limit // 2)[-self.limit // 2 :])
            pairs, totals = pairs[heaviest], totals[heaviest]
        self.pairs, self.seconds = pairs, totals

    @property
    def most_seconds(self) -> float:
        """Node time of the heaviest name in its heaviest window."""
        return float(self.seconds.max(initial=0.0))


@dataclass
class WindowCounts:
    """Requests for each name in each window of time; of too many the rarest are dropped."""

    limit: int = PAIRS_MAX
    requests: int = 0
    _pairs: Hashes = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    _windows: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    _counts: Floats = field(default_factory=lambda: np.zeros(0))

    def add(self, names: Hashes, windows: Ints) -> None:
        """Count requests, each for a name in a window."""
        self.requests += names.size
        new = names ^ (windows.astype(np.uint64) * np.uint64(_SPREAD))
        all_windows = np.concatenate([self._windows, windows])
        weights = np.concatenate([self._counts, np.ones(names.size)])
        pairs, first, places = np.unique(np.concatenate([self._pairs, new]), return_index=True, return_inverse=True)
        counts: Floats = np.bincount(places.reshape(-1), weights, minlength=pairs.size).astype(np.float64)
        selection = np.arange(pairs.size)
        if pairs.size > self.limit:
            selection = np.sort(np.argpartition(counts, -self.limit // 2)[-self.limit // 2 :])
        self._pairs, self._windows, self._counts = pairs[selection], all_windows[first][selection], counts[selection]

    def busiest_share(self, least: int) -> float | None:
        """Return the share of the requests for the busiest name of each window; None if they are fewer on average."""
        windows, places = np.unique(self._windows, return_inverse=True)
        busiest = np.zeros(windows.size)
        np.maximum.at(busiest, places.reshape(-1), self._counts)
        return float(busiest.sum() / self.requests) if windows.size and busiest.mean() >= least else None


@dataclass
class RowCounts:
    """Requests of each operation for each row: of all up to a limit, then of a sample of them and of the busiest."""

    limit: int = 4_000_000
    """Rows that are told apart."""
    share: float = 1.0
    """Of all rows, so many are in the sample."""
    total: int = 0
    _hashes: Hashes = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    _counts: Ints = field(default_factory=lambda: np.zeros((0, _OPERATIONS), dtype=np.int64))
    _waiting: list[tuple[Hashes, Ints]] = field(default_factory=list)
    _waiting_rows: int = 0

    def add(self, rows: Hashes, operations: Ints) -> None:
        """Count requests."""
        if not rows.size:
            return
        self.total += rows.size
        distinct, places = np.unique(rows, return_inverse=True)
        cells = places.reshape(-1) * _OPERATIONS + operations
        counts = np.bincount(cells, minlength=_OPERATIONS * distinct.size).reshape(-1, _OPERATIONS)
        self._waiting.append((distinct, counts))
        self._waiting_rows += distinct.size
        if self._waiting_rows > max(self._hashes.size // 2, 1_000_000):
            self._merge()

    def _merge(self) -> None:
        if not self._waiting:
            return
        hashes = np.concatenate([self._hashes, *(row_hashes for row_hashes, _ in self._waiting)])
        counts = np.concatenate([self._counts, *(many for _, many in self._waiting)])
        self._waiting, self._waiting_rows = [], 0
        order = np.argsort(hashes, kind="stable")
        firsts = np.flatnonzero(np.concatenate([[True], np.diff(hashes[order]) != 0]))
        self._hashes, self._counts = hashes[order][firsts], np.add.reduceat(counts[order], firsts)
        while self._hashes.size > self.limit:
            self.share /= 2
            totals = self._counts.sum(axis=1)
            is_busy = totals >= np.partition(totals, -self.limit // 8)[-self.limit // 8]
            is_kept = self._is_sampled | (is_busy & (totals > 1))
            self._hashes, self._counts = self._hashes[is_kept], self._counts[is_kept]

    @property
    def _is_sampled(self) -> NDArray[np.bool_]:
        return self._hashes <= np.uint64(min(int(self.share * 2**64), 2**64 - 1))

    @property
    def rows(self) -> int:
        """Number of rows; an estimate where `share` is less than 1."""
        self._merge()
        return round(int(self._is_sampled.sum()) / self.share)

    @property
    def busiest(self) -> int:
        """Requests for the busiest row."""
        self._merge()
        return int(self._counts.sum(axis=1).max(initial=0))

    def busiest_of(self, operation: int) -> int:
        """Return the requests of one operation for its busiest row."""
        self._merge()
        return int(self._counts[:, operation].max(initial=0))
