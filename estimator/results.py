"""What an estimate holds: plain frozen values that rules, pages, exports and commands are views of.

Nothing is computed here. Arrays are float64 and read-only; money is Decimal; an unknown is None and a `Because`
says why. Shares are 0…1; texts are message templates with named parameters.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

import numpy as np

from designer.spec.key import ColumnType
from designer.spec.money import Currency, Money

from .arrays import Floats

Params = Mapping[str, Any]


@dataclass(frozen=True)
class Because:
    """Why a part of the estimate is unknown: a message, its parameters and the element to look at."""

    message: str
    at: str = ""
    params: Params = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message.format(**self.params)


class Open(Exception):
    """A part of the estimate cannot be made while an input lacks. Nobody's error: something is still to be said."""

    def __init__(self, because: Because) -> None:
        super().__init__(str(because))
        self.because = because


# --- keys -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SegmentFacts:
    """One segment as it stands in keys, its delimiter included in the byte counts."""

    id: str
    bytes_min: int
    bytes_typical: float
    bytes_max: int
    distinct: float
    """Different values at the end of the horizon (time: buckets over the stored period)."""
    grows: Literal["time", "sequence"] | None
    """The rendered value of new rows only ever sorts after (or, reversed, before) all earlier ones."""
    fixed_width: bool
    prefix_free: bool
    """No {value + delimiter} is the beginning of another: then codes and bytes sort alike."""
    text_order: bool
    """The rendered text sorts as the value itself does (3 before 20, Monday's date before Tuesday's)."""


@dataclass(frozen=True)
class ColumnFacts:
    """One primary-key column of Tablestore, in bytes as the service counts them."""

    id: str
    name: str
    type: ColumnType
    segments: tuple[str, ...]
    """Ids of the segments in it."""
    bytes_min: int
    bytes_typical: float
    bytes_max: int


@dataclass(frozen=True)
class Witness:
    """Two value tuples and the keys that they render to: an ambiguity, or an order that surprises."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    first_key: bytes
    second_key: bytes
    segment: str
    """The segment whose delimiter is at fault."""


@dataclass(frozen=True)
class KeyFacts:
    """What is known of a row kind's keys without any traffic."""

    row_kind: str
    segments: tuple[SegmentFacts, ...]
    bytes_min: int
    bytes_typical: float
    bytes_max: int
    samples: tuple[bytes, ...]
    """About a dozen true keys, in true byte order."""
    ambiguous: Witness | None
    """Two different tuples that render to one key."""
    disordered: tuple[Witness, ...]
    """Per delimiter at most one pair whose tuple order and key order differ."""
    distinct_rows: float
    """Different keys that the pattern can render by the end of the horizon."""
    ids_exact: bool
    """False: values beyond a head of the most popular ones are represented by a sample of them."""
    ids_error_share: float
    """Largest relative error of a range's load that this sample causes, estimated (0 when exact)."""
    columns: tuple[ColumnFacts, ...] = ()
    """Tablestore's primary-key columns, the partition key first; a Bigtable key has none."""


# --- traffic --------------------------------------------------------------------------------------------------

Access = Literal["point", "multi_point", "range", "multi_range", "prefix", "scan"]


@dataclass(frozen=True)
class ReadPlan:
    """How the engine serves one read: which part of the key is found, and what is scanned for it."""

    read: str
    row_kind: str
    access: Access
    bound: tuple[str, ...]
    """Ids of the leading segments that the caller's knowledge fixes."""
    open_at: str | None
    """The first segment that is not fixed, if any: everything from here on is scanned or filtered."""
    filtered: tuple[str, ...]
    """Segments that the caller knows but that stand after the open one: filtered, not found."""
    ranges: float
    """Separate ranges (or keys) per request: salts, enumerations, keys per call, buckets of a time range."""
    rows_scanned: float
    rows_returned: float
    cells_returned: float
    bytes_scanned: float
    bytes_returned: float
    """With key, family, qualifier and timestamp per cell, uncompressed."""
    bytes_wanted: float
    """Of those returned: less where the caller needs only a part of each value."""
    node_seconds: float
    """Node time per request."""
    per_second: float | None
    """Mean rate over the week at the end of the horizon."""
    rows_total: float | None
    """Rows in the row kind at the end of the horizon: what a full scan reads."""
    bytes_dragged: float = 0.0
    """Of the bytes scanned: columns that the read does not want, in families that it must touch."""

    @property
    def counted(self) -> bool:
        """Whether its rows are those that will be there; before any rate is known, all that could be stand in."""
        return self.rows_total is not None or self.access in ("point", "multi_point")


