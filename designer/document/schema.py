"""The JSON Schema (2020-12) of the design document, made from its models: for editors and programs that write files.

It says what one part can say by itself. That ids are unique, that references lead somewhere and that a part agrees with
the rest, only `load` knows.
"""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from .base import Element, Model, slots, tag
from .design import FORMAT, Spec
from .references import POINTERS

Data = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
BASE = "https://keywright.example/schema"
"""Where ids of schemas begin: a name that nobody can register, so an id is never another's page (RFC 2606)."""
ID = f"{BASE}/design-{FORMAT}.json"
NULL = {"type": "null"}


def schema() -> Data:
    """Return the schema as JSON data, with three additional keywords on properties.

    `x-unit` is the unit of a number, `x-guess` the constant that is assumed while the property is not set,
    `x-element` the class of the element whose id the property holds.
    """
    json_schema = Spec.model_json_schema()
    parts = json_schema.pop("$defs")
    for model in classes():
        _describe(model, json_schema if model is Spec else parts[model.__name__])
    json_schema["properties"]["$schema"] = {"type": "string", "description": "For editors; no part of the design."}
    return {"$schema": DIALECT, "$id": ID, **json_schema, "title": "Keywright design", "$defs": parts}


@cache
def text() -> str:
    """Return the schema as JSON text; it is the same for every caller."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


@cache
def classes() -> tuple[type[Model], ...]:
    """Every model class that a design document can hold, each once, the document itself first."""
    return tuple(dict.fromkeys(_collect_classes(Spec, set())))


def _collect_classes(model: type[Model], visited: set[type[Model]]) -> Iterator[type[Model]]:
    if model not in visited:
        visited.add(model)
        yield model
        for slot in slots(model).values():
            for cls in slot.classes:
                yield from _collect_classes(cls, visited)


def _describe(model: type[Model], part: Data) -> None:
    """Change a class's schema to the content that a file may have.

    Ids may be missing or null; the `kind` of a union may not.
    """
    missing_ok = {"id"} if issubclass(model, Element) else set()
    needed = [name for name in part.get("required", ()) if name not in missing_ok]
    needed += ["kind"] if tag(model) else []
    part.pop("required", None)
    if needed:
        part["required"] = needed
    if missing_ok:
        part["properties"]["id"] = _or_null(part["properties"]["id"])
    for name, subschema in part["properties"].items():
        part["properties"][name] = _shorten_property(subschema)
        if (model, name) in POINTERS:
            part["properties"][name]["x-element"] = POINTERS[model, name].__name__


def _shorten_property(property_schema: Data) -> Data:
    """Return a property's schema in its shortest form."""
    own = {"unit": "x-unit", "guess": "x-guess"}
    result: Data = _simplify({own.get(word, word): value for word, value in property_schema.items() if word != "why"})
    if result.get("default", ...) is None or isinstance(result.get("default"), dict):
        del result["default"]  # what is not set is a guess; a part that is always there has nothing set
    return result


def _simplify(schema_part: Any) -> Any:
    """Remove `discriminator`, which is no word of JSON Schema, and each `anyOf` that only says "or null"."""
    if isinstance(schema_part, list):
        return [_simplify(entry) for entry in schema_part]
    if not isinstance(schema_part, dict):
        return schema_part
    result = {word: _simplify(value) for word, value in schema_part.items() if word != "discriminator"}
    choices = result.pop("anyOf", [])
    return {**result, **_or_null(*(choice for choice in choices if choice != NULL))} if choices else result


def _or_null(choice: Data, *others: Data) -> Data:
    if others:
        return {"oneOf": [choice, *others, NULL]}
    if "type" not in choice:
        return {"oneOf": [*choice.get("oneOf", [choice]), NULL]}
    types = choice["type"] if isinstance(choice["type"], list) else [choice["type"]]
    enum = {"enum": [*choice["enum"], None]} if "enum" in choice else {}
    return {**choice, "type": [*types, "null"], **enum}
