"""The fix that puts the values of several columns into one."""

from collections.abc import Sequence

from designer.document import effective_value
from designer.document.edits import rewrite_list
from designer.document.family import Column, Family, Value
from designer.document.ids import numbered_name
from estimator.facts.reading import RowKindFacts
from estimator.kernels.growth.serialised import TAG_BYTES

from ..edits import Edit

QUALIFIER = "d"


def serialise_columns(rows: RowKindFacts, columns: Sequence[tuple[Family, Column]]) -> Edit | None:
    """One column of serialised values in place of these.

    None where they stand in several families, another row kind has them too, something names one of them, or not
    every row has all of them.
    """
    family = columns[0][0]
    spec = rows.spec
    if len(rows.table.row_kinds) > 1 or any(other.id != family.id for other, _ in columns):
        return None
    own = {column.id: column for _, column in columns}
    # A column that some rows lack, or that a read takes alone, has a meaning of its own.
    if any(column.presence not in (None, 1) for column in own.values()) or _named_columns(rows) & set(own):
        return None
    if any(column.qualifier == QUALIFIER for column in family.columns if column.id not in own):
        return None
    # In a Protocol Buffers message, each value takes its own bytes, and a tag and length in front.
    size = sum(float(effective_value(spec, column.value, "typical_bytes")) + TAG_BYTES for column in own.values())
    value = Value(kind="protobuf", typical_bytes=size)
    joint_column = columns[0][1].model_copy(
        update={"id": _free_id(rows, family), "qualifier": QUALIFIER, "value": value}
    )
    return rewrite_list(spec, family.id, "columns", [joint_column, *(c for c in family.columns if c.id not in own)])


def _named_columns(rows: RowKindFacts) -> set[str]:
    """Columns that a row kind, a write or a read of the table names."""
    columns = set[str]()
    for kind in rows.table.row_kinds:
        columns.update(kind.columns, *(write.columns for write in kind.writes), *(read.columns for read in kind.reads))
    return columns


def _free_id(rows: RowKindFacts, family: Family) -> str:
    return numbered_name(family.id, "-all", rows.spec.by_id, first=1)
