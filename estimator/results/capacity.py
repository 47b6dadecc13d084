"""Resources that the tables need together: nodes and their load, or the capacity units of Tablestore."""

import datetime
from dataclasses import dataclass, field
from typing import Literal

from .arrays import Floats
from .unknown import Params


@dataclass(frozen=True)
class Addend:
    """One line of a sum that a reader can redo on paper: label, value with unit, and how it comes about."""

    label: str
    value: float | None
    unit: str
    formula: str
    params: Params = field(default_factory=dict)


@dataclass(frozen=True)
class ClusterNodes:
    """Number of nodes that one cluster needs, and has, over the horizon."""

    cluster: str
    region: str
    load_by_month: Floats
    """(months + 1,) busy nodes in the busiest hour at the start and of each month, all tables, reads as they are
    routed."""
    needed_by_month: Floats
    """(months + 1,) nodes that load, storage and minimum ask for."""
    nodes_by_month: Floats
    """(months + 1,) nodes that are there at the peak: fixed, scaled within bounds, or as needed."""
    node_hours_by_month: Floats
    """(months + 1,) node-hours in a month like this one."""
    needed_low: float
    needed_high: float
    limited_by: Literal["load", "storage", "minimum"]
    short_from: datetime.date | None
    """When fixed nodes or the autoscaler's maximum no longer suffice for the CPU target."""
    short_hours_per_month: float
    """Hours of the month that has most of them in which the load is above target × nodes."""
    full_from: datetime.date | None
    """When data per node passes the engine's hard limit even at the most nodes allowed."""
    storage_share_by_month: Floats
    """(months + 1,) physical bytes ÷ (nodes × limit); with infrequent access of SSD alone or both, the fuller."""
    explanation: tuple[Addend, ...]
    """Five lines: load, target, storage, minimum, result."""
    nodes_by_hour: Floats | None = None
    """(months + 1, weeks, 168) nodes billed in each hour of a usual week, of one before a load ends, and of those with
    named days; None: alike at every hour."""
    week_shares: Floats | None = None
    """(months + 1, weeks) share of the month's hours that are of each of these weeks."""
    fast_share_by_month: Floats | None = None
    """(months + 1,) with infrequent access that of SSD alone, which recommendations are for; else None."""
    unknown_tables: tuple[str, ...] = ()
    """Tables whose load or size is not known: with them it may need more nodes."""


@dataclass(frozen=True)
class UnitSide:
    """Read or write capacity units of one Tablestore table; (months + 1,) arrays of weekly means [CU/s]."""

    used_per_second: Floats
    peak_per_second: Floats
    """In the busiest hour of the week."""
    metered_per_second: Floats
    """Above what is reserved, second by second."""
    reserved: float
    """Reserved throughput that can be counted on; 0 on a capacity instance. [CU]"""
    reserved_used_share: float | None
    """How much of it is used at the end of the horizon; None: nothing is reserved."""
    pays_from_share: float | None
    """The use from which a reserved unit is cheaper than metered ones; None: a price is not known."""


@dataclass(frozen=True)
class CapacityUnits:
    """Throughput use of one Tablestore table, in place of nodes."""

    table: str
    instance: Literal["high_performance", "capacity"]
    read: UnitSide
    write: UnitSide
    explanation: tuple[Addend, ...]
    """A line per write and read at the end of the horizon, then the sums."""


@dataclass(frozen=True)
class Failover:
    """Load of one cluster in the busiest hour at the horizon's end after the worst loss of another."""

    cluster: str
    """The one that is left."""
    lost: str
    """The one whose loss brings it the most."""
    load_nodes: float
    """Busy nodes: all writes, its own reads, and those of the lost one that come here."""
    automatic_nodes: float
    """Of these, what comes without anybody switching an app profile over."""


@dataclass(frozen=True)
class Placement:
    """Tablets of all tables placed on the nodes of one cluster on the shown day."""

    cluster: str
    nodes: int
    windows_per_day: int
    utilisation: Floats
    """(nodes, windows) offered load ÷ capacity; of very many nodes only those that hold a tablet."""
    hottest_node_share: float
    """Share of the day's load on the hottest node."""
    peak_utilisation: float
    """Of the hottest node in its busiest window."""
    effective_nodes: float
    """Nodes that work at a time: 1 / Σ share² in each window, the mean over windows by their load."""
    reachable_factor: float
    """λ*: by how much all load could grow before something is full (below 1: it is now)."""
    limited_by: Literal["row", "front", "cluster"]
    limiting_table: str | None
