"""Tablestore's secondary indexes as CreateTable has them, and the defined columns that they need.

Source: the API's messages (table_store.proto of the SDK for Python) and "Secondary index" (read 2026-11-27): at most
five indexes, of one to four columns; a table with indexes keeps one version for ever; a local index begins with the
partition key. Columns of the table's primary key that an index does not name are appended by the service.
"""

from collections.abc import Mapping
from typing import Any

from designer.document import Spec
from designer.document.family import Column
from designer.document.table import Table
from designer.document.texts import N_
from estimator.facts.secondary_indexes import has_lifetime, index_problems

from .result import ExportRemarks

MOST_INDEXES, MOST_DEFINED = 5, 32
_OF_KEYS = {"INTEGER": "DCT_INTEGER", "STRING": "DCT_STRING", "BINARY": "DCT_BLOB"}
_OF_VALUES = {
    "integer": "DCT_INTEGER", "small_integers": "DCT_INTEGER", "float": "DCT_DOUBLE", "random": "DCT_BLOB",
    "protobuf": "DCT_BLOB",
}  # fmt: skip
"""Types of defined columns; any other kind of value is text."""
KINDS = {"global_index": ("IUM_ASYNC_INDEX", "IT_GLOBAL_INDEX"), "local_index": ("IUM_SYNC_INDEX", "IT_LOCAL_INDEX")}


def value_type(column: Column) -> str:
    """Return the type of a column that the API takes for what the design says of its values."""
    return _OF_VALUES.get(column.value.kind or "", "DCT_STRING")


def plan_indexes(
    spec: Spec, table: Table, request: dict[str, Any], names: Mapping[str, str], remarks: ExportRemarks
) -> None:
    """Add the indexes of a table to its request, and the columns that they need; what is not possible is refused."""
    columns = {column.qualifier: column for family in table.families for column in family.columns if column.qualifier}
    key_names = [column["name"] for column in request["table_meta"]["primary_key"]]
    keys = dict(zip((column.name for column in table.row_kinds[0].key_columns), key_names, strict=True))
    types: dict[str, str] = {}
    metas: list[dict[str, Any]] = []
    for index in spec.tables:
        if index.derived_from is None or not index.derived_from.is_secondary_index:
            continue
        if index.derived_from.table != table.id:
            continue
        why = next(index_problems(spec, index, table), None)
        if why is None and not any(kind.key_columns for kind in index.row_kinds):
            why = N_("a secondary index needs one kind of rows, with one to four primary key columns")
        if why is None and len(metas) == MOST_INDEXES:
            why = N_("a table can have at most five secondary indexes")
        if why:
            remarks.refuse(index.id, why)
            continue
        own = index.row_kinds[0].key_columns
        types |= {column.name: _OF_KEYS[column.type] for column in own if column.name not in keys}
        covered = [
            column.qualifier for family in index.families for column in family.columns if column.qualifier not in keys
        ]
        for name in covered:
            types.setdefault(name, value_type(columns[name]))
        mode, kind = KINDS[index.derived_from.how]
        metas.append({
            "name": names[index.id], "primary_key": [keys.get(column.name, column.name) for column in own],
            "defined_column": [qualifier for qualifier in covered if qualifier not in {column.name for column in own}],
            "index_update_mode": mode, "index_type": kind,
        })  # fmt: skip
    if len(types) > MOST_DEFINED:
        remarks.refuse(table.id, N_("a table can have at most 32 predefined columns; its indexes are omitted"))
    elif metas:
        request["table_meta"]["defined_column"] = [{"name": name, "type": kind} for name, kind in types.items()]
        request["index_metas"] = metas
        if has_lifetime(spec, table):
            request["table_options"]["allow_update"] = False
