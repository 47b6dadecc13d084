"""Results of a simulation: frozen values that pages, packing and commands view; nothing is computed here.

Counts are int64 and exact; utilisations are node time per time (1 is one busy node; on Tablestore one partition
at the 10,000 CU a second stated for a partition-key value). Texts are message templates with named parameters.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Literal

from estimator.results.arrays import Floats, Ints

from ..results import BytesByCause, Crossing, NamedPattern, Params, PatternName, Severity
from .assumptions import RunAssumption
from .parameters import Parameters

Metric = Literal["reads", "writes", "bytes", "node_ns", "row_bytes"]
METRICS: tuple[Metric, ...] = ("reads", "writes", "bytes", "node_ns", "row_bytes")
"""What a heatmap can show; the arrays of a `TableRun` by name."""


@dataclass(frozen=True)
class HotKey:
    """One of the busiest rows of a table over the period."""

    key: bytes
    text: str
    access: str
    """Id of the write or read that meets it most."""
    row_kind: str
    share: float
    """Of the table's node time."""
    read_share: float
    """Of the table's reads."""
    write_share: float
    """Of the table's writes."""
    per_second: float
    """Operations on it in the window in which there are most."""
    node_share: float
    """Node time in that window: above 1 no number of nodes serves it."""


@dataclass(frozen=True)
class SplitKey:
    """A proposed place to split a table when it is created, and what lies between the previous one and it."""

    key: bytes
    text: str
    """As `Table.split_keys` has it."""
    share: float
    """Of the load between this key and the next one (of the last one: to the end)."""
    stored_share: float
    """Of the bytes that are there at the start."""
    write_share: float
    """Of the first week's writes."""


@dataclass(frozen=True)
class Splits:
    """Proposed split keys, and what lies before the first of them."""

    keys: tuple[SplitKey, ...]
    first_share: float
    helpful: bool
    """False: the writes go to so few places that splits do not spread them."""


@dataclass(frozen=True)
class KindDays:
    """Sizes of single rows of one kind, uncompressed, in bytes; arrays are (days,).

    A week of expired cells is included, but for those of `live_largest_bytes`.
    """

    row_kind: str
    median_bytes: Floats
    p99_bytes: Floats
    largest_bytes: Floats
    live_largest_bytes: Floats
    largest_entity: str
    crossings: tuple[Crossing, ...]
    """The dates, within the period told, on which the largest row passes the recommended and the hard limit."""
    live_crossings: tuple[Crossing, ...]
    """The same of its live cells alone."""


@dataclass(frozen=True)
class TableDays:
    """Growth of a table: each day of a month; of a day's run the ends of the horizon's months."""

    dates: tuple[datetime.date, ...]
    rows: Floats
    """(days,)"""
    stored_bytes: Mapping[str, Floats]
    """(days,) logical bytes by cause: key, family, qualifier, timestamp, value, overhead."""
    physical_bytes: Floats
    """(days,) compressed."""
    kinds: tuple[KindDays, ...]


CAUSES: tuple[str, ...] = tuple(BytesByCause.__dataclass_fields__)
"""Names of `TableDays.stored_bytes`."""


@dataclass(frozen=True)
class PatternSeen:
    """A named pattern with what to do about it."""

    name: PatternName
    share: float
    """Share of the node time that shows it."""
    ours: bool
    advice: str
    """A message."""
    at: str = ""
    """Id of the segment or access that makes it."""


