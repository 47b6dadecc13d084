"""The colour scale of heatmaps on a light page: from paper (nothing) to plum, readable without telling hues apart."""

import numpy as np

from estimator.results.arrays import Bytes, Floats

STOPS = ("#f2f0e7", "#e0d4a9", "#d5b46b", "#dc8721", "#da5200", "#c02722", "#9a0b35", "#6e063e", "#430a35")
"""Even steps of OKLCH lightness away from the paper. Scales with a limit have it in the middle.

Style sheets give the same stops as `--heat-0` to `--heat-8`, and those of a dark page."""

LEVELS = 255


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0…255, of `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def palette() -> Bytes:
    """(256, 3): the levels of the scale."""
    stops = np.array([rgb(stop) for stop in STOPS], dtype=np.float64)
    at = np.linspace(0, len(STOPS) - 1, LEVELS + 1)
    levels = np.column_stack([np.interp(at, np.arange(len(STOPS)), stops[:, i]) for i in range(3)])
    return levels.round().astype(np.uint8)


def levels(values: Floats, top: float) -> Bytes:
    """Return each value's palette index; a value above zero is at least 1."""
    if not top > 0:
        return np.zeros(values.shape, dtype=np.uint8)
    # Rounded up, so that the least load differs from none.
    return np.ceil(np.clip(values / top, 0, 1) * LEVELS).astype(np.uint8)
