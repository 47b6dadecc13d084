"""How large values are: a mean and a largest size, and nothing else is known."""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

SHAPE = 2.0
"""Small and middling values are common, large ones rare: the shape of a gamma law where the largest is far away."""


def drawn_sizes(rng: np.random.Generator, count: int, typical_bytes: float, max_bytes: float) -> Ints:
    """Whole sizes with this mean, none above the largest; all alike where that is the mean. int64 (count,)"""
    if max_bytes <= typical_bytes or typical_bytes <= 0:
        return _rounded(rng, np.full(count, float(typical_bytes)))
    rest = SHAPE * (max_bytes - typical_bytes) / typical_bytes
    return np.minimum(_rounded(rng, rng.beta(SHAPE, rest, count) * max_bytes), math.floor(max_bytes))


def _rounded(rng: np.random.Generator, sizes: NDArray[np.float64]) -> Ints:
    """Up or down by chance, so that the mean stays."""
    whole = np.floor(sizes)
    return np.asarray(whole + (rng.random(len(sizes)) < sizes - whole)).astype(np.int64)


def cut(data: bytes, sizes: Ints) -> list[bytes]:
    """The data in pieces of these sizes."""
    ends = np.concatenate(([0], np.cumsum(sizes))).tolist()
    return [data[first:last] for first, last in pairwise(ends)]
