"""Bytes without any pattern: hashes, encrypted or already compressed data."""

import numpy as np

from estimator.results.arrays import Ints

from .sizes import split_at_sizes


def values(column: np.random.Generator, rng: np.random.Generator, sizes: Ints) -> list[bytes]:
    """Random bytes."""
    return split_at_sizes(rng.bytes(int(sizes.sum())), sizes)
