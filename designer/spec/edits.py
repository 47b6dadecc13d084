"""Changes of a design as data: they are previewed, posted, stored and undone, and never overwrite what another changed.

An edit applies to the head of the design. `was` is its only precondition: the head equals `was`, and it applies; the
head has the new value already, and there is nothing to do; else it is a `Conflict`. Names may go through a part that is
always there: `instance.edition`, `value.kind`. The design itself is the element `""`.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from .access import Read, Write
from .base import Element, Model, Path, Slot, children, slots, tag, walk
from .design import Spec, paths
from .dump import digest, fingerprint, plain
from .key import HashSegment, SaltSegment
from .references import Reference, references, uses
from .texts import N_, Text, said
from .unusable import Problem, problems

Json = Any
"""A value as it stands in the file; None is "not set"."""


class _Edit(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Set(_Edit):
    """Give a field of an element another value."""

    kind: Literal["set"] = "set"
    at: str
    name: str
    value: Json
    was: Json = None


class Clear(_Edit):
    """Unset a field, so that it is a guess (or its default) again."""

    kind: Literal["clear"] = "clear"
    at: str
    name: str
    was: Json = None


class Insert(_Edit):
    """Put a new element into a list of its parent, before the element with the id `before`; else at the end."""

    kind: Literal["insert"] = "insert"
    parent: str
    list: str
    element: dict[str, Json]
    before: str | None = None


class Remove(_Edit):
    """Take an element away, unless it has changed since it had this hash (`hash_of`; None: whatever it is)."""

    kind: Literal["remove"] = "remove"
    at: str
    was_hash: str | None = None


class Move(_Edit):
    """Put an element to another place of its list: before another, or (None) to the end."""

    kind: Literal["move"] = "move"
    at: str
    before: str | None = None
    was_before: str | None = None


class Batch(_Edit):
    """Several edits, of which all apply or none; only what comes out at the end must be valid."""

    kind: Literal["batch"] = "batch"
    edits: tuple["Edit", ...] = ()
    label: str = ""


class ReplaceAll(_Edit):
    """Another document in place of the head with this fingerprint."""

    kind: Literal["replace_all"] = "replace_all"
    document: dict[str, Json]
    was: str


Edit = Annotated[Set | Clear | Insert | Remove | Move | Batch | ReplaceAll, Field(discriminator="kind")]
Batch.model_rebuild()

NOTHING = Batch()
"""The edit that changes nothing."""


class Conflict(ValueError):
    """An edit that does not apply to the head: what it is about and, for a field, what mine and theirs are."""

    def __init__(self, text: Text, *, at: str, name: str = "", mine: Json = None, theirs: Json = None) -> None:
        super().__init__(str(text))
        self.text = text
        self.at = at
        self.name = name
        self.mine = mine
        self.theirs = theirs


class Invalid(Conflict):
    """An edit whose result would be no valid document; `problems` say why."""

    def __init__(self, found: tuple[Problem, ...], *, at: str, name: str = "", mine: Json = None) -> None:
        super().__init__(said("{problems}", problems="; ".join(map(str, found))), at=at, name=name, mine=mine)
        self.problems = found


class InUse(Conflict):
    """A removal of what others point to; `uses` are the pointers. `removal_with_uses` removes those too."""

    def __init__(self, spec: Spec, at: str, found: tuple[Reference, ...]) -> None:
        message = N_("this is used by {uses}: change those first, or remove it with its uses")
        super().__init__(said(message, uses=", ".join(dict.fromkeys(_called(spec, use) for use in found))), at=at)
        self.uses = found


def apply(spec: Spec, edit: Edit) -> tuple[Spec, Edit]:
    """The next document and the edit that takes this one back (`NOTHING` where there was nothing to do).

    Raises
    ------
    Conflict
        If what the edit is about is gone or was changed; `Invalid` if the result would be meaningless.
    """
    following, inverse = _APPLY[type(edit)](spec, edit)
    if following is spec:
        return spec, NOTHING
    found = tuple(_flaws(following))
    if found and isinstance(edit, Remove):
        raise InUse(spec, edit.at, _users(spec, edit.at))
    if found:
        at, name, mine = getattr(edit, "at", ""), getattr(edit, "name", ""), getattr(edit, "value", None)
        raise Invalid(found, at=at, name=name, mine=mine)
    return following, inverse


def value_of(spec: Spec, at: str, name: str) -> Json:
    """What a field has now, as an edit's `was` says it; None where it is not set."""
    _, owner, field = _owner(spec, at, name)
    return plain(getattr(owner, field))


