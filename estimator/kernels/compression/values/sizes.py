"""Sizes of values of which only a mean and a largest size are known."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Floats, Ints
from estimator.results.value_sizes import SHAPE


def draw_sizes(rng: np.random.Generator, count: int, typical_bytes: float, max_bytes: float) -> Ints:
    """Return whole sizes with this mean and maximum, all equal if the two are the same; int64 (count,)."""
    if max_bytes <= typical_bytes or typical_bytes <= 0:
        return _round_randomly(rng, np.full(count, float(typical_bytes)))
    # So that SHAPE ÷ (SHAPE + rest), the mean, is typical ÷ largest.
    rest = SHAPE * (max_bytes - typical_bytes) / typical_bytes
    return np.minimum(_round_randomly(rng, rng.beta(SHAPE, rest, count) * max_bytes), math.floor(max_bytes))


def _round_randomly(rng: np.random.Generator, sizes: Floats) -> Ints:
    """Round up or down by chance, so that the mean stays."""
    whole = np.floor(sizes)
    return np.asarray(whole + (rng.random(len(sizes)) < sizes - whole)).astype(np.int64)


def split_at_sizes(data: bytes, sizes: Ints) -> list[bytes]:
    """Return the data split into pieces of these sizes."""
    ends = np.concatenate(([0], np.cumsum(sizes))).tolist()
    return [data[first:last] for first, last in pairwise(ends)]


class Pool:
    """Parts that larger values are filled with: about as many as values of these sizes have room for, in turn."""

    def __init__(self, make: Callable[[int], Sequence[bytes]], room: NDArray[Any]) -> None:
        width = max(float(np.mean([len(part) for part in make(16)])), 1.0)
        self._parts = make(int(np.maximum(room, 0).sum() / width) + 16)
        self._at = 0

    def take_fitting(self, spare: int, *, between: int = 0) -> tuple[list[bytes], int]:
        """Return the next parts that fit, with `between` bytes between them, and the remaining space."""
        parts: list[bytes] = []
        while len(self._parts[self._at]) + between <= spare:
            parts.append(self._parts[self._at])
            spare -= len(parts[-1]) + between
            self._at = (self._at + 1) % len(self._parts)
        return parts, spare
