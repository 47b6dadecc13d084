"""Rows and bytes of one table over the horizon, and what its compression rests on."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from .arrays import Floats


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
    cells_superseded: float = 0.0
    """Of those, versions beyond the limit of the policy that are not collected yet."""


@dataclass(frozen=True, eq=False)
class SizeCourse:
    """Rows of one kind and their cells over the horizon: at the start, and after each month."""

    rows: Floats
    """(months + 1,)"""
    cells_stored: Floats
    """(columns, months + 1) mean cells of a row, as `ColumnSize.cells_stored`."""
    cells_superseded: Floats
    """(columns, months + 1) as `ColumnSize.cells_superseded`."""


@dataclass(frozen=True)
class RowKindSize:
    """Rows of one kind at the end of the horizon: what reads and writes are sized by."""

    row_kind: str
    rows: float
    """Rows stored."""
    columns: tuple[ColumnSize, ...]
    row_bytes: float = 0.0
    """What a row takes once, beside its cells: Tablestore's primary key, names and values."""
    course: SizeCourse | None = field(default=None, compare=False, repr=False)
    """The same over the horizon; None: as now in all months."""

    def on(self, month: int) -> "RowKindSize":
        """Return the sizes after so many months."""
        if self.course is None:
            return self
        columns = tuple(
            replace(column, cells_stored=float(stored[month]), cells_superseded=float(superseded[month]))
            for column, stored, superseded in zip(
                self.columns, self.course.cells_stored, self.course.cells_superseded, strict=True
            )
        )
        return replace(self, rows=float(self.course.rows[month]), columns=columns, course=None)

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


LIVE_SHARE = 0.95
"""With fewer live bytes than this share of a row, they are said apart."""


@dataclass(frozen=True)
class RowGrowth:
    """Size of a row kind's rows over the horizon, uncompressed.

    With a week of expired cells that are not collected yet, an upper bound; `live_…` is without them.
    """

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
    live_p99_bytes: Floats = field(default_factory=lambda: np.empty(0))
    live_largest_bytes: Floats = field(default_factory=lambda: np.empty(0))
    """(dates,) each; empty where it is not known."""
    live_crossings: tuple[Crossing, ...] = ()

    @property
    def sure_crossings(self) -> tuple[Crossing, ...]:
        """The dates on which live cells alone take the largest row above its limits; all where that is not known."""
        return self.live_crossings or self.crossings


@dataclass(frozen=True)
class EntityShares:
    """Shares of entities (all of the key but its time) in a write's events, in equally popular classes."""

    shares: Floats
    """(classes,) share of all events that one entity of the class gets."""
    counts: Floats
    """(classes,) entities in the class."""
    lost_share: float | None = None
    """Share of the events whose key another one has named already, of the keys as they are; None: not known."""
    is_per_event: bool = False
    """Each event makes a row of its own, however busy its entity is."""


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
    changed_bytes: Mapping[str, float] = field(default_factory=dict)
    """Physical bytes of one written row, by the id of its write: how the writes compare in what they change."""
    mutation_bytes: Mapping[str, float] = field(default_factory=dict)
    """Logical bytes of the mutation of one row, by the id of its write."""
    entities: Mapping[str, EntityShares] = field(default_factory=dict)
    """How the events of each write (by its id) spread over entities."""
    measured: Measurement | None = None
    """What the compressed shares rest on, where they are measured."""
    infrequent_bytes: Floats | None = None
    """(dates,) physical bytes that are older than the table's infrequent-access age; None: it has none."""
    mean_ratio: Floats = field(default_factory=lambda: np.ones(1))
    """(months,) mean of the physical bytes over each month ÷ mean of its two ends."""
    infrequent_mean_ratio: Floats = field(default_factory=lambda: np.ones(1))
    """(months,) the same of those in infrequent access."""
    passing_bytes: Floats = field(default_factory=lambda: np.zeros(1))
    """(months,) mean physical bytes of a month that come and go within it, where nothing is stored at its ends."""

    @property
    def uncollected_share(self) -> float:
        """Share of the stored bytes at the end of the horizon that has expired and is not collected yet."""
        whole = sum(family.bytes_by_cause.total for family in self.families)
        return min(sum(family.uncollected_bytes for family in self.families) / whole, 1.0) if whole > 0 else 0.0

    @property
    def live_bytes(self) -> float:
        """Physical bytes at the end of the horizon without expired cells."""
        return float(self.physical_bytes[-1]) * (1 - self.uncollected_share)
