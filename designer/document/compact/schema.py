"""The JSON Schema of the compact form, for editors: that of the document, with lines, names and units beside values.

What a line says, only reading knows.
"""

from typing import Any

from ..base import Model, slots
from ..design import FORMAT, Spec
from ..references import POINTERS
from ..schema import BASE, classes
from ..schema import schema as document_schema
from ..table import RowKind, Table
from .forms import IDS, KEYS, OF_ROW_KIND, is_list, name_field, scalar_kind, short_name

Data = dict[str, Any]

LINE: Data = {"type": "string"}
QUANTITY: Data = {"type": "string", "pattern": "^[+-]?[0-9]"}
_SAID = ("title", "description", "x-unit", "x-guess", "x-element", "default")


def schema() -> Data:
    """Return the schema as JSON data."""
    made = document_schema()
    parts = made["$defs"]
    for model in classes():
        part = made if model is Spec else parts[model.__name__]
        part["properties"] = _properties(model, part["properties"])
        needed = [name for name in part.pop("required", ()) if name != name_field(model)]
        if needed:
            part["required"] = needed
    rows = {name: held for name, held in parts[RowKind.__name__]["properties"].items() if name != "id"}
    table = parts[Table.__name__]
    table["properties"] = {**rows, **dict.fromkeys(OF_ROW_KIND.values(), LINE), **table["properties"]}
    made["properties"][IDS] = {
        "type": "array",
        "items": LINE,
        "description": "Ids other than those that reading makes: made-id=id, several with commas between them.",
    }
    return {**made, "$id": f"{BASE}/design-yaml-{FORMAT}.json", "title": "Keywright design as YAML"}


def _properties(model: type[Model], properties: Data) -> Data:
    found: Data = {}
    for name, held in properties.items():
        loose = _loosen(model, name, held) if name in model.model_fields else held
        found |= {short_name(model, name): loose, name: loose}
        if (model, name) in KEYS:
            found[KEYS[model, name]] = {"type": "array", "items": LINE}
    return found


def _loosen(model: type[Model], name: str, held: Data) -> Data:
    """Allow the short forms of a field beside its value."""
    said = {word: held[word] for word in _SAID if word in held}
    value = {word: rule for word, rule in held.items() if word not in said}
    slot = slots(model).get(name)
    if (model, name) in POINTERS:  # a name or an id
        return {**said, **({"type": "array", "items": LINE} if is_list(model, name) else LINE)}
    if slot is None:
        is_number = scalar_kind(model, name) == "number" and not is_list(model, name)
        return {**said, "anyOf": [value, QUANTITY]} if is_number else held
    if not slot.many:
        return {**said, "anyOf": [value, LINE]}
    if (model, name) in KEYS:
        return {**said, "anyOf": [value, LINE]}
    item = {"anyOf": [value["items"], LINE, {"type": "null"}]}
    forms = [{**value, "items": item}]
    if name_field(slot.classes[0]) is not None:
        forms.append({"type": "object", "additionalProperties": item})
    return {**said, "anyOf": forms}
