"""Reads and writes of one table on the shown day, and where they crowd."""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from .arrays import Floats
from .heat import ALL_SERVED, Heat


@dataclass(frozen=True)
class AppendPoint:
    """Writes that land at the growing end of one prefix: no split can spread them."""

    write: str
    segment: str
    """The growing segment."""
    prefix: bytes
    """The hottest prefix, as bytes."""
    share: float
    """Share of this write's rows that land on the hottest front."""
    effective: float
    """1 / Σ share²: how many fronts take the writes."""
    distinct: float
    per_second: float
    """Rows written on the hottest front, at the peak of the shown day."""
    node_share: float
    """Node time of the hottest front at that peak: 1 is one whole node."""


@dataclass(frozen=True)
class HotRow:
    """The busiest single row of one write or read: no number of nodes serves it faster than one.

    Of a read of a short range, the rows that its busiest prefix returns every time.
    """

    access: str
    """Id of the write or read."""
    key: bytes
    share: float
    per_second: float
    """At the peak of the shown day."""
    node_share: float
    median_per_minute: float
    """Operations a minute on the row of the median entity."""
    is_range: bool = False
    """True if these are the rows of a short range, and `key` is their prefix."""
    span_seconds: float | None = None
    """Length of time in which the row has this share; None: in any, as its key has no time."""


@dataclass(frozen=True)
class LeadValues:
    """Shares of a row kind's leading values (up to `depth` segments) in its writes."""

    row_kind: str
    depth: int
    hottest_share: float
    hottest: bytes
    effective: float


@dataclass(frozen=True)
class WriteLoad:
    """One write at the end of the horizon."""

    write: str
    row_kind: str
    rows_per_second: float
    """Mean over the week."""
    peak_rows_per_second: float
    """Highest window of the shown day."""
    bytes_per_row: float
    cells_per_row: float
    node_seconds_per_row: float


@dataclass(frozen=True)
class IndivisibleLoad:
    """One row, or one append point, with all accesses that meet in it: one node serves them alone."""

    kind: Literal["row", "front"]
    node_share: Mapping[str, Floats]
    """(windows,) node time of each access by its id, or (1,) at its peak."""

    def peak(self, served: Mapping[str, float] = ALL_SERVED) -> float:
        """Return the most node time at once; `served`: share of each read that counts, by its id."""
        return float(np.max(sum(served.get(access, 1.0) * share for access, share in self.node_share.items())))

    def times(self, factor: float) -> "IndivisibleLoad":
        """Return one that is so many times as busy."""
        return replace(self, node_share={access: share * factor for access, share in self.node_share.items()})


PatternName = Literal[
    "evenly_spread", "periodic", "hot_range", "sudden_increase", "sequential", "single_hot_row", "large_rows", "idle"
]


@dataclass(frozen=True)
class NamedPattern:
    """Pattern in the Key Visualizer; `ours` where its gallery has no such name. Mixtures list several."""

    name: PatternName
    share: float
    """Share of the node time that shows it."""
    ours: bool


@dataclass(frozen=True)
class PartitionLoad:
    """The busiest and the largest value of Tablestore's partition key: the service never splits one."""

    hottest: str = ""
    """The busiest value."""
    per_second: float = 0.0
    """Operations on it, at the peak of the shown day."""
    node_share: float = 0.0
    """Its capacity units a second ÷ the 10,000 that one value is said to take."""
    share: float = 0.0
    """Of all operations on the table."""
    largest: str = ""
    """The value with the most bytes."""
    largest_bytes: float = 0.0
    """Stored under it at the end of the horizon."""
    largest_share: float = 0.0
    """Of all bytes of the table."""
    distinct: float = 1.0
    """Partition-key values that there are."""
    partitions: int = 1
    """Partitions by then, as assumed: a new table has one; the service splits by size and by load."""


@dataclass(frozen=True)
class AccessHours:
    """Node time of one write or read in the hours of a week, over the horizon."""

    access: str
    is_write: bool
    usual_by_month: Floats
    """(months + 1,) in its busiest hour of a usual week, at the start and after each month; nothing once it has
    ended."""
    running_by_month: Floats
    """(months + 1,) the same of a load that ends within the month, until it ends."""
    week: Floats
    """(168,) shape of the week, its highest hour 1; (168 × parts,) where batches begin or end within hours."""
    mean_share: float
    """Mean of the week ÷ its busiest hour."""
    ends_on: datetime.date | None = None
    peak_factors: Mapping[datetime.date, float] = field(default_factory=dict)
    """Multiples of the usual on its named days."""

    @property
    def last_mean(self) -> float:
        """Mean node time of a usual week in the last month; of a load that ends in it, before it does."""
        last = float(self.usual_by_month[-1]) or float(self.running_by_month[-1])
        return last * self.mean_share


@dataclass(frozen=True)
class TableTraffic:
    """Reads and writes of one table on the shown day: the busiest weekday at the end of the horizon."""

    day: datetime.date
    heat: Heat
    writes: tuple[WriteLoad, ...]
    fronts: tuple[AppendPoint, ...]
    hot_rows: tuple[HotRow, ...]
    leads: tuple[LeadValues, ...]
    patterns: tuple[NamedPattern, ...]
    tablets: int
    hottest_range_share: float
    """Share of the day's node time on the busiest of the ranges."""
    hottest_range: int
    indivisible_node_share: float
    """Node time, at its peak window, of the busiest thing that cannot be split: a front or a row; of all clusters
    together."""
    week_node_share: Floats
    """(168,) mean node time per hour of the week at the end of the horizon, Monday 00:00 UTC first.

    Where batches begin or end within hours, (168 × parts,)."""
    node_share_by_month: Floats
    """(months + 1,) node time in the busiest hour of the week, at the start and of each month."""
    read_node_share_by_month: Floats
    """(months + 1,) the part of it that is reads (the rest is writes, which count in every cluster)."""
    indivisible: tuple[IndivisibleLoad, ...] = ()
    """What cannot be split, access by access, as clusters serve different reads."""
    accesses: tuple[AccessHours, ...] = ()
    """Of each write and read; empty where only the table's own week is known, which then is that of all."""
    partition: PartitionLoad | None = None
    """Tablestore's partition-key values; there "node time" is capacity units ÷ the 10,000 a second that one value is
    said to take, and tablets are partitions."""

    def busiest_indivisible(self, served: Mapping[str, float] = ALL_SERVED) -> tuple[float, Literal["row", "front"]]:
        """Return the node time of the busiest thing that cannot be split, at its peak, and what it is.

        `served`: share of each read that a cluster serves, by its id.
        """
        loads = ((load.peak(served), load.kind) for load in self.indivisible)
        return max(loads, key=lambda load: load[0], default=(0.0, "row"))

    def indivisible_share_in(self, clusters: Iterable[Mapping[str, float]]) -> float:
        """Return the node time of that thing in the cluster in which it is the busiest.

        `clusters`: of each, the share of each read that it serves, by its id.
        """
        if self.partition is not None:
            return self.indivisible_node_share
        return max((self.busiest_indivisible(served)[0] for served in clusters), default=0.0)

    def row_share_in(self, clusters: Iterable[Mapping[str, float]]) -> float:
        """Return the node time of the busiest row alone, in the same way."""
        rows = [load for load in self.indivisible if load.kind == "row"]
        return max((load.peak(served) for served in clusters for load in rows), default=0.0)

    @property
    def busiest_by_hour(self) -> Floats:
        """Node time in the busiest part of each hour of the week at the end of the horizon: (168,)."""
        return np.asarray(self.week_node_share.reshape(168, -1).max(axis=1))
