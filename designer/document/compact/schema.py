"""The JSON Schema of the compact form, for editors: that of the document, with lines, names and units beside values.

What a line says, only reading knows.
"""

from typing import Any

from ..base import Model, Slot, slots
from ..design import FORMAT, Spec
from ..references import POINTERS
from ..schema import BASE, classes
from ..schema import schema as document_schema
from ..table import RowKind, Table
from . import line_patterns
from .forms import BLOCKS, CYCLES, IDS, KEYS, OF_ROW_KIND, is_list, name_field, scalar_kind, short_name

Data = dict[str, Any]

LINE: Data = {"type": "string"}
_SAID = ("title", "description", "x-unit", "x-guess", "x-element", "default")


def schema() -> Data:
    """Return the schema as JSON data."""
    json_schema = document_schema()
    parts = json_schema["$defs"]
    for model in classes():
        part = json_schema if model is Spec else parts[model.__name__]
        part["properties"] = _properties(model, part["properties"])
        needed = [name for name in part.pop("required", ()) if name != name_field(model)]
        if needed:
            part["required"] = needed
    rows = {name: subschema for name, subschema in parts[RowKind.__name__]["properties"].items() if name != "id"}
    table = parts[Table.__name__]
    table["properties"] = {**rows, **dict.fromkeys(OF_ROW_KIND.values(), LINE), **table["properties"]}
    json_schema["properties"][IDS] = {
        "type": "array",
        "items": LINE,
        "description": "Ids other than those that reading makes: made-id=id, several with commas between them.",
    }
    parts |= _shared_texts(json_schema)
    return {**json_schema, "$id": f"{BASE}/design-yaml-{FORMAT}.json", "title": "Keywright design as YAML"}


def _properties(model: type[Model], properties: Data) -> Data:
    result: Data = {}
    for name, subschema in properties.items():
        loose = _loosen(model, name, subschema) if name in model.model_fields else subschema
        result |= {short_name(model, name): loose, name: loose}
        if (model, name) in KEYS:
            result[KEYS[model, name]] = {"type": "array", "items": LINE}
    return result


def _loosen(model: type[Model], name: str, subschema: Data) -> Data:
    """Allow the short forms of a field beside its value."""
    notes = {word: subschema[word] for word in _SAID if word in subschema}
    value = {word: rule for word, rule in subschema.items() if word not in notes}
    slot = slots(model).get(name)
    if (model, name) in POINTERS:  # a name or an id
        return {**notes, **({"type": "array", "items": LINE} if is_list(model, name) else LINE)}
    if slot is None:
        kind = None if is_list(model, name) else scalar_kind(model, name)
        if kind == "number":
            return {**notes, "anyOf": [value, _text(f"^{line_patterns.quantity(model, name)}$")]}
        if (model, name) in CYCLES:
            length, _ = CYCLES[model, name]
            return {**notes, "anyOf": [value, {**value, "minItems": length, "maxItems": length}]}
        return {**notes, **value, "pattern": f"^{line_patterns.DATE}$"} if kind == "date" else subschema
    if not slot.many:
        return {**notes, "anyOf": [value, *_lines(slot)]}
    if (model, name) in KEYS:
        return {**notes, "anyOf": [value, LINE]}
    item = {"anyOf": [value["items"], *_lines(slot), {"type": "null"}]}
    forms = [{**value, "items": item}]
    if name_field(slot.classes[0]) is not None:
        forms.append({"type": "object", "additionalProperties": item})
    return {**notes, "anyOf": forms}


def _lines(slot: Slot) -> list[Data]:
    """Return the form of a line that stands for a part, if the part may be one."""
    return [] if set(slot.classes) & BLOCKS else [_text(line_patterns.line(slot.classes))]


def _text(pattern: str) -> Data:
    return {"type": "string", "pattern": pattern}


def _shared_texts(part: Any) -> Data:
    """Put a reference where a text with a pattern stands, and return those texts by name: most stand several times."""
    names: dict[str, str] = {}

    def share(node: Any) -> Any:
        if isinstance(node, list):
            return [share(part) for part in node]
        if not isinstance(node, dict):
            return node
        if node.keys() == {"type", "pattern"} and node["type"] == "string":
            return {"$ref": f"#/$defs/{names.setdefault(node['pattern'], f'Text{len(names) + 1}')}"}
        for name, inner in node.items():
            node[name] = share(inner)
        return node

    share(part)
    return {name: _text(pattern) for pattern, name in names.items()}
