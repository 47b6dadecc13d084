"""JSON Schemas of what commands print: from the types of results, as `plain_data` makes data of them."""

import datetime
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from pydantic import BaseModel

from designer.document.schema import BASE, DIALECT
from designer.document.texts import Text
from estimator.results.heat import Heat

from .plain_data import HEAT

Data = dict[str, Any]

TEXT: Data = {"type": "string"}
NUMBER: Data = {"type": ["number", "null"]}
"""JSON has no infinity: null stands there."""
COUNT: Data = {"type": "integer", "minimum": 0}
BOOLEAN: Data = {"type": "boolean"}
NUMBERS: Data = {"type": ["array", "number", "null"]}
"""An array of numbers, of any number of dimensions."""
_OF_TYPES: Mapping[Any, Data] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: NUMBER,
    str: TEXT,
    bytes: TEXT,
    Decimal: {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?(E[+-][0-9]+)?$"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    Text: TEXT,
    type(None): {"type": "null"},
}


def object_of(**properties: Data) -> Data:
    """Return the schema of an object that has all of these; others may come with a later version."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def list_of(items: Data) -> Data:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def or_null(schema: Data) -> Data:
    """Return the schema of something that may be unknown."""
    return {"anyOf": [schema, {"type": "null"}]}


def document(output: str, title: str, schema: Data, definitions: Data) -> Data:
    """Return a whole schema of an output whose format is named `output`."""
    head = {"$schema": DIALECT, "$id": f"{BASE}/{output.replace('/', '-')}.json", "title": title}
    properties = {"format": {"const": output}, **schema["properties"]}
    return {**head, **schema, "properties": properties, "required": list(properties), "$defs": definitions}


def schema_of(kind: Any, definitions: Data) -> Data:
    """Return the schema of a type's plain data; classes go to the definitions, each once."""
    if kind in _OF_TYPES:
        return _OF_TYPES[kind]
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(argument, definitions) for argument in inner]}
    if origin is np.ndarray:
        return NUMBERS
    if origin is tuple and (len(inner) != 2 or inner[1] is not ...):
        return {"type": "array", "prefixItems": [schema_of(argument, definitions) for argument in inner]}
    if origin in (tuple, list, frozenset, set):
        return list_of(schema_of(inner[0], definitions))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inner[1], definitions)}
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {"type": "object"}
    if is_dataclass(kind) and isinstance(kind, type):
        return _reference(kind, definitions)
    return {}


def single_numbers(schema: Any) -> Any:
    """Return a schema whose numbers are none of arrays, of data that has no arrays."""
    if schema in (NUMBERS, or_null(NUMBERS)):
        return NUMBER
    if isinstance(schema, dict):
        return {name: single_numbers(child) for name, child in schema.items()}
    return [single_numbers(child) for child in schema] if isinstance(schema, list) else schema


def _reference(kind: type, definitions: Data) -> Data:
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}  # it may hold itself
        definitions[kind.__name__] = _of_class(kind, definitions)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _of_class(kind: type, definitions: Data) -> Data:
    if kind is Heat:
        return object_of(**dict.fromkeys(HEAT, NUMBERS))
    hints = get_type_hints(kind)
    properties = {field.name: schema_of(hints[field.name], definitions) for field in fields(kind)}
    return object_of(**properties)