@dataclass(frozen=True)
class TableRun:
    """One table over the period; grids are int64, shape (ranges, windows)."""

    table: str
    bounds: tuple[bytes, ...]
    """ranges - 1 keys, true bytes; range i is [bounds[i - 1], bounds[i])."""
    labels: tuple[str, ...]
    """(ranges) what the keys of a range have in common, in readable form."""
    stored_share: Floats
    """(ranges,) of the table's bytes at the end of the period."""
    reads: Ints
    """Requests; a scan counts where its rows are."""
    writes: Ints
    """Rows."""
    bytes: Ints
    """Written, and returned by reads."""
    node_ns: Ints
    """Node time of all of these. [ns]"""
    row_bytes: Ints
    """(ranges, days) the largest row of each range, logical; one day for a day's run, at its end."""
    tablets: Ints
    """(windows,) in the cluster that has most."""
    days: TableDays
    hot_keys: tuple[HotKey, ...]
    patterns: tuple[PatternSeen, ...]
    split_keys: Splits

    def grid(self, metric: Metric) -> Ints:
        """One of the arrays by its name."""
        array: Ints = getattr(self, metric)
        return array


@dataclass(frozen=True)
class ClusterRun:
    """One cluster over the period; arrays are (windows,). On Tablestore the service: partitions in place of nodes."""

    cluster: str
    region: str
    nodes: Ints
    """That are there and paid for."""
    working: Ints
    """Of these, nodes that help already: new ones do so after a while."""
    hottest: Floats
    """Offered load of the hottest node ÷ its capacity: above 1 the rest is refused."""
    median: Floats
    mean: Floats
    hottest_share: Floats
    """Share of all node time that falls on the hottest node."""
    hottest_write_share: Floats
    """Share of all rows written that fall on the hottest node."""
    hottest_read_share: Floats
    refused: Ints
    """Operations."""
    refused_share: Floats
    """Of all operations offered."""
    reachable: Floats
    """λ*: by how much the load could grow before something is full, however tablets were placed; inf without load."""
    reached: Floats
    """The same with the tablets where the balancer had them."""
    moves: Ints
    """Tablets that changed nodes before the window."""
    cpu_target: float | None
    """What the autoscaler aims at, or what it is sized for; None on Tablestore."""
    scaled: bool
    """The autoscaler decides."""


@dataclass(frozen=True)
class Diagnosis:
    """One finding of the run in words, and where it is seen."""

    message: str
    params: Params
    severity: Severity
    table: str
    """Whose map shows it, the busiest one where it is about a cluster; empty where there is nothing to see."""
    first_range: int
    last_range: int
    """Ranges of that table, both included."""
    first_window: int
    last_window: int
    rule: str
    """Code of the rule that says more; or empty."""
    at: str
    """Id of the element that causes it: a segment, a write, a read, a cluster; or empty."""

    def __str__(self) -> str:
        return self.message.format(**self.params)


@dataclass(frozen=True)
class SeedSpread:
    """One figure over the seeds: the first is the run's own."""

    name: str
    """`peak_utilisation_share`, `refused_operations`, `reachable_factor`, `reached_factor`, `tablets`, `nodes`."""
    cluster: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Simulation:
    """The result of one run."""

    sha256: str
    """Of the document."""
    parameters: Parameters
    code_version: int
    window_starts: tuple[datetime.datetime, ...]
    window_seconds: float
    tables: Mapping[str, TableRun]
    clusters: tuple[ClusterRun, ...]
    diagnoses: tuple[Diagnosis, ...]
    assumptions: tuple[RunAssumption, ...]
    spread: tuple[SeedSpread, ...] = ()
    events: int = 0
    """Operations counted, all tables."""
    cost: Decimal | None = None
    """The bill of the month of the period, as the estimate has it; None while it is not known."""
    cost_at_least: bool = False
    """Lines that have no public price are not in it."""
    currency: str = "USD"
    names: Mapping[str, str] = field(default_factory=dict)
    """What tables and clusters are called, by id."""

    @cached_property
    def days(self) -> Mapping[str, TableDays]:
        """Growth by table."""
        return {name: table.days for name, table in self.tables.items()}


__all__ = [
    "CAUSES",
    "METRICS",
    "ClusterRun",
    "Diagnosis",
    "HotKey",
    "KindDays",
    "Metric",
    "NamedPattern",
    "PatternSeen",
    "SeedSpread",
    "Simulation",
    "SplitKey",
    "Splits",
    "TableDays",
    "TableRun",
]  # fmt: skip
