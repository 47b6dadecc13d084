"""The OpenAPI description as rows of a page."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designer.document.texts import N_
from designer.http.problems import MEDIA_TYPE

SECTIONS: Mapping[str, str] = {
    "designs": N_("Designs"),
    "revisions": N_("Revisions"),
    "computed": N_("Findings and estimate"),
    "runs": N_("Simulations"),
    "reviews": N_("Reviews"),
    "webhooks": N_("Webhooks"),
    "exports": N_("Exports"),
    "imports": N_("Imports"),
}
"""The tags of operations, in the order of the page."""


@dataclass(frozen=True)
class SchemaType:
    """The type of a value in words, and the shape that it has, if it is one of ours."""

    words: str
    shape: str = ""


@dataclass(frozen=True)
class Parameter:
    """Parameter in the address of an operation."""

    name: str
    where: str
    kind: SchemaType
    required: bool
    about: str


@dataclass(frozen=True)
class OperationResponse:
    """Response with one status."""

    status: str
    kind: SchemaType


@dataclass(frozen=True)
class Operation:
    """One thing that can be asked."""

    id: str
    tag: str
    method: str
    path: str
    summary: str
    parameters: tuple[Parameter, ...]
    body: SchemaType | None
    answers: tuple[OperationResponse, ...]


@dataclass(frozen=True)
class Property:
    """One key of a shape."""

    name: str
    kind: SchemaType
    about: str
    required: bool


@dataclass(frozen=True)
class SchemaShape:
    """A type of the API."""

    name: str
    about: str
    properties: tuple[Property, ...]
    example: str
    """In JSON, or empty."""


def operations(description: Mapping[str, Any]) -> Iterator[Operation]:
    """Every operation, in the order of the description."""
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            yield Operation(
                id=operation["operationId"],
                tag=next(iter(operation.get("tags", ())), ""),
                method=method.upper(),
                path=path,
                summary=operation.get("summary", ""),
                parameters=tuple(map(_read_parameter, operation.get("parameters", ()))),
                body=_body_type(operation.get("requestBody")),
                answers=tuple(
                    OperationResponse(str(status), _body_type(response) or SchemaType(""))
                    for status, response in operation["responses"].items()
                ),
            )


def shapes(description: Mapping[str, Any]) -> Iterator[SchemaShape]:
    """Every type, by its name."""
    for name, schema in sorted(description["components"]["schemas"].items()):
        needed = schema.get("required", ())
        properties = (
            Property(
                key, describe_type(schema), schema.get("description", "") or schema.get("title", ""), key in needed
            )
            for key, schema in schema.get("properties", {}).items()
        )
        example = next((json.dumps(value, indent=1, ensure_ascii=False) for value in schema.get("examples", ())), "")
        yield SchemaShape(name, schema.get("description", ""), tuple(properties), example)


def _read_parameter(data: Mapping[str, Any]) -> Parameter:
    about = data.get("description", "")
    return Parameter(data["name"], data["in"], describe_type(data.get("schema", {})), bool(data.get("required")), about)


def _body_type(request_body: Mapping[str, Any] | None) -> SchemaType | None:
    content = (request_body or {}).get("content", {})
    for media_type in ("application/json", MEDIA_TYPE):
        if media_type in content:
            return describe_type(content[media_type]["schema"])
    return next(map(SchemaType, content), None)


def describe_type(schema: Mapping[str, Any]) -> SchemaType:
    """Return a type in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return SchemaType(name, name)
    if several := schema.get("anyOf") or schema.get("oneOf"):
        kinds = [describe_type(alternative) for alternative in several]
        shape = next((kind.shape for kind in kinds if kind.shape), "") if len(kinds) == 2 else ""
        return SchemaType(" | ".join(kind.words for kind in kinds), shape)
    if schema.get("type") == "array":
        inner = describe_type(schema.get("items", {}))
        return SchemaType(f"[{inner.words}]", inner.shape)
    if "const" in schema:
        return SchemaType(f'"{schema["const"]}"')
    if "enum" in schema:
        return SchemaType(" | ".join(f'"{value}"' for value in schema["enum"]))
    return SchemaType(str(schema.get("format") or schema.get("type", "any")))
