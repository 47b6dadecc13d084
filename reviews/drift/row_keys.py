"""Row key schemas in words, the same for equal ones."""

import json
from collections.abc import Mapping
from typing import Any

from designer.document import Spec
from designer.document.table import Table
from reviews.exports.row_key_schema import NoStructError, build_struct, encode_struct


def designed_key_text(spec: Spec, table: Table) -> str | None:
    """Return the schema of a table's key, or None if no schema describes it."""
    try:
        return key_schema_text(encode_struct(*build_struct(spec, table)))
    except NoStructError:
        return None


def key_schema_text(schema: Any) -> str:
    """Return a schema of the API as names and types of its fields, and the delimiter's base64."""
    try:
        struct = json.loads(schema) if isinstance(schema, str) else schema
    except ValueError:
        return "?"
    struct = struct.get("structType", struct) if isinstance(struct, Mapping) else {}
    encoding = struct.get("encoding") or {}
    delimited = encoding.get("delimitedBytes")
    form = str(delimited.get("delimiter", "")) if isinstance(delimited, Mapping) else "".join(encoding)
    fields = [_field_text(field) for field in struct.get("fields") or () if isinstance(field, Mapping)]
    return f"{', '.join(fields)}{f' ({form})' if len(fields) > 1 else ''}"


def _field_text(field: Mapping[str, Any]) -> str:
    field_type = field.get("type") or {}
    name = next(iter(field_type), "?")
    number = "".join((field_type[name] or {}).get("encoding") or ()) if name == "int64Type" else ""
    return " ".join(filter(None, (f"{field.get('fieldName', '')}:", name.removesuffix("Type"), number)))
