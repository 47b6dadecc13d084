"""Structured row keys (Preview): each table's key as a struct, in YAML for gcloud and in JSON for Terraform.

gcloud encodes the delimiter itself, so it stands as plain text in the YAML; Terraform's JSON is the API's own, with
base64, and its struct stands inside of a type. Source: "Manage row key schemas", the provider 6.50 (read 2026-11-20).
"""

import base64
import json
import re
import string
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from designer.document import Spec, effective_value
from designer.document.dump import to_plain_data
from designer.document.instance import Instance
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    as_bytes,
)
from designer.document.load import from_data
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from designer.document.validation_errors import InvalidDocumentError
from designer.imports.shared.structs import build_row_kind
from designer.wording import element_label
from estimator.facts.alphabets import value_bytes

from .shared.bigtable import plan_tables, refuse_other_engine
from .shared.content import ExportContent
from .shared.names import WORD, assign_names, stem
from .shared.omissions import MODEL_ONLY, Fields, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format

MOST_DELIMITER_BYTES = 50
RESERVED = ("_key", "_timestamp")
"""Names that no field can have, nor can it have that of a family (the admin API's Table, read 2026-11-21)."""
OMITTED: Fields = {
    **MODEL_ONLY,
    Table: tuple(name for name in Table.model_fields if name not in ("id", "name", "row_kinds")),
    RowKind: tuple(name for name in RowKind.model_fields if name not in ("id", "key")),
    LiteralSegment: ("text",),
    TimeSegment: (
        "field",
        "resolution",
        "bucket_seconds",
        "unit",
        "pattern",
        "reversed",
        "reverse_from",
        "hash",
        "hash_form",
        "hash_digits",
    ),
    HashSegment: ("algorithm", "form", "digits", "fields"),
    SaltSegment: ("fields", "modulo"),
    DerivedSegment: ("how", "transforms"),
    FieldSegment: ("transforms",),
    Instance: tuple(Instance.model_fields),
}
"""A struct has the order, the types and the delimiters of a key, and nothing about the values or the table."""
_DIRECTIVE, _WORDS = re.compile("%."), re.compile("%[BbapP]")
TEXT: Mapping[str, Any] = {"stringType": {"encoding": {"utf8Bytes": {}}}}
NUMBER: Mapping[str, Any] = {"int64Type": {"encoding": {"bigEndianBytes": {}}}}
RAW: Mapping[str, Any] = {"bytesType": {"encoding": {"raw": {}}}}


class NoStructError(Exception):
    """A key that no struct describes, with the element and a message."""

    def __init__(self, at: str, message: str, **params: Any) -> None:
        super().__init__(message)
        self.at, self.message, self.params = at, message, params


def make(content: ExportContent) -> ExportResult:
    """Two files per table whose key a struct describes."""
    remarks = ExportRemarks()
    if refuse_other_engine(content.spec, remarks):
        return remarks.build_result()
    files = [
        file
        for table in plan_tables(content.spec, remarks)
        for file in _files(content.spec, table.table, table.name, remarks)
    ]
    if files:
        remarks.note(
            "",
            N_(
                "use the YAML with gcloud --row-key-schema-definition-file, and the JSON as row_key_schema in Terraform"
            ),
        )
    note_omissions(content.spec, remarks, OMITTED)
    return remarks.build_result(*files)


def _files(spec: Spec, table: Table, name: str, remarks: ExportRemarks) -> Iterator[File]:
    try:
        fields, delimiter = build_struct(spec, table, remarks)
    except NoStructError as none:
        remarks.refuse(none.at, none.message, **none.params)
        return
    for kind in table.row_kinds if delimiter else ():
        _note_undecodable(spec, kind, delimiter or b"", remarks)
    base = f"{stem(spec.name)}.{name}.row-key-schema"
    yield File.of(f"{base}.json", json.dumps({"structType": encode_struct(fields, delimiter)}, indent=2) + "\n")
    schema_file = yaml_file(spec, table, name, fields, delimiter, remarks)
    yield from (schema_file,) if schema_file else ()


