"""Tablestore's secondary indexes as CreateTable has them, and the defined columns that they need.

Source: the API's messages (table_store.proto of the SDK for Python) and "Secondary index" (read 2026-11-27): at most
five indexes, of one to four columns; a table with indexes keeps one version for ever; a local index begins with the
partition key. Columns of the table's primary key that an index does not name are appended by the service.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from designer.document import Spec
from designer.document.family import Column
from designer.document.table import Table
from designer.document.texts import N_

from .result import ExportRemarks

MOST_INDEXES, MOST_DEFINED = 5, 32
_OF_KEYS = {"INTEGER": "DCT_INTEGER", "STRING": "DCT_STRING", "BINARY": "DCT_BLOB"}
_OF_VALUES = {
    "integer": "DCT_INTEGER", "small_integers": "DCT_INTEGER", "float": "DCT_DOUBLE", "random": "DCT_BLOB",
    "protobuf": "DCT_BLOB",
}  # fmt: skip
"""Types of defined columns; any other kind of value is text."""
KINDS = {"global_index": ("IUM_ASYNC_INDEX", "IT_GLOBAL_INDEX"), "local_index": ("IUM_SYNC_INDEX", "IT_LOCAL_INDEX")}


def plan_indexes(
    spec: Spec, table: Table, request: dict[str, Any], names: Mapping[str, str], remarks: ExportRemarks
) -> None:
    """Add the indexes of a table to its request, and the columns that they need; what is not possible is refused."""
    columns = {column.qualifier: column for family in table.families for column in family.columns if column.qualifier}
    keys = [one["name"] for one in request["table_meta"]["primary_key"]]
    types: dict[str, str] = {}
    metas = []
    for index in spec.tables:
        if index.derived_from is None or not index.derived_from.is_secondary_index:
            continue
        if index.derived_from.table != table.id:
            continue
        why = next(_problems(index, request, keys, columns), None)
        if why is None and len(metas) == MOST_INDEXES:
            why = N_("a table can have at most five secondary indexes")
        if why:
            remarks.refuse(index.id, why)
            continue
        own = index.row_kinds[0].key_columns
        types |= {one.name: _OF_KEYS[one.type] for one in own if one.name not in keys}
        covered = [one.qualifier for family in index.families for one in family.columns if one.qualifier not in keys]
        for name in covered:
            types.setdefault(name, _OF_VALUES.get(columns[name].value.kind or "", "DCT_STRING"))
        mode, kind = KINDS[index.derived_from.how]
        metas.append({
            "name": names[index.id], "primary_key": [one.name for one in own],
            "defined_column": [one for one in covered if one not in {column.name for column in own}],
            "index_update_mode": mode, "index_type": kind,
        })  # fmt: skip
    if len(types) > MOST_DEFINED:
        remarks.refuse(table.id, N_("a table can have at most 32 predefined columns; its indexes are omitted"))
    elif metas:
        request["table_meta"]["defined_column"] = [{"name": name, "type": kind} for name, kind in types.items()]
        request["index_metas"] = metas


def _problems(
    index: Table, request: Mapping[str, Any], keys: list[str], columns: Mapping[str, Column]
) -> Iterator[str]:
    options = request["table_options"]
    if options["max_versions"] != 1 or options["time_to_live"] != -1:
        yield N_("secondary indexes require one version and no time to live of their table")
    own = index.row_kinds[0].key_columns if len(index.row_kinds) == 1 else ()
    if not 1 <= len(own) <= 4:
        yield N_("a secondary index needs one kind of rows, with one to four primary key columns")
    elif any(one.name not in keys and one.name not in columns for one in own):
        yield N_("every primary key column of a secondary index must be a column of its table, by its name")
    elif index.derived_from and index.derived_from.how == "local_index" and own[0].name != keys[0]:
        yield N_("a local secondary index must begin with the partition key of its table")
    if any(one.qualifier not in columns for family in index.families for one in family.columns):
        yield N_("every attribute column of a secondary index must be a column of its table, by its name")