def hash_of(element: Element) -> str:
    """The hash of an element and all in it, as an edit's `was_hash` says it."""
    return digest(plain(element))


def removal(spec: Spec, id: str) -> Remove:  # noqa: A002
    """The edit that removes this element as it is now; KeyError if there is none."""
    return Remove(at=id, was_hash=hash_of(spec.find(id)))


def removal_with_uses(spec: Spec, id: str) -> Batch:  # noqa: A002
    """Remove an element together with what is nothing without it, and take it out of all else that points to it."""
    ways = {element.id: path for path, element in paths(spec)}
    gone, work = set[str](), [id]
    while work:
        target = work.pop()
        gone |= _inside(spec, target)
        work += [
            use.holder
            for each in _inside(spec, target)
            for use in uses(spec, each)
            if use.holder and use.holder not in gone and _is_nothing_without(spec, use, gone, ways[use.holder])
        ]
    changing = {
        (use.holder, str(use.path[len(ways[use.holder])])): None
        for use in references(spec)
        if use.to in gone and use.holder and use.holder not in gone
    }
    outermost = [each for each in gone if not any(each in _inside(spec, other) - {other} for other in gone)]
    edits: list_[Edit] = [_without(spec, at, name, gone) for at, name in changing]
    edits += [removal(spec, each) for each in ways if each in outermost]
    return Batch(edits=tuple(edits), label="")


def rewritten(spec: Spec, parent: str, list: str, elements: Iterable[Element]) -> Batch:  # noqa: A002
    """The edits that make a list of elements into this one: what keeps its id is changed and moved, not replaced."""
    _, owner, name = _list(spec, parent, list)
    old = {element.id: element for element in getattr(owner, name)}
    new = {element.id: element for element in elements}
    edits: list_[Edit] = [removal(spec, id_) for id_ in old if id_ not in new]
    now = [id_ for id_ in old if id_ in new]
    for place, (id_, element) in enumerate(new.items()):
        after = now[place] if place < len(now) else None
        if id_ not in old:
            edits.append(Insert(parent=parent, list=list, element=plain(element), before=after))
            now.insert(place, id_)
            continue
        if after != id_:
            was = now.index(id_)
            was_before = now[was + 1] if was + 1 < len(now) else None
            edits.append(Move(at=id_, before=after, was_before=was_before))
            now.insert(place, now.pop(was))
        edits += _changes(old[id_], element, parent, list, now[place + 1] if place + 1 < len(now) else None)
    return Batch(edits=tuple(edits))


list_ = list


def _changes(old: Element, new: Element, parent: str, name: str, before: str | None) -> list_[Edit]:
    if type(old) is not type(new):
        again = Insert(parent=parent, list=name, element=plain(new), before=before)
        return [Remove(at=old.id, was_hash=hash_of(old)), again]
    return [
        Set(at=old.id, name=field, value=plain(getattr(new, field)), was=plain(getattr(old, field)))
        for field in type(old).model_fields
        if getattr(old, field) != getattr(new, field)
    ]


# --- each kind of edit ----------------------------------------------------------------------------------------


