"""Edits for several elements at once: to remove, to duplicate, to move to another table. One step each."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from designer.document import Element, Spec
from designer.document.access import Read, Write
from designer.document.base import walk
from designer.document.design import paths
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Edit, Insert, Move, Set, apply, removal_with_uses
from designer.document.edits.lookup import find_list, find_position
from designer.document.family import Column, Family
from designer.document.ids import numbered_name
from designer.document.instance import Cluster
from designer.document.references import references
from designer.document.table import RowKind, Table
from designer.document.texts import N_

from .new_design import NewId

REMOVED = N_("removed several elements")
DUPLICATED = N_("duplicated several elements")
MOVED = N_("moved several elements")
_NUMBER = re.compile(r"([ _-])[1-9]\d?$")
"""What a name is counted by. `_2024` is no count: its copy is named `_2024_2`."""


def outermost(spec: Spec, ids: Collection[str]) -> tuple[str, ...]:
    """Return the chosen elements in the document's order, without those that are inside another of them."""
    chosen = {element.id: path for path, element in paths(spec) if element.id in ids}
    ways = set(chosen.values())
    # A part of a chosen element goes with it; a second edit of it would meet nothing.
    return tuple(id_ for id_, path in chosen.items() if not any(path[:n] in ways for n in range(1, len(path))))


def users_outside(spec: Spec, ids: Collection[str]) -> tuple[str, ...]:
    """Return the elements that refer to the chosen ones, or to what is in them, from outside."""
    inside = {part_id for id_ in ids for part_id in _ids_inside(spec.find(id_))}
    holders = (use.holder for use in references(spec) if use.to in inside and use.holder not in inside)
    return tuple(dict.fromkeys(holder for holder in holders if holder))


def remove(spec: Spec, ids: Sequence[str]) -> Batch:
    """Build the edit that removes elements with what is nothing without them."""
    edits: list[Edit] = []
    for id_ in ids:
        if id_ in spec.by_id:  # else it went with one before
            # Each edit is made for the document that the earlier ones leave, or its `was` would not fit when it is
            # applied.
            removal = removal_with_uses(spec, id_)
            edits += removal.edits
            spec, _ = apply(spec, removal)
    return Batch(edits=tuple(edits), label=REMOVED if len(ids) > 1 else "")


def duplicate(spec: Spec, ids: Sequence[str], *, new_id: NewId) -> tuple[Batch, tuple[str, ...]]:
    """Build the edit that puts a copy after each element; return it with the ids of the copies."""
    edits: list[Edit] = []
    copy_ids: list[str] = []
    for id_ in ids:
        parent, _, owner, name, place = find_position(spec, id_)
        siblings = getattr(owner, name.rpartition(".")[2])
        # Every part within gets a new id, since ids are unique in the whole design.
        new = {part.id: new_id() for part in walk(spec.find(id_)) if isinstance(part, Element)}
        data = _copy_of(spec.find(id_), new)
        # No cluster's id in Bigtable holds an underscore.
        ending = "-" if isinstance(spec.find(id_), Cluster) else "_"
        for word in ("name", "qualifier"):
            if data.get(word):
                data[word] = _name_of_copy(data[word], {getattr(sibling, word, "") for sibling in siblings}, ending)
        before = siblings[place + 1].id if place + 1 < len(siblings) else None
        edit = Insert(parent=parent, list=name, element=data, before=before)
        edits.append(edit)
        copy_ids.append(new[id_])
        spec, _ = apply(spec, edit)
    return Batch(edits=tuple(edits), label=DUPLICATED if len(ids) > 1 else ""), tuple(copy_ids)


def move(spec: Spec, ids: Sequence[str], target: str) -> Batch:
    """Build the edit that moves reads, writes and families to a table or a row kind of one, and columns to a family.

    A family or column whose name is taken there gets a free one, as a copy does.
    """
    edits: list[Edit] = []
    for id_ in ids:
        parent, _, owner, through, place = find_position(spec, id_)
        name = through.rpartition(".")[2]
        to = _holder(spec, target, name, parent)
        if to == parent:
            continue
        siblings = getattr(owner, name)
        now = siblings[place + 1].id if place + 1 < len(siblings) else None
        steps: list[Edit] = [Move(at=id_, before=None, was_before=now, parent=to, was_parent=parent)]
        steps += [*_renaming(spec.find(id_), getattr(spec.find(to), name)), *_shorter_lists(spec, id_, to)]
        for edit in steps:
            spec, _ = apply(spec, edit)
        edits += steps
    return Batch(edits=tuple(edits), label=MOVED if len(ids) > 1 else "")


def _renaming(element: Element, others: Sequence[Element]) -> Iterator[Set]:
    """Yield the edit that gives a family or a column a free name, if one of the others has its own."""
    # In what is exported, two of one name would be one.
    word = "name" if isinstance(element, Family) else "qualifier" if isinstance(element, Column) else ""
    name = getattr(element, word, "")
    names = {getattr(other, word) for other in others} if name else set()
    if name in names:
        yield Set(at=element.id, name=word, value=_name_of_copy(name, names), was=name)


def _shorter_lists(spec: Spec, id_: str, to: str) -> Iterator[Set]:
    """Yield the edits that take columns which leave a table out of the lists of its rows, writes and reads.

    A list keeps its last column: empty, it would mean all columns.
    """
    moved_ids = _ids_inside(spec.find(id_))
    table = next((table for table in spec.tables if id_ in _ids_inside(table)), None)
    if table is None or to in _ids_inside(table):
        return
    for element in walk(table):
        for word in ("columns", "families"):
            ids = getattr(element, word, ())
            remaining = [listed_id for listed_id in ids if listed_id not in moved_ids]
            if isinstance(element, RowKind | Write | Read) and 0 < len(remaining) < len(ids):
                yield Set(at=element.id, name=word, value=remaining, was=list(ids))


def _ids_inside(element: Element) -> set[str]:
    return {part.id for part in walk(element) if isinstance(part, Element)}


def _holder(spec: Spec, target: str, name: str, parent: str) -> str:
    """Return the id of what holds such a list: the target, or the first of its row kinds or families.

    What the target holds already stays where it is.
    """
    element = spec.find(target)
    if not isinstance(element, Table) or name in Table.model_fields:
        find_list(spec, target, name)
        return target
    holders = element.families if name == "columns" else element.row_kinds
    if not holders:
        find_list(spec, target, name)  # which says that a table has no such list
    return parent if parent in {holder.id for holder in holders} else holders[0].id


def _copy_of(element: Element, new: dict[str, str]) -> dict[str, Any]:
    """Return an element's data with other ids, also where its parts refer to each other."""
    data: dict[str, Any] = to_plain_data(element)
    for reference in references(element):
        if reference.to in new:
            *way, last = reference.path
            holder: Any = data
            for step in way:
                holder = holder[step]
            holder[last] = new[reference.to]
    _replace_ids(data, new)
    return data


def _replace_ids(data: Any, new: dict[str, str]) -> None:
    for child in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        _replace_ids(child, new)
    if isinstance(data, dict) and data.get("id") in new:
        data["id"] = new[data["id"]]


def _name_of_copy(name: str, used_names: Collection[str], ending: str = "_") -> str:
    """Return the name with the next unused number, written as its own number is where it has one."""
    number = _NUMBER.search(name)
    stem, ending = (name[: number.start()], number[1]) if number else (name, ending)
    return numbered_name(stem, ending, used_names, longest=None)