def yaml_file(
    spec: Spec, table: Table, name: str, fields: list[dict[str, Any]], delimiter: bytes | None, remarks: ExportRemarks
) -> File | None:
    """Return the struct as gcloud reads it, or None if it cannot."""
    try:
        plain = {"fields": fields, "encoding": _encoding(delimiter and delimiter.decode())}
    except UnicodeDecodeError:
        remarks.refuse(table.id, N_("gcloud accepts only text as a delimiter; the JSON contains it in base64"))
        return None
    alone = json.loads(json.dumps(plain))  # equal parts are no shared ones, which YAML would write once
    text = yaml.safe_dump(alone, sort_keys=False, allow_unicode=False)
    return File.of(f"{stem(spec.name)}.{name}.row-key-schema.yaml", text)


def encode_struct(fields: list[dict[str, Any]], delimiter: bytes | None) -> dict[str, Any]:
    """Return the struct in the API's form, with bytes in base64."""
    return {"fields": fields, "encoding": _encoding(delimiter and base64.b64encode(delimiter).decode())}


def _encoding(delimiter: str | bytes | None) -> dict[str, Any]:
    return {"delimitedBytes": {"delimiter": delimiter}} if delimiter else {"singleton": {}}


def build_struct(
    spec: Spec, table: Table, remarks: ExportRemarks | None = None
) -> tuple[list[dict[str, Any]], bytes | None]:
    """Return the fields of the table's key and their delimiter, or None if there is only one field.

    Raises
    ------
    NoStructError
        If no struct describes it.
    """
    if not table.row_kinds:
        raise NoStructError(table.id, N_("the table has no row key yet"))
    structs = [_build_kind_struct(spec, table, kind, remarks) for kind in table.row_kinds]
    # Names of fields may differ between row kinds; what is decoded follows from types and delimiter.
    shapes = [([field["type"] for field in fields], delimiter) for fields, delimiter in structs]
    for kind, shape in zip(table.row_kinds, shapes, strict=True):
        if shape != shapes[0]:
            raise NoStructError(
                kind.id,
                N_("these rows have a different key from the first row kind of the table; a table has only one schema"),
            )
    return structs[0]


def _build_kind_struct(
    spec: Spec, table: Table, kind: RowKind, remarks: ExportRemarks | None
) -> tuple[list[dict[str, Any]], bytes | None]:
    segments = kind.key
    if not segments:
        raise NoStructError(kind.id, N_("these rows have no row key yet"))
    delimiter = _delimiter(segments)
    for segment in segments if delimiter else ():
        _check_delimiter(spec, segment, delimiter or b"")
    used_names = [("", name) for name in (*RESERVED, *(family.name for family in table.families))]
    names = assign_names(
        [*used_names, *((segment.id, _field_name(spec, segment)) for segment in segments)], WORD, remarks
    )
    return [{"fieldName": names[segment.id], "type": dict(type_of(spec, segment))} for segment in segments], delimiter


def _delimiter(segments: tuple[Segment, ...]) -> bytes | None:
    """Return the delimiter after every segment but the last."""
    if segments[-1].after:
        raise NoStructError(segments[-1].id, N_("a struct cannot have anything after its last field"))
    first = segments[0].after if len(segments) > 1 else None
    for segment in segments[:-1]:
        if not segment.after:
            raise NoStructError(segment.id, N_("a struct requires a delimiter after every field except the last"))
        if segment.after != first:
            raise NoStructError(segment.id, N_("all delimiters of a struct must be the same"))
    if first is None:
        return None
    delimiter = as_bytes(first)
    if len(delimiter) > MOST_DELIMITER_BYTES:
        raise NoStructError(segments[0].id, N_("the delimiter of a struct can have at most 50 bytes"))
    return delimiter


