"""The fix that counts in aggregate cells instead of by read-modify-write."""

from collections.abc import Sequence

from designer.document.access import Write
from designer.document.edits import removal
from designer.document.family import Column, Family
from estimator.facts.reading import RowKindFacts
from estimator.kernels.growth.cells import written_columns

from ..edits import Edit, all_of, change, insert
from .settings import is_live

_NUMBERS = ("integer", "small_integers")
NAME = "n"


def convert_to_counters(rows: RowKindFacts, write: Write, counters: Sequence[tuple[Family, Column]]) -> Edit | None:
    """Return an edit that moves the write's columns to a sum family and turns the write into additions.

    An empty family with only such columns becomes the aggregate; otherwise they move to a new one. None if other
    writes set the same columns, they hold no whole numbers, or reads name the family that they leave.
    """
    family = counters[0][0]
    own = [column for _, column in counters]
    if any(other.id != family.id for other, _ in counters) or any(c.value.kind not in (None, *_NUMBERS) for c in own):
        return None
    if _is_written_elsewhere(rows, write, own) or len(written_columns(rows.table, rows.kind, write)) != len(own):
        return None
    add = change(write, "mode", "add_to_aggregate")
    # An aggregate cell holds a 64-bit integer.
    numbers = [c.model_copy(update={"value": c.value.model_copy(update={"kind": "integer"})}) for c in own]
    # The type of a family cannot be changed once it holds cells, so a table with data gets a new family.
    if len(own) == len(family.columns) and not is_live(rows.table):
        unset = [c for c in own if c.value.kind is None]
        typed = [change(c, "value", n.value) for c, n in zip(own, numbers, strict=True) if c in unset]
        return all_of([change(family, "kind", "sum"), *typed, add])
    return _move_columns(rows, family, numbers, add)


def _is_written_elsewhere(rows: RowKindFacts, write: Write, own_columns: Sequence[Column]) -> bool:
    """Return whether any other write sets these columns."""
    ids = {column.id for column in own_columns}
    return any(
        column.id in ids
        for kind in rows.table.row_kinds
        for other in kind.writes
        if other.id != write.id
        for _, column in written_columns(rows.table, kind, other)
    )


def _move_columns(rows: RowKindFacts, family: Family, columns: Sequence[Column], add: Edit) -> Edit | None:
    names = {other.name for other in rows.table.families}
    reads = [read for kind in rows.table.row_kinds for read in kind.reads]
    new_id = f"{family.id[:30]}-sum"  # ids have at most 40 characters
    if NAME in names or new_id in rows.spec.by_id or any(family.id in read.families for read in reads):
        return None
    new_family = Family(id=new_id, name=NAME, kind="sum", gc=family.gc, columns=tuple(columns))
    gone = [removal(rows.spec, column.id) for column in columns]
    return all_of([*gone, insert(rows.table, "families", new_family, before=None), add])
