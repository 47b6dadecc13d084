"""Load of one table per key range and time window, kept as products: a day of it in full is a hundred times larger."""

import datetime
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from .arrays import Flags, Floats, Ints


@dataclass(frozen=True)
class AccessLoad:
    """Load of one write or read: where it goes, times how much of it there is in each window."""

    shares: Floats
    """(ranges, distinct windows) shares of the ranges; most accesses go to the same ranges all day."""
    columns: Ints
    """(windows,) the column of `shares` that each window has."""
    per_second: Floats
    """(windows,) operations a second."""
    node_share: Floats
    """(windows,) node time per time: 1 is one busy node; on Tablestore 10,000 CU/s."""
    is_write: bool
    access: str = ""
    """Id of the write or read; empty for several together."""

    @classmethod
    def of(
        cls, shares: Floats, per_second: Floats, node_share: Floats, *, is_write: bool, access: str = ""
    ) -> "AccessLoad":
        """Build a load from shares of shape (ranges, windows or 1), with each distinct column once."""
        distinct, columns = distinct_columns(shares)
        every = np.resize(columns, len(per_second))
        return cls(distinct, every, per_second, node_share, is_write, access)

    def expand(self, amounts: Floats) -> Floats:
        """Return (ranges, windows): the amounts of the windows over the ranges."""
        shares = self.shares if self.shares.shape[1] == 1 else self.shares[:, self.columns]
        return np.asarray(shares * amounts)

    def node_share_between(self, first: Ints, end: Ints) -> Floats:
        """Return (spans, windows): node time of the ranges first[i] … end[i] - 1 together."""
        below = _cumulative(self.shares)
        return np.asarray((below[end] - below[first])[:, self.columns] * self.node_share)


def distinct_columns(shares: Floats) -> tuple[Floats, Ints]:
    """Return the different columns, and the one that each is: (columns,). The array itself where all differ."""
    first: dict[bytes, int] = {}
    rows = np.ascontiguousarray(shares.T)
    bits = rows.view(np.int64)
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = (bits[1:] != bits[:-1]).any(axis=1)  # mostly a column is as the one before
    numbers = [first.setdefault(column.tobytes(), len(first)) for column in rows[is_new]]
    columns = np.array(numbers)[np.cumsum(is_new) - 1]
    if len(first) == shares.shape[1]:
        return np.ascontiguousarray(shares), columns
    places = np.unique(columns, return_index=True)[1]  # where each number stands first: they go up as columns come
    return np.array(shares[:, places], order="C"), columns


def _cumulative(shares: Floats) -> Floats:
    """Return (ranges + 1, columns): the sums of the shares before each range."""
    below = np.zeros((len(shares) + 1, shares.shape[1]))
    np.cumsum(shares, axis=0, out=below[1:])
    return below


ALL_SERVED: Mapping[str, float] = MappingProxyType({})
"""Shares of reads by their id: those that are not named count in full."""


