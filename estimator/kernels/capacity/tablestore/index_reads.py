"""Read units that the service's own indexes take of each write to their table.

Before it writes rows of an index, the service reads the indexed columns of the old row. Written rows of an index and
reads of it are counted as those of any table. Source: "Billable items of secondary indexes"
(github.com/AlibabaCloudDocs/ots, 2021-04-09, and the page of the same title of 2026-06-23, read 2026-11-27); another,
undated page of that title says that nothing is metered, and is not followed: it would be the smaller bill.
"""

from collections.abc import Sequence

from designer.document import Spec, write_mode
from designer.document.access import Write
from designer.document.family import Column, Family
from designer.document.table import RowKind, Table
from estimator.engines.tablestore import units
from estimator.kernels.growth.cells import cell, columns_of, written_columns

DELETIONS = ("delete_row", "delete_prefix")


def indexes_of(spec: Spec, table: Table) -> tuple[Table, ...]:
    """Return the service's own indexes of a table."""
    return tuple(
        index
        for index in spec.tables
        if index.derived_from is not None
        and index.derived_from.is_secondary_index
        and index.derived_from.table == table.id
    )


def index_read_units(spec: Spec, table: Table, kind: RowKind, write: Write, *, indexes: Sequence[Table]) -> float:
    """Return the read units of one written row for all indexes together [CU].

    A write of all columns is a PUT, which reads always; one of some columns an UPDATE, which reads if one of them is in
    an index. A new row costs one unit, an old one what is read of its indexed columns outside of the primary key.
    """
    mode, whole = write_mode(spec, write), columns_of(table, kind, ())
    touched = whole if mode in DELETIONS else written_columns(table, kind, write)
    names = {column.qualifier for _, column in touched}
    is_put = mode not in DELETIONS and len(touched) == len(whole)
    affected = [index for index in indexes if mode in DELETIONS or names & column_names(index)]
    # The service assigns a new number, so there cannot be an old row to read.
    if mode == "append_row" and any(column.auto_increment for column in kind.key_columns):
        return 0.0
    if not affected:
        return 1.0 if is_put else 0.0
    if mode == "append_row":
        return 1.0
    keyed = {column.name for index in affected for row_kind in index.row_kinds for column in row_kind.key_columns}
    # Only indexed columns are read of the old row; its primary key is known from the request.
    return float(units(sum(_column_bytes(spec, *pair) for pair in whole if pair[1].qualifier in keyed)))


def column_names(index: Table) -> set[str]:
    """Return the names of an index's columns: those of its primary key, and its attributes."""
    keys = {column.name for kind in index.row_kinds for column in kind.key_columns}
    return keys | {column.qualifier for family in index.families for column in family.columns}


def _column_bytes(spec: Spec, family: Family, column: Column) -> float:
    size = cell(spec, family, column, 0.0)
    return size.qualifier + size.value