@dataclass(frozen=True)
class Front:
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
    """The busiest single row of one write or read: no number of nodes serves it faster than one."""

    access: str
    """Id of the write or read."""
    key: bytes
    share: float
    per_second: float
    """At the peak of the shown day."""
    node_share: float
    median_per_minute: float
    """Operations a minute on the row of the median entity."""


@dataclass(frozen=True)
class LeadValues:
    """How a row kind's writes spread over the values of its leading segments (up to `depth` segments)."""

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


PatternName = Literal[
    "evenly_spread", "periodic", "hot_range", "sudden_increase", "sequential", "single_hot_row", "large_rows", "idle"
]


@dataclass(frozen=True)
class NamedPattern:
    """What the Key Visualizer would show; `ours` where its gallery has no such name. Mixtures list several."""

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
class TableTraffic:
    """Reads and writes of one table on the shown day: the busiest weekday at the end of the horizon."""

    day: datetime.date
    heat: Heat
    writes: tuple[WriteLoad, ...]
    fronts: tuple[Front, ...]
    hot_rows: tuple[HotRow, ...]
    leads: tuple[LeadValues, ...]
    patterns: tuple[NamedPattern, ...]
    tablets: int
    hottest_range_share: float
    """Share of the day's node time on the busiest of the ranges."""
    hottest_range: int
    indivisible_node_share: float
    """Node time, at its peak window, of the busiest thing that cannot be split: a front or a row."""
    week_node_share: Floats
    """(168,) mean node time per hour of the week at the end of the horizon, Monday 00:00 UTC first."""
    node_share_by_month: Floats
    """(months + 1,) node time in the busiest hour of the week, at the start and after each month."""
    read_node_share_by_month: Floats
    """(months + 1,) the part of it that is reads (the rest is writes, which count in every cluster)."""
    partition: PartitionLoad | None = None
    """Tablestore's partition-key values; there "node time" is capacity units ÷ the 10,000 a second that one value is
    said to take, and tablets are partitions."""


# --- growth ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BytesByCause:
    """Logical bytes of stored cells by what they are."""

    key: float
    family: float
    qualifier: float
    timestamp: float
    value: float
    overhead: float

    @property
    def total(self) -> float:
        """All of them."""
        return self.key + self.family + self.qualifier + self.timestamp + self.value + self.overhead


@dataclass(frozen=True)
class ColumnSize:
    """Cells of one column in the rows of one kind."""

    column: str
    family: str
    cell: BytesByCause
    """The mean cell, uncompressed."""
    cells_written: float
    """Mean cells that one written row adds to this column (its presence)."""
    cells_stored: float
    """Mean cells of this column in a stored row at the end of the horizon, after garbage collection."""


@dataclass(frozen=True)
class RowKindSize:
    """Rows of one kind at the end of the horizon: what reads and writes are sized by."""

    row_kind: str
    rows: float
    """Rows stored."""
    columns: tuple[ColumnSize, ...]
    row_bytes: float = 0.0
    """What a row takes once, beside its cells: Tablestore's primary key, names and values."""

    @property
    def bytes_stored(self) -> float:
        """Logical bytes of the mean stored row."""
        return self.row_bytes + sum(c.cells_stored * c.cell.total for c in self.columns)


@dataclass(frozen=True)
class FamilyGrowth:
    """One family of one row kind at the end of the horizon."""

    family: str
    row_kind: str
    cells_per_row: float
    bytes_by_cause: BytesByCause
    """Of the whole row kind, uncompressed."""
    uncollected_bytes: float
    """Expired, not yet collected (half a week), in the above."""
    surplus_bytes: float
    """Kept beyond what the family's readers need, logical; 0 where neither the design nor every read says what."""
    bounded: bool
    """Garbage collection or a new row per event bounds what an existing row holds."""
    gib_per_month: float
    """Growth in the last month, physical."""
    surplus_by_column: Mapping[str, float] = field(default_factory=dict)
    """By the column's id, kept beyond what its own readers need."""


@dataclass(frozen=True)
class Crossing:
    """The date on which the largest row (or another size) crosses a limit."""

    limit: str
    """Name of the limit, as in the engine's table of limits."""
    limit_bytes: float
    date: datetime.date | None
    """None: not within the horizon."""


@dataclass(frozen=True)
class RowGrowth:
    """Size of a row kind's rows over the horizon, uncompressed, with a week of uncollected garbage."""

    row_kind: str
    dates: tuple[datetime.date, ...]
    median_bytes: Floats
    p99_bytes: Floats
    largest_bytes: Floats
    """(dates,) each"""
    largest_entity: str
    """What the largest row is of: rendered values of its entity, as far as known."""
    bucket_seconds: float | None
    """How long one row keeps receiving; None: as long as the entity lives."""
    events_per_row: float
    """Events that the median row ends up with."""
    rows: float
    """Rows stored at the end of the horizon."""
    crossings: tuple[Crossing, ...]
    largest_events: Mapping[str, float] = field(default_factory=dict)
    """By write id, events that the largest row ends up with."""


