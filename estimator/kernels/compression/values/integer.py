"""Counters: big-endian whole numbers of as many bytes as the value is large, most of them far below the largest."""

import numpy as np

from estimator.results.arrays import Ints

MIDDLE, SPREAD = 9.0, 2.5
"""Mean and deviation of the logarithm: half of all counters are above e⁹ ≈ 8,000. A guess."""


def values(column: np.random.Generator, rng: np.random.Generator, sizes: Ints) -> list[bytes]:
    """Log-normal numbers: eight bytes are what Bigtable increments (docs/writes, read 2026-11-20)."""
    numbers = np.minimum(rng.lognormal(MIDDLE, SPREAD, len(sizes)), 2.0**62).astype(np.int64)
    rows = numbers.astype(">u8").tobytes()
    return [
        rows[8 * n + 8 - size : 8 * n + 8] if size <= 8 else bytes(size - 8) + rows[8 * n : 8 * n + 8]
        for n, size in enumerate(sizes.tolist())
    ]
