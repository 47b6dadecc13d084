"""Runs that a table of values decides."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from estimator.kernels.keys.patterns.cells import TimeSpans
from estimator.kernels.keys.patterns.table import ValueTable
from estimator.kernels.keys.rendering.texts import Texts, concatenate
from estimator.results.arrays import Bytes, Ints


@dataclass(frozen=True, eq=False)
class RowGroup:
    """Columns of a table."""

    part: tuple[int, int]
    table: ValueTable | TimeSpans
    first: int
    last: int
    """Columns first…last-1."""

    @cached_property
    def starts(self) -> Ints:
        """First row of each rank."""
        return self.table.groups(self.last)

    @cached_property
    def size(self) -> int:
        """Runs of rows that agree in all columns up to here."""
        return len(self.starts) - 1

    @cached_property
    def _rank(self) -> Ints | None:
        # Each row is its own rank, so draws are ranks and no copy is needed.
        if self.size == len(self.table):
            return None
        return np.repeat(np.arange(self.size), np.diff(self.starts))

    @cached_property
    def _texts(self) -> Texts:
        rows = self.starts[:-1]
        return concatenate([c.texts.take(c.codes[rows]) for c in self.table.columns[self.first : self.last]])

    @cached_property
    def width(self) -> int:
        """See `SegmentGroup`."""
        return int(self._texts.data.shape[1])

    @property
    def has_varying_length(self) -> bool:
        """See `SegmentGroup`."""
        return not self._texts.is_fixed

    @cached_property
    def _rows(self) -> NDArray[np.void]:
        return np.ascontiguousarray(self._texts.data).view(f"V{self.width}").reshape(-1)

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """See `SegmentGroup`."""
        if self.width:
            # A strided view of this run's columns, one record of `width` bytes per key, so that each text is one copy.
            place = np.ndarray((len(out),), f"V{self.width}", out.data, at, (out.shape[1],))
            place[:] = self._rows.take(ranks)
        return None if self._texts.is_fixed else self._texts.length.take(ranks)

    def ranks(self, draws: Ints) -> Ints:
        """See `SegmentGroup`."""
        return draws if self._rank is None else self._rank[draws]

    def texts(self, ranks: Ints) -> Texts:
        """See `SegmentGroup`."""
        return self._texts.take(ranks)

    def locate(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """See `SegmentGroup`."""
        component, matched = self.part[0], 0
        low, high = state.get(component, (0, len(self.table)))
        for column in self.table.columns[self.first : self.last]:
            if not column.prefix_free:  # the last of the key: what is there sorts before what is longer
                at = bisect_left(column.code_list, bisect_left(column.strings, rest[matched:]), low, high)
                return int(np.searchsorted(self.starts, at)), -1
            spans, hits = column.split(low, high, rest[matched:])
            if not hits:
                return int(np.searchsorted(self.starts, spans[0][1])), -1
            low, high = hits[0][0], hits[0][1]
            matched += hits[0][2]
        # Another run of this table, further back in the key, continues within the rows that are left.
        state[component] = (low, high)
        return int(np.searchsorted(self.starts, low)), matched
