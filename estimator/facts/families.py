"""Data of one family in a table's growth, over all row kinds."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.family import Column, Family
from designer.document.table import Table
from estimator.engines import GiB
from estimator.kernels.growth.cells import written_columns
from estimator.results import Estimate, FamilyGrowth, Severity, TableGrowth

from .reading import RowKindFacts, compute_once

NUMBERS = ("integer", "small_integers")
"""Kinds of values that are counted up."""


@dataclass(frozen=True)
class FamilyUsage:
    """A family with data of a known size."""

    table: Table
    family: Family
    growth: TableGrowth
    kinds: tuple[FamilyGrowth, ...]
    """By row kind."""

    @cached_property
    def stored_bytes(self) -> float:
        """Of the whole table at the end of the horizon, uncompressed."""
        return sum(family.bytes_by_cause.total for family in self.growth.families)

    def share(self, logical_bytes: float) -> float:
        """Return which share of the table's bytes these are."""
        return logical_bytes / self.stored_bytes if self.stored_bytes > 0 else 0.0

    def compressed_bytes(self, logical_bytes: float) -> float:
        """Return these bytes, compressed as the table's are."""
        return logical_bytes * self.growth.compressed_share

    def compressed_gib(self, logical_bytes: float) -> float:
        """Return these bytes, compressed, in GiB."""
        return self.compressed_bytes(logical_bytes) / GiB


def family_usages(spec: Spec, estimate: Estimate) -> tuple[FamilyUsage, ...]:
    """Every family of which something is stored."""
    return compute_once("families_held", _cached_family_usages, spec, estimate)


def _cached_family_usages(spec: Spec, estimate: Estimate) -> tuple[FamilyUsage, ...]:
    return tuple(_iter_usages(spec, estimate))


def _iter_usages(spec: Spec, estimate: Estimate) -> Iterator[FamilyUsage]:
    for table in spec.tables:
        part = estimate.tables.get(table.id)
        if part is None or part.growth is None:
            continue
        for family in table.families:
            kinds = tuple(growth for growth in part.growth.families if growth.family == family.id)
            if kinds:
                yield FamilyUsage(table, family, part.growth, kinds)


SURPLUS_SHARE = 0.10
"""Of the table's bytes: less than this is within the error of any estimate of its size."""
SURPLUS_NOTE_GIB = 10.0
"""Compressed; below it is worth a dollar or two a month."""
SURPLUS_WARNING_GIB = 100.0
"""Compressed; from here it costs tens of dollars a month in every cluster, and scans and backups carry it, too."""


def surplus_severity(usage: FamilyUsage, logical_bytes: float) -> Severity | None:
    """Return the severity of these surplus bytes; None if they are negligible."""
    gib = usage.compressed_gib(logical_bytes)
    if usage.share(logical_bytes) < SURPLUS_SHARE or gib < SURPLUS_NOTE_GIB:
        return None
    return "warning" if gib >= SURPLUS_WARNING_GIB else "note"


def counter_columns(rows: RowKindFacts, write: Write) -> list[tuple[Family, Column]]:
    """Return the ordinary integer columns that a write increments; none if it also changes others."""
    if write.mode not in ("increment", "read_modify_write"):
        return []
    columns = [(f, c) for f, c in written_columns(rows.table, rows.kind, write) if f.kind == "ordinary"]
    if write.mode == "read_modify_write" and any(
        effective_value(rows.spec, column.value, "kind") not in NUMBERS for _, column in columns
    ):
        return []
    return columns


def old_counts_bytes(rows: RowKindFacts, family: Family) -> float:
    """Return the logical bytes that versions of counters other than the newest take in a family. [bytes]"""
    counters = {c.id for write in rows.kind.writes for f, c in counter_columns(rows, write) if f.id == family.id}
    # Somebody reads older counts.
    if rows.size is None or any(read.cell_days or (read.newest_versions or 1) > 1 for read in rows.kind.reads):
        return 0.0
    own = (column for column in rows.size.columns if column.column in counters)
    return sum(rows.size.rows * max(column.cells_stored - 1, 0.0) * column.cell.total for column in own)