def _set(spec: Spec, edit: Set) -> tuple[Spec, Edit]:
    path, owner, field = _owner(spec, edit.at, edit.name)
    value = _valid(type(owner), field, edit.value, edit)
    now = getattr(owner, field)
    if now == value:
        return spec, NOTHING
    if now != _normal(type(owner), field, edit.was):
        raise _changed(edit.at, edit.name, plain(value), plain(now))
    changed = _with(owner, {field: value})
    inverse = Set(at=edit.at, name=edit.name, value=plain(now), was=plain(value))
    return _replaced(spec, path, changed), inverse


def _clear(spec: Spec, edit: Clear) -> tuple[Spec, Edit]:
    return _set(spec, Set(at=edit.at, name=edit.name, value=None, was=edit.was))


def _insert(spec: Spec, edit: Insert) -> tuple[Spec, Edit]:
    path, owner, name = _list(spec, edit.parent, edit.list)
    try:
        element = _field_model(type(owner), name).model_validate({name: [edit.element]}).__dict__[name][0]
    except ValidationError as error:
        raise Invalid(_placed(error, type(owner), ()), at=edit.parent, name=edit.list) from None
    existing = spec.by_id.get(element.id)
    if existing is not None:
        if existing == element and any(existing is held for held in getattr(owner, name)):
            return spec, NOTHING
        raise Conflict(said(N_('there is already an element with the id "{id}"'), id=element.id), at=edit.parent)
    held = getattr(owner, name)
    place = next((n for n, each in enumerate(held) if each.id == edit.before), len(held))
    changed = _with(owner, {name: (*held[:place], element, *held[place:])})
    return _replaced(spec, path, changed), Remove(at=element.id, was_hash=hash_of(element))


def _remove(spec: Spec, edit: Remove) -> tuple[Spec, Edit]:
    element = spec.by_id.get(edit.at)
    if element is None:
        return spec, NOTHING
    if edit.was_hash not in (None, hash_of(element)):
        raise Conflict(said(N_("this was changed since, so it is not removed")), at=edit.at, theirs=plain(element))
    parent, path, owner, name, place = _position(spec, edit.at)
    held = getattr(owner, name.rpartition(".")[2])
    before = held[place + 1].id if place + 1 < len(held) else None
    changed = _with(owner, {name.rpartition(".")[2]: (*held[:place], *held[place + 1 :])})
    inverse = Insert(parent=parent, list=name, element=plain(element), before=before)
    return _replaced(spec, path, changed), inverse


def _move(spec: Spec, edit: Move) -> tuple[Spec, Edit]:
    element = spec.by_id.get(edit.at)
    if element is None:
        raise _gone(edit.at)
    _, path, owner, name, place = _position(spec, edit.at)
    name = name.rpartition(".")[2]
    held = getattr(owner, name)
    now = held[place + 1].id if place + 1 < len(held) else None
    if now == edit.before or edit.before == edit.at:
        return spec, NOTHING
    if now != edit.was_before:
        raise _changed(edit.at, "", edit.before, now)
    rest = (*held[:place], *held[place + 1 :])
    to = next((n for n, each in enumerate(rest) if each.id == edit.before), len(rest))
    if to == len(rest) and edit.before is not None:
        raise _gone(edit.before)
    changed = _with(owner, {name: (*rest[:to], element, *rest[to:])})
    return _replaced(spec, path, changed), Move(at=edit.at, before=now, was_before=edit.before)


def _batch(spec: Spec, edit: Batch) -> tuple[Spec, Edit]:
    inverses: list_[Edit] = []
    following = spec
    for each in edit.edits:
        changed, inverse = _APPLY[type(each)](following, each)
        if changed is not following:
            inverses.append(inverse)
        following = changed
    return following, Batch(edits=tuple(reversed(inverses)), label=edit.label)


def _replace_all(spec: Spec, edit: ReplaceAll) -> tuple[Spec, Edit]:
    try:
        following = Spec.model_validate(edit.document)
    except ValidationError as error:
        raise Invalid(problems(error), at="") from None
    if following == spec:
        return spec, NOTHING
    if fingerprint(spec) != edit.was:
        raise Conflict(said(N_("the design was changed since, so it is not replaced")), at="")
    return following, ReplaceAll(document=plain(spec), was=fingerprint(following))


