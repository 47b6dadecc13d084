"""Nothing: what counts is that the cell is there."""

import numpy as np

from estimator.results.arrays import Ints


def values(column: np.random.Generator, rng: np.random.Generator, sizes: Ints) -> list[bytes]:
    """Empty values, whatever their size."""
    return [b""] * len(sizes)
