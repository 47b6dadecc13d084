"""Tablestore's CreateTable: the request as JSON in the API's own names, and a Python program for the SDK.

The SDK checks types only, so the limits are checked here. Both files are made of the same data; the program has it as a
literal and says nothing else. Source: CreateTable, Limits, primary key and TTL pages (read 2026-11-20).
"""

import json
from collections.abc import Iterator
from pprint import pformat
from typing import Any

from designer.document import Spec, effective_value
from designer.document.family import Family
from designer.document.instance import Instance
from designer.document.key import KeyColumn
from designer.document.table import RowKind, Table, Tablestore
from designer.document.texts import N_, Text
from estimator.engines.tablestore import further_regions

from .shared.comments import comment
from .shared.content import ExportContent
from .shared.gc import MOST_VERSIONS
from .shared.names import TABLESTORE, assign_names, stem
from .shared.omissions import MODEL_ONLY, Fields, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format
from .shared.tablestore_indexes import plan_indexes

MOST_COLUMNS = 4
LEAST_TTL_SECONDS = 86_400
MOST_RESERVED_CU = 100_000
OMITTED: Fields = {
    **MODEL_ONLY,
    Table: tuple(name for name in MODEL_ONLY[Table] if name != "derived_from"),
    RowKind: ("name", "key", "columns", "writes", "reads", "known", "reads_unknown"),
    Family: (*MODEL_ONLY[Family], "name"),
    KeyColumn: ("segments",),
    Instance: (*MODEL_ONLY[Instance], "name", "clusters", "tablestore_type"),
    Tablestore: ("stream_readers",),
}
OFFSET_SECONDS = 86_400
"""The service's default for how far a cell's version may be from now."""

_ENVIRONMENT = "OTS_ENDPOINT, OTS_INSTANCE and the access key come from the environment"
_PROGRAM = """
import os

from tablestore import (
    PK_AUTO_INCR,
    CapacityUnit,
    OTSClient,
    ReservedThroughput,
    SecondaryIndexMeta,
    SecondaryIndexType,
    TableMeta,
    TableOptions,
)


def primary_key(columns):
    return [
        (column["name"], column["type"], PK_AUTO_INCR) if column.get("option") == "AUTO_INCREMENT"
        else (column["name"], column["type"])
        for column in columns
    ]


DEFINED = {
    "DCT_INTEGER": "INTEGER", "DCT_DOUBLE": "DOUBLE", "DCT_BOOLEAN": "BOOLEAN", "DCT_STRING": "STRING",
    "DCT_BLOB": "BINARY",
}


def secondary_index(meta):
    local = meta["index_type"] == "IT_LOCAL_INDEX"
    kind = SecondaryIndexType.LOCAL_INDEX if local else SecondaryIndexType.GLOBAL_INDEX
    return SecondaryIndexMeta(meta["name"], meta["primary_key"], meta["defined_column"], kind)


def main():
    client = OTSClient(
        os.environ["OTS_ENDPOINT"], os.environ["OTS_ACCESS_KEY_ID"], os.environ["OTS_ACCESS_KEY_SECRET"],
        os.environ["OTS_INSTANCE"],
    )
    for table in TABLES:
        defined = [(one["name"], DEFINED[one["type"]]) for one in table["table_meta"].get("defined_column", [])]
        meta = TableMeta(table["table_meta"]["table_name"], primary_key(table["table_meta"]["primary_key"]), defined)
        options = TableOptions(
            time_to_live=table["table_options"]["time_to_live"],
            max_version=table["table_options"]["max_versions"],
            max_time_deviation=table["table_options"]["deviation_cell_version_in_sec"],
            allow_update=table["table_options"].get("allow_update"),
        )
        unit = table["reserved_throughput"]["capacity_unit"]
        indexes = [secondary_index(one) for one in table.get("index_metas", [])]
        throughput = ReservedThroughput(CapacityUnit(unit["read"], unit["write"]))
        client.create_table(meta, options, throughput, indexes)
        print("created", table["table_meta"]["table_name"])


if __name__ == "__main__":
    main()
"""


