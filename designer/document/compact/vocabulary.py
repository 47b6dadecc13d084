"""Completions for a text editor with a compact text: names, choices and kinds, from the models."""

from typing import Any

from ..base import Model, Slot, slots, tag
from ..design import Engine, Spec
from ..engines import DESCRIPTIONS
from ..references import POINTERS, WORDS
from ..schema import classes
from ..table import RowKind, Table
from ..texts import N_
from .forms import (
    KEYS,
    OF_ROW_KIND,
    choices_of,
    first_fields,
    is_list,
    name_field,
    scalar_kind,
    short_name,
    takes_items,
)
from .quantities import unit_of

Data = dict[str, Any]


def vocabulary(engine: Engine) -> Data:
    """Return the parts of a document by the names of their classes; titles are messages.

    A part has `names`, by which its fields stand in the text, and `first`, those that a line gives without a name.
    A name has a `title`, and where it has them: `values` to choose from, `units` of its number, `parts` that it holds
    (`many`, and `row_kind_name` where each has its name before a colon), what it `refers` to, or `key` for key text.
    """
    parts: Data = {model.__name__: _part(model, engine) for model in classes()}
    row_kind_name = {OF_ROW_KIND["name"]: {**_name(RowKind, "name", engine), "title": N_("Row kind")}}
    parts[Table.__name__]["names"] |= parts[RowKind.__name__]["names"] | row_kind_name
    return {"root": Spec.__name__, "parts": parts}


def _part(model: type[Model], engine: Engine) -> Data:
    description = DESCRIPTIONS[engine]
    fixed = {"id", name_field(model), "kind" if tag(model) else ""}
    offered = [name for name in model.model_fields if name not in fixed and description.has_field(model, name)]
    entry: Data = {"names": {short_name(model, name): _name(model, name, engine) for name in offered}}
    first = [short_name(model, name) for name in first_fields(model)]
    return (
        entry
        | ({"kind": tag(model)} if tag(model) else {})
        | ({"first": first} if first else {})
        | ({"items": True} if takes_items(model) else {})
    )


def _name(model: type[Model], name: str, engine: Engine) -> Data:
    title = DESCRIPTIONS[engine].field_titles.get((model, name)) or model.model_fields[name].title or name
    entry: Data = {"title": title}
    slot = slots(model).get(name)
    if (model, name) in KEYS:
        return entry | {"key": True}
    if (model, name) in POINTERS:
        return entry | {"refers": WORDS[POINTERS[model, name]]} | ({"list": True} if is_list(model, name) else {})
    if slot is not None:
        return entry | _slot(slot)
    kind = scalar_kind(model, name)
    values = ["true", "false"] if kind == "flag" else [*choices_of(model, name)]
    units = [word for word in unit_of(name) if word] if kind == "number" else []
    more = {"values": values, "units": units, "list": is_list(model, name)}
    return entry | {word: value for word, value in more.items() if value}


def _slot(slot: Slot) -> Data:
    entry: Data = {"parts": [cls.__name__ for cls in slot.classes]}
    if slot.many:
        entry["many"] = True
        if name_field(slot.classes[0]) is not None:
            entry["named"] = True
    return entry
