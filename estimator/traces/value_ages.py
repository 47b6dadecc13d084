"""Age of the values that are read: the rank among written values, the newest first, and the fit of *latest*.

A value is new when it is first written. What was written before the log began has no rank: it is older than all that
the log saw, and so is what is read of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from designer.document.popularity import Latest
from estimator.results.arrays import Floats, Ints

from .blocks import OPERATION_CODES
from .byte_columns import ByteColumn, Hashes
from .popularity import HEADS, TOO_FEW, VALUES_MAX, PopularityFit

REQUESTS_MAX = 200_000
"""So many requests tell how old what is read is; fewer where there are many kinds of rows."""
REQUESTS_MIN = 20_000
BORN_MIN = 50
LATE_BIRTHS = 0.2
"""Of all values, so many must have been written first in the second half of the writes: values go on to come."""
NEWEST, CROWDED = 0.1, 2.0
"""The newest tenth of the values has so many times its share of the reads; else nothing says that age decides."""
RISING, UNORDERED = 0.9, 0.2
"""Values are assigned in sequence if so many of the new ones are larger than all before, in no order if so few are."""
OWN_SHARE = 0.9
"""Where so many writes have a new value, it is made for the write, and not one that was there before the log."""
THETAS = np.arange(0.05, 3.001, 0.01)
_EXACT = 1_000
"""Sums up to so many ranks are added one by one, further ones integrated."""
_READ, _WRITE = OPERATION_CODES["read"], OPERATION_CODES["write"]


@dataclass
class ValueAges:
    """Ranks by age of what is read, for the values of one field."""

    _born: Hashes = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    """Hashes of the written values, in their order."""
    _born_places: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Place of each of them among all, the first first."""
    ranks: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Of each read of a value that was written; 0 for any other."""
    there: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Values that were written before that read."""
    requests: int = 0
    rising: int = 0
    writes: int = 0
    limit: int = REQUESTS_MAX
    births_at: list[tuple[int, int]] = field(default_factory=list)
    """After each block: writes, and values."""
    _largest: tuple[int, bytes] = (0, b"")

    @property
    def births(self) -> int:
        """Number of values that were written."""
        return self._born.size

    def add(self, codes: Ints, hashes: Hashes, values: ByteColumn) -> None:
        """Add requests in the order of the log: their operations, and the hashes of their values with these."""
        remaining = self.limit - self.requests
        if remaining <= 0 or not codes.size:
            return
        codes, hashes = codes[:remaining], hashes[:remaining]
        self.requests += codes.size
        writes, reads = np.flatnonzero(codes == _WRITE), np.flatnonzero(codes == _READ)
        self.writes += writes.size
        written, firsts = np.unique(hashes[writes], return_index=True)
        is_new = self._places_of(written) < 0
        # Requests that write a value for the first time, in the order of the log.
        begun = np.sort(writes[firsts[is_new]])
        before = self.births + np.searchsorted(begun, reads)
        self._add_born(hashes[begun])
        places = self._places_of(hashes[reads])
        # A value that is written later in this block is none yet.
        is_there = (places >= 0) & (places < before)
        self.ranks = np.append(self.ranks, np.where(is_there, before - places, 0))
        self.there = np.append(self.there, before)
        self._add_rising(values.take(begun).cells())
        self.births_at.append((self.writes, self.births))

    def _places_of(self, hashes: Hashes) -> Ints:
        """Return the places of these values among all that were written; -1 for others."""
        at = np.searchsorted(self._born, hashes)
        is_born = (np.append(self._born, np.uint64(0))[at] == hashes) & (at < self.births)
        return np.where(is_born, np.append(self._born_places, -1)[at], -1)

    def _add_born(self, hashes: Hashes) -> None:
        """Add new values in the order in which they came."""
        order = np.argsort(hashes)
        at = np.searchsorted(self._born, hashes[order])
        self._born_places = np.insert(self._born_places, at, self.births + order)
        self._born = np.insert(self._born, at, hashes[order])

    def _add_rising(self, values: Sequence[bytes]) -> None:
        for value in values:
            # Numbers are compared as numbers: by length first, then digit by digit. "9" is below "10".
            order = (len(value), value) if value.isdigit() else (0, value)
            if order > self._largest:
                self.rising += 1
                self._largest = order

    @property
    def new_share(self) -> float:
        """Share of the writes that wrote a new value."""
        return self.births / max(self.writes, 1)

    @property
    def is_rising(self) -> bool:
        """True if new values are larger than all before."""
        return self.rising >= RISING * self.births

    @property
    def is_unordered(self) -> bool:
        """True if enough values were made to say that they are in no order."""
        is_told = self.births >= BORN_MIN and self.new_share >= OWN_SHARE
        return is_told and self.rising <= UNORDERED * self.births

    @property
    def known_share(self) -> float:
        """Share of the reads that are for values which were written before in the log; 1 without reads."""
        return np.count_nonzero(self.ranks) / self.ranks.size if self.ranks.size else 1.0

    def fit(self) -> PopularityFit | None:
        """Return the fit of *latest* to the reads, however poor; None where age does not decide.

        How often each value came says nothing against it: values that are read at one age each come equally often.
        """
        ranks, there = self.ranks, self.there
        is_known = ranks > 0
        if is_known.sum() < TOO_FEW or self.births < BORN_MIN or not self._goes_on:
            return None
        # Where age does not matter, the newest tenth of the values has a tenth of the reads.
        if (ranks[is_known] <= NEWEST * there[is_known]).mean() < CROWDED * NEWEST:
            return None
        theta = _theta(ranks[is_known], there[is_known])
        values = _values_in_use(theta, there, float(is_known.mean()), self.births)
        error = _error(theta, values - self.births, ranks, there)
        newest = float((ranks == 1).mean())
        # Reads of values from before the log rank behind all that it wrote, wherever exactly.
        half = int(np.median(np.where(is_known, ranks, there + values)))
        fit = PopularityFit(Latest(theta=theta), values, error, newest, ranks.size, newest_half=min(half, values))
        return fit if not fit.is_poor or error < _error(0.0, values - self.births, ranks, there) else None

    @property
    def _goes_on(self) -> bool:
        halfway = next((births for writes, births in self.births_at if writes >= self.writes / 2), 0)
        if len(self.births_at) == 1:
            halfway = 0  # of one block nothing is known in between
        return self.births - halfway >= LATE_BIRTHS * self.births