_APPLY: dict[type[_Edit], Callable[[Spec, Any], tuple[Spec, Edit]]] = {
    Set: _set,
    Clear: _clear,
    Insert: _insert,
    Remove: _remove,
    Move: _move,
    Batch: _batch,
    ReplaceAll: _replace_all,
}


# --- finding and replacing ------------------------------------------------------------------------------------


def _gone(at: str) -> Conflict:
    return Conflict(said(N_("what this is about was removed meanwhile")), at=at)


def _changed(at: str, name: str, mine: Json, theirs: Json) -> Conflict:
    text = said(N_("this was changed meanwhile: it is {theirs} now, and you gave {mine}"), theirs=theirs, mine=mine)
    return Conflict(text, at=at, name=name, mine=mine, theirs=theirs)


def _way(spec: Spec, at: str) -> Path:
    """The path to an element; the design's own is empty."""
    if not at:
        return ()
    for path, element in paths(spec):
        if element.id == at:
            return path
    raise _gone(at)


def _owner(spec: Spec, at: str, name: str) -> tuple[Path, Model, str]:
    """The model that declares the field that a name goes to, the path to it, and the field's own name."""
    path = _way(spec, at)
    owner: Model = spec.by_id[at] if at else spec
    *through, field = name.split(".")
    for step in through:
        slot = slots(type(owner)).get(step)
        if slot is None or not slot.required:
            raise _no_field(at, name)
        path, owner = (*path, step), getattr(owner, step)
    if field not in type(owner).model_fields:
        raise _no_field(at, name)
    return path, owner, field


def _no_field(at: str, name: str) -> Conflict:
    return Conflict(said(N_('there is no field "{name}" to change here'), name=name), at=at, name=name)


def _list(spec: Spec, parent: str, name: str) -> tuple[Path, Model, str]:
    path, owner, field = _owner(spec, parent, name)
    slot = slots(type(owner)).get(field)
    if slot is None or not slot.many or not slot.holds_elements:
        raise _no_field(parent, name)
    return path, owner, field


def _valid(model: type[Model], field: str, value: Json, edit: Set) -> Any:
    """The value as the model has it, its default for None; a list of elements and what names a part are not values."""
    slot = slots(model).get(field)
    fixed = field in ("id", "format") or (field == "kind" and tag(model) is not None)
    if fixed or (slot is not None and (slot.holds_elements or (slot.required and _has_elements(slot)))):
        raise _no_field(edit.at, edit.name)
    try:
        return _given(model, field, value)
    except ValidationError as error:
        found = _placed(error, model, tuple(edit.name.split(".")[:-1]))
        raise Invalid(found, at=edit.at, name=edit.name, mine=value) from None


def _normal(model: type[Model], field: str, value: Json) -> Any:
    """A `was` in the form that the model has; what the field could never be is equal to nothing."""
    try:
        return _given(model, field, value)
    except ValidationError:
        return _NEVER


_NEVER = object()


def _given(model: type[Model], field: str, value: Json) -> Any:
    return getattr(_field_model(model, field).model_validate({} if value is None else {field: value}), field)


@cache
def _field_model(model: type[Model], field: str) -> type[BaseModel]:
    """A model of this one field, so that it is validated as in its own model, and alone."""
    info = model.model_fields[field]
    one: Any = {field: (info.annotation, info)}
    made: type[BaseModel] = create_model(f"{model.__name__}_{field}", __config__=Model.model_config, **one)
    return made


@cache
def _has_elements(slot: Slot) -> bool:
    return any(inner.holds_elements for cls in slot.classes for inner in slots(cls).values())


def _placed(error: ValidationError, model: type[Model], start: tuple[str, ...]) -> tuple[Problem, ...]:
    return tuple(Problem((*start, *problem.path), problem.text) for problem in problems(error, model))


