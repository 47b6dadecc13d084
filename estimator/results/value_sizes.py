"""The law of sizes of which only a mean and a largest one are known."""

from .arrays import Floats

SHAPE = 2.0
"""Small and middling sizes are common, large ones rare: the shape of a gamma law where the largest is far away."""


def share_above(limits_bytes: Floats, mean_bytes: float, largest_bytes: float) -> Floats:
    """Return the share of sizes above each limit: of a beta law of this shape and mean from 0 to the largest [1]."""
    rest = SHAPE * (largest_bytes - mean_bytes) / mean_bytes
    part = limits_bytes / largest_bytes
    shares: Floats = (1 - part) ** rest * (1 + rest * part)  # of a shape of 2, in closed form
    return shares