@dataclass(frozen=True)
class Heat:
    """Load per key range and time window of the shown day; ranges hold about equal stored bytes."""

    bounds: tuple[bytes, ...]
    """ranges - 1 keys; range i is [bounds[i - 1], bounds[i])."""
    window_starts: tuple[datetime.datetime, ...]
    window_seconds: float
    stored_share: Floats
    """(ranges,)"""
    windows: int
    loads: tuple[AccessLoad, ...]

    @classmethod
    def from_arrays(
        cls, bounds: tuple[bytes, ...], window_starts: tuple[datetime.datetime, ...], window_seconds: float,
        stored_share: Floats, writes_per_second: Floats, reads_per_second: Floats, write_node_share: Floats,
        read_node_share: Floats,
    ) -> "Heat":  # fmt: skip
        """Build the heat of four arrays, each (ranges, windows)."""
        windows = writes_per_second.shape[1]
        ones, none = np.ones(windows), np.zeros(windows)
        # Amounts take the place of shares: each window has one operation, or one busy node.
        loads = (
            AccessLoad.of(writes_per_second, ones, none, is_write=True),
            AccessLoad.of(write_node_share, none, ones, is_write=True),
            AccessLoad.of(reads_per_second, ones, none, is_write=False),
            AccessLoad.of(read_node_share, none, ones, is_write=False),
        )
        return cls(bounds, window_starts, window_seconds, stored_share, windows, loads)

    def of_accesses(self, accesses: Collection[str]) -> "Heat":
        """Return the load of some writes and reads alone."""
        return replace(self, loads=tuple(load for load in self.loads if load.access in accesses))

    @property
    def writes_per_second(self) -> Floats:
        """(ranges, windows) rows written."""
        return self._total((load, load.per_second) for load in self.loads if load.is_write)

    @property
    def reads_per_second(self) -> Floats:
        """(ranges, windows) read requests (a scan counts where its rows are)."""
        return self._total((load, load.per_second) for load in self.loads if not load.is_write)

    @property
    def write_node_share(self) -> Floats:
        """(ranges, windows) node time per time: 1 is one busy node; on Tablestore 10,000 CU/s."""
        return self._total((load, load.node_share) for load in self.loads if load.is_write)

    @property
    def read_node_share(self) -> Floats:
        """(ranges, windows)"""
        return self._total((load, load.node_share) for load in self.loads if not load.is_write)

    @property
    def node_share(self) -> Floats:
        """(ranges, windows) of reads and writes together."""
        return self.write_node_share + self.read_node_share

    @property
    def node_share_of_windows(self) -> Floats:
        """(windows,) node time of all ranges together."""
        return np.asarray(self._node_share_of_all.sum(axis=0))

    def node_share_at(self, window: int) -> Floats:
        """Return (ranges,): node time of reads and writes in one window."""
        parts = (load.shares[:, load.columns[window]] * load.node_share[window] for load in self.loads)
        return sum(parts, start=np.zeros(len(self.stored_share)))

    def node_share_between(self, first: Ints, end: Ints, *, served: Mapping[str, float] = ALL_SERVED) -> Floats:
        """Return (spans, windows): node time of the ranges first[i] … end[i] - 1 together.

        `served`: share of each read that counts, by its id.
        """
        factors = self._factors(served)
        if len(first) == 1 and first[0] == 0 and end[0] == len(self.stored_share):
            return np.asarray((factors @ self._node_share_of_all)[None, :])
        below, amounts, is_constant = self._constant_loads
        total = np.asarray((below[end] - below[first]) * factors[is_constant] @ amounts)
        for load, factor in zip(self.loads, factors, strict=True):
            if load.shares.shape[1] > 1:
                total += load.node_share_between(first, end) * factor
        return total

    def node_share_of_ranges(self, served: Mapping[str, float] = ALL_SERVED) -> Floats:
        """Return (ranges,): node time of reads and writes, mean over the day; `served` as above."""
        return np.asarray(self._factors(served) @ self._means_of_ranges)

    def _factors(self, served: Mapping[str, float]) -> Floats:
        """Return (accesses,): the share of each that counts; of writes always all."""
        return np.array([1.0 if load.is_write else served.get(load.access, 1.0) for load in self.loads])

    @cached_property
    def _node_share_of_all(self) -> Floats:
        """(accesses, windows) of all ranges together, which every placement beside other tables asks again."""
        shares = [load.shares.sum(axis=0)[load.columns] * load.node_share for load in self.loads]
        return np.array(shares).reshape(len(self.loads), self.windows)

    @cached_property
    def _means_of_ranges(self) -> Floats:
        """(accesses, ranges) mean over the day."""
        means = [load.expand(load.node_share).mean(axis=1) for load in self.loads]
        return np.array(means).reshape(len(self.loads), len(self.stored_share))

    @cached_property
    def _constant_loads(self) -> tuple[Floats, Floats, Flags]:
        """Accesses that go to the same ranges all day: shares below each range's start, node time, which they are.

        Shapes (ranges + 1, constant accesses), (constant accesses, windows) and (accesses,).
        """
        is_constant = np.array([load.shares.shape[1] == 1 for load in self.loads], dtype=np.bool_)
        loads = [load for load in self.loads if load.shares.shape[1] == 1]
        below = [_cumulative(load.shares) for load in loads]
        amounts = [load.node_share for load in loads]
        return (
            np.concatenate([np.zeros((len(self.stored_share) + 1, 0)), *below], axis=1),
            np.array(amounts).reshape(len(loads), self.windows),
            is_constant,
        )

    def _total(self, parts: Iterable[tuple[AccessLoad, Floats]]) -> Floats:
        total = np.zeros((len(self.stored_share), self.windows))
        for load, amounts in parts:
            total += load.expand(amounts)
        return total
