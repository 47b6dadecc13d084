"""Tables of Amazon DynamoDB → tables with these keys, and an index table for each secondary index.

A table is what has a key schema and definitions of attributes, wherever it stands: in the answers of DescribeTable and
CreateTable, in a template of CloudFormation or of what makes one ("TableDescription",
https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html, and "AWS::DynamoDB::Table" of
the CloudFormation reference, read 2026-11-29).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from designer.document.keytext import KeyTextError
from designer.document.texts import N_, TextList

from .shared.build import build_import, refuse_count
from .shared.key_texts import KeyReader
from .shared.result import ImportRemark, ImportResult
from .shared.yamls import documents

TITLE = "DynamoDB"
_YAML = re.compile(r"^[ \t]{1,80}KeySchema:[ \t]*$", re.MULTILINE)
_KINDS = {"N": "integer", "B": "bytes"}
"""Kinds of fields by types of attributes; what a text is, its name may tell."""
_VALUE_KINDS = {"N": "integer", "B": "random"}
_INDEXES = ("GlobalSecondaryIndexes", "LocalSecondaryIndexes")
_STREAMS = "StreamSpecification"
_READ = frozenset((
    *_INDEXES, _STREAMS, "TableName", "KeySchema", "AttributeDefinitions", "ItemCount", "TableSizeBytes",
    "DeletionProtectionEnabled", "TimeToLiveSpecification", "TableStatus", "CreationDateTime", "TableArn", "TableId",
    "LatestStreamArn", "LatestStreamLabel",
))  # fmt: skip
"""What is read, or tells only of the present state."""
_STREAM_DAYS = 1
"""Records stay in a stream for 24 hours ("Change data capture for DynamoDB Streams", read 2026-11-29)."""
_GENERAL = re.compile(r"(?:[GL]SI[-_]?\d*[-_]?)?(?:PK|SK|HK|RK|PARTITION[-_]?KEY|SORT[-_]?KEY)[-_]?\d*", re.IGNORECASE)
"""Names of attributes that hold something else in each kind of item ("single table design")."""


def can_read(text: str, data: Any) -> bool:
    """Return whether a table with a key schema stands in the data; of YAML, whether its word does."""
    # A bounded part: every format is asked about each text, however long.
    return _YAML.search(text[:100_000]) is not None if data is None else any(_tables(data))


def read(text: str, data: Any) -> ImportResult:
    """Build a design from all tables in the data."""
    remarks: list[ImportRemark] = []
    reader = KeyReader()
    definitions = list(_tables(documents(text) if data is None else data))
    refuse_count(len(definitions))
    tables: list[dict[str, Any]] = []
    for number, (name, definition) in enumerate(definitions, 1):
        tables += _table_and_indexes(f"table-{number}", name, definition, reader, remarks)
    return build_import("dynamodb", {"fields": reader.fields_data(), "tables": tables}, remarks)


def _tables(data: Any, name: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the tables in the data, each with its name, or else that of the resource."""
    if isinstance(data, list):
        for entry in data:
            yield from _tables(entry)
    elif isinstance(data, Mapping):
        if isinstance(data.get("KeySchema"), list) and isinstance(data.get("AttributeDefinitions"), list):
            stated_name = data.get("TableName")
            yield (stated_name if isinstance(stated_name, str) else name) or "table", data
        else:
            for key, entry in data.items():
                # A resource's name stands above its properties.
                yield from _tables(entry, name if key == "Properties" else str(key))


def _table_and_indexes(
    id_: str, name: str, definition: Mapping[str, Any], reader: KeyReader, remarks: list[ImportRemark]
) -> Iterator[dict[str, Any]]:
    types = {str(entry["AttributeName"]): str(entry["AttributeType"]) for entry in definition["AttributeDefinitions"]}
    key = _key_names(definition)
    indexes = [index for kind in _INDEXES for index in definition.get(kind) or ()]
    columns = [attribute for attribute in types if attribute not in key]
    yield {
        "id": id_, "name": name, **_settings(definition),
        "row_kinds": [_row_kind(name, key, types, reader, remarks)], "families": [_family(columns, types)],
    }  # fmt: skip
    for index in indexes:
        index_name = f"{name}_{index['IndexName']}"
        # Several items may have the same values there, so that the table's own key must follow.
        index_key = list(dict.fromkeys((*_key_names(index), *key)))
        covered = [str(attribute) for attribute in (index.get("Projection") or {}).get("NonKeyAttributes") or ()]
        yield {
            "name": index_name, "derived_from": {"table": id_, "how": "index_table"},
            "row_kinds": [_row_kind(index_name, index_key, types, reader, remarks)],
            "families": [_family([attribute for attribute in covered if attribute not in index_key], types)],
        }  # fmt: skip
    remarks += _table_remarks(name, definition)


def _key_names(data: Mapping[str, Any]) -> list[str]:
    """Return the names of the attributes of a key: of the partition, then of the order in it."""
    entries = sorted(data["KeySchema"], key=lambda entry: str(entry["KeyType"]) != "HASH")
    return [str(entry["AttributeName"]) for entry in entries]


def _row_kind(
    name: str, key: list[str], types: Mapping[str, str], reader: KeyReader, remarks: list[ImportRemark]
) -> dict[str, Any]:
    kinds = {attribute: _KINDS[type_] for attribute, type_ in types.items() if type_ in _KINDS}
    if general := [attribute for attribute in key if _GENERAL.fullmatch(attribute)]:
        message = N_("{names} are general names: import sample keys, which show what they hold")
        remarks.append(ImportRemark(name, message, {"names": TextList(general)}))
    try:
        return {"key": reader.read([f"{{{attribute}}}" for attribute in key], kinds)}
    except KeyTextError as error:
        remarks.append(ImportRemark(name, error.message, error.params))
        return {}


def _family(columns: list[str], types: Mapping[str, str]) -> dict[str, Any]:
    return {"name": "d", "columns": [
        {"qualifier": attribute, "value": {"kind": _VALUE_KINDS.get(types.get(attribute, ""), "text")}}
        for attribute in columns
    ]}  # fmt: skip


def _settings(definition: Mapping[str, Any]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    if definition.get("ItemCount"):
        settings["rows_stored"] = int(definition["ItemCount"])
    if definition.get("DeletionProtectionEnabled") is True:
        settings["deletion_protection"] = True
    # A template that has one without the word switches it on.
    if (stream := definition.get(_STREAMS)) and stream.get("StreamEnabled", True) is True:
        settings["change_stream_days"] = _STREAM_DAYS
    return settings


def _table_remarks(name: str, definition: Mapping[str, Any]) -> Iterator[ImportRemark]:
    life = definition.get("TimeToLiveSpecification") or {}
    if life.get("Enabled") and life.get("AttributeName"):
        message = N_("items expire at the time in their attribute {attribute}: specify how long rows are kept")
        yield ImportRemark(name, message, {"attribute": str(life["AttributeName"])})
    for key in definition:
        if key not in _READ:
            yield ImportRemark(name, N_("{key} is not part of a design"), {"key": str(key)})