def _check_delimiter(spec: Spec, segment: Segment, delimiter: bytes) -> None:
    """Raise NoStructError if a value of the field may have the delimiter's first byte in it."""
    if type_of(spec, segment) is not TEXT:
        raise NoStructError(segment.id, N_("raw bytes can contain the delimiter"))
    byte_set = _possible_bytes(spec, segment)
    # The service looks for the first byte of the delimiter, so a value must not hold even that.
    if byte_set is not None and delimiter[0] in byte_set:
        raise NoStructError(segment.id, N_("values of this field can contain the delimiter"))


def _possible_bytes(spec: Spec, segment: Segment) -> frozenset[int] | None:
    """Return the bytes that can occur in a segment's values, or None if that is not known."""
    match segment:
        case LiteralSegment():
            return frozenset(as_bytes(segment.text))
        case TimeSegment(hash=None):
            names = string.ascii_letters if _WORDS.search(segment.pattern) else ""
            return frozenset(f"{_DIRECTIVE.sub('', segment.pattern)}{string.digits}{names}".encode())
    return value_bytes(spec, segment)


def _note_undecodable(spec: Spec, kind: RowKind, delimiter: bytes, remarks: ExportRemarks) -> None:
    """Note the fields whose values may be none that the service decodes."""
    for segment in kind.key:
        byte_set = _possible_bytes(spec, segment)
        if byte_set is None:
            message = N_(
                "queries fail if a value contains the delimiter; the design does not define the characters of "
                "the values"
            )
            remarks.note(segment.id, message)
        elif byte_set and min(byte_set) < delimiter[0]:
            message = N_(
                "the API requires every byte of a value to be above the delimiter, but the values contain lower bytes"
            )
            remarks.note(segment.id, message)


def is_schema_of(spec: Spec, table: Table, schema: str) -> bool:
    """Return whether a schema that was imported is the one of the table's key as it is now."""
    try:
        data = json.loads(schema)
        fields: list[dict[str, Any]] = []
        kind = build_row_kind(data.get("structType", data), fields, "", [])
        imported = from_data({"fields": fields, "tables": [{"name": "t", "row_kinds": [kind]}]})
        # Compared as an import would read it, not as text: spacing and the order of JSON's names say nothing.
        return _shape_of(imported, imported.tables[0]) == _shape_of(spec, table)
    except (ValueError, AttributeError, KeyError, TypeError, InvalidDocumentError):
        return False


def _shape_of(spec: Spec, table: Table) -> list[list[tuple[str, dict[str, Any]]]]:
    """Return the segments of a table's keys, without ids."""
    return [
        [
            (_field_name(spec, segment), {k: v for k, v in to_plain_data(segment).items() if k not in ("id", "field")})
            for segment in kind.segments
        ]
        for kind in table.row_kinds
    ]


def type_of(spec: Spec, segment: Segment) -> Mapping[str, Any]:
    """Return the type of a segment's values; only eight big-endian bytes are a number."""
    if isinstance(segment, TimeSegment) and segment.hash is not None:
        return RAW if segment.hash_form == "raw" else TEXT
    if isinstance(segment, TimeSegment):
        return NUMBER if segment.raw else TEXT
    if isinstance(segment, HashSegment):
        return RAW if segment.form == "raw" else TEXT
    if isinstance(segment, FieldSegment | DerivedSegment):
        last = segment.transforms[-1] if segment.transforms else None
        if last is not None and last.kind == "big_endian":
            return NUMBER if last.length == 8 else RAW
        if effective_value(spec, spec.find(segment.field), "kind") == "bytes":
            return RAW
    return TEXT


def _field_name(spec: Spec, segment: Segment) -> str:
    field = getattr(segment, "field", None)
    return element_label(spec, field) if field else segment.kind


FORMAT = Format(
    name="row_key_schema",
    title=N_("Row key schema"),
    about=N_("Row key schemas for structured queries: YAML for gcloud and JSON for Terraform, per table."),
    make=make,
    engines=("bigtable",),
    omits=OMITTED,
)