def _theta(ranks: Ints, there: Ints) -> float:
    """Return the most likely θ of these ranks, each among as many values as were there."""
    logs = float(np.log(ranks).sum())
    sizes, counts = np.unique(there, return_counts=True)
    # ln L(θ) = Σ −θ ln r − ln Σ_{i ≤ n} i^−θ over the reads, each of rank r among the n values that were there then.
    likelihood = [-theta * logs - float((counts * np.log(_sums(sizes, theta))).sum()) for theta in THETAS]
    return float(f"{THETAS[int(np.argmax(likelihood))]:.3g}")


def _sums(sizes: NDArray[Any], theta: float) -> Floats:
    """Return the sum of rank^-θ up to each size."""
    exact = np.cumsum(np.arange(1, _EXACT + 1, dtype=np.float64) ** -theta)
    within = exact[np.minimum(sizes, _EXACT).astype(np.int64) - 1]
    low, high = _EXACT + 0.5, np.maximum(sizes, _EXACT) + 0.5
    power = 1 - theta
    # The integral of x^−θ from half a rank before to half a rank behind (midpoint rule); its form for θ = 1 is a
    # logarithm.
    beyond = np.log(high / low) if abs(power) < 1e-9 else (high**power - low**power) / power
    return np.asarray(within + beyond)


def _values_in_use(theta: float, there: Ints, known_share: float, least: int) -> int:
    """Return how many values there are, so that as many reads as did are for values of before the log."""
    grown = np.unique(there[there > 0], return_counts=True)
    low, high = float(least), float(VALUES_MAX)
    for _ in range(40):
        middle = float(np.sqrt(low * high))
        # Values of before the log take their share of the reads, so more of them leave less for the known ones.
        before = middle - least
        share = float((grown[1] * _sums(grown[0], theta) / _sums(grown[0] + before, theta)).sum() / grown[1].sum())
        low, high = (middle, high) if share > known_share else (low, middle)
    return max(round(high), least)


def _error(theta: float, before: int, ranks: Ints, there: Ints) -> float:
    """Return the largest difference between the predicted and the counted share of the newest values."""
    most = int(ranks.max())
    heads = (head for head in (*HEADS, *(10**n for n in range(4, 8))) if head <= most)
    return max((_head_error(theta, before, ranks, there, head) for head in heads), default=0.0)


def _head_error(theta: float, before: int, ranks: Ints, there: Ints, head: int) -> float:
    """Return the difference for so many newest values, of the reads when as many had been written."""
    is_known = there >= head
    if is_known.sum() < TOO_FEW:
        return 0.0
    sizes, counts = np.unique(there[is_known] + before, return_counts=True)
    shares = _sums(np.array([head]), theta) / _sums(sizes, theta)
    within = (ranks[is_known] > 0) & (ranks[is_known] <= head)
    return abs(float((counts * shares).sum() / counts.sum()) - float(within.mean()))
