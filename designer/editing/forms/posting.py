"""Conversion of posted form data into a field's value, and changes that the form's buttons make to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from designer.document import Model, Spec
from designer.document.base import tag
from designer.document.edits.lookup import declaring_model
from designer.document.integers import parse_integer
from designer.editing import parts

from .controls import circular_ids, control, editor_of, options_of
from .numbers import parse_json_number
from .shapes import FieldShape, model_of, shape


class InvalidActionError(ValueError):
    """Error for an action of a button that the value has no place for."""


FIRST: Mapping[str, Any] = {
    "versions": 1, "age_days": 30, "days": 30, "theta": 0.99, "value_share": 0.2, "traffic_share": 0.8, "size": 10,
    "seconds": 60, "hours": [1] * 168, "weights": [1], "min": 1, "max": 10,
    "text": "id{n:06}", "count": 1,
    "items": [{"value": "a"}], "rules": [{"kind": "max_age", "age_days": 30}], "nodes": 1, "cpu_share": 0.5, "years": 1,
    "width": 6, "length": 8, "by": 1000, "top": 999_999, "name": "", "factor": 2, "date": "2026-12-24",
}  # fmt: skip
"""Where a new part starts from, by the name of its field: plain examples, to be changed."""


def read_posted_value(
    spec: Spec, at: str, name: str, data: Mapping[str, Sequence[str]], *, previous: Any = None
) -> Any:
    """Return the value of a control's inputs as JSON data; None is not set.

    `previous` is the value from which the inputs were made. Text that is not a number where one is expected remains
    text, so that pydantic reports it in its own words.
    """
    owner, field = declaring_model(spec, at, name)
    field_shape = shape(type(owner), field)
    return parts.read_value(editor_of(field_shape), _read_field(field_shape, data, "v"), previous, data)


def _read_field(field_shape: FieldShape, data: Mapping[str, Sequence[str]], name: str) -> Any:
    inputs = data.get(name, ())
    if field_shape.kind == "list":
        return _read_list(field_shape, data, name)
    if field_shape.kind == "part":
        return _read_part(field_shape, data, name)
    # A browser posts nothing at all for a box that is not ticked.
    if field_shape.kind == "flag" and not field_shape.optional:
        return "on" in inputs or "true" in inputs
    # Of several inputs of one name the last one, as Django's own QueryDict takes it.
    text = inputs[-1] if inputs else ""
    if text == "" and (field_shape.optional or field_shape.kind != "text"):
        return None
    return _read_scalar(field_shape, text)


def _read_scalar(field_shape: FieldShape, text: str) -> Any:
    if field_shape.kind == "flag":
        return text == "true"
    if field_shape.kind == "choice":
        # Choices can be numbers, while a form only posts texts.
        return next((choice for choice in field_shape.choices if str(choice) == text), text)
    if field_shape.kind in ("whole", "number"):
        return parse_json_number(text.strip(), share=field_shape.share, name=field_shape.name)
    return text


def _read_list(field_shape: FieldShape, data: Mapping[str, Sequence[str]], name: str) -> Any:
    item = field_shape.item
    assert item is not None
    if item.kind == "part":
        steps = (parse_integer(rest.split(".")[0]) for rest in _names_below(data, name))
        # Numbers in the names may have gaps: an item that was removed leaves one.
        places = sorted({step for step in steps if step is not None})
        return [_read_part(item, data, f"{name}.{place}") for place in places]
    if item.kind in ("pointer", "choice"):
        return [text for text in data.get(name, ()) if text]
    parts = (
        " ".join(data.get(name, ())).replace(",", " ").split()
        if item.kind != "text"
        else _split_texts(data.get(name, ()))
    )
    return [_read_scalar(item, part) for part in parts]


def _split_texts(texts: Sequence[str]) -> list[str]:
    """Texts of a list, separated by commas or lines."""
    return [part.strip() for text in texts for line in text.splitlines() for part in line.split(",") if part.strip()]


def _read_part(field_shape: FieldShape, data: Mapping[str, Sequence[str]], name: str) -> Any:
    kind = (data.get(f"{name}.kind") or data.get(name) or [""])[-1]
    if not kind and (field_shape.optional or len(field_shape.models) > 1):
        return None
    model = model_of(field_shape, {"kind": kind})
    value: dict[str, Any] = {"kind": kind} if tag(model) else {}
    for field in model.model_fields:
        if field == "kind" and tag(model):
            continue
        now = _read_field(shape(model, field), data, f"{name}.{field}")
        # Left out and not stored as empty: the document has only what is set.
        if now is not None and now != []:
            value[field] = now
        elif f"{name}.{field}" not in data and not _names_below(data, f"{name}.{field}"):
            # The form did not have this input, since the kind was changed a moment ago: the new part starts from an
            # example.
            value |= _initial_values(model, field)
    return value


def _initial_values(model: type[Model], field: str) -> dict[str, Any]:
    """Return the initial values of a required field of a new part."""
    info = model.model_fields[field]
    return {field: FIRST[field]} if info.is_required() and field in FIRST else {}


def _names_below(data: Mapping[str, Sequence[str]], name: str) -> set[str]:
    return {key.removeprefix(f"{name}.") for key in data if key.startswith(f"{name}.")}


def reshape(value: Any, action: str, item: Any = None) -> Any:
    """Return the value after the action of a form button: `add rules.1.rules`, `remove rules.0`, `clear`.

    `add` without a path adds `item` (`initial_item`) to the value itself, which is a list.

    Raises
    ------
    InvalidActionError
        If the value has no such place.
    """
    if parts.is_editor_action(action):
        return parts.apply_action(value, action)
    what, _, path = action.partition(" ")
    if what == "clear":
        return None
    if what == "add" and not path and item is not None:
        return [*(value or ()), item]
    if what not in ("add", "remove") or not path:
        return value
    *through, last = path.split(".")
    container = value
    try:
        for step in through:
            container = container[_place(step)] if isinstance(container, list) else container[step]
        if what == "remove":
            container.pop(_place(last))
        else:
            items = container.setdefault(last, [])
            # A copy of the last one is nearer to what is wanted than an example.
            items.append(dict(items[-1]) if items else dict(FIRST[last][0]))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise InvalidActionError(action) from None
    return value


def _place(text: str) -> int:
    place = parse_integer(text)
    if place is None:
        raise InvalidActionError(text)
    return place


def initial_item(spec: Spec, at: str, name: str, current: Any = ()) -> Any:
    """Return the initial data of an item of a list of parts.

    The item refers to the first target that none of the items in `current` refers to. Return None if the field is
    not such a list, or has nothing to refer to.
    """
    if at and at not in spec.by_id:
        return None
    owner, field = declaring_model(spec, at, name)
    item = shape(type(owner), field).item
    if item is None or item.kind != "part":
        return None
    return _initial_data(spec, item.models[0], current)


def initial_part(spec: Spec, at: str, name: str) -> Any:
    """Return the initial data of a missing part; None if it is not of one kind, or has nothing to refer to."""
    if control(spec, at, name).lacks_target:
        return None
    owner, field = declaring_model(spec, at, name)
    models = shape(type(owner), field).models
    if len(models) != 1:
        return None
    return _initial_data(spec, models[0], [{"table": table_id} for table_id in circular_ids(spec, at)])


def _initial_data(spec: Spec, model: type[Model], current: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {"kind": tag(model)} if tag(model) else {}
    for inner, info in model.model_fields.items():
        if (inner == "kind" and tag(model)) or not info.is_required():
            continue
        options = [option.value for option in options_of(spec, shape(model, inner))]
        used_values = [part.get(inner) for part in current or () if isinstance(part, dict)]
        # A second reference to the same element would mostly be refused.
        free = [option for option in options if option not in used_values] or options
        fields[inner] = FIRST.get(inner, free[0] if free else None)
    return fields


def value_structure(value: Any) -> Any:
    """Return the structure that determines a value's inputs: the kinds of its parts and their number."""
    if isinstance(value, dict):
        parts = {name: value_structure(content) for name, content in value.items() if isinstance(content, dict | list)}
        return {"kind": value.get("kind"), **{name: part for name, part in parts.items() if part}}
    if isinstance(value, list):
        return [value_structure(item) for item in value if isinstance(item, dict)]
    return None
