"""A grid as the browser gets it: logarithmic 16-bit levels, so that any figure can be read to three digits.

Layout, little endian: float64 value of level 1, float64 growth per level (natural logarithm), uint32 first and last
range, first and last window, ranges per row; then the low bytes of all levels and the high bytes (row by row), then
float32 sums (or maxima) per row and per window. Level 0 is nothing.
"""

import gzip
import struct

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Floats

from .types import MapArea

TOP = 65_535
MOST_CELLS = 120_000
"""Two bytes each: with the sums and before compression below 250 KB."""


def levels(values: Floats) -> tuple[NDArray[np.uint16], float, float]:
    """Levels of values ≥ 0, the value of level 1 and the growth per level: value = low · exp(growth · (level − 1))."""
    some = values > 0
    if not some.any():
        return np.zeros(values.shape, np.uint16), 1.0, 0.0
    low, high = float(values[some].min()), float(values[some].max())
    # Equal ratios per level: over nine orders of magnitude a level is 0.03 %, finer than three digits.
    growth = np.log(high / low) / (TOP - 1)
    place = np.zeros(values.shape)
    if growth > 0:
        np.log(values / low, where=some, out=place)
        place /= growth
    return np.where(some, place.round() + 1, 0).astype(np.uint16), low, float(growth)


def pack_grid(values: Floats, part: MapArea, *, adds: bool) -> bytes:
    """Part of a grid, gzipped: neighbouring ranges share a row where there are too many, and the busiest counts."""
    grid = part.select(values)
    together = max(1, -(-grid.size // MOST_CELLS))
    starts = np.arange(0, len(grid), together)
    cells, low, growth = levels(np.maximum.reduceat(grid, starts, axis=0))
    gather = np.add if adds else np.maximum
    edges = (gather.reduceat(gather.reduce(grid, axis=1), starts), gather.reduce(grid, axis=0))
    place = (part.first_range, part.last_range, part.first_window, part.last_window, together)
    # High bytes change slowly from cell to cell and compress well, if the noisy low bytes do not stand between them.
    planes = (cells & 255).astype(np.uint8).tobytes() + (cells >> 8).astype(np.uint8).tobytes()
    sums = b"".join(edge.astype("<f4").tobytes() for edge in edges)
    # Without a time in its header the same grid is the same bytes, which caches and tests compare.
    return gzip.compress(struct.pack("<ddIIIII", low, growth, *place) + planes + sums, 5, mtime=0)