def make(content: ExportContent) -> ExportResult:
    """Build the requests, and the program that sends them."""
    remarks = ExportRemarks()
    spec = content.spec
    if spec.engine != "tablestore":
        remarks.refuse("", N_("this design is for Bigtable; Tablestore cannot create its tables"))
        return remarks.build_result()
    tables = [request for _, request in plan_requests(spec, remarks)]
    # Two files without a table would look like a finished export.
    if spec.tables and not tables:
        return remarks.build_result()
    for region, at in further_regions(spec).items():
        remarks.refuse(
            at, N_("CreateTable creates tables in one region; copies in {region} are not created"), region=region
        )
    note_omissions(spec, remarks, OMITTED)
    name = stem(spec.name)
    text = json.dumps(tables, indent=2) + "\n"
    head = comment(content.origin)
    # Python's own literals: JSON's `true` is no name in Python.
    literal = pformat(tables, width=100, sort_dicts=False)
    program = f"{head}\n# pip install tablestore; {_ENVIRONMENT}\n\nTABLES = {literal}\n{_PROGRAM}"
    return remarks.build_result(
        File.of(f"{name}.create-table.json", text), File.of(f"{name}_create_tables.py", program)
    )


def plan_requests(spec: Spec, remarks: ExportRemarks) -> Iterator[tuple[Table, dict[str, Any]]]:
    """Yield the tables that are possible, each with its request."""
    names = assign_names(((table.id, table.name) for table in spec.tables), TABLESTORE, remarks)
    table_ids: set[str] = set()
    for table in spec.tables:
        if table.derived_from and table.derived_from.is_secondary_index:
            continue
        if request := _table(spec, table, names[table.id], remarks):
            plan_indexes(spec, table, request, names, remarks)
            table_ids.add(table.id)
            yield table, request
    for table in spec.tables:
        source = table.derived_from
        # Indexes are part of their table's request; without it, they would vanish without a word.
        if source is not None and source.is_secondary_index and source.table not in table_ids:
            remarks.refuse(table.id, N_("the table of this secondary index is not in the files"))


def _table(spec: Spec, table: Table, name: str, remarks: ExportRemarks) -> dict[str, Any] | None:
    """Return the request for one table, or None if the table is not possible."""
    columns = _columns(table, remarks)
    if columns is None:
        return None
    _leave_out(spec, table, remarks)
    own = table.tablestore or Tablestore()
    for field in ("ttl_seconds", "max_versions"):
        if getattr(own, field) is None:
            remarks.note_guess(table.id, Tablestore, field, effective_value(spec, own, field))
    ttl = int(effective_value(spec, own, "ttl_seconds"))
    # Refused here: the SDK would send it, and the service's answer comes only when the program runs.
    if ttl != -1 and ttl < LEAST_TTL_SECONDS:
        message = N_("the time to live must be at least one day, or -1 for no expiry, not {ttl_seconds}")
        remarks.refuse(table.id, message, ttl_seconds=ttl)
        return None
    versions = int(effective_value(spec, own, "max_versions"))
    if versions > MOST_VERSIONS:
        message = N_("{count} versions exceed the maximum of {most}")
        remarks.refuse(table.id, message, count=versions, most=MOST_VERSIONS)
        return None
    units = {way: _reserved_units(own, way, table, remarks) for way in ("read", "write")}
    if spec.instance.tablestore_type == "capacity" and any(units.values()):
        remarks.refuse(table.id, N_("capacity instances do not support reserved throughput"))
        return None
    # The reason is in the remarks already.
    if None in units.values():
        return None
    own_parts: dict[str, Any] = {}
    if own.stream_hours is not None:
        own_parts["stream_spec"] = {"enable_stream": True, "expiration_time": own.stream_hours}
    if own.encrypted:
        own_parts["sse_spec"] = {"enable": True, "key_type": "SSE_KMS_SERVICE"}
    for field, part in (("stream_hours", "stream_spec"), ("encrypted", "sse_spec")):
        if part in own_parts:
            message = N_("the SDK for Python does not support “{what}”; the JSON contains it for other SDKs")
            remarks.note(table.id, message, what=Text(str(Tablestore.model_fields[field].title)))
    return {
        "table_meta": {"table_name": name, "primary_key": columns},
        "table_options": {
            "time_to_live": ttl,
            "max_versions": versions,
            "deviation_cell_version_in_sec": OFFSET_SECONDS,
        },
        "reserved_throughput": {"capacity_unit": units},
        **own_parts,
    }


