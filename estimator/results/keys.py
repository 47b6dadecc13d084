"""Knowledge of row keys that needs no traffic."""

from dataclasses import dataclass
from typing import Literal

from designer.document.key import ColumnType


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
    """Knowledge of a row kind's keys that needs no traffic."""

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
