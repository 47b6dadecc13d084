"""Values that an engine is described by: limits, what a node carries, sizing targets, assumptions."""

import datetime
from dataclasses import dataclass
from typing import Literal

from designer.document.texts import Text

KiB, MiB, GiB, TiB = 2**10, 2**20, 2**30, 2**40
MB = 10**6


@dataclass(frozen=True)
class EngineLimit:
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
        """Return the time of one node for one operation on this number of bytes [s]."""
        return self.seconds + operation_bytes / self.bytes_per_second


@dataclass(frozen=True)
class Capacity:
    """Capacity of one node with one kind of storage; published operations are on one row of `row_bytes`."""

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
class ServiceScale:
    """The largest known use of an engine, by everybody together: no single design can be served more."""

    requests_per_second: float
    stored_bytes: float
    servers: float
    """Nodes, or what a partition-key value takes: as many as serve those requests."""
    server_text: Text
    """The servers in the engine's own measure, as people read it."""
    source: str
    read: datetime.date


@dataclass(frozen=True)
class EngineAssumption:
    """A number that no page documents: what is assumed, its range, and why."""

    name: str
    value: float
    low: float
    high: float
    unit: str
    why: str
