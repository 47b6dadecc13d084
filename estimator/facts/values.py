"""Columns of a design with the sizes that their values can have, whether or not anything is known of rates."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document import Spec
from designer.document.family import Column, Family
from designer.document.table import Table
from estimator.kernels.growth.cells import value_bytes, value_bytes_max


@dataclass(frozen=True)
class ValueSize:
    """A column with the sizes of its values."""

    table: Table
    family: Family
    column: Column
    typical_bytes: float
    largest_bytes: float

    @property
    def all_alike(self) -> bool:
        """True if no value is larger than the typical one."""
        return self.largest_bytes <= self.typical_bytes


def values_above(spec: Spec, limit_bytes: float) -> Iterator[ValueSize]:
    """Every column whose largest value is above a limit."""
    for table in spec.tables:
        for family in table.families:
            for column in family.columns:
                largest = value_bytes_max(spec, family, column)
                if largest > limit_bytes:
                    yield ValueSize(table, family, column, value_bytes(spec, family, column), largest)
