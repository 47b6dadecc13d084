"""A structured row key schema, YAML or JSON: a struct of the API, alone or inside of a type → a table with this key."""

from collections.abc import Mapping
from typing import Any

from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from .shared.build import build_import
from .shared.result import ImportRemark, ImportResult
from .shared.structs import build_row_kind
from .shared.yamls import documents

TITLE = N_("Row key schema")


def can_read(text: str, data: Any) -> bool:
    """Return whether the data is a struct with fields and an encoding; YAML by its keys."""
    if data is not None:
        return isinstance(data, dict) and ("structType" in data or ("encoding" in data and "fields" in data))
    lines = text.splitlines()
    starts = {line.split(":")[0] for line in lines if line[:1].isalpha() and ":" in line}
    return "fieldName" in text and bool({"fields", "structType"} & starts)


def read(text: str, data: Any) -> ImportResult:
    """Build a design with one table that has this row key."""
    plain = data is None
    if plain:
        data = next(iter(documents(text)), None)
    struct = data.get("structType", data) if isinstance(data, Mapping) else None
    if not isinstance(struct, Mapping) or not isinstance(struct.get("fields"), list):
        raise InvalidDocumentError([Problem((), build_text(N_("not a struct with fields")))])
    remarks: list[ImportRemark] = []
    fields: list[dict[str, Any]] = []
    kind = build_row_kind(struct, fields, "", remarks, plain=plain)
    document = {"fields": fields, "tables": [{"name": "table", "row_kinds": [kind]}]}
    return build_import("row_key_schema", document, remarks)
