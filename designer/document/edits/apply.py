"""Applying an edit: the next document and the edit that takes it back."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from pydantic import ValidationError

from ..base import Model, children
from ..design import Spec
from ..dump import fingerprint, to_plain_data
from ..lines import depth
from ..load import MAX_DEPTH
from ..texts import N_, build_text
from ..validation_errors import Problem, problems
from .conflicts import (
    EditConflictError,
    ElementInUseError,
    InvalidResultError,
    changed_conflict,
    removed_conflict,
    unknown_field_conflict,
)
from .kinds import NOTHING, Batch, Clear, Edit, Insert, Move, Remove, ReplaceAll, Set
from .lookup import (
    copy_with,
    field_model,
    find_list,
    find_owner,
    find_position,
    locate_problems,
    normalize_value,
    replace_at,
    validate_value,
)
from .removals import hash_of, incoming_references, insertion


def apply(spec: Spec, edit: Edit) -> tuple[Spec, Edit]:
    """Apply an edit; return the next document and the inverse edit (`NOTHING` if nothing changed).

    Raises
    ------
    EditConflictError
        If the target of the edit is missing or was changed; `InvalidResultError` if the result would be meaningless.
    """
    # First of all: half a character would be stored in the database and then make every answer fail that holds it.
    _check_storable(edit)
    following, inverse = _APPLY[type(edit)](spec, edit)
    if following is spec:
        # The same object means that nothing is to be stored: no revision is made of it.
        return spec, NOTHING
    following.__dict__.pop("fits", None)
    # The new document is made of fields alone, and the assumed start is none of them.
    if spec.default_start is not None:
        following = following.with_default_start(spec.default_start)
    flaws = tuple(_flaws(following, spec))
    # A removal makes flaws only by what refers to the element: these references are named, instead of "unknown id".
    if flaws and isinstance(edit, Remove):
        raise ElementInUseError(spec, edit.at, incoming_references(spec, edit.at))
    if flaws:
        at, name, mine = getattr(edit, "at", ""), getattr(edit, "name", ""), getattr(edit, "value", None)
        raise InvalidResultError(flaws, at=at, name=name, mine=mine)
    return following, inverse


def _check_storable(edit: Edit) -> None:
    """Raise for what no file could hold: half a character, or lists within lists without end."""
    try:
        text = json.dumps(edit.model_dump(), ensure_ascii=False, default=str)
        text.encode()
    except (UnicodeEncodeError, ValueError, RecursionError):
        raise EditConflictError(
            build_text(N_("contains a value that cannot be stored in a file")), at=getattr(edit, "at", "")
        ) from None
    # The value stands some levels deep in the document, which must not become deeper than a file may be.
    if depth(text) > MAX_DEPTH - 10:
        raise EditConflictError(build_text(N_("lists are nested too deeply")), at=getattr(edit, "at", ""))


def _set(spec: Spec, edit: Set) -> tuple[Spec, Edit]:
    path, owner, field = find_owner(spec, edit.at, edit.name)
    value = validate_value(type(owner), field, edit.value, edit)
    now = getattr(owner, field)
    # Before the comparison with `was`: two people who set the same value are no conflict.
    if now == value:
        return spec, NOTHING
    if now != normalize_value(type(owner), field, edit.was):
        raise changed_conflict(edit.at, edit.name, to_plain_data(value), to_plain_data(now))
    changed = copy_with(owner, {field: value})
    inverse = Set(at=edit.at, name=edit.name, value=to_plain_data(now), was=to_plain_data(value))
    return replace_at(spec, path, changed), inverse


def _clear(spec: Spec, edit: Clear) -> tuple[Spec, Edit]:
    return _set(spec, Set(at=edit.at, name=edit.name, value=None, was=edit.was))


def _insert(spec: Spec, edit: Insert) -> tuple[Spec, Edit]:
    path, owner, name = find_list(spec, edit.parent, edit.list)
    try:
        # Validated as a list of one: which of several kinds an element is, its list alone knows.
        element = field_model(type(owner), name).model_validate({name: [edit.element]}).__dict__[name][0]
    except ValidationError as error:
        raise InvalidResultError(
            locate_problems(error, type(owner), ()), at=edit.parent, name=edit.list, inside=True
        ) from None
    existing = spec.by_id.get(element.id)
    if existing is not None:
        # The same insertion again, as after a lost answer: it is done already. Elsewhere, the same id is a clash.
        if existing == element and any(existing is other for other in getattr(owner, name)):
            return spec, NOTHING
        raise EditConflictError(
            build_text(N_('an element with the id "{id}" already exists'), id=element.id), at=edit.parent
        )
    siblings = getattr(owner, name)
    # If the element before which it was to stand is gone, it is put at the end: its place is no reason to refuse it.
    place = next((n for n, sibling in enumerate(siblings) if sibling.id == edit.before), len(siblings))
    changed = copy_with(owner, {name: (*siblings[:place], element, *siblings[place:])})
    return replace_at(spec, path, changed), Remove(at=element.id, was_hash=hash_of(element))


def _remove(spec: Spec, edit: Remove) -> tuple[Spec, Edit]:
    element = spec.by_id.get(edit.at)
    if element is None:
        return spec, NOTHING
    # The hash covers the whole element: what somebody else changed within it must not vanish unseen.
    if edit.was_hash not in (None, hash_of(element)):
        raise EditConflictError(
            build_text(N_("this item has changed since, so it is not removed")),
            at=edit.at,
            theirs=to_plain_data(element),
        )
    _, path, owner, name, place = find_position(spec, edit.at)
    siblings = getattr(owner, name.rpartition(".")[2])
    changed = copy_with(owner, {name.rpartition(".")[2]: (*siblings[:place], *siblings[place + 1 :])})
    return replace_at(spec, path, changed), insertion(spec, edit.at)


def _move(spec: Spec, edit: Move) -> tuple[Spec, Edit]:
    element = spec.by_id.get(edit.at)
    if element is None:
        raise removed_conflict(edit.at)
    parent, path, owner, name, place = find_position(spec, edit.at)
    if edit.parent is not None and (edit.parent != parent or edit.was_parent != parent):
        return _move_to_list(spec, edit, edit.parent)
    name = name.rpartition(".")[2]
    siblings = getattr(owner, name)
    now = siblings[place + 1].id if place + 1 < len(siblings) else None
    if now == edit.before or edit.before == edit.at:
        return spec, NOTHING
    if now != edit.was_before:
        raise changed_conflict(edit.at, "", edit.before, now)
    rest = (*siblings[:place], *siblings[place + 1 :])
    to = next((n for n, sibling in enumerate(rest) if sibling.id == edit.before), len(rest))
    if to == len(rest) and edit.before is not None:
        raise removed_conflict(edit.before)
    changed = copy_with(owner, {name: (*rest[:to], element, *rest[to:])})
    return replace_at(spec, path, changed), Move(at=edit.at, before=now, was_before=edit.before)


def _move_to_list(spec: Spec, edit: Move, target: str) -> tuple[Spec, Edit]:
    """Move an element from one list to another, which must be a list of the same kind of element."""
    element = spec.by_id[edit.at]
    parent, path, owner, through, place = find_position(spec, edit.at)
    name = through.rpartition(".")[2]
    siblings = getattr(owner, name)
    now = siblings[place + 1].id if place + 1 < len(siblings) else None
    if (parent, now) == (target, edit.before):
        return spec, NOTHING
    if (parent, now) != (edit.was_parent, edit.was_before):
        raise changed_conflict(edit.at, "", edit.before, now)
    # Removed first, and the target's path is looked up in the result: the removal can shift the target's place.
    without = replace_at(spec, path, copy_with(owner, {name: (*siblings[:place], *siblings[place + 1 :])}))
    path, other, _ = find_list(without, target, through)
    if type(other) is not type(owner):
        raise unknown_field_conflict(target, name)
    there = getattr(other, name)
    to = next((n for n, sibling in enumerate(there) if sibling.id == edit.before), len(there))
    if to == len(there) and edit.before is not None:
        raise removed_conflict(edit.before)
    changed = copy_with(other, {name: (*there[:to], element, *there[to:])})
    inverse = Move(at=edit.at, before=now, was_before=edit.before, parent=parent, was_parent=target)
    return replace_at(without, path, changed), inverse


def _batch(spec: Spec, edit: Batch) -> tuple[Spec, Edit]:
    inverses: list[Edit] = []
    following = spec
    for step in edit.edits:
        # Not checked one by one: the steps of a batch may be meaningful only together. `apply` checks the result.
        changed, inverse = _APPLY[type(step)](following, step)
        if changed is not following:
            inverses.append(inverse)
        following = changed
    # Each inverse only fits the document that its edit led to, so they run backwards.
    return following, Batch(edits=tuple(reversed(inverses)), label=edit.label)


def _replace_all(spec: Spec, edit: ReplaceAll) -> tuple[Spec, Edit]:
    try:
        following = Spec.model_validate(edit.document)
    except ValidationError as error:
        raise InvalidResultError(problems(error), at="") from None
    if following == spec:
        return spec, NOTHING
    # After the comparison of contents: a replacement by the same document is no conflict.
    if fingerprint(spec) != edit.was:
        raise EditConflictError(build_text(N_("the design has changed since, so it is not replaced")), at="")
    return following, ReplaceAll(document=to_plain_data(spec), was=fingerprint(following))


_APPLY: dict[type[Any], Callable[[Spec, Any], tuple[Spec, Edit]]] = {
    Set: _set,
    Clear: _clear,
    Insert: _insert,
    Remove: _remove,
    Move: _move,
    Batch: _batch,
    ReplaceAll: _replace_all,
}


def _flaws(spec: Spec, before: Spec) -> Iterable[Problem]:
    """Return the problems of a document whose parts are each valid on their own, as those of the one before are.

    Parts of that one have no problem: what a part finds wrong depends on nothing outside it.
    """

    def search(model: Model, path: tuple[str | int, ...], before: Model | None) -> Iterable[Problem]:
        earlier = {} if before is None else {(name, place): child for name, place, child in children(before)}
        # By identity: an edit keeps all parts that it does not change, so that only the changed path is checked again.
        sound = {id(child) for child in earlier.values()}
        for name, place, child in children(model):
            if id(child) not in sound:
                inner = (*path, name) if place is None else (*path, name, place)
                yield from search(child, inner, earlier.get((name, place)))
        for flaw in model.flaws():
            yield Problem((*path, *flaw.at), flaw.text)

    return search(spec, (), before)
