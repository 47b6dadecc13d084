"""Data of one family in a table's growth, over all row kinds."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from designer.document import Spec
from designer.document.family import Family
from designer.document.table import Table
from estimator.engines import GiB
from estimator.results import Estimate, FamilyGrowth, TableGrowth

from .reading import once


@dataclass(frozen=True)
class Held:
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
        """Of the table's bytes."""
        return logical_bytes / self.stored_bytes if self.stored_bytes > 0 else 0.0

    def physical(self, logical_bytes: float) -> float:
        """Return these bytes, compressed as the table's are."""
        return logical_bytes * self.growth.compressed_share

    def gib(self, logical_bytes: float) -> float:
        """Return these bytes, compressed, in GiB."""
        return self.physical(logical_bytes) / GiB


def families_held(spec: Spec, estimate: Estimate) -> tuple[Held, ...]:
    """Every family of which something is stored."""
    return once("families_held", _families_held, spec, estimate)


def _families_held(spec: Spec, estimate: Estimate) -> tuple[Held, ...]:
    return tuple(_held(spec, estimate))


def _held(spec: Spec, estimate: Estimate) -> Iterator[Held]:
    for table in spec.tables:
        part = estimate.tables.get(table.id)
        if part is None or part.growth is None:
            continue
        for family in table.families:
            kinds = tuple(growth for growth in part.growth.families if growth.family == family.id)
            if kinds:
                yield Held(table, family, part.growth, kinds)
