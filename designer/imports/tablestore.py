"""Import of Tablestore's table descriptions as JSON, in the API's own names: of DescribeTable, CreateTable, ListTable.

The SDKs write these names with underscores or in camel case, some of them others for the throughput ("DescribeTable"
of the API and of the SDKs for PHP, Node.js and Python, read 2026-11-26).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from designer.document.texts import N_, TextList

from .shared.build import build_import
from .shared.result import ImportRemark, ImportResult
from .shared.stated_parts import TABLES, StatedParts, Values

TITLE = "Tablestore DescribeTable"
_TYPES = {"1": "INTEGER", "2": "STRING", "3": "BINARY"}
"""By the numbers of the API's messages."""
_KINDS = {"INTEGER": "integer", "STRING": "string", "BINARY": "bytes"}
_DEFINED = ("defined_column", "defined_columns", "defined_column_names")
_VALUES = {
    "1": "integer", "DCT_INTEGER": "integer", "INTEGER": "integer", "2": "float", "DCT_DOUBLE": "float",
    "DOUBLE": "float", "3": "enumeration", "DCT_BOOLEAN": "enumeration", "BOOLEAN": "enumeration",
    "7": "random", "DCT_BLOB": "random", "BINARY": "random",
}  # fmt: skip
"""Kinds of values by the types of defined columns; all else is text."""
_KEY_TYPES = {"integer": "INTEGER", "random": "BINARY"}
_AUTO_INCREMENT = ("AUTO_INCREMENT", "PK_AUTO_INCR", "1")
_THROUGHPUT = ("reserved_throughput_details", "reserved_throughput", "capacity_unit_details")
_INDEXES = ("index_metas", "secondary_indexes")
_STREAM, _ENCRYPTION = ("stream_details", "stream_spec"), ("sse_details", "sse_spec")
_PRIMARY_KEY = ("primary_key", "primary_key_schema", "schema_of_primary_key")


def can_read(text: str, data: Any) -> bool:
    """Return whether the data is a description of a table, a list of some, or a list of table names."""
    return any("table_meta" in entry or "table_names" in entry for entry in _objects(data))


def _objects(data: Any) -> Iterator[dict[str, Any]]:
    for entry in data if isinstance(data, list) else [data]:
        if isinstance(entry, Mapping):
            yield _in_snake_case(entry)


