"""The fix that puts the values of several columns into one."""

from collections.abc import Sequence

from designer.spec import assumed
from designer.spec.edits import rewritten
from designer.spec.family import Column, Family, Value
from estimator.growth.serialised import TAG_BYTES

from ..edits import Edit
from ..reading import Rows

QUALIFIER = "d"


def serialised(rows: Rows, columns: Sequence[tuple[Family, Column]]) -> Edit | None:
    """One column of serialised values in place of these.

    None where they stand in several families, another row kind has them too, something names one of them, or not
    every row has all of them.
    """
    family = columns[0][0]
    spec = rows.spec
    if len(rows.table.row_kinds) > 1 or any(other.id != family.id for other, _ in columns):
        return None
    own = [column for _, column in columns]
    if any(column.presence not in (None, 1) for column in own) or _named(rows) & {column.id for column in own}:
        return None
    if any(column.qualifier == QUALIFIER for column in family.columns if column not in own):
        return None
    size = sum(float(assumed(spec, column.value, "typical_bytes")) + TAG_BYTES for column in own)
    value = Value(kind="protobuf", typical_bytes=size)
    one = own[0].model_copy(update={"id": _free_id(rows, family), "qualifier": QUALIFIER, "value": value})
    return rewritten(spec, family.id, "columns", [one, *(c for c in family.columns if c not in own)])


def _named(rows: Rows) -> set[str]:
    """Columns that a row kind, a write or a read of the table names."""
    kinds = rows.table.row_kinds
    accesses = (access for kind in kinds for access in (*kind.writes, *kind.reads))
    return {c for kind in kinds for c in kind.columns} | {c for access in accesses for c in access.columns}


def _free_id(rows: Rows, family: Family) -> str:
    names = (f"{family.id[:30]}-all{number}" for number in range(1, 1_000))
    return next(name for name in names if name not in rows.spec.by_id)
