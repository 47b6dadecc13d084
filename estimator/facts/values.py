"""Columns of a design with the sizes that their values can have, whether or not anything is known of rates."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document import Spec
from designer.document.family import Column, Family
from designer.document.table import Table
from estimator.advice.rules.shared.examples import Part, design, of, read
from estimator.kernels.growth.cells import value_bytes, value_bytes_max


@dataclass(frozen=True)
class ValueSize:
    """A column with the sizes of its values."""

    table: Table
    family: Family
    column: Column
    typical_bytes: float
    largest_bytes: float


def values_above(spec: Spec, limit_bytes: float) -> Iterator[ValueSize]:
    """Every column whose largest value is above a limit."""
    for table in spec.tables:
        for family in table.families:
            for column in family.columns:
                largest = value_bytes_max(spec, family, column)
                if largest > limit_bytes:
                    yield ValueSize(table, family, column, value_bytes(spec, family, column), largest)


def documents(typical_bytes: float, *, kind: str = "random", largest_bytes: int | None = None, **more: object) -> Spec:
    """Ten documents a day for each of a thousand devices, the newest of which is read now and then."""
    value: Part = {"kind": kind, "typical_bytes": typical_bytes, "max_bytes": largest_bytes}
    return design(
        of("device"),
        **{
            "per_second": 0.001,
            "write": {"mode": "overwrite"},
            "gc": {"kind": "max_versions", "versions": 1},
            "column": {"value": value},
            "reads": (read(binds=("device",), rate_per_second=0.01, latency="batch"),),
            **more,
        },  # type: ignore[arg-type]
    )
