"""Import of Tablestore's table descriptions as JSON, in the API's own names: of DescribeTable, CreateTable, ListTable.

The SDKs write these names with underscores or in camel case, some of them others for the throughput ("DescribeTable"
of the API and of the SDKs for PHP, Node.js and Python, read 2026-11-26).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from designer.document.texts import N_

from .shared.build import build_import
from .shared.result import ImportRemark, ImportResult
from .shared.told import TABLES, ToldParts, Values

TITLE = "Tablestore DescribeTable"
_TYPES = {"1": "INTEGER", "2": "STRING", "3": "BINARY"}
"""By the numbers of the API's messages."""
_KINDS = {"INTEGER": "integer", "STRING": "string", "BINARY": "bytes"}
_AUTO_INCREMENT = ("AUTO_INCREMENT", "PK_AUTO_INCR", "1")
_THROUGHPUT = ("reserved_throughput_details", "reserved_throughput", "capacity_unit_details")
_PRIMARY_KEY = ("primary_key", "primary_key_schema", "schema_of_primary_key")


def can_read(text: str, data: Any) -> bool:
    """Return whether the data is a description of a table, a list of some, or a list of table names."""
    return any("table_meta" in one or "table_names" in one for one in _objects(data))


def _objects(data: Any) -> Iterator[dict[str, Any]]:
    for one in data if isinstance(data, list) else [data]:
        if isinstance(one, Mapping):
            yield _in_snake_case(one)


def _in_snake_case(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {
            re.sub("(?<=[a-z])[A-Z]", r"_\g<0>", str(key)).lower(): _in_snake_case(one) for key, one in data.items()
        }
    return [_in_snake_case(one) for one in data] if isinstance(data, list) else data


def read(text: str, data: Any) -> ImportResult:
    """Build a design from the described tables."""
    missed: list[ImportRemark] = []
    fields: dict[str, dict[str, Any]] = {}
    tables, told, names = [], dict[str, Values](), list[str]()
    for one in _objects(data):
        names += [str(name) for name in one.get("table_names") or ()]
        if "table_meta" not in one:
            continue
        columns = [_column(each) for each in _first(one["table_meta"], _PRIMARY_KEY) or ()]
        name, settings = str(one["table_meta"]["table_name"]), _settings(one)
        tables.append({
            "name": name, "tablestore": settings,
            "row_kinds": [{"key_columns": [_key_column(each, fields) for each in columns]}],
        })  # fmt: skip
        told[name] = {"key_columns": columns, **settings}
        if _first(one, ("index_metas", "secondary_indexes")):
            missed.append(ImportRemark(name, N_("index tables of the service are not read")))
    for name in names:
        told.setdefault(name, {})
    document = {"name": "Tablestore", "engine": "tablestore", "fields": list(fields.values()), "tables": tables}
    whole = frozenset((TABLES,) if names else ())
    return build_import("tablestore", document, missed, ToldParts(tables=told, whole=whole))


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
    key = f"{column['name']} {column['type']}"
    field = fields.setdefault(
        key, {"id": f"field-{len(fields) + 1}", "name": column["name"], "kind": _KINDS[column["type"]]}
    )
    return {**column, "segments": [{"kind": "field", "field": field["id"]}]}


def _settings(data: Mapping[str, Any]) -> dict[str, Any]:
    options, throughput = data.get("table_options") or {}, _first(data, _THROUGHPUT) or {}
    units = throughput.get("capacity_unit") or {}
    told = {
        "ttl_seconds": options.get("time_to_live"),
        "max_versions": options.get("max_versions", options.get("max_version")),
        "reserved_read_cu": units.get("read"),
        "reserved_write_cu": units.get("write"),
    }
    return {name: int(value) for name, value in told.items() if value is not None}