def _in_snake_case(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {
            re.sub("(?<=[a-z])[A-Z]", r"_\g<0>", str(key)).lower(): _in_snake_case(value) for key, value in data.items()
        }
    return [_in_snake_case(entry) for entry in data] if isinstance(data, list) else data


def read(text: str, data: Any) -> ImportResult:
    """Build a design from the described tables."""
    remarks: list[ImportRemark] = []
    fields: dict[str, dict[str, Any]] = {}
    tables, values_by_name, names = [], dict[str, Values](), list[str]()
    for description in _objects(data):
        names += [str(name) for name in description.get("table_names") or ()]
        if "table_meta" not in description:
            continue
        columns = [_column(column) for column in _first(description["table_meta"], _PRIMARY_KEY) or ()]
        name, settings = str(description["table_meta"]["table_name"]), _settings(description)
        tables.append({
            "name": name, "tablestore": settings,
            "row_kinds": [{"key_columns": [_key_column(column, fields) for column in columns]}],
        })  # fmt: skip
        defined = dict(map(_defined_column, _first(description["table_meta"], _DEFINED) or ()))
        indexes = [index_in_own_names(index) for index in _first(description, _INDEXES) or ()]
        stated_indexes = {"indexes": indexes} if any(key in description for key in _INDEXES) else {}
        values_by_name[name] = {"key_columns": columns, **settings, **_told_switches(description), **stated_indexes}
        if defined:
            tables[-1]["families"] = [{"name": "attributes", "columns": [
                {"qualifier": qualifier, "value": {"kind": kind}} for qualifier, kind in defined.items()]}]  # fmt: skip
        if indexes:
            tables[-1]["id"] = f"table-{len(tables)}"
            source = {"id": tables[-1]["id"], "columns": columns, "defined": defined}
            tables += [_index_table(index, source, fields, remarks) for index in indexes]
    for name in names:
        values_by_name.setdefault(name, {})
    document = {"name": "Tablestore", "engine": "tablestore", "fields": list(fields.values()), "tables": tables}
    whole = frozenset((TABLES,) if names else ())
    return build_import("tablestore", document, remarks, StatedParts(tables=values_by_name, whole=whole))


def _first(data: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((data[name] for name in names if data.get(name)), None)


def _column(data: Any) -> dict[str, Any]:
    if isinstance(data, list):  # as the SDK for Python has it
        data = dict(zip(("name", "type", "option"), data, strict=False))
    kind = str(data["type"]).upper()
    is_automatic = str(data.get("option", "")).upper() in _AUTO_INCREMENT
    return {"name": str(data["name"]), "type": _TYPES.get(kind, kind), "auto_increment": is_automatic}


def _key_column(column: Mapping[str, Any], fields: dict[str, dict[str, Any]]) -> dict[str, Any]:
    if column["auto_increment"]:
        return {**column}
    # Columns of one name and type in several tables are taken for one field, as a user's id is.
    key = f"{column['name']} {column['type']}"
    field = fields.setdefault(
        key, {"id": f"field-{len(fields) + 1}", "name": column["name"], "kind": _KINDS[column["type"]]}
    )
    return {**column, "segments": [{"kind": "field", "field": field["id"]}]}


def _defined_column(data: Any) -> tuple[str, str]:
    """Return the name of a defined column and the kind of its values."""
    if isinstance(data, list):  # as the SDK for Python has it
        data = dict(zip(("name", "type"), data, strict=False))
    return str(data["name"]), _VALUES.get(str(data.get("type", data.get("column_type"))).upper(), "text")


def index_in_own_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an index by the API's own names, whichever an SDK has."""
    kind = str(data.get("index_type", "")).upper()
    return {
        "name": str(_first(data, ("name", "index_name"))),
        "key": [str(column) for column in _first(data, ("primary_key", "primary_key_names", "primary_keys")) or ()],
        "columns": [str(column) for column in _first(data, _DEFINED) or ()],
        "how": "local_index" if "LOCAL" in kind or kind == "1" else "global_index",
    }


def _index_table(
    index: Mapping[str, Any], source: Mapping[str, Any], fields: dict[str, Any], remarks: list[ImportRemark]
) -> dict[str, Any]:
    """Return the table of an index; its columns have the types of its table's."""
    types = {column["name"]: column["type"] for column in source["columns"]}
    types |= {name: _KEY_TYPES.get(kind, "STRING") for name, kind in source["defined"].items()}
    if unknown := [name for name in index["key"] if name not in types]:
        message = N_("the type of {column} is not in the text: imported as STRING")
        remarks.append(ImportRemark(index["name"], message, {"column": TextList(unknown)}))
    columns = [{"name": name, "type": types.get(name, "STRING"), "auto_increment": False} for name in index["key"]]
    covered = [{"qualifier": name, "value": {"kind": source["defined"].get(name, "text")}} for name in index["columns"]]
    return {
        "name": index["name"], "derived_from": {"table": source["id"], "how": index["how"]},
        "row_kinds": [{"key_columns": [_key_column(column, fields) for column in columns]}],
        **({"families": [{"name": "attributes", "columns": covered}]} if covered else {}),
    }  # fmt: skip


def _settings(data: Mapping[str, Any]) -> dict[str, Any]:
    options, throughput = data.get("table_options") or {}, _first(data, _THROUGHPUT) or {}
    units = throughput.get("capacity_unit") or {}
    numbers = {
        "ttl_seconds": options.get("time_to_live"),
        "max_versions": options.get("max_versions", options.get("max_version")),
        "reserved_read_cu": units.get("read"),
        "reserved_write_cu": units.get("write"),
    }
    stream, encryption = _first(data, _STREAM) or {}, _first(data, _ENCRYPTION) or {}
    settings: dict[str, Any] = {name: int(value) for name, value in numbers.items() if value is not None}
    if stream.get("enable_stream") and stream.get("expiration_time"):
        settings["stream_hours"] = int(stream["expiration_time"])
    if encryption.get("enable"):
        settings["encrypted"] = True
    return settings


def _told_switches(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is said to be off; a description that does not name it says nothing."""
    switches: dict[str, Any] = {}
    if (_first(data, _STREAM) or {}).get("enable_stream") is False:
        switches["stream_hours"] = None
    if (encryption := (_first(data, _ENCRYPTION) or {}).get("enable")) is not None:
        switches["encrypted"] = bool(encryption)
    return switches
