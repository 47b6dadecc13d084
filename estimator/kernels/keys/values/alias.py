"""Independent draws from listed shares in a few array operations each: Walker's alias method."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from estimator.results.arrays import Floats, Ints

_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)

FEW = 8
"""Up to so many shares are drawn by counting the sums below a random number."""


MULTIPLIED = 1 << 20
"""Up to so many places, 32 random bits times their number name the place: a place's share is off by at most 1/4096 of
itself, neighbours in turn."""


@dataclass(frozen=True, eq=False)
class AliasTable:
    """For each place, the share of its column that is its own, and who has the rest. (n,) each.

    `packed_entries` uint64 (n,) holds both for the draw: the other place above, the share of 2^32 below.
    """

    own_share: Floats
    other: Ints
    packed_entries: NDArray[np.uint64]
    cumulative_shares: Floats

    @staticmethod
    def of(shares: Floats) -> "AliasTable":
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
            return _pack_cells(np.ones(n), other, shares)
        gaps = np.concatenate(([0.0], np.cumsum(1 - columns[light])))
        surplus = np.cumsum(columns[heavy] - 1)
        giver = np.minimum(np.searchsorted(surplus, gaps[:-1], side="right"), len(heavy) - 1)
        other[light] = heavy[giver]
        # the light one that takes a heavy one's last surplus takes more than there is: the next heavy one fills in
        light_index = np.searchsorted(gaps, surplus, side="right")
        spent = (light_index < len(gaps)) & (np.arange(len(heavy)) < len(heavy) - 1)
        own[heavy] = np.where(spent, 1 - (gaps[np.minimum(light_index, len(gaps) - 1)] - surplus), 1.0)
        other[heavy] = np.where(spent, heavy[np.minimum(np.arange(len(heavy)) + 1, len(heavy) - 1)], heavy)
        return _pack_cells(np.clip(own, 0.0, 1.0), other, shares)

    def draw(self, rng: np.random.Generator, size: int, scratch: "Scratch | None" = None) -> Ints:
        """`size` places drawn independently. With scratch, the result is overwritten by the next draw from it."""
        s = scratch or Scratch(size)
        place = s.place[:size]
        # One 64-bit number per draw: the lower half tosses the coin, and in tables of up to 2^20 places the upper half
        # chooses the column.
        bits = rng.bit_generator.random_raw(size)
        if len(self.own_share) <= FEW:
            above = np.zeros(size, dtype=np.uint8)
            for least in (int(share * 2.0**64) for share in self.cumulative_shares[1:-1].tolist()):
                if least < 1 << 64:  # else what follows has no share
                    above += (bits >= np.uint64(least)).view(np.uint8)
            place[:] = above
            return place
        packed, coin = s.packed[:size], np.bitwise_and(bits, _LOW, out=s.coin[:size])
        if len(self.own_share) <= MULTIPLIED:
            bits >>= _HALF
            # Multiply and shift instead of a modulo: ⌊u · n / 2^32⌋ for u uniform in 0…2^32 − 1.
            bits *= np.uint64(len(self.own_share))
            bits >>= _HALF
            place[:] = bits.view(np.int64)
        else:
            place[:] = rng.integers(0, len(self.own_share), size)
        np.take(self.packed_entries, place, out=packed, mode="clip")
        moves = coin >= np.bitwise_and(packed, _LOW, out=s.low[:size])
        packed >>= _HALF
        other = packed.view(np.int64)
        # place + moves · (other − place) selects without a branch, which random coins would mispredict every other
        # time.
        other -= place
        other *= moves
        place += other
        return place


def _pack_cells(own: Floats, other: Ints, shares: Floats) -> AliasTable:
    # A share of 1 does not fit 32 bits. Such a column refers to itself instead, so its coin has no effect.
    low = np.minimum(np.round(own * 4_294_967_296.0), 4_294_967_295).astype(np.uint64)
    alone = own >= 1
    other = np.where(alone, np.arange(len(own)), other)
    packed = (other.astype(np.uint64) << np.uint64(32)) | low
    sums = np.concatenate(([0.0], np.cumsum(shares / shares.sum())))
    return AliasTable(own, other, packed, sums)


class Scratch:
    """Arrays that draws of up to `size` values reuse."""

    def __init__(self, size: int) -> None:
        self.u, self.place = np.empty(size), np.empty(size, np.int64)
        self.packed, self.low, self.coin = (np.empty(size, np.uint64) for _ in range(3))