def _with(model: Model, changes: dict[str, Any]) -> Model:
    return type(model).model_construct(None, **{**{n: getattr(model, n) for n in type(model).model_fields}, **changes})


def _replaced(model: Any, path: Path, new: Model) -> Any:
    """The model with the part at this path replaced; all that is not around it stays the very same object."""
    if not path:
        return new
    held = getattr(model, str(path[0]))
    if not isinstance(held, tuple):
        return _with(model, {str(path[0]): _replaced(held, path[1:], new)})
    place = int(path[1])
    return _with(model, {str(path[0]): (*held[:place], _replaced(held[place], path[2:], new), *held[place + 1 :])})


def _position(spec: Spec, at: str) -> tuple[str, Path, Model, str, int]:
    """Where an element stands: its parent's id, the way to the model that lists it, that model, the list, the place."""
    *path, name, place = _way(spec, at)
    owner: Any = spec
    parent, through, steps = "", "", list(path)
    while steps:
        step = str(steps.pop(0))
        owner = getattr(owner, step)
        if isinstance(owner, tuple):
            owner = owner[int(steps.pop(0))]
        parent, through = (owner.id, "") if isinstance(owner, Element) else (parent, f"{through}{step}.")
    return parent, tuple(path), owner, f"{through}{name}", int(place)


def _flaws(spec: Spec) -> Iterable[Problem]:
    """What is meaningless in a document whose parts are valid each for itself."""

    def search(model: Model, path: tuple[str | int, ...]) -> Iterable[Problem]:
        for name, place, child in children(model):
            yield from search(child, (*path, name) if place is None else (*path, name, place))
        for flaw in model.flaws():
            yield Problem((*path, *flaw.at), flaw.text)

    return search(spec, ())


# --- removing what is used ------------------------------------------------------------------------------------


def _inside(spec: Spec, id: str) -> set[str]:  # noqa: A002
    return {part.id for part in walk(spec.find(id)) if isinstance(part, Element)}


def _users(spec: Spec, id: str) -> tuple[Reference, ...]:  # noqa: A002
    """The pointers from outside into an element."""
    inside = _inside(spec, id)
    return tuple(use for use in references(spec) if use.to in inside and use.holder not in inside)


def _called(spec: Spec, use: Reference) -> str:
    """The name of what holds a pointer, or its place."""
    name = getattr(spec.by_id.get(use.holder or ""), "name", "")
    return f"{name} ({use.place})" if name else use.place


def _is_nothing_without(spec: Spec, use: Reference, gone: set[str], way: Path) -> bool:
    """Whether the holder of a pointer loses its meaning with it: a segment its field, a write its only column."""
    own, holder = use.path[len(way) :], spec.find(use.holder or "")
    if isinstance(own[-1], str):
        return len(own) == 1 and type(holder).model_fields[own[0]].is_required()
    named = isinstance(holder, Write | Read | HashSegment | SaltSegment) and len(own) == 2
    return named and gone >= set(getattr(holder, str(own[0])))


def _without(spec: Spec, at: str, name: str, targets: set[str]) -> Edit:
    """A field set to what remains of it without the pointers to these ids: a shorter list, or nothing."""
    now = getattr(spec.find(at), name)
    if isinstance(now, tuple):
        kept = tuple(each for each in now if not _points(each, targets))
        return Set(at=at, name=name, value=plain(kept), was=plain(now))
    return Clear(at=at, name=name, was=plain(now))


def _points(value: Any, targets: set[str]) -> bool:
    if isinstance(value, Model):
        return any(use.to in targets for use in references(value))
    return value in targets


__all__ = [
    "NOTHING", "Batch", "Clear", "Conflict", "Edit", "InUse", "Insert", "Invalid", "Move", "Remove", "ReplaceAll",
    "Set", "apply", "hash_of", "removal", "removal_with_uses", "rewritten", "value_of",
]  # fmt: skip
