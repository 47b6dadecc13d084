"""Rows, cells and bytes over time.

Events per row come from popularity and bucket length, bounded by garbage collection. Units are in names;
everything is uncompressed unless it is called physical.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from designer.document import Spec
from designer.document.table import Table
from estimator.results import KeyFacts, Measurement, RowKindSize, TableGrowth

from .shapes import kind_shapes
from .table import compute_growth

if TYPE_CHECKING:
    from estimator.kernels.keys import KeyPattern


def table_growth_and_sizes(
    spec: Spec,
    table: Table,
    patterns: Mapping[str, "KeyPattern"],
    facts: Mapping[str, KeyFacts] | None = None,
    *,
    measurement: Measurement | None = None,
    has_single_rows: bool = True,
) -> tuple[TableGrowth, Mapping[str, RowKindSize]]:
    """Growth of the table, and sizes of its row kinds by their id: one computation for both.

    `facts` are those of the patterns where they are at hand, which saves asking for them again; `measurement` is the
    table's compression, where it has been measured. Without single rows it has no `kinds`.

    Raises
    ------
    NotComputableError
        If a write names no activity, an activity has no rate, a row kind has no key, or nothing is written or stored.
    """
    shapes = kind_shapes(spec, table, patterns, facts or {})
    return compute_growth(spec, table, shapes, measurement, has_single_rows=has_single_rows)


def table_growth(spec: Spec, table: Table, patterns: Mapping[str, "KeyPattern"]) -> TableGrowth:
    """Rows and bytes of one table over the horizon; Open as `table_growth_and_sizes`."""
    return table_growth_and_sizes(spec, table, patterns)[0]


def row_kind_sizes(spec: Spec, table: Table, patterns: Mapping[str, "KeyPattern"]) -> Mapping[str, RowKindSize]:
    """Rows and cells of each row kind at the end of the horizon; Open as `table_growth_and_sizes`."""
    return table_growth_and_sizes(spec, table, patterns)[1]


__all__ = ["row_kind_sizes", "table_growth", "table_growth_and_sizes"]
