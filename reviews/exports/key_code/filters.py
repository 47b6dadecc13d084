"""Filters of reads in the code for keys: JSON of Bigtable's API, and which columns a read gets."""

import base64
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from designer.document import Spec
from designer.document.access import Read
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column, Family
from designer.document.key import LiteralSegment, as_bytes
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from designer.wording import element_label, key_text
from estimator.kernels.traffic.column_ranges import is_newest_first, leading_segment

from ..shared.names import FAMILY, assign_names
from ..shared.result import ExportRemarks
from .cell_filters import (
    AgeLimit,
    CellFilter,
    CellLimit,
    ColumnChoice,
    ColumnPattern,
    ColumnRange,
    FamilyChoice,
    VersionLimit,
    filter_message,
    key_pattern,
)
from .expressions import NoCodeError, segment_parameters
from .vectors import plan_vectors

_DAY_US = DAY_SECONDS * 1_000_000
_START = "<start>"
"""Stands for the time from which cells are read. [milliseconds since 1970]"""


SURPLUS_COLUMNS = N_("also returned, as no qualifier tells them from what the read gets: {names}")


@dataclass(frozen=True)
class FilterHole:
    """A place in a filter for what its function is given: start, the time of the oldest cells, or base64 of an end."""

    of: str
    """start, first or end."""
    column: int = 0
    """Which of the read's ranges of qualifiers."""


@dataclass(frozen=True)
class FilterCode:
    """The filter of a read as JSON."""

    about: str
    """The families and columns that the read gets."""
    parts: tuple[str | FilterHole, ...]
    age_us: int | None = None


def plan_filter(
    spec: Spec, table: Table, kind: RowKind, read: Read, caller_columns: Mapping[str, bool], remarks: ExportRemarks
) -> FilterCode:
    """Return the filter of a read: its families and columns, the age of its cells, their versions and number.

    `caller_columns`: columns of which the caller names the qualifiers, and whether their ranges have an end.
    """
    filters = [*_column_choice(table, read, caller_columns), *limit_filters(spec, table, read)]
    if read.newest_columns is not None and cells_of_newest_columns(spec, table, read) is None:
        remarks.note(read.id, N_("the filter takes all columns: none returns the last ones of a row"))
    # The time is not known before the program runs: a mark takes its place, with "000" as milliseconds become
    # microseconds.
    text = json.dumps(filter_message(filters, lambda _: f"{_START}000"), separators=(",", ":"))
    age_us = None if read.cell_days is None else round(read.cell_days * _DAY_US)
    return FilterCode("; ".join(_describe(spec, table, kind, read)), tuple(_cut_holes(text)), age_us)


def _hole(of: str, column: int) -> bytes:
    """Return bytes that stand for a range's end, of a length whose base64 has no padding."""
    # 12 bytes, of which base64 makes 16 characters: the mark stands in the JSON as it is and is found again by itself.
    return b"\xff\x00%-5s%05d" % (of.encode(), column)


def _cut_holes(text: str) -> Iterator[str | FilterHole]:
    holes = {_START: FilterHole("start")}
    for of, column in itertools.product(("first", "end"), range(text.count("columnRangeFilter"))):
        holes[base64.b64encode(_hole(of, column)).decode()] = FilterHole(of, column)
    for part in re.split(f"({'|'.join(map(re.escape, holes))})", text):
        yield holes.get(part, part)


def _describe(spec: Spec, table: Table, kind: RowKind, read: Read) -> Iterator[str]:
    """Yield each family that a read gets with its columns."""
    for family in table.families:
        columns = [
            column_text(spec, column)
            for column in family.columns
            if is_wanted(read, family, column) and _has_column(table, kind, read, column)
        ]
        # A family without columns in the design has any columns at all.
        if columns or (not family.columns and family.id in (read.families or (family.id,))):
            yield f"{element_label(spec, family.id)}: {', '.join(columns)}".rstrip(": ")


def column_text(spec: Spec, column: Column) -> str:
    """Return the qualifier of a column, or the pattern of its qualifiers."""
    return key_text(spec, column.qualifier_from) if column.qualifier_from else column.qualifier


def wanted_columns(table: Table, kind: RowKind, read: Read) -> Iterator[tuple[Family, Column]]:
    """Yield the columns that a read gets of the rows that it returns, with their families."""
    for family in table.families:
        for column in family.columns:
            if is_wanted(read, family, column) and _has_column(table, kind, read, column):
                yield family, column


def unread_columns(spec: Spec) -> Iterator[str]:
    """Yield the columns of a design that none of its reads gets, with their families."""
    for table in spec.tables:
        kinds = [(read, kind) for kind in table.row_kinds for read in kind.reads]
        read_ids = {column.id for read, kind in kinds for _, column in wanted_columns(table, kind, read)}
        for family in table.families:
            for column in family.columns:
                if column.id not in read_ids:
                    yield f"{element_label(spec, family.id)}: {column_text(spec, column)}"


