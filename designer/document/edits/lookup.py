"""What an edit is about: an element, a field that it may change, the list that an element stands in."""

from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError, create_model

from ..base import Element, Model, Path, Slot, slots, tag
from ..design import Spec, paths
from ..dump import plain
from ..validation_errors import Problem, problems
from .conflicts import Invalid, gone, no_field
from .kinds import Json, Set


def value_of(spec: Spec, at: str, name: str) -> Json:
    """What a field has now, as an edit's `was` says it; None where it is not set."""
    owner, field = declaring(spec, at, name)
    return plain(getattr(owner, field))


def way(spec: Spec, at: str) -> Path:
    """The path to an element; the design's own is empty."""
    if not at:
        return ()
    for path, element in paths(spec):
        if element.id == at:
            return path
    raise gone(at)


def owner_of(spec: Spec, at: str, name: str) -> tuple[Path, Model, str]:
    """The model that declares the field that a name goes to, the path to it, and the field's own name."""
    owner, field = declaring(spec, at, name)
    return (*way(spec, at), *name.split(".")[:-1]), owner, field


def declaring(spec: Spec, at: str, name: str) -> tuple[Model, str]:
    """The model that declares the field that a name goes to, and the field's own name; the way to it is not sought."""
    if at and at not in spec.by_id:
        raise gone(at)
    owner: Model = spec.by_id[at] if at else spec
    *through, field = name.split(".")
    for step in through:
        slot = slots(type(owner)).get(step)
        if slot is None or not slot.required:
            raise no_field(at, name)
        owner = getattr(owner, step)
    if field not in type(owner).model_fields:
        raise no_field(at, name)
    return owner, field


def list_of(spec: Spec, parent: str, name: str) -> tuple[Path, Model, str]:
    owner, field = listing(spec, parent, name)
    return (*way(spec, parent), *name.split(".")[:-1]), owner, field


def listing(spec: Spec, parent: str, name: str) -> tuple[Model, str]:
    """The model that declares a list of elements, and the list's own name."""
    owner, field = declaring(spec, parent, name)
    slot = slots(type(owner)).get(field)
    if slot is None or not slot.many or not slot.holds_elements:
        raise no_field(parent, name)
    return owner, field


def position(spec: Spec, at: str) -> tuple[str, Path, Model, str, int]:
    """Where an element stands: its parent's id, the way to the model that lists it, that model, the list, the place."""
    *path, name, place = way(spec, at)
    owner: Any = spec
    parent, through, steps = "", "", list(path)
    while steps:
        step = str(steps.pop(0))
        owner = getattr(owner, step)
        if isinstance(owner, tuple):
            owner = owner[int(steps.pop(0))]
        parent, through = (owner.id, "") if isinstance(owner, Element) else (parent, f"{through}{step}.")
    return parent, tuple(path), owner, f"{through}{name}", int(place)


def valid(model: type[Model], field: str, value: Json, edit: Set) -> Any:
    """The value as the model has it, its default for None; a list of elements and what names a part are not values."""
    slot = slots(model).get(field)
    fixed = field in ("id", "format") or (field == "kind" and tag(model) is not None)
    if fixed or (slot is not None and (slot.holds_elements or (slot.required and _has_elements(slot)))):
        raise no_field(edit.at, edit.name)
    try:
        return _given(model, field, value)
    except ValidationError as error:
        found = placed(error, model, tuple(edit.name.split(".")[:-1]))
        raise Invalid(found, at=edit.at, name=edit.name, mine=value, inside=True) from None


def normal(model: type[Model], field: str, value: Json) -> Any:
    """A `was` in the form that the model has; what the field could never be is equal to nothing."""
    try:
        return _given(model, field, value)
    except ValidationError:
        return _NEVER


_NEVER = object()


def _given(model: type[Model], field: str, value: Json) -> Any:
    return getattr(field_model(model, field).model_validate({} if value is None else {field: value}), field)


@cache
def field_model(model: type[Model], field: str) -> type[BaseModel]:
    """A model of this one field, so that it is validated as in its own model, and alone."""
    info = model.model_fields[field]
    one: Any = {field: (info.annotation, info)}
    made: type[BaseModel] = create_model(f"{model.__name__}_{field}", __config__=Model.model_config, **one)
    return made


@cache
def _has_elements(slot: Slot) -> bool:
    return any(inner.holds_elements for cls in slot.classes for inner in slots(cls).values())


def placed(error: ValidationError, model: type[Model], start: tuple[str, ...]) -> tuple[Problem, ...]:
    return tuple(Problem((*start, *problem.path), problem.text) for problem in problems(error, model))


def with_(model: Model, changes: dict[str, Any]) -> Model:
    return type(model).model_construct(None, **{**{n: getattr(model, n) for n in type(model).model_fields}, **changes})


def replaced(model: Any, path: Path, new: Model) -> Any:
    """The model with the part at this path replaced; all that is not around it stays the very same object."""
    if not path:
        return new
    held = getattr(model, str(path[0]))
    if not isinstance(held, tuple):
        return with_(model, {str(path[0]): replaced(held, path[1:], new)})
    place = int(path[1])
    return with_(model, {str(path[0]): (*held[:place], replaced(held[place], path[2:], new), *held[place + 1 :])})
