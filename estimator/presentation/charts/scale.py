"""The colour scale of heatmaps: from dark (nothing) to bright (the top), readable without telling hues apart."""

import numpy as np

from estimator.results.arrays import Bytes, Floats

STOPS = (
    "#000004", "#1b0c41", "#4a0c6b", "#781c6d", "#a52c60", "#cf4446", "#ed6925", "#fb9b06", "#f7d13d", "#fcffa4",
)  # fmt: skip
"""Inferno: lightness rises evenly, and it stays readable with any colour blindness.

Source: S. van der Walt and N. Smith, matplotlib's colour maps (CC0), read 2026-11-20."""

OVER = "#40e0ff"
"""For values past a limit: a hue that the scale does not have."""

LEVELS = 255


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0…255, of `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def palette() -> Bytes:
    """(256, 3): 255 levels of the scale, then the colour for "over"."""
    stops = np.array([rgb(stop) for stop in STOPS], dtype=np.float64)
    at = np.linspace(0, len(STOPS) - 1, LEVELS)
    levels = np.column_stack([np.interp(at, np.arange(len(STOPS)), stops[:, i]) for i in range(3)])
    return np.vstack([levels.round(), rgb(OVER)]).astype(np.uint8)


def levels(values: Floats, top: float, *, limit: float | None = None) -> Bytes:
    """Return each value's palette index; 255 is over a limit, and a value above zero is at least 1."""
    if not top > 0:
        return np.zeros(values.shape, dtype=np.uint8)
    scaled = np.ceil(np.clip(values / top, 0, 1) * (LEVELS - 1)).astype(np.uint8)
    return scaled if limit is None else np.where(values > limit, np.uint8(LEVELS), scaled)
