"""Tablets of one table in one cluster: runs of key ranges, or pieces of one; how they split and merge."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from estimator.results.arrays import Flags, Floats, Ints

TABLETS_MOST = 8_192
"""More tablets than so many are not told apart for their load: on a cluster that needs them each is small."""


@dataclass(frozen=True)
class TabletRules:
    """Rules by which tablets split and merge."""

    bytes: float
    """What a tablet holds when it is new."""
    split: float
    """A tablet with more load splits. [nodes]"""
    merge: float
    """Neighbours with less load than this merge, after a while. [nodes]"""
    ways: float
    """One tablet becomes at most so many in a window."""
    merge_windows: int
    splitting: bool
    overfull: float = 1.5
    """A tablet that holds so many times `bytes` is split by its size."""


@dataclass(frozen=True, eq=False)
class Tablets:
    """Tablets of a table, as arrays over its ranges.

    `cut` bool (ranges,): a tablet begins with this range, the first one always. `pieces` int64 (ranges,): a range
    that is a full tablet may be divided further, so that each piece is a tablet. `cold` (ranges,): number of
    windows for which its tablet has been below the load at which tablets merge.
    """

    cut: Flags
    pieces: Ints
    cold: Ints
    glued: Flags
    """(ranges,) a tablet cannot begin here: the range begins within a partition-key value of Tablestore."""

    @cached_property
    def first(self) -> Ints:
        """(runs,) the first range of each run."""
        return np.flatnonzero(self.cut)

    @cached_property
    def units(self) -> tuple[Ints, Ints, Floats]:
        """Every tablet: which run it is of, its number in it, and where in the table it begins (range and part)."""
        first = self.first
        pieces = self.pieces[first]
        run = np.repeat(np.arange(len(first)), pieces)
        number = np.arange(len(run)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        return run, number, first[run] + number / pieces[run]

    def loads(self, load: Floats, indivisible: Floats) -> Floats:
        """Load of every tablet: the hottest piece of a range has what cannot be split, the others an equal part.

        Parameters
        ----------
        load, indivisible : float64 (ranges,)

        Returns
        -------
        float64, shape (tablets,)
        """
        first = self.first
        run, number, _ = self.units
        total, pieces = np.add.reduceat(load, first), self.pieces[first]
        # The hottest piece has at least an equal part, and never more than all.
        hot = np.minimum(np.maximum(indivisible[first], total / pieces), total)
        rest = (total - hot) / np.maximum(pieces - 1, 1)
        return np.where((number == 0) & (pieces[run] > 1), hot[run], np.where(pieces[run] > 1, rest[run], total[run]))

    def count(self, stored_bytes: Floats, rules: TabletRules) -> int:
        """Tablets; as many as the bytes ask for where ranges are coarser than these and nothing is glued."""
        if self.glued.any():
            return int(self.pieces[self.first].sum())
        by_size = int(np.ceil(float(stored_bytes.sum()) / rules.bytes - 1e-9))
        return max(int(self.pieces[self.first].sum()), by_size)


def steady_tablets(stored_bytes: Floats, load: Floats, rules: TabletRules, glued: Flags | None = None) -> Tablets:
    """Tablets as a steady day leaves them: neighbouring ranges up to a tablet's bytes or a tablet's load.

    Parameters
    ----------
    stored_bytes : float64 (ranges,)
        [bytes]
    load : float64 (ranges,)
        Mean over the day. [nodes]
    """
    total = float(stored_bytes.sum())
    # A whole number of equal tablets, as in `first_ranges_of_tablets` of the estimate.
    tablets = max(np.ceil(total / rules.bytes), 1.0)
    share = stored_bytes / total if total > 0 else np.full(len(stored_bytes), 1 / len(stored_bytes))
    filled = np.maximum(share * tablets, load / rules.split)
    place = np.floor(np.cumsum(filled) - filled / 2 + 1e-9)
    return _new_tablets(
        np.diff(place, prepend=-1.0) != 0, np.zeros(len(stored_bytes), np.bool_) if glued is None else glued
    )


def with_cuts(tablets: Tablets, cuts: Ints) -> Tablets:
    """Return the tablets with one more beginning at each of these ranges."""
    is_cut = tablets.cut.copy()
    is_cut[cuts] = True
    return _new_tablets(is_cut, tablets.glued)


def _new_tablets(is_cut: Flags, glued: Flags) -> Tablets:
    is_cut = is_cut & ~glued
    is_cut[0] = True
    return Tablets(is_cut, np.ones(len(is_cut), np.int64), np.zeros(len(is_cut), np.int64), glued)


def resplit(tablets: Tablets, load: Floats, indivisible: Floats, stored_bytes: Floats, rules: TabletRules) -> Tablets:
    """Split after a window what was too busy or too large, and merge what has long been cold.

    Parameters
    ----------
    load, indivisible, stored_bytes : float64 (ranges,)
        Of the window that has passed. [nodes], [nodes], [bytes]
    """
    if not rules.splitting:
        return tablets
    # Under an absurd load the split load rises with it, so that the number of tablets stays bounded.
    rules = replace(rules, split=max(rules.split, float(load.sum()) / TABLETS_MOST))
    split = _split(tablets, load, indivisible, stored_bytes, rules)
    return _merge_tablets(split, load, indivisible, stored_bytes, rules)


def _split(tablets: Tablets, load: Floats, indivisible: Floats, stored_bytes: Floats, rules: TabletRules) -> Tablets:
    first = tablets.first
    size = np.diff(first, append=len(load))
    run_load, run_bytes = np.add.reduceat(load, first), np.add.reduceat(stored_bytes, first)
    by_load = np.where(run_load > rules.split, np.ceil(run_load / rules.split), 1)
    by_bytes = np.where(run_bytes > rules.overfull * rules.bytes, np.ceil(run_bytes / rules.bytes), 1)
    # Splits by load take time, so a window makes at most `ways` of one tablet; size builds up slowly and is not held
    # back. A run of ranges cannot be cut into more tablets than it has ranges.
    parts = np.minimum(np.maximum(np.minimum(by_load, rules.ways), np.maximum(by_bytes, 1)), size)
    is_cut = tablets.cut
    if (parts > 1).any():
        run = np.cumsum(tablets.cut) - 1
        weight = np.where(run_load[run] > rules.split, load / np.maximum(run_load[run], 1e-300), 0.0)
        heavy = (by_bytes > 1)[run]
        weight = np.where(heavy, np.maximum(weight, stored_bytes / np.maximum(run_bytes[run], 1e-300)), weight)
        upto = np.cumsum(weight)
        before = (upto - weight)[first]
        total = np.add.reduceat(weight, first)
        # Each range goes to the part in which its middle lies, measured by load where that is why the run is split, by
        # bytes where it is too large, and by the larger share where both hold.
        middle = (upto - weight / 2 - before[run]) / np.maximum(total[run], 1e-300)
        part = np.floor(np.clip(middle, 0, 1 - 1e-12) * parts[run])
        is_cut = tablets.cut | ((np.diff(part, prepend=-1.0) != 0) & ~tablets.glued)
    # A range that is a tablet by itself has no bound to be cut at, and is divided into pieces instead.
    alone = tablets.cut & np.append(tablets.cut[1:], True)
    divisible = load - indivisible
    # One more piece, where what cannot be split and the rest beside it are both worth a tablet.
    hot = (indivisible > rules.merge) & (divisible > rules.merge)
    piece_counts = np.where(load > rules.split, np.ceil(divisible / rules.split) + hot, 1)
    grown = np.minimum(piece_counts, np.minimum(tablets.pieces * rules.ways, TABLETS_MOST))
    pieces = np.where(alone, np.maximum(tablets.pieces, grown.astype(np.int64)), 1)
    return replace(tablets, cut=is_cut, pieces=pieces)


def _merge_tablets(
    tablets: Tablets, load: Floats, indivisible: Floats, stored_bytes: Floats, rules: TabletRules
) -> Tablets:
    first = tablets.first
    run = np.cumsum(tablets.cut) - 1
    run_load, run_bytes = np.add.reduceat(load, first), np.add.reduceat(stored_bytes, first)
    pieces = tablets.pieces[first]
    # Shape (runs,): the mean piece is below the load at which tablets merge.
    quiet = run_load / pieces < rules.merge
    cold = np.where(quiet[run], tablets.cold + 1, 0)
    run_cold = np.minimum.reduceat(cold, first) >= rules.merge_windows
    # Pieces of one range merge in pairs, before the range itself merges with a neighbour.
    fewer = np.where(run_cold & (pieces > 1), np.maximum(pieces // 2, 1), pieces)
    new = tablets.pieces.copy()
    new[first] = fewer
    single = run_cold & (fewer == 1)
    pair = single[:-1] & single[1:]
    # Half of the split load, so that a merged tablet does not split again at the next busy hour.
    pair &= run_load[:-1] + run_load[1:] < rules.split / 2
    pair &= run_bytes[:-1] + run_bytes[1:] <= rules.bytes
    is_cut, last = tablets.cut.copy(), -2
    # Disjoint pairs only: of three cold neighbours two merge now, and the third in a later window.
    for place in np.flatnonzero(pair).tolist():
        if place > last + 1:
            is_cut[first[place + 1]] = False
            last = place
    return replace(tablets, cut=is_cut, pieces=new, cold=cold)