@dataclass(frozen=True)
class EntityShares:
    """How a write's events spread over entities (all of the key but its time), in classes of equally popular ones."""

    shares: Floats
    """(classes,) share of all events that one entity of the class gets."""
    counts: Floats
    """(classes,) entities in the class."""


@dataclass(frozen=True)
class TableGrowth:
    """Rows and bytes of one table over the horizon."""

    dates: tuple[datetime.date, ...]
    """The start, then the end of each month."""
    rows: Floats
    logical_bytes: Floats
    physical_bytes: Floats
    physical_bytes_low: Floats
    physical_bytes_high: Floats
    """(dates,) each; the band is compression and uncollected garbage"""
    compressed_share: float
    compressed_share_low: float
    compressed_share_high: float
    compression_origin: Literal["you", "guess", "measured", "calibrated", "none"]
    kinds: tuple[RowGrowth, ...]
    families: tuple[FamilyGrowth, ...]
    changed_bytes_per_day: float
    """Physical bytes written a day at the end of the horizon: what change streams and backups see."""
    mutation_bytes_per_second: float
    """Logical bytes of mutations, mean over the week at the end: what replication sends."""
    entities: Mapping[str, "EntityShares"] = field(default_factory=dict)
    """How the events of each write (by its id) spread over entities."""
    measured: "Measurement | None" = None
    """What the compressed shares rest on, where they are measured."""
    infrequent_bytes: Floats | None = None
    """(dates,) physical bytes that are older than the table's infrequent-access age; None: it has none."""


@dataclass(frozen=True)
class Measurement:
    """Compression of what a table stores, measured on blocks laid out as a sorted-table file has them.

    Bigtable's own format and codec are not public: two public codecs are a bracket around it.
    """

    content: str
    """Hash of exactly what was measured."""
    low_share: float
    """On disk ÷ logical bytes with the codec that packs better: zstd 3, except for a handful of bytes."""
    high_share: float
    """The same with the other: snappy."""
    uncompressed_share: float
    """The same without compression: prefix-coded keys repeat little."""
    error_share: float | None
    """Standard error between blocks ÷ the mean; None for a single block."""
    blocks: int
    codecs: str
    """Which codecs, of which version."""

    @property
    def typical_share(self) -> float:
        """The middle of the bracket."""
        return (self.low_share + self.high_share) / 2


# --- one table, the instance, the bill ------------------------------------------------------------------------


@dataclass(frozen=True)
class TablePart:
    """Everything about one table that needs no other table."""

    table: str
    keys: Mapping[str, KeyFacts]
    """By row kind."""
    reads: tuple[ReadPlan, ...]
    traffic: TableTraffic | None
    growth: TableGrowth | None
    because: tuple[Because, ...]
    sizes: Mapping[str, RowKindSize] = field(default_factory=dict)
    """By row kind: rows and mean cells of each column at the end of the horizon; empty while no rate is known."""


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
    """How many nodes one cluster needs, and has, over the horizon."""

    cluster: str
    region: str
    load_by_month: Floats
    """(months + 1,) busy nodes in the busiest hour, all tables, reads as they are routed."""
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
    """Hours of a week's shape, in a month at the end, in which the load is above target × nodes."""
    full_from: datetime.date | None
    """When data per node passes the engine's hard limit even at the most nodes allowed."""
    storage_share_by_month: Floats
    """(months + 1,) physical bytes ÷ (nodes × limit); with infrequent access of SSD alone or both, the fuller."""
    explanation: tuple[Addend, ...]
    """Five lines: load, target, storage, minimum, result."""
    nodes_by_hour: Floats | None = None
    """(months + 1, 2, 168) nodes billed in each hour of a usual week and of the busiest; None: alike at every hour."""
    fast_share_by_month: Floats | None = None
    """(months + 1,) with infrequent access that of SSD alone, which recommendations are for; else None."""


@dataclass(frozen=True)
class UnitSide:
    """Read or write capacity units of one Tablestore table; arrays are (months + 1,) means over a week. [CU/s]"""

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
    """What one Tablestore table uses of throughput: in the place of nodes."""

    table: str
    instance: Literal["high_performance", "capacity"]
    read: UnitSide
    write: UnitSide
    explanation: tuple[Addend, ...]
    """A line per write and read at the end of the horizon, then the sums."""


@dataclass(frozen=True)
class Failover:
    """What one cluster has to do in the busiest hour at the end of the horizon after the worst loss of another."""

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


