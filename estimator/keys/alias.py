"""Independent draws from listed shares in a few array operations each: Walker's alias method."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Alias:
    """For each place, the share of its column that is its own, and who has the rest. (n,) each."""

    own: Floats
    other: Ints

    @staticmethod
    def of(shares: Floats) -> "Alias":
        """Built without a loop: the surplus of the heavy, in order, fills the gaps of the light, in order.

        `shares` float64 (n,), not negative, of any positive sum.

        References
        ----------
        Hübschle-Schneider and Sanders, "Parallel Weighted Random Sampling", 2019 (the sweeping algorithm).
        """
        n = len(shares)
        columns = shares * (n / shares.sum())
        own, other = np.minimum(columns, 1.0), np.arange(n)
        light, heavy = np.flatnonzero(columns < 1), np.flatnonzero(columns >= 1)
        if len(light) == 0 or len(heavy) == 0:
            return Alias(np.ones(n), other)
        gaps = np.concatenate(([0.0], np.cumsum(1 - columns[light])))
        surplus = np.cumsum(columns[heavy] - 1)
        giver = np.minimum(np.searchsorted(surplus, gaps[:-1], side="right"), len(heavy) - 1)
        other[light] = heavy[giver]
        # the light one that takes a heavy one's last surplus takes more than there is: the next heavy one fills in
        taken = np.searchsorted(gaps, surplus, side="right")
        spent = (taken < len(gaps)) & (np.arange(len(heavy)) < len(heavy) - 1)
        own[heavy] = np.where(spent, 1 - (gaps[np.minimum(taken, len(gaps) - 1)] - surplus), 1.0)
        other[heavy] = np.where(spent, heavy[np.minimum(np.arange(len(heavy)) + 1, len(heavy) - 1)], heavy)
        return Alias(np.clip(own, 0.0, 1.0), other)

    def draw(self, rng: np.random.Generator, size: int, scratch: "Scratch | None" = None) -> Ints:
        """`size` places drawn independently. With scratch, the result is overwritten by the next draw from it."""
        s = scratch or Scratch(size)
        u, place, own, other = s.u[:size], s.place[:size], s.own[:size], s.other[:size]
        rng.random(out=u)
        u *= len(self.own)
        place[:] = u  # rounds down
        u -= place
        np.take(self.own, place, out=own, mode="clip")
        np.take(self.other, place, out=other, mode="clip")
        other -= place
        other *= u >= own
        place += other
        return place


class Scratch:
    """Arrays that draws of up to `size` values reuse."""

    def __init__(self, size: int) -> None:
        self.u, self.own = np.empty(size), np.empty(size)
        self.place, self.other = np.empty(size, np.int64), np.empty(size, np.int64)