def _has_column(table: Table, kind: RowKind, read: Read, column: Column) -> bool:
    """Return whether rows that a read returns have a column."""
    returned = (other for other in table.row_kinds if other.id == kind.id or other.id in read.row_kinds)
    return any(column.id in (row_kind.columns or (column.id,)) for row_kind in returned)


def surplus_columns(
    spec: Spec, table: Table, kind: RowKind, read: Read, ranges: Mapping[str, Sequence[ColumnPattern | ColumnRange]]
) -> Iterator[str]:
    """Yield columns of which a read gets cells that its caller does not want, as no filter tells them from others.

    Parameters
    ----------
    spec
    table
    kind
    read
    ranges
        Of columns of which a caller names the qualifiers: those that others may have, too.
    """
    for family in table.families:
        columns = [column for column in family.columns if _has_column(table, kind, read, column)]
        chosen_columns = [column for column in columns if is_wanted(read, family, column)]
        for column in columns:
            if column in chosen_columns and column.id not in ranges:
                continue
            choices = [
                choice for other in chosen_columns if other != column
                for choice in ranges.get(other.id, [_column_name(other)]) if not isinstance(choice, bytes)
            ]  # fmt: skip
            qualifiers = _sample_qualifiers(spec, column)
            if any(choice.matches(qualifier) for choice in choices for qualifier in qualifiers):
                yield f"{element_label(spec, family.id)}: {column_text(spec, column)}"


def _sample_qualifiers(spec: Spec, column: Column) -> Sequence[bytes]:
    """Return some qualifiers of a column; none where code cannot make them."""
    key = column.qualifier_from
    if not key:
        return (as_bytes(column.qualifier),)
    try:
        parameters = tuple(dict.fromkeys(name for segment in key for name in segment_parameters(spec, segment)))
        return [bytes(qualifier) for _, (qualifier,) in plan_vectors(spec, (key,), parameters).keys]  # type: ignore[arg-type]
    except NoCodeError:
        return ()


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


def limit_filters(spec: Spec, table: Table, read: Read) -> Iterator[CellFilter]:
    """Yield the filters of a read behind the choice of its columns: the age of cells, their versions, their number."""
    if read.cell_days is not None:
        yield AgeLimit(read.cell_days)
    if read.newest_versions is not None:
        yield VersionLimit(read.newest_versions)
    if (limit := cells_of_newest_columns(spec, table, read)) is not None:
        yield CellLimit(limit)


def _column_choice(table: Table, read: Read, caller_columns: Mapping[str, bool]) -> Iterator[ColumnChoice]:
    if not read.families and not read.columns and not caller_columns:
        return
    names = assign_names(((family.id, family.name) for family in table.families), FAMILY)
    holes = {column: ColumnRange(_hole("first", place), _hole("end", place) if has_end else b"")
             for place, (column, has_end) in enumerate(caller_columns.items())}  # fmt: skip
    choices = (choose_columns(family, names[family.id], read, holes) for family in table.families)
    yield ColumnChoice(tuple(choice for choice in choices if choice is not None))


def choose_columns(
    family: Family, name: str, read: Read, qualifiers: Mapping[str, ColumnRange | bytes]
) -> FamilyChoice | None:
    """Return what a read takes of a family; None: nothing.

    Parameters
    ----------
    family
    name
        As exports name it.
    read
    qualifiers
        Qualifiers that the caller names, by column.
    """
    columns = [column for column in family.columns if is_wanted(read, family, column)]
    if not columns:
        is_whole = not read.columns and (not read.families or family.id in read.families)
        return FamilyChoice(name) if is_whole else None
    if len(columns) == len(family.columns) and not any(column.id in qualifiers for column in columns):
        return FamilyChoice(name)
    return FamilyChoice(name, tuple(_with_beginning(column, qualifiers.get(column.id)) for column in columns))


def _with_beginning(column: Column, named: ColumnRange | bytes | None) -> bytes | ColumnPattern | ColumnRange:
    """Return the qualifiers of a column: those that the caller names, or else all of them."""
    choice = named or _column_name(column)
    literals = itertools.takewhile(lambda segment: isinstance(segment, LiteralSegment), column.qualifier_from)
    beginning = b"".join(as_bytes(segment.text) + as_bytes(segment.after) for segment in literals)  # type: ignore[union-attr]
    return choice if isinstance(choice, bytes) else replace(choice, beginning=beginning)


def _column_name(column: Column) -> bytes | ColumnPattern:
    """Return the qualifier of a column, or the pattern of its qualifiers where no caller can name them."""
    return ColumnPattern(column_pattern(column)) if column.qualifier_from else as_bytes(column.qualifier)


def column_pattern(column: Column) -> bytes:
    """Return the regular expression of a column's qualifiers."""
    segments = column.qualifier_from
    return key_pattern([(segment, None) for segment in segments], [as_bytes(segment.after) for segment in segments])
