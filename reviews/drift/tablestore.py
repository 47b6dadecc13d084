"""Definitions of Tablestore's tables: those that a design exports, and those that descriptions tell."""

from collections.abc import Iterable, Mapping
from typing import Any

from designer.document import Spec
from designer.document.table import Tablestore
from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem
from designer.imports.shared.stated_parts import Values
from designer.imports.tablestore import index_in_own_names
from reviews.exports.shared.content import ExportContent
from reviews.exports.shared.result import ExportRemark, ExportRemarks
from reviews.exports.tablestore import plan_requests

from .files import DefinitionFiles

LABELS: Mapping[str, str] = {
    "primary_key": N_("primary key"),
    "ttl_seconds": N_("time to live"),
    "max_versions": N_("versions kept"),
    "reserved_read_cu": N_("reserved read throughput"),
    "reserved_write_cu": N_("reserved write throughput"),
    "stream_hours": N_("stream retention"),
    "encrypted": N_("encryption"),
    "indexes": N_("secondary indexes"),
}
NUMBERS = ("ttl_seconds", "max_versions", "reserved_read_cu", "reserved_write_cu")


ABSENT = "none"


def is_for_tablestore(spec: Spec) -> bool:
    """Return whether a design is for Tablestore."""
    return spec.engine == "tablestore"


def refuse_other_files(spec: Spec, files: DefinitionFiles) -> None:
    """Refuse files that tell of another engine's tables.

    Raises
    ------
    InvalidDocumentError
        If there is one.
    """
    if any(is_for_tablestore(result.spec) != is_for_tablestore(spec) for result in files.results):
        message = N_("the design and the files are of different engines")
        raise InvalidDocumentError([Problem((), build_text(message))])


def planned_settings(
    content: ExportContent,
) -> tuple[list[tuple[str, str, Mapping[str, str | None]]], tuple[ExportRemark, ...]]:
    """Return the id, the name and the settings of each table, and what CreateTable cannot make of the design."""
    remarks = ExportRemarks()
    settings = [
        (table.id, request["table_meta"]["table_name"], _planned(table.tablestore or Tablestore(), request))
        for table, request in plan_requests(content.spec, remarks)
    ]
    return settings, remarks.build_result().refusals


def _planned(own: Tablestore, request: Mapping[str, Any]) -> Mapping[str, str | None]:
    """Return the settings that the design says; what it leaves open is not compared."""
    columns = request["table_meta"]["primary_key"]
    return {
        "primary_key": _key_text({**column, "auto_increment": "option" in column} for column in columns),
        **{name: _number_text(getattr(own, name)) for name in NUMBERS},
        "stream_hours": _number_text(own.stream_hours),
        "encrypted": None if own.encrypted is None else _switch(own.encrypted),
        "indexes": _indexes_text(map(index_in_own_names, request.get("index_metas", ())), columns),
    }


def definition_settings(values: Values) -> Mapping[str, str | None]:
    """Return what a description tells of a table."""
    return {
        "primary_key": _key_text(values["key_columns"]) if "key_columns" in values else None,
        **{name: _number_text(values.get(name)) for name in NUMBERS},
        "stream_hours": (_number_text(values["stream_hours"]) or ABSENT) if "stream_hours" in values else None,
        "encrypted": _switch(values["encrypted"]) if "encrypted" in values else None,
        "indexes": _indexes_text(values["indexes"], values["key_columns"]) if "indexes" in values else None,
    }


def _switch(is_on: object) -> str:
    return "on" if is_on else "off"


def _indexes_text(indexes: Iterable[Mapping[str, Any]], key: Iterable[Mapping[str, Any]]) -> str:
    """Return the indexes in an order of their own; the service ends each key by the columns of the table's."""
    table = [column["name"] for column in key]
    return "; ".join(sorted(_index_text(index, table) for index in indexes)) or ABSENT


def _index_text(index: Mapping[str, Any], table: list[str]) -> str:
    columns = list(dict.fromkeys((*index["key"], *table)))
    covered = f" with {', '.join(sorted(index['columns']))}" if index["columns"] else ""
    return f"{index['name']} ({index['how'].removesuffix('_index')}): {', '.join(columns)}{covered}"


def _key_text(columns: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(
        f"{column['name']} {column['type']}{' AUTO_INCREMENT' if column['auto_increment'] else ''}"
        for column in columns
    )


def _number_text(value: float | None) -> str | None:
    return None if value is None else f"{value:.15g}"
