"""A structured row key schema as the API has it → a row kind of a table."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from designer.document.key import as_text
from designer.document.texts import N_, Text

from .result import ImportRemark


def build_row_kind(
    struct: Mapping[str, Any],
    fields: list[dict[str, Any]],
    where: str | Text,
    remarks: list[ImportRemark],
    *,
    plain: bool = False,
) -> dict[str, Any]:
    """Return the row kind of a struct and add its fields to `fields`.

    With `plain`, the delimiter is not base64.
    """
    encoding = struct.get("encoding") or {}
    delimiter = _delimiter(encoding, where, remarks, plain=plain)
    key, members = [], [entry for entry in struct["fields"] if isinstance(entry, Mapping)]
    for place, field in enumerate(members):
        name = str(field.get("fieldName") or f"field{place + 1}")
        segment = _segment(name, field.get("type") or {}, fields, f"{where} / {name}".removeprefix(" / "), remarks)
        key.append({**segment, "after": delimiter if place < len(members) - 1 else ""})
    return {"name": "rows", "key": key}


def _delimiter(encoding: Mapping[str, Any], where: str | Text, remarks: list[ImportRemark], *, plain: bool) -> str:
    if isinstance(encoding.get("delimitedBytes"), Mapping):
        text = str(encoding["delimitedBytes"].get("delimiter", ""))
        if plain:
            return as_text(text.encode())
        try:
            # The API's JSON has bytes in base64; gcloud's YAML has the delimiter as plain text.
            return as_text(base64.b64decode(text, validate=True))
        except binascii.Error:
            remarks.append(
                ImportRemark(
                    where, N_("the delimiter {delimiter} is not base64; used as text"), {"delimiter": text[:40]}
                )
            )
            return as_text(text.encode())
    if "orderedCodeBytes" in encoding:
        remarks.append(ImportRemark(where, N_("ordered code is not supported: the fields are joined with #")))
        return "#"
    return ""


def _segment(
    name: str, type_: Mapping[str, Any], fields: list[dict[str, Any]], where: str | Text, remarks: list[ImportRemark]
) -> dict[str, Any]:
    field = next((field for field in fields if field["name"] == name), None)
    if field is None:
        field = {"id": f"field-{len(fields) + 1}", "name": name}
        fields.append(field)
    segment: dict[str, Any] = {"kind": "field", "field": field["id"]}
    if "stringType" in type_:
        field.setdefault("kind", "string")
    elif "int64Type" in type_:
        field.setdefault("kind", "integer")
        if "bigEndianBytes" in (type_["int64Type"].get("encoding") or {}):
            segment["transforms"] = [{"kind": "big_endian", "length": 8}]
        else:
            remarks.append(
                ImportRemark(where, N_("this number encoding is not supported: numbers are imported as digits"))
            )
    elif "bytesType" in type_:
        field.setdefault("kind", "bytes")
    elif "timestampType" in type_:
        field.setdefault("kind", "timestamp")
        segment = {"kind": "time", "field": field["id"], "unit": "us", "resolution": "microsecond", "raw": True}
    else:
        remarks.append(ImportRemark(where, N_("type not supported: its values are assumed")))
    return segment
