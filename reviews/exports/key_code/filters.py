"""Filters of reads, as messages of Bigtable's API in JSON: every language and client library can read these.

The names are those of `google.bigtable.v2.RowFilter` in protobuf's JSON mapping (its .proto file, read 2026-11-26).
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designer.document import Spec
from designer.document.access import Read
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column, Family
from designer.document.key import as_bytes
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from designer.wording import element_label, key_text
from estimator.kernels.traffic.column_ranges import is_newest_first, leading_segment

from ..shared.names import FAMILY, assign_names
from ..shared.result import ExportRemarks

_DAY_US = DAY_SECONDS * 1_000_000
_START = "START"
"""Stands for the time from which cells are read. [milliseconds since 1970]"""


@dataclass(frozen=True)
class FilterCode:
    """The filter of a read as JSON; `age_us` set: the text has a second part, behind the time of the oldest cells."""

    about: str
    """The families and columns that the read gets."""
    parts: tuple[str, ...]
    age_us: int | None = None


def plan_filter(spec: Spec, table: Table, kind: RowKind, read: Read, remarks: ExportRemarks) -> FilterCode:
    """Return the filter of a read: its families and columns, the age of its cells, their versions and number."""
    filters = [
        *_column_filters(spec, table, read, remarks),
        *_age_filters(read),
        *_limit_filters(spec, table, read, remarks),
    ]
    text = json.dumps(_combine("chain", filters) if filters else {"passAllFilter": True}, separators=(",", ":"))
    age_us = None if read.cell_days is None else round(read.cell_days * _DAY_US)
    return FilterCode("; ".join(_describe(spec, table, kind, read)), tuple(text.split(_START)), age_us)


def _describe(spec: Spec, table: Table, kind: RowKind, read: Read) -> Iterator[str]:
    """Yield each family that a read gets with its columns."""
    for family in table.families:
        columns = [
            column_text(spec, column)
            for column in family.columns
            if is_wanted(read, family, column) and _has_column(table, kind, read, column)
        ]
        if columns or (not family.columns and family.id in (read.families or (family.id,))):
            yield f"{element_label(spec, family.id)}: {', '.join(columns)}".rstrip(": ")


def column_text(spec: Spec, column: Column) -> str:
    """Return the qualifier of a column, or the pattern of its qualifiers."""
    return key_text(spec, column.qualifier_from) if column.qualifier_from else column.qualifier


def unread_columns(spec: Spec) -> Iterator[str]:
    """Yield the columns of a design that none of its reads gets, with their families."""
    for table in spec.tables:
        kinds = [(read, kind) for kind in table.row_kinds for read in kind.reads]
        for family in table.families:
            for column in family.columns:
                if not any(
                    is_wanted(read, family, column) and _has_column(table, kind, read, column) for read, kind in kinds
                ):
                    yield f"{element_label(spec, family.id)}: {column_text(spec, column)}"


def _has_column(table: Table, kind: RowKind, read: Read, column: Column) -> bool:
    """Return whether rows that a read returns have a column."""
    returned = (other for other in table.row_kinds if other.id == kind.id or other.id in read.row_kinds)
    return any(column.id in (each.columns or (column.id,)) for each in returned)


def is_wanted(read: Read, family: Family, column: Column | None) -> bool:
    """Return whether a read gets a column, or cells of a family that are of none."""
    if read.columns and column is not None:
        return column.id in read.columns
    return not read.families or family.id in read.families


def cells_of_newest_columns(spec: Spec, table: Table, read: Read) -> int | None:
    """Return how many cells of a row are its newest columns; None where these do not come first, alone in the row."""
    if read.newest_columns is None:
        return None
    columns = [column for family in table.families for column in family.columns if is_wanted(read, family, column)]
    leading = leading_segment(columns[0]) if len(columns) == 1 else None
    if leading is None or not is_newest_first(spec, leading):
        return None
    return read.newest_columns * (read.newest_versions or 1)


def _combine(how: str, filters: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return filters[0] if len(filters) == 1 else {how: {"filters": filters}}


def _column_filters(spec: Spec, table: Table, read: Read, remarks: ExportRemarks) -> Iterator[Mapping[str, Any]]:
    if not read.families and not read.columns:
        return
    names = assign_names(((family.id, family.name) for family in table.families), FAMILY)
    wanted = [(names[family.id], _wanted_columns(spec, family, read, remarks)) for family in table.families
              if family.id in read.families or any(column.id in read.columns for column in family.columns)]  # fmt: skip
    if all(columns is None for _, columns in wanted):
        yield {"familyNameRegexFilter": "|".join(_quote(name) for name, _ in wanted)}
    else:
        yield _combine("interleave", [_family_filter(name, columns) for name, columns in wanted])


def _wanted_columns(spec: Spec, family: Family, read: Read, remarks: ExportRemarks) -> tuple[Column, ...] | None:
    """Return the columns of a family that a read asks for; None: the whole family."""
    columns = tuple(column for column in family.columns if column.id in read.columns)
    if not columns or len(columns) == len(family.columns):
        return None
    if any(column.qualifier_from for column in columns):
        message = N_("the filter takes the whole family {family}: qualifiers of its columns are made from fields")
        remarks.note(read.id, message, family=element_label(spec, family.id))
        return None
    return columns


def _family_filter(name: str, columns: Sequence[Column] | None) -> Mapping[str, Any]:
    family = {"familyNameRegexFilter": _quote(name)}
    if columns is None:
        return family
    qualifiers = [as_bytes(column.qualifier) for column in columns]
    if all(re.fullmatch(rb"[ -~]+", one) for one in qualifiers):
        pattern = "|".join(_quote(one.decode()) for one in qualifiers)
        return _combine("chain", [family, {"columnQualifierRegexFilter": _base64(pattern.encode())}])
    # A regular expression would need other bytes as UTF-8, which a qualifier need not be.
    ends = (_base64(one) for one in qualifiers)
    return _combine("interleave", [
        {"columnRangeFilter": {"familyName": name, "startQualifierClosed": one, "endQualifierClosed": one}}
        for one in ends
    ])  # fmt: skip


def _quote(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_]", r"\\\g<0>", text)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _age_filters(read: Read) -> Iterator[Mapping[str, Any]]:
    if read.cell_days is not None:
        yield {"timestampRangeFilter": {"startTimestampMicros": f"{_START}000"}}


def _limit_filters(spec: Spec, table: Table, read: Read, remarks: ExportRemarks) -> Iterator[Mapping[str, Any]]:
    if read.newest_versions is not None:
        yield {"cellsPerColumnLimitFilter": read.newest_versions}
    if (cells := cells_of_newest_columns(spec, table, read)) is not None:
        yield {"cellsPerRowLimitFilter": cells}
    elif read.newest_columns is not None:
        message = N_("the filter takes all columns: none returns the last ones of a row")
        remarks.note(read.id, message)
