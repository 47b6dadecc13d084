"""A seeded permutation of 0…n-1 that is computed, not stored, once n is large."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Ints

STORED_MOST = 1 << 21
"""Permutations up to this size are stored: two arrays of at most 16 MiB."""

_ROUNDS = 6


@dataclass(frozen=True)
class Shuffle:
    """Assignment of ranks to n values: arbitrary, and the same for the same seed.

    Up to `STORED_MOST` values a stored permutation, above it a Feistel network over the next power of two, walked
    until it lands below n.
    """

    n: int
    seed: int

    def number(self, rank: Ints) -> Ints:
        """Return the value at each rank; int64, any shape."""
        if self.n <= STORED_MOST:
            return self._stored_permutation[0][rank]
        return self._walk(rank, forward=True)

    def rank(self, number: Ints) -> Ints:
        """Return the rank of each value: the inverse of `number`."""
        if self.n <= STORED_MOST:
            return self._stored_permutation[1][number]
        return self._walk(number, forward=False)

    @cached_property
    def _stored_permutation(self) -> tuple[Ints, Ints]:
        return _permutation(self.n, self.seed)

    @property
    def _bits(self) -> tuple[int, int]:
        bits = max(2, (self.n - 1).bit_length())
        return bits // 2, bits - bits // 2

    def _walk(self, values: Ints, *, forward: bool) -> Ints:
        out = self._feistel(values.astype(np.uint64), forward=forward)
        outside = out >= self.n
        # Cycle walking (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002): applying the permutation
        # until it lands below n is again a permutation. The domain has less than 2n values, so two turns are the mean
        # at most.
        while outside.any():
            out[outside] = self._feistel(out[outside], forward=forward)
            outside = out >= self.n
        return out.astype(np.int64)

    def _feistel(self, values: NDArray[np.uint64], *, forward: bool) -> NDArray[np.uint64]:
        low_bits, high_bits = self._bits
        low_mask, high_mask = np.uint64((1 << low_bits) - 1), np.uint64((1 << high_bits) - 1)
        low, high = values & low_mask, values >> np.uint64(low_bits)
        rounds = range(_ROUNDS)
        for turn in rounds if forward else reversed(rounds):
            # A Feistel network is invertible whatever the round function: each round changes one half by a function of
            # the other, so the same rounds in reverse order undo it.
            if turn % 2 == 0:
                high = high ^ (mix_bits(low, self.seed + turn) & high_mask)
            else:
                low = low ^ (mix_bits(high, self.seed + turn) & low_mask)
        return (high << np.uint64(low_bits)) | low


@lru_cache(maxsize=16)
def _permutation(n: int, seed: int) -> tuple[Ints, Ints]:
    numbers = np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, n]))).permutation(n)
    ranks = np.empty_like(numbers)
    ranks[numbers] = np.arange(n)
    return numbers, ranks


_GOLDEN, _MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1


def mix_bits(values: NDArray[np.uint64], salt: int) -> NDArray[np.uint64]:
    """SplitMix64 of each value plus a salt: 64 pseudo-random bits. uint64, any shape."""
    z = values + np.uint64((salt + 1) * _GOLDEN & _MASK)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def mix_bits_of_int(value: int, salt: int) -> int:
    """`mix_bits` for one Python integer.

    Examples
    --------
    >>> mix_bits_of_int(5, 1) == int(mix_bits(np.array([5], np.uint64), 1)[0])
    True
    """
    z = (value + (salt + 1) * _GOLDEN) & _MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)
