"""Conversion of posted form data into a field's value, and changes that the form's buttons make to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from designer.document import Model, Spec
from designer.document.base import tag
from designer.document.edits.lookup import declaring
from designer.editing import parts

from .controls import editor_of, options_of
from .numbers import parsed
from .shapes import Shape, model_of, shape

FIRST: Mapping[str, Any] = {
    "versions": 1, "age_days": 30, "days": 30, "theta": 0.99, "value_share": 0.2, "traffic_share": 0.8, "size": 10,
    "seconds": 60, "hours": [1] * 168, "weights": [1], "min": 1, "max": 10, "text": "id{n:06}", "count": 1,
    "items": [{"value": "a"}], "rules": [{"kind": "max_age", "age_days": 30}], "nodes": 1, "cpu_share": 0.5, "years": 1,
    "width": 6, "length": 8, "by": 1000, "name": "", "factor": 2, "date": "2026-12-24",
}  # fmt: skip
"""Where a new part starts from, by the name of its field: plain examples, to be changed."""


def posted(spec: Spec, at: str, name: str, data: Mapping[str, Sequence[str]], *, was: Any = None) -> Any:
    """Return the value of a control's inputs as JSON data; None is not set.

    `was` is the value from which the inputs were made. Text that is not a number where one is expected remains
    text, so that pydantic reports it in its own words.
    """
    owner, field = declaring(spec, at, name)
    held = shape(type(owner), field)
    return parts.settled(editor_of(held), _posted(held, data, "v"), was, data)


def _posted(held: Shape, data: Mapping[str, Sequence[str]], name: str) -> Any:
    given = data.get(name, ())
    if held.kind == "list":
        return _posted_list(held, data, name)
    if held.kind == "part":
        return _posted_part(held, data, name)
    if held.kind == "flag" and not held.optional:
        return "on" in given or "true" in given
    text = given[-1] if given else ""
    if text == "" and (held.optional or held.kind != "text"):
        return None
    return _scalar(held, text)


def _scalar(held: Shape, text: str) -> Any:
    if held.kind == "flag":
        return text == "true"
    if held.kind == "choice":
        return next((each for each in held.choices if str(each) == text), text)
    if held.kind in ("whole", "number"):
        return parsed(text.strip(), share=held.share)
    return text


def _posted_list(held: Shape, data: Mapping[str, Sequence[str]], name: str) -> Any:
    item = held.item
    assert item is not None
    if item.kind == "part":
        places = sorted({int(rest.split(".")[0]) for rest in _below(data, name) if rest.split(".")[0].isdigit()})
        return [_posted_part(item, data, f"{name}.{place}") for place in places]
    if item.kind in ("pointer", "choice"):
        return [text for text in data.get(name, ()) if text]
    parts = (
        " ".join(data.get(name, ())).replace(",", " ").split() if item.kind != "text" else _lines(data.get(name, ()))
    )
    return [_scalar(item, part) for part in parts]


def _lines(given: Sequence[str]) -> list[str]:
    """Texts of a list, separated by commas or lines."""
    return [part.strip() for text in given for line in text.splitlines() for part in line.split(",") if part.strip()]


def _posted_part(held: Shape, data: Mapping[str, Sequence[str]], name: str) -> Any:
    kind = (data.get(f"{name}.kind") or data.get(name) or [""])[-1]
    if not kind and (held.optional or len(held.models) > 1):
        return None
    model = model_of(held, {"kind": kind})
    value: dict[str, Any] = {"kind": kind} if tag(model) else {}
    for field in model.model_fields:
        if field == "kind" and tag(model):
            continue
        now = _posted(shape(model, field), data, f"{name}.{field}")
        if now is not None and now != []:
            value[field] = now
        elif f"{name}.{field}" not in data and not _below(data, f"{name}.{field}"):
            value |= _first(model, field)
    return value


def _first(model: type[Model], field: str) -> dict[str, Any]:
    """Return the initial values of a required field of a new part."""
    info = model.model_fields[field]
    return {field: FIRST[field]} if info.is_required() and field in FIRST else {}


def _below(data: Mapping[str, Sequence[str]], name: str) -> set[str]:
    return {key.removeprefix(f"{name}.") for key in data if key.startswith(f"{name}.")}


def reshaped(value: Any, do: str, item: Any = None) -> Any:
    """Return the value after the action of a form button: `add rules.1.rules`, `remove rules.0`, `clear`.

    `add` without a path adds `item` (`first_item`) to the value itself, which is a list.
    """
    if parts.understands(do):
        return parts.asked(value, do)
    what, _, path = do.partition(" ")
    if what == "clear":
        return None
    if what == "add" and not path and item is not None:
        return [*(value or ()), item]
    if what not in ("add", "remove") or not path:
        return value
    *through, last = path.split(".")
    held = value
    for step in through:
        held = held[int(step)] if isinstance(held, list) else held[step]
    if what == "remove":
        held.pop(int(last))
    else:
        items = held.setdefault(last, [])
        items.append(dict(items[-1]) if items else dict(FIRST[last][0]))
    return value


def first_item(spec: Spec, at: str, name: str, among: Any = ()) -> Any:
    """Return the initial data of an item of a list of parts.

    The item refers to the first target that none of the items in `among` refers to. Return None if the field is
    not such a list, or has nothing to refer to.
    """
    if at and at not in spec.by_id:
        return None
    owner, field = declaring(spec, at, name)
    item = shape(type(owner), field).item
    if item is None or item.kind != "part":
        return None
    return _begun(spec, item.models[0], among)


def filled(spec: Spec, at: str, name: str) -> Any:
    """Return the initial data of a missing part, or None if the field is not a part of one kind."""
    owner, field = declaring(spec, at, name)
    models = shape(type(owner), field).models
    return _begun(spec, models[0], [{"table": at}]) if len(models) == 1 else None  # no table is made from itself


def _begun(spec: Spec, model: type[Model], among: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": tag(model)} if tag(model) else {}
    for inner, info in model.model_fields.items():
        if (inner == "kind" and tag(model)) or not info.is_required():
            continue
        options = [each.value for each in options_of(spec, shape(model, inner))]
        taken = [each.get(inner) for each in among or () if isinstance(each, dict)]
        free = [each for each in options if each not in taken] or options
        made[inner] = FIRST.get(inner, free[0] if free else None)
    return made


def skeleton(value: Any) -> Any:
    """Return the structure that determines a value's inputs: the kinds of its parts and their number."""
    if isinstance(value, dict):
        parts = {name: skeleton(held) for name, held in value.items() if isinstance(held, dict | list)}
        return {"kind": value.get("kind"), **{name: part for name, part in parts.items() if part}}
    if isinstance(value, list):
        return [skeleton(item) for item in value if isinstance(item, dict)]
    return None
