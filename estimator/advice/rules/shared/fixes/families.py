"""Fixes to families: some of their columns put into a family of their own."""

from collections.abc import Collection

from designer.document import Spec
from designer.document.edits import removal
from designer.document.family import Column, Family, Gc
from designer.document.ids import numbered_name
from designer.document.table import Table

from ..edits import Edit, all_of, change, insert


def split_off(table: Table, family: Family, columns: Collection[Column], gc: Gc | None, *, spec: Spec) -> Edit:
    """Return an edit that moves columns to a new family with its own rule; reads then name both families.

    Columns keep their ids, so that writes and reads that name them stay as they are.
    """
    names = {family.name for family in table.families}
    new = Family(
        id=numbered_name(family.id, "", spec.by_id),
        name=numbered_name(family.name or "f", "", names, longest=None),
        gc=gc,
        kind=family.kind,
        needed=family.needed,
        columns=tuple(columns),
    )
    changes: list[Edit] = [removal(spec, column.id) for column in columns]
    changes.append(insert(table, "families", new, before=_next_family_id(table, family)))
    for kind in table.row_kinds:
        changes += [
            # A read that names families would lose the columns that were moved away.
            change(read, "families", (*read.families, new.id))
            for read in kind.reads
            if family.id in read.families
        ]
    return all_of(changes)


def _next_family_id(table: Table, family: Family) -> str | None:
    place = table.families.index(family) + 1
    return table.families[place].id if place < len(table.families) else None
