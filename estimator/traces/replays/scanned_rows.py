"""Rows below the prefixes of scans: those that are there when a scan comes, and the ranges of rows that it passes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from estimator.results.arrays import Flags, Floats, Ints

from ..blocks import OPERATION_CODES, RowSample

_WRITE, _DELETE = OPERATION_CODES["write"], OPERATION_CODES["delete"]


class PlacesInTime:
    """Places in the order of time: how many of the first ones lie below another place.

    References
    ----------
    F. Claude and G. Navarro, "The wavelet matrix", 2012.
    """

    def __init__(self, places: Ints, rows: int) -> None:
        self._zeros: list[tuple[int, Ints]] = []
        """For each bit, the highest first: how many of the first so many places have it not."""
        for bit in reversed(range(rows.bit_length())):
            # A wavelet matrix: per bit, zeros are moved before ones, stably. Counting "place below b among the first
            # n" then takes one step per bit, not one per row: 20 steps for a million rows.
            is_zero = (places >> bit) & 1 == 0
            self._zeros.append((bit, np.concatenate([[0], np.cumsum(is_zero)]).astype(np.int32)))
            places = np.concatenate([places[is_zero], places[~is_zero]])

    def count(self, first: Ints, below: Ints) -> Ints:
        """Return how many of so many first places lie below these: (n,) of each."""
        low, high, counts = np.zeros_like(first), first, np.zeros_like(first)
        for bit, zeros in self._zeros:
            is_one = (below >> bit) & 1 == 1
            low_zeros, high_zeros, number = zeros[low], zeros[high], int(zeros[-1])
            # Where the bound has a 1, all entries with a 0 in this bit (and equal higher bits) are below it.
            counts = counts + np.where(is_one, high_zeros - low_zeros, 0)
            low = np.where(is_one, number + low - low_zeros, low_zeros)
            high = np.where(is_one, number + high - high_zeros, high_zeros)
        return counts


@dataclass(frozen=True)
class RowChanges:
    """Rows that come, or go, at moments: by their places."""

    times_s: Floats
    places: Ints
    rows: int

    @cached_property
    def _index(self) -> tuple[Floats, PlacesInTime]:
        order = np.argsort(self.times_s, kind="stable")
        return self.times_s[order], PlacesInTime(self.places[order], self.rows)

    def count(self, below: Ints, times_s: Floats) -> Ints:
        """Return how many changes of rows below a place there were up to a moment: (n,) of each."""
        if not self.times_s.size:
            return np.zeros(below.size, dtype=np.int64)
        times, index = self._index
        return index.count(np.searchsorted(times, times_s, side="right"), below)


@dataclass(frozen=True)
class RowsInTime:
    """Rows by their places in order: a row is there from its first write on, and not between a deletion and a write.

    One that is read or deleted before it is written was there before the log.
    """

    older: Ints
    """(rows + 1,) Of the rows below each place, those that were there before the log."""
    come: RowChanges
    gone: RowChanges

    @classmethod
    def of_requests(cls, places: Ints, times_s: Floats, operations: Ints, rows: int) -> "RowsInTime":
        """Return the rows of requests, each for the row at its place."""
        order = np.lexsort((times_s, places))
        places, times_s, operations = places[order], times_s[order], operations[order]
        is_first = np.concatenate([[True], places[1:] != places[:-1]])
        was_there = np.zeros(rows, dtype=np.bool_)
        was_there[places[is_first]] = operations[is_first] != _WRITE
        is_change = (operations == _WRITE) | (operations == _DELETE)
        return cls.of_changes(
            was_there, places[is_change], times_s[is_change], is_there=operations[is_change] == _WRITE
        )

    @classmethod
    def of_sample(cls, sample: RowSample, rows: Sequence[Sequence[bytes]]) -> "RowsInTime":
        """Return rows of which each is the same as some rows of a sample."""
        was_there = np.array([any(sample.came_s[key] == -np.inf for key in own) for own in rows], dtype=np.bool_)
        changes = sorted(
            (place, *change) for place, own in enumerate(rows) for key in own for change in sample.changes_of(key)
        )
        places, times, flags = zip(*changes, strict=True) if changes else ((), (), ())
        return cls.of_changes(
            was_there,
            np.array(places, dtype=np.int64),
            np.array(times, dtype=np.float64),
            is_there=np.array(flags, dtype=np.bool_),
        )

    @classmethod
    def of_changes(cls, was_there: Flags, places: Ints, times_s: Floats, *, is_there: Flags) -> "RowsInTime":
        """Return rows with what writes and deletions make of them, in the order of places and then of time."""
        is_new = np.concatenate([[True], places[1:] != places[:-1]])[: places.size]
        before = np.where(is_new, was_there[places], np.concatenate([[False], is_there[:-1]])[: places.size])
        come, gone = is_there & ~before, before & ~is_there
        rows = was_there.size
        older = np.concatenate([[0], np.cumsum(was_there)]).astype(np.int64)
        return cls(
            older,
            RowChanges(times_s[come], places[come], rows),
            RowChanges(times_s[gone], places[gone], rows),
        )

    def between(self, lows: Ints, highs: Ints, times_s: Floats) -> Ints:
        """Return how many rows from a place to below another are there at a moment: (n,) of each."""
        counts = self.older[highs] - self.older[lows]
        for changes, sign in ((self.come, 1), (self.gone, -1)):
            counts = counts + sign * (changes.count(highs, times_s) - changes.count(lows, times_s))
        return np.asarray(counts)


@dataclass(frozen=True)
class ScannedRows:
    """Rows that scans pass, in the order of their requests: from the first below a prefix to before the next prefix."""

    lows: Ints
    highs: Ints
    windows: Ints
    """Of time, in which the scans come."""
    middles_s: Floats
    """Of these windows."""
    rows: int
    """All that there are."""
    there: RowsInTime | None = field(repr=False)
    """None: all of them all the time."""

    def anywhere(self) -> "ScannedRows":
        """Return scans of as many rows that begin anywhere."""
        sizes = np.maximum(self.highs - self.lows, 0)
        # A fixed seed, so that the figure for chance is the same in each run.
        lows = (np.random.default_rng(1).random(sizes.size) * (self.rows - sizes + 1)).astype(np.int64)
        return replace(self, lows=lows, highs=lows + sizes, there=None)

    def spread(self, cells: Ints, weights: Floats, ranges: int, cell_count: int) -> Floats:
        """Return weights of scans in cells of time, each over the ranges that it passes by their rows: (cells, ranges).

        A scan of no row stays where it begins.
        """
        # Most scans of a log are of few prefixes, so pieces are computed once per different span and window.
        spans, span_of = np.unique(np.stack([self.lows, self.highs, self.windows]), axis=1, return_inverse=True)
        first_of = np.unique(span_of, return_index=True)[1]
        pairs, pair_of = np.unique(span_of.reshape(-1) * cell_count + cells, return_inverse=True)
        totals = np.bincount(pair_of.reshape(-1), weights=weights)
        numbers, groups, shares = self._pieces(spans[0], spans[1], self.middles_s[first_of], ranges)
        ends = np.cumsum(np.bincount(numbers, minlength=spans.shape[1]))
        counts = np.diff(ends, prepend=0)
        mine = pairs // cell_count
        pieces = np.repeat(ends[mine] - counts[mine], counts[mine]) + _steps(counts[mine])
        pair_numbers = np.repeat(np.arange(pairs.size), counts[mine])
        places = (pairs % cell_count)[pair_numbers] * ranges + groups[pieces]
        cell_sums = np.bincount(places, weights=totals[pair_numbers] * shares[pieces], minlength=cell_count * ranges)
        return cell_sums.astype(np.float64).reshape(cell_count, ranges)

    def _pieces(self, lows: Ints, highs: Ints, times_s: Floats, ranges: int) -> tuple[Ints, Ints, Floats]:
        """Return the pieces of spans in each range: numbers of the spans, the ranges, and shares of the rows."""
        number = min(ranges, self.rows)
        edges = -(-np.arange(number + 1) * self.rows // number)
        first = np.minimum(lows, self.rows - 1) * number // self.rows
        last = np.maximum(np.maximum(highs - 1, 0) * number // self.rows, first)
        counts = last - first + 1
        spans = np.repeat(np.arange(lows.size), counts)
        groups = first[spans] + _steps(counts)
        begins, stops = np.maximum(lows[spans], edges[groups]), np.minimum(highs[spans], edges[groups + 1])
        stops = np.maximum(stops, begins)
        rows = (stops - begins).astype(np.float64)
        is_cut = counts[spans] > 1
        if self.there is not None and is_cut.any():
            rows[is_cut] = self.there.between(begins[is_cut], stops[is_cut], times_s[spans[is_cut]])
        totals = np.bincount(spans, weights=rows)[spans]
        alone = (groups == first[spans]).astype(np.float64)
        return spans, groups, np.where(totals > 0, rows / np.maximum(totals, 1e-300), alone)


def _steps(counts: Ints) -> Ints:
    """Return 0, 1, … below each count, one after the other."""
    return np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
