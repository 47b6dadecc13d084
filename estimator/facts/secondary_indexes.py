"""Obstacles to a secondary index of Tablestore, by its design and its table's.

Source: "Secondary index", limits (github.com/AlibabaCloudDocs/ots, 2021-02-05) and its overview of 2026-10-09, read
2026-11-27: one to four indexed columns, one version of the table, and a local index begins with the partition key.
Columns of indexes are predefined ones of their table.
A time to live needs `AllowUpdate` false, with which UpdateRow is refused ("Don't support allow update operation on
table with index and ttl", 2026-06-16, read 2026-11-28).
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value, write_mode
from designer.document.access import Write
from designer.document.table import Table, Tablestore
from designer.document.texts import N_
from estimator.engines.tablestore import LIMITS
from estimator.kernels.capacity.tablestore.index_reads import column_names, indexes_of

MOST_KEY_COLUMNS = 4


def index_problems(spec: Spec, index: Table, table: Table) -> Iterator[str]:
    """Yield the problems of an index of a table; without primary key columns it is not finished, and has none."""
    if effective_value(spec, table.tablestore or Tablestore(), "max_versions") != 1:
        yield N_("secondary indexes require one version of their table")
    if has_lifetime(spec, table) and any(_updates(spec, write) for kind in table.row_kinds for write in kind.writes):
        yield N_("rows of a table with secondary indexes and a time to live cannot be updated")
    indexes = indexes_of(spec, table)
    indexes = indexes[: indexes.index(index) + 1]
    if len(indexes) > LIMITS["secondary_indexes"].value:
        yield N_("a table has at most five secondary indexes")
    own = [column for kind in index.row_kinds for column in kind.key_columns]
    keys = [column.name for kind in table.row_kinds[:1] for column in kind.key_columns]
    columns = {column.qualifier for family in table.families for column in family.columns}
    if not own or not keys:
        return
    if len(index.row_kinds) > 1 or len(own) > MOST_KEY_COLUMNS:
        yield N_("a secondary index needs one kind of rows, with one to four primary key columns")
    elif any(column.name not in keys and column.name not in columns for column in own):
        yield N_("every primary key column of a secondary index must be a column of its table, by its name")
    elif index.derived_from is not None and index.derived_from.how == "local_index" and own[0].name != keys[0]:
        yield N_("a local secondary index must begin with the partition key of its table")
    if any(column.qualifier not in columns for family in index.families for column in family.columns):
        yield N_("every attribute column of a secondary index must be a column of its table, by its name")
    if len(columns & set[str]().union(*map(column_names, indexes))) > LIMITS["predefined_columns"].value:
        yield N_("the secondary indexes of a table can have at most 32 of its attribute columns")


def has_lifetime(spec: Spec, table: Table) -> bool:
    """Return whether the service deletes what is old: with an index, it then refuses updates of rows."""
    return bool(effective_value(spec, table.tablestore or Tablestore(), "ttl_seconds") != -1)


def _updates(spec: Spec, write: Write) -> bool:
    """Return whether a write changes rows that are there."""
    return write_mode(spec, write) not in ("append_row", "delete_row", "delete_prefix")
