"""Tables of a rotating set as ranges of one table, whose keys begin with the period."""

from typing import Any

from .design import Spec
from .rotation import NAME_PATTERNS, Rotation, TablePeriod
from .table import RowKind, Table


def table_period(rotation: Rotation, kind: RowKind) -> TablePeriod:
    """Return the segment that stands for the table in keys of a row kind."""
    segment = TablePeriod(
        id="period",
        resolution=rotation.period,
        pattern=NAME_PATTERNS[rotation.period],
        after="/",
        kept_tables=rotation.kept_tables,
    )
    return segment.model_copy(update={"id": f"{kind.id}/period"})  # no element of a document can have it


def with_all_periods(spec: Spec) -> Spec:
    """Return a design in which the keys of every table that rotates begin with the period."""
    for table in spec.tables:
        spec = with_periods(spec, table)[0]
    return spec


def is_period(segment: str) -> bool:
    """Return whether an id is that of a segment which stands for the table."""
    return segment.endswith("/period")


def with_periods(spec: Spec, table: Table) -> tuple[Spec, Table]:
    """Return a design and a table of it whose keys begin with the period where it rotates; else both as they are."""
    rotation = table.rotation
    if rotation is None or any(isinstance(part, TablePeriod) for kind in table.row_kinds for part in kind.key[:1]):
        return spec, table
    entries: dict[str, tuple[Any, Spec, Table]] = spec.result_cache.setdefault("table periods", {})
    if table.id not in entries or entries[table.id][0] is not table:
        kinds = tuple(
            kind.model_copy(update={"key": (table_period(rotation, kind), *kind.key)}) if kind.key else kind
            for kind in table.row_kinds
        )
        as_one = table.model_copy(update={"row_kinds": kinds})
        tables = tuple(as_one if other_table.id == table.id else other_table for other_table in spec.tables)
        entries[table.id] = table, spec.model_copy(update={"tables": tables}), as_one
    return entries[table.id][1:]
