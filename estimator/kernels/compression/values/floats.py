"""Readings of an instrument: binary numbers where four or eight bytes are asked for, else decimal text."""

import numpy as np

from estimator.results.arrays import Ints

DECIMALS = 2
"""An instrument shows so many: a reading is not a random double."""


def values(column: np.random.Generator, rng: np.random.Generator, sizes: Ints) -> list[bytes]:
    """Return normally distributed readings around a middle specific to the column."""
    middle = 10.0 ** column.uniform(1, 3)
    readings = np.round(rng.normal(middle, middle / 8, len(sizes)), DECIMALS)
    binary = {8: readings.astype(">f8").tobytes(), 4: readings.astype(">f4").tobytes()}
    return [
        binary[size][n * size : (n + 1) * size] if size in binary else (b"%.12f" % readings[n]).ljust(size, b"0")[:size]
        for n, size in enumerate(sizes.tolist())
    ]
