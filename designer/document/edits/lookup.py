"""Lookup of an edit's target: an element, an editable field, or the list that contains an element."""

from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError, create_model

from ..base import Element, Model, Path, Slot, slots, tag
from ..design import Spec, path_of
from ..dump import to_plain_data
from ..validation_errors import Problem, problems
from .conflicts import InvalidResultError, removed_conflict, unknown_field_conflict
from .kinds import Json, Set


def current_value(spec: Spec, at: str, name: str) -> Json:
    """Return the current value of a field in the form of an edit's `was`, or None if it is not set."""
    owner, field = declaring_model(spec, at, name)
    return to_plain_data(getattr(owner, field))


def find_path(spec: Spec, at: str) -> Path:
    """Return the path to an element; the path of the design itself is empty."""
    if not at:
        return ()
    path = path_of(spec, at)
    if not path:
        raise removed_conflict(at)
    return path


def find_owner(spec: Spec, at: str, name: str) -> tuple[Path, Model, str]:
    """Return the path to the model that declares a field, that model, and the field's own name."""
    owner, field = declaring_model(spec, at, name)
    return (*find_path(spec, at), *name.split(".")[:-1]), owner, field


def declaring_model(spec: Spec, at: str, name: str) -> tuple[Model, str]:
    """Return the model that declares a field, and the field's own name, without searching for the path."""
    if at and at not in spec.by_id:
        raise removed_conflict(at)
    owner: Model = spec.by_id[at] if at else spec
    *through, field = name.split(".")
    for step in through:
        slot = slots(type(owner)).get(step)
        # Only parts that are always there can be stepped through; an optional one may be None.
        if slot is None or not slot.required:
            raise unknown_field_conflict(at, name)
        owner = getattr(owner, step)
    if field not in type(owner).model_fields:
        raise unknown_field_conflict(at, name)
    return owner, field


def find_list(spec: Spec, parent: str, name: str) -> tuple[Path, Model, str]:
    owner, field = list_owner(spec, parent, name)
    return (*find_path(spec, parent), *name.split(".")[:-1]), owner, field


def list_owner(spec: Spec, parent: str, name: str) -> tuple[Model, str]:
    """Return the model that declares a list of elements, and the list's own name."""
    owner, field = declaring_model(spec, parent, name)
    slot = slots(type(owner)).get(field)
    if slot is None or not slot.many or not slot.has_elements:
        raise unknown_field_conflict(parent, name)
    return owner, field


def find_position(spec: Spec, at: str) -> tuple[str, Path, Model, str, int]:
    """Return the position of an element.

    It consists of its parent's id, the path to the model that lists it, that model, the list and the index.
    """
    *path, name, place = find_path(spec, at)
    owner: Any = spec
    parent, through, steps = "", "", list(path)
    while steps:
        step = str(steps.pop(0))
        owner = getattr(owner, step)
        if isinstance(owner, tuple):
            owner = owner[int(steps.pop(0))]
        # Below an element, paths begin anew; between two elements, the steps are joined to one name.
        parent, through = (owner.id, "") if isinstance(owner, Element) else (parent, f"{through}{step}.")
    return parent, tuple(path), owner, f"{through}{name}", int(place)


def validate_value(model: type[Model], field: str, value: Json, edit: Set) -> Any:
    """Return the value in the form of the model, and the field's default for None.

    Lists of elements and the fields that identify a part are not accepted as values.
    """
    slot = slots(model).get(field)
    # Another id or kind would make another element of it, and references to it would mean something else.
    fixed = field in ("id", "format") or (field == "kind" and tag(model) is not None)
    if fixed or (slot is not None and (slot.has_elements or (slot.required and _has_elements(slot)))):
        raise unknown_field_conflict(edit.at, edit.name)
    try:
        return _parse_value(model, field, value)
    except ValidationError as error:
        flaws = locate_problems(error, model, tuple(edit.name.split(".")[:-1]))
        raise InvalidResultError(flaws, at=edit.at, name=edit.name, mine=value, inside=True) from None


def normalize_value(model: type[Model], field: str, value: Json) -> Any:
    """Return a `was` in the form of the model.

    A value that is not valid for the field is equal to nothing.
    """
    try:
        return _parse_value(model, field, value)
    except ValidationError:
        return _NEVER


_NEVER = object()


def _parse_value(model: type[Model], field: str, value: Json) -> Any:
    return getattr(field_model(model, field).model_validate({} if value is None else {field: value}), field)


@cache
def field_model(model: type[Model], field: str) -> type[BaseModel]:
    """Build a model of this one field, which validates the field alone but as its own model does."""
    info = model.model_fields[field]
    # The whole model would refuse the value because of fields that other edits are about.
    definition: Any = {field: (info.annotation, info)}
    model_class: type[BaseModel] = create_model(
        f"{model.__name__}_{field}", __config__=Model.model_config, **definition
    )
    return model_class


@cache
def _has_elements(slot: Slot) -> bool:
    return any(inner.has_elements for cls in slot.classes for inner in slots(cls).values())


def locate_problems(error: ValidationError, model: type[Model], start: tuple[str, ...]) -> tuple[Problem, ...]:
    return tuple(Problem((*start, *problem.path), problem.text) for problem in problems(error, model))


def copy_with(model: Model, changes: dict[str, Any]) -> Model:
    return type(model).model_construct(None, **{**{n: getattr(model, n) for n in type(model).model_fields}, **changes})


def replace_at(model: Any, path: Path, new: Model) -> Any:
    """Return the model with the part at this path replaced.

    Everything that does not contain the part remains the very same object.
    """
    if not path:
        return new
    child = getattr(model, str(path[0]))
    if not isinstance(child, tuple):
        return copy_with(model, {str(path[0]): replace_at(child, path[1:], new)})
    place = int(path[1])
    return copy_with(
        model, {str(path[0]): (*child[:place], replace_at(child[place], path[2:], new), *child[place + 1 :])}
    )
