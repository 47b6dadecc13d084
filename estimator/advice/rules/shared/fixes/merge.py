"""The fix to alike tables: one table in which each keeps its rows behind its name."""

from collections.abc import Sequence
from typing import Any

from designer.document import Spec
from designer.document.base import Element, walk
from designer.document.dump import to_plain_data
from designer.document.edits import removal
from designer.document.key import LiteralSegment
from designer.document.table import RowKind, Table
from estimator.facts.similar_tables import split_table_names

from ..edits import Edit, all_of, change, insert
from .settings import is_live

AFTER = "#"


def merge_tables(spec: Spec, tables: Sequence[Table]) -> Edit | None:
    """Return an edit that merges row kinds into the first table, each led by its table's distinct part.

    That is the part of the table's name that differs. None where the names do not tell the tables apart, something
    else points into them, or they hold data already (then it is a migration, which takes more than a change of the
    design).
    """
    stem, names = split_table_names(tables)
    first = tables[0]
    others = {table.name for table in spec.tables if table not in tables}
    # A "#" in a name would end the prefix early, and a backslash begins an escape in the text of a key.
    if len(set(names)) < len(tables) or any(not name or set(name) & set(f"{AFTER}\\") for name in names):
        return None
    if not stem or stem in others or any(is_live(table) for table in tables) or _is_referenced(spec, tables):
        return None
    used_ids = set(spec.by_id)
    changes: list[Edit] = [change(first, "name", stem)]
    for kind in first.row_kinds:
        literal = _literal(kind, names[0], used_ids)
        before = kind.key[0].id if kind.key else None
        changes.append(insert(kind, "key", literal, before=before))
    for table, name in zip(tables[1:], names[1:], strict=True):
        # Families and columns exist once in the merged table, so writes and reads of the others point to those of the
        # first.
        same = _same_parts(table, first)
        changes.append(removal(spec, table.id))
        for kind in table.row_kinds:
            merged_kind = kind.model_copy(update={"key": (_literal(kind, name, used_ids), *kind.key)})
            changes.append(
                insert(
                    first,
                    "row_kinds",
                    RowKind.model_validate(_replace_ids(to_plain_data(merged_kind), same)),
                    before=None,
                )
            )
    return all_of(changes)


def _literal(kind: RowKind, name: str, used_names: set[str]) -> LiteralSegment:
    id = next(i for n in range(len(used_names) + 1) if (i := f"{kind.id[:30]}-of{n or ''}") not in used_names)  # noqa: A001
    used_names.add(id)
    return LiteralSegment(id=id, text=name, after=AFTER)


def _same_parts(table: Table, first: Table) -> dict[str, str]:
    """Each family's and column's id → the id of what is the same in the first table."""
    mine = sorted(table.families, key=lambda family: family.name)
    theirs = sorted(first.families, key=lambda family: family.name)
    same: dict[str, str] = {}
    for family, other in zip(mine, theirs, strict=True):
        same[family.id] = other.id
        same |= {c.id: o.id for c, o in zip(family.columns, other.columns, strict=True)}
    return same


def _replace_ids(data: Any, same: dict[str, str]) -> Any:
    """Return the data with named families and columns replaced by those of the first table."""
    if isinstance(data, list):
        return [_replace_ids(item, same) for item in data]
    if not isinstance(data, dict):
        return data
    return {
        key: [same.get(id, id) for id in value] if key in ("families", "columns") else _replace_ids(value, same)  # noqa: A001
        for key, value in data.items()
    }


def _is_referenced(spec: Spec, tables: Sequence[Table]) -> bool:
    inside = {part.id: table.id for table in tables for part in walk(table) if isinstance(part, Element)}
    return any(use.to in inside and inside.get(use.holder or "") != inside[use.to] for use in spec.pointers)
