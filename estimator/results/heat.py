"""Load of one table per key range and time window."""

import datetime
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arrays import Floats


def _sums_below(load: Floats) -> Floats:
    below = np.zeros((len(load) + 1, load.shape[1]))
    np.cumsum(load, axis=0, out=below[1:])
    return below


@dataclass(frozen=True)
class Heat:
    """Load per key range and time window of the shown day; ranges hold about equal stored bytes."""

    bounds: tuple[bytes, ...]
    """ranges - 1 keys; range i is [bounds[i - 1], bounds[i])."""
    window_starts: tuple[datetime.datetime, ...]
    window_seconds: float
    stored_share: Floats
    """(ranges,)"""
    writes_per_second: Floats
    """(ranges, windows) rows written."""
    reads_per_second: Floats
    """(ranges, windows) read requests (a scan counts where its rows are)."""
    write_node_share: Floats
    """(ranges, windows) node time per time: 1 is one busy node; on Tablestore 10,000 CU/s."""
    read_node_share: Floats
    """(ranges, windows)"""

    @property
    def node_share(self) -> Floats:
        """(ranges, windows) of reads and writes together."""
        return self.write_node_share + self.read_node_share

    @cached_property
    def writes_below(self) -> Floats:
        """(ranges + 1, windows) node time of writes in all ranges before each: its differences are sums of ranges."""
        return _sums_below(self.write_node_share)

    @cached_property
    def reads_below(self) -> Floats:
        """(ranges + 1, windows) node time of reads in all ranges before each."""
        return _sums_below(self.read_node_share)

    @cached_property
    def writes_of_ranges(self) -> Floats:
        """(ranges,) node time of writes, mean over the day."""
        return np.asarray(self.write_node_share.mean(axis=1))

    @cached_property
    def reads_of_ranges(self) -> Floats:
        """(ranges,) node time of reads, mean over the day."""
        return np.asarray(self.read_node_share.mean(axis=1))
