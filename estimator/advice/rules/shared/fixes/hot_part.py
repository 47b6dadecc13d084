"""The fix that gives the part of a serialised column that one reader wants a column of its own."""

from designer.document import effective_value
from designer.document.access import Read, Write
from designer.document.edits import Clear
from designer.document.family import Column, Family
from estimator.facts.reading import RowKindFacts

from ..edits import Edit, all_of, change, insert

NAME, QUALIFIER = "h", "h"


def hot_part(rows: RowKindFacts, family: Family, column: Column, wanting: Read) -> Edit | None:
    """Return an edit that moves the part to a new family; its reader takes only that, others take both.

    None where the reader's part is not declared or it takes other columns too, others want parts as well, or
    another
    row kind has the column.
    """
    spec, table = rows.spec, rows.table
    share, names = wanting.value_share, {other.name for other in table.families}
    new_family, new_column = f"{family.id[:30]}-hot", f"{column.id[:30]}-hot"  # ids have at most 40 characters
    if share is None or not 0 < share < 1 or len(table.row_kinds) > 1 or NAME in names or family.kind != "ordinary":
        return None
    if wanting.columns not in ((), (column.id,)) or (not wanting.columns and _has_other_columns(rows)):
        return None
    others = [read for read in rows.kind.reads if read.id != wanting.id]
    # Another reader's part could overlap with this one, and nobody has said how.
    if any(read.value_share is not None or read.match_share is not None for read in others):
        return None
    if wanting.match_share is not None or new_family in spec.by_id or new_column in spec.by_id:
        return None
    size = float(effective_value(spec, column.value, "typical_bytes"))
    hot = column.model_copy(update={"id": new_column, "qualifier": QUALIFIER, "value": _set_size(column, size * share)})
    hot_family = Family(id=new_family, name=NAME, gc=family.gc, needed=family.needed, columns=(hot,))
    edits: list[Edit] = [
        insert(table, "families", hot_family, before=None),
        change(column, "value", _set_size(column, size * (1 - share))),
        Clear(at=wanting.id, name="value_share", was=share),
        change(wanting, "columns", (new_column,)),
    ]
    if wanting.families:
        edits.append(change(wanting, "families", ()))
    edits += [change(r, "families", (*r.families, new_family)) for r in others if family.id in r.families]
    accesses: list[Read | Write] = [*others, *rows.kind.writes]
    edits += [
        change(access, "columns", (*access.columns, new_column)) for access in accesses if column.id in access.columns
    ]
    if rows.kind.columns:
        edits.append(change(rows.kind, "columns", (*rows.kind.columns, new_column)))
    return all_of(edits)


def _has_other_columns(rows: RowKindFacts) -> bool:
    return sum(len(family.columns) for family in rows.table.families) > 1


def _set_size(column: Column, size: float) -> object:
    return column.value.model_copy(update={"typical_bytes": size, "max_bytes": None})