@dataclass(frozen=True)
class BillLine:
    """One line of the bill for one month: quantity × unit price, redone on paper by its formula."""

    item: str
    """What it is: node, storage, backup, replication, egress, change_stream, …"""
    label: str
    params: Params
    at: str
    """The element that it is for: a cluster, a table, a backup, a read."""
    sku: str
    where: str
    quantity: Decimal
    unit: str
    unit_price: Decimal | None
    """None: no public price, none entered; the line is open."""
    price_source: str
    price_seen: str
    """The day on which the price was seen, or empty."""
    price_origin: Literal["book", "you", "free", "missing"]
    cost: Decimal | None
    """Rounded to the cent, half up."""
    low: Decimal | None
    high: Decimal | None
    formula: str
    """Message template that shows the arithmetic with `params`."""


@dataclass(frozen=True)
class Bill:
    """The bill of one month of the horizon."""

    month: int
    """0 is the first month."""
    first_day: datetime.date
    lines: tuple[BillLine, ...]
    total: Decimal
    """Sum of the lines that have a price."""
    low: Decimal
    high: Decimal
    open_lines: tuple[BillLine, ...]
    """Lines without a price: while there are any, the total reads "≥"."""
    currency: Currency = "USD"
    """Of every amount and unit price on it: the price book's."""

    @cached_property
    def stored_gib_price(self) -> Decimal | None:
        """A GiB-month of storage in all clusters together; None while nothing is stored or a price is open."""
        lines = [line for line in self.lines if line.item == "storage"]
        if not lines or any(line.unit_price is None or line.unit != "GiB-month" for line in lines):
            return None
        return sum((line.unit_price for line in lines if line.unit_price is not None), Decimal(0))

    def money(self, amount: Decimal) -> Money:
        """An amount of this bill, for a message."""
        return Money(amount, self.currency)


@dataclass(frozen=True)
class Sensitivity:
    """How the last month's total moves when one uncertain input goes from its low to its high value."""

    name: str
    at: str
    label: str
    params: Params
    low: Decimal
    high: Decimal


@dataclass(frozen=True)
class Outlook:
    """A bigger world: ×10 traffic, largest entity ×10, one more year. What it costs and what breaks first."""

    name: Literal["traffic_x10", "entity_x10", "year_more"]
    cost: Decimal | None
    breaks: str | None
    """Message about the first limit that breaks; None: nothing does."""
    params: Params
    at: str


@dataclass(frozen=True)
class Calibrated:
    """What an existing cluster was seen to do, and by how much it changes the model."""

    of: Literal["throughput", "compression"]
    factor: float
    """Measured ÷ published throughput, or ÷ modelled bytes on disk."""
    message: str
    params: Params


@dataclass(frozen=True)
class Estimate:
    """The one result: everything computed from a document."""

    sha256: str
    """Of the document."""
    tables: Mapping[str, TablePart]
    nodes: tuple[ClusterNodes, ...]
    placements: tuple[Placement, ...]
    bills: tuple[Bill, ...]
    """One per month of the horizon; empty where nothing can be priced."""
    sensitivities: tuple[Sensitivity, ...]
    outlooks: tuple[Outlook, ...]
    price_book: str
    price_book_date: datetime.date | None
    because: tuple[Because, ...]
    currency: Currency = "USD"
    """Of the bills, the sensitivities and the outlooks: the price book's."""
    capacity_units: tuple[CapacityUnits, ...] = ()
    """Of each table of a Tablestore design, which has no nodes and no placements."""
    failovers: tuple[Failover, ...] = ()
    """One per cluster of an instance with several."""
    calibrations: tuple[Calibrated, ...] = ()
    """What was taken from an existing cluster in the place of published and modelled figures."""

    @cached_property
    def remembered(self) -> dict[str, Any]:
        """What those who look at it have put together from it, by name: not a part of it."""
        return {}

    @property
    def bill(self) -> Bill | None:
        """The last month's bill, at the end of the horizon."""
        return self.bills[-1] if self.bills else None


# --- findings -------------------------------------------------------------------------------------------------

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """One rule's remark about one element, with its measured effect; `under` are consequences of the same cause."""

    rule: str
    severity: Severity
    at: str
    """Id of the element that it is about."""
    field: str
    """Name of that element's field, or empty."""
    message: str
    params: Params
    effect: float | None
    """One number that measures it (more is worse), for accepted risks to be compared with."""
    fix: Any | None
    """An edit, as data, that silences it; None where there is none or it is uncertain."""
    fix_safe: bool
    fix_label: str
    under: tuple["Finding", ...] = ()
    ignored: Any | None = None
    """The `Ignore` that accepts it."""

    def __str__(self) -> str:
        return self.message.format(**self.params)
