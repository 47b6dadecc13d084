"""Edits that go with others: a whole list made into another, index tables renamed with their source."""

from collections.abc import Iterable

from ..base import Element
from ..design import Spec
from ..dump import to_plain_data
from ..table import Table
from .kinds import Batch, Edit, Insert, Move, Remove, Set
from .lookup import list_owner
from .removals import hash_of, removal

list_ = list
"""The type; `list` is also the name of a parameter here."""


def rewrite_list(spec: Spec, parent: str, list: str, elements: Iterable[Element]) -> Batch:  # noqa: A002
    """Build the edits that turn a list of elements (such as segments) into this one.

    The elements have no elements of their own. An element that keeps its id is changed and moved, not replaced,
    so that its comments and findings remain.
    """
    owner, name = list_owner(spec, parent, list)
    old = {element.id: element for element in getattr(owner, name)}
    new = {element.id: element for element in elements}
    edits: list_[Edit] = [removal(spec, id_) for id_ in old if id_ not in new]
    now = [id_ for id_ in old if id_ in new]
    # `now` is the list after the edits so far: each of them names what stands behind its place at that moment.
    for place, (id_, element) in enumerate(new.items()):
        after = now[place] if place < len(now) else None
        if id_ not in old:
            edits.append(Insert(parent=parent, list=list, element=to_plain_data(element), before=after))
            now.insert(place, id_)
            continue
        if after != id_:
            was = now.index(id_)
            was_before = now[was + 1] if was + 1 < len(now) else None
            edits.append(Move(at=id_, before=after, was_before=was_before))
            now.insert(place, now.pop(was))
        edits += _changes(old[id_], element, parent, list, now[place + 1] if place + 1 < len(now) else None)
    return Batch(edits=tuple(edits))


def _changes(old: Element, new: Element, parent: str, name: str, before: str | None) -> list_[Edit]:
    if type(old) is not type(new):
        again = Insert(parent=parent, list=name, element=to_plain_data(new), before=before)
        return [Remove(at=old.id, was_hash=hash_of(old)), again]
    return [
        Set(at=old.id, name=field, value=to_plain_data(getattr(new, field)), was=to_plain_data(getattr(old, field)))
        for field in type(old).model_fields
        if getattr(old, field) != getattr(new, field)
    ]


def rename_index_tables(spec: Spec, edit: Edit) -> Edit:
    """Return an edit that also renames the index tables of a table that it renames.

    An index table follows if its name begins with its source's: `orders_by_user` of `orders`.
    """
    source = spec.by_id.get(edit.at) if isinstance(edit, Set) and edit.name == "name" else None
    if not isinstance(source, Table) or not isinstance(edit, Set) or not source.name or not edit.value:
        return edit
    followers = [
        table
        for table in spec.tables
        if table.derived_from and table.derived_from.table == source.id and table.name.startswith(f"{source.name}_")
    ]
    names = {table.id: f"{edit.value}{table.name[len(source.name) :]}" for table in followers}
    renames = (Set(at=table.id, name="name", value=names[table.id], was=table.name) for table in followers)
    return Batch(edits=(edit, *renames)) if followers else edit
