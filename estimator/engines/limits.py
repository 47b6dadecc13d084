"""What an engine says about itself: limits, what a node carries, sizing targets. Values live in a file per engine."""

import datetime
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from designer.document import Spec
from designer.document.family import Family
from designer.document.key import Segment
from designer.document.money import Currency
from designer.document.table import RowKind, Table
from estimator.results import Because, BytesByCause

KiB, MiB, GiB, TiB = 2**10, 2**20, 2**30, 2**40
MB = 10**6


@dataclass(frozen=True)
class Limit:
    """One published limit: hard (the engine refuses) or recommended."""

    name: str
    value: float
    unit: str
    """What is counted: bytes, families, mutations, …"""
    written: str
    """As the source writes it, with how it is read where that is open: "256 MB, read as binary"."""
    hard: bool
    title: str
    """What it limits, as a message."""
    source: str
    read: datetime.date


@dataclass(frozen=True)
class Affine:
    """Node time of one operation: seconds + bytes ÷ bytes_per_second."""

    seconds: float
    bytes_per_second: float

    def node_seconds(self, operation_bytes: float) -> float:
        """Time of one node for one operation on that many bytes. [s]"""
        return self.seconds + operation_bytes / self.bytes_per_second


@dataclass(frozen=True)
class Capacity:
    """What one node carries of one kind of storage; published operations are on rows of `row_bytes`, one at a time."""

    storage: Literal["ssd", "hdd", "infrequent_access", "in_memory"]
    reads_per_second: float
    writes_per_second: float
    scan_bytes_per_second: float
    row_bytes: float
    read: Affine
    write: Affine
    cell_seconds: float
    """Added per cell beyond the first of a row."""
    source: str
    read_on: datetime.date


@dataclass(frozen=True)
class Targets:
    """Shares of a node's capacity at which it should run."""

    cpu_share: float
    storage_share: float
    source: str
    read: datetime.date


@dataclass(frozen=True)
class Assumption:
    """A number that no page documents: what is assumed, its range, and why."""

    name: str
    value: float
    low: float
    high: float
    unit: str
    why: str


class Engine(Protocol):
    """What a module in this package offers; it is the engine itself, there is no class to derive from."""

    @property
    def LIMITS(self) -> Mapping[str, Limit]:  # noqa: N802 - a module's constant stands here, too
        """Every limit by its name."""

    @property
    def UNCOLLECTED_DAYS_FOR_LIMITS(self) -> float:  # noqa: N802
        """How long expired cells are taken to stay where a limit is tested. [day]"""

    @property
    def ASSUMPTIONS(self) -> Mapping[str, Assumption]:  # noqa: N802
        """Every assumption of the engine's model by its name."""

    # --- sizes and collection

    @property
    def ROW_LIMITS(self) -> tuple[str, ...]:  # noqa: N802
        """Names of the limits of a row's size, the smaller one first."""

    @property
    def ADVISED_SIZE(self) -> str:  # noqa: N802
        """The name of the limit that what belongs together, in a row or partition-key value, should stay below."""

    @property
    def BLOCK_BYTES(self) -> float:  # noqa: N802
        """How much of an unwanted column a read passes over at most. [bytes]"""

    @property
    def WHY_UNCOMPRESSED(self) -> str | None:  # noqa: N802
        """Why stored bytes are not compressed, as a message; None where they are."""

    @property
    def KEEPS_DELETE_MARKERS(self) -> bool:  # noqa: N802
        """Whether deletions are stored until they are collected."""

    def as_stored(self, table: Table) -> Table:
        """Return the table with the collection that each family has on this engine."""

    def row_overhead_bytes(self, kind: RowKind, text_bytes: Callable[[Segment], float]) -> float:
        """Return what a row stores once, beside its cells. [bytes]"""

    def stored_cell(
        self, family: Family, *, key_bytes: float, qualifier_bytes: float, value_bytes: float
    ) -> BytesByCause:
        """Return the logical bytes of a stored cell."""

    def unsent_bytes(self, cell: BytesByCause) -> float:
        """Return what is stored with a cell and not sent in a write. [bytes]"""

    # --- work and capacity

    @property
    def HAS_NODES(self) -> bool:  # noqa: N802
        """Whether an instance has nodes that are paid for; else the service's partitions take the load."""

    def has_colder_tier(self, spec: Spec) -> bool:
        """Return whether older cells can move to infrequent access."""

    # --- money

    def book_currency(self, spec: Spec) -> Currency | None:
        """Return the currency that a design is billed in where it names no price book; None: any."""

    def why_not_billed(self, spec: Spec) -> Iterator[Because]:
        """Yield what of the instance is set and cannot be counted on, so that no bill has it."""
