"""The OpenAPI description as rows of a page."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designer.document.texts import N_

SECTIONS: Mapping[str, str] = {
    "designs": N_("Designs"),
    "revisions": N_("Revisions"),
    "computed": N_("Findings and estimate"),
    "runs": N_("Simulations"),
    "exports": N_("Exports"),
    "imports": N_("Imports"),
}
"""The tags of operations, in the order of the page."""


@dataclass(frozen=True)
class Kind:
    """The type of a value in words, and the shape that it has, if it is one of ours."""

    words: str
    shape: str = ""


@dataclass(frozen=True)
class Parameter:
    """Parameter in the address of an operation."""

    name: str
    where: str
    kind: Kind
    required: bool
    about: str


@dataclass(frozen=True)
class Answer:
    """Response with one status."""

    status: str
    kind: Kind


@dataclass(frozen=True)
class Operation:
    """One thing that can be asked."""

    id: str
    tag: str
    method: str
    path: str
    summary: str
    parameters: tuple[Parameter, ...]
    body: Kind | None
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Property:
    """One key of a shape."""

    name: str
    kind: Kind
    about: str
    required: bool


@dataclass(frozen=True)
class Shape:
    """A type of the API."""

    name: str
    about: str
    properties: tuple[Property, ...]
    example: str
    """In JSON, or empty."""


def operations(described: Mapping[str, Any]) -> Iterator[Operation]:
    """Every operation, in the order of the description."""
    for path, methods in described["paths"].items():
        for method, one in methods.items():
            yield Operation(
                id=one["operationId"],
                tag=next(iter(one.get("tags", ())), ""),
                method=method.upper(),
                path=path,
                summary=one.get("summary", ""),
                parameters=tuple(map(_parameter, one.get("parameters", ()))),
                body=_body(one.get("requestBody")),
                answers=tuple(
                    Answer(str(status), _body(told) or Kind("")) for status, told in one["responses"].items()
                ),
            )


def shapes(described: Mapping[str, Any]) -> Iterator[Shape]:
    """Every type, by its name."""
    for name, one in sorted(described["components"]["schemas"].items()):
        needed = one.get("required", ())
        found = (
            Property(key, kind(held), held.get("description", "") or held.get("title", ""), key in needed)
            for key, held in one.get("properties", {}).items()
        )
        example = next((json.dumps(each, indent=1, ensure_ascii=False) for each in one.get("examples", ())), "")
        yield Shape(name, one.get("description", ""), tuple(found), example)


def _parameter(one: Mapping[str, Any]) -> Parameter:
    about = one.get("description", "")
    return Parameter(one["name"], one["in"], kind(one.get("schema", {})), bool(one.get("required")), about)


def _body(told: Mapping[str, Any] | None) -> Kind | None:
    content = (told or {}).get("content", {})
    if "application/json" in content:
        return kind(content["application/json"]["schema"])
    return next(map(Kind, content), None)


def kind(schema: Mapping[str, Any]) -> Kind:
    """Return a type in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return Kind(name, name)
    if several := schema.get("anyOf") or schema.get("oneOf"):
        kinds = [kind(one) for one in several]
        shape = next((one.shape for one in kinds if one.shape), "") if len(kinds) == 2 else ""
        return Kind(" | ".join(one.words for one in kinds), shape)
    if schema.get("type") == "array":
        inner = kind(schema.get("items", {}))
        return Kind(f"[{inner.words}]", inner.shape)
    if "const" in schema:
        return Kind(f'"{schema["const"]}"')
    if "enum" in schema:
        return Kind(" | ".join(f'"{one}"' for one in schema["enum"]))
    return Kind(str(schema.get("format") or schema.get("type", "any")))