def _reserved_units(settings: Tablestore, operation: str, table: Table, remarks: ExportRemarks) -> int | None:
    units = getattr(settings, f"reserved_{operation}_cu") or 0
    if units != int(units) or units > MOST_RESERVED_CU:
        message = N_("reserved throughput must be a whole number up to 100,000 capacity units, not {reserved_cu}")
        remarks.refuse(table.id, message, reserved_cu=units)
        return None
    return int(units)


def _leave_out(spec: Spec, table: Table, remarks: ExportRemarks) -> None:
    """Add a remark for each setting of the table that CreateTable does not support."""
    settings = {
        "deletion_protection": table.deletion_protection,
        "change_stream_days": table.change_stream_days,
        "backups": table.backups,
        "infrequent_access_days": table.infrequent_access_days,
        "split_keys": table.split_keys,
    }
    for field, value in settings.items():
        if value:
            remarks.refuse_field(table.id, "CreateTable", Table, field)
    for family in table.families:
        if family.kind != "ordinary":
            remarks.refuse(family.id, N_("Tablestore does not support aggregates"))
        elif family.gc is not None and family.gc.kind != "never":
            remarks.refuse(
                family.id, N_("Tablestore deletes data per table, not per family: set the time to live of the table")
            )
    if table.derived_from and table.derived_from.how in ("index_table", "materialised_view"):
        remarks.note(table.id, N_("it is created as a separate table, not as an index of the service"))


def _columns(table: Table, remarks: ExportRemarks) -> list[dict[str, str]] | None:
    """Return the primary key, or None if the service does not accept it."""
    if not table.row_kinds or not table.row_kinds[0].key_columns:
        remarks.refuse(table.id, N_("the table has no primary key columns yet"))
        return None
    keys = [_column_data(kind.key_columns) for kind in table.row_kinds]
    for kind, key in zip(table.row_kinds, keys, strict=True):
        # A table has one primary key; row kinds of a design may have several.
        if key != keys[0]:
            remarks.refuse(
                kind.id, N_("these rows have different primary key columns from the first row kind of the table")
            )
            return None
    # Only the first: with a wrong primary key, nothing else of the table can be made.
    problem = next(_problems(table.row_kinds[0].key_columns), None)
    if problem:
        remarks.refuse(problem[0], problem[1])
        return None
    columns = table.row_kinds[0].key_columns
    names = assign_names(((column.id, column.name) for column in columns), TABLESTORE, remarks)
    return [{"name": names[column.id], **described} for column, described in zip(columns, keys[0], strict=True)]


def _column_data(columns: tuple[KeyColumn, ...]) -> list[dict[str, str]]:
    return [
        {"type": column.type, **({"option": "AUTO_INCREMENT"} if column.auto_increment else {})} for column in columns
    ]


def _problems(columns: tuple[KeyColumn, ...]) -> Iterator[tuple[str, str]]:
    for place, column in enumerate(columns):
        if place >= MOST_COLUMNS:
            yield column.id, N_("a primary key can have at most four columns")
        if column.auto_increment and place == 0:
            yield column.id, N_("the partition key cannot be an auto-increment column")
        if column.auto_increment and column.type != "INTEGER":
            yield column.id, N_("an auto-increment column must be an INTEGER")
        if column.auto_increment and any(column.auto_increment for column in columns[:place]):
            yield column.id, N_("a table can have only one auto-increment column")


FORMAT = Format(
    name="tablestore",
    title="Tablestore",
    about=N_("CreateTable for each table: the request as JSON, and a Python program for the SDK."),
    make=make,
    engines=("tablestore",),
    omits=OMITTED,
)
