"""Removing an element, alone or together with what cannot stand without it."""

from collections import defaultdict
from typing import Any

from ..access import Read, Write
from ..base import Element, Model, Path, walk
from ..design import Spec, paths
from ..dump import element_hash, to_plain_data
from ..key import HashSegment, SaltSegment
from ..references import Reference, references
from .kinds import Batch, Clear, Edit, Insert, Remove, Set
from .lookup import find_position


def hash_of(element: Element) -> str:
    """Return the hash of an element and its contents, in the form of an edit's `was_hash`."""
    return element_hash(element)


def removal(spec: Spec, id: str) -> Remove:  # noqa: A002
    """Build the edit that removes this element in its current state.

    Raises
    ------
    KeyError
        If no element has this id.
    """
    return Remove(at=id, was_hash=hash_of(spec.find(id)))


def insertion(spec: Spec, id: str) -> Insert:  # noqa: A002
    """Build the edit that inserts this element at its current position.

    Raises
    ------
    KeyError
        If no element has this id.
    """
    parent, _, owner, name, place = find_position(spec, id)
    siblings = getattr(owner, name.rpartition(".")[2])
    before = siblings[place + 1].id if place + 1 < len(siblings) else None
    return Insert(parent=parent, list=name, element=to_plain_data(spec.find(id)), before=before)


def removal_with_uses(spec: Spec, id: str) -> Batch:  # noqa: A002
    """Remove an element together with what is nothing without it, and take it out of all else that points to it."""
    ways = {element.id: path for path, element in paths(spec)}
    pointers = tuple(references(spec))
    uses = defaultdict[str, list[Reference]](list)
    for use in pointers:
        uses[use.to].append(use)
    gone, work = set[str](), [id]
    # What falls with an element can make others meaningless in turn, so that the search goes on until nothing is new.
    while work:
        inside = _ids_inside(spec, work.pop())
        gone |= inside
        work += [
            use.holder
            for element_id in inside
            for use in uses.get(element_id, ())
            if use.holder and use.holder not in gone and _is_nothing_without(spec, use, gone, ways[use.holder])
        ]
    changing = {
        (use.holder, str(use.path[len(ways[use.holder])])): None
        for use in pointers
        if use.to in gone and use.holder and use.holder not in gone
    }
    emptied = {ways[element_id] for element_id in gone}
    # References first: an element that is still pointed to cannot be removed.
    edits: list[Edit] = [_remove_references(spec, at, name, gone) for at, name in changing]
    edits += [
        removal(spec, element_id)
        for element_id, way in ways.items()
        if element_id in gone and not any(way[:length] in emptied for length in range(1, len(way)))
    ]
    return Batch(edits=tuple(edits), label="")


def _ids_inside(spec: Spec, id: str) -> set[str]:  # noqa: A002
    return {part.id for part in walk(spec.find(id)) if isinstance(part, Element)}


def incoming_references(spec: Spec, id: str) -> tuple[Reference, ...]:  # noqa: A002
    """Return the references into an element from outside it."""
    inside = _ids_inside(spec, id)
    return tuple(use for use in references(spec) if use.to in inside and use.holder not in inside)


def _is_nothing_without(spec: Spec, use: Reference, removed_ids: set[str], path: Path) -> bool:
    """Return whether the holder of a reference has no meaning without it.

    Examples are a segment without its field and a write without its only column.
    """
    own, holder = use.path[len(path) :], spec.find(use.holder or "")
    if isinstance(own[-1], str):
        return len(own) == 1 and type(holder).model_fields[own[0]].is_required()
    is_field_list = (
        isinstance(holder, Write | Read | HashSegment | SaltSegment) and len(own) == 2 and own[0] != "row_kinds"
    )
    # A list that lost some of its references still means something; one that lost all does not.
    return is_field_list and removed_ids >= set(getattr(holder, str(own[0])))


def _remove_references(spec: Spec, at: str, name: str, targets: set[str]) -> Edit:
    """Build the edit that removes the references to these ids from a field: a shorter list, or no value."""
    now = getattr(spec.find(at), name)
    if isinstance(now, tuple):
        remaining = tuple(reference for reference in now if not _points_to(reference, targets))
        return Set(at=at, name=name, value=to_plain_data(remaining), was=to_plain_data(now))
    return Clear(at=at, name=name, was=to_plain_data(now))


def _points_to(value: Any, targets: set[str]) -> bool:
    if isinstance(value, Model):
        return any(use.to in targets for use in references(value))
    return value in targets
