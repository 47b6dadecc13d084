"""Possible contents of the document's fields, read from their annotations."""

import datetime
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from designer.document import Element, Model
from designer.document.base import tag
from designer.document.references import POINTERS

Kind = Literal["text", "whole", "number", "date", "flag", "choice", "pointer", "part", "list"]


@dataclass(frozen=True)
class FieldShape:
    """Possible contents of one field of the document."""

    kind: Kind
    optional: bool = False
    choices: tuple[Any, ...] = ()
    models: tuple[type[Model], ...] = ()
    item: "FieldShape | None" = None
    """Of a list."""
    target: type[Element] | None = None
    """What a pointer points to."""
    share: bool = False
    """Whether a number is a part of a whole, which can be typed in per cent."""
    name: str = ""
    """The field's name, whose end says in which unit a number is."""


@cache
def shape(model: type[Model], name: str) -> FieldShape:
    """Return the shape of a model's field."""
    field_shape = _shape(get_type_hints(model, include_extras=True)[name], POINTERS.get((model, name)))
    extra = model.model_fields[name].json_schema_extra
    unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
    return replace(field_shape, share=unit.startswith("share") or name.endswith("_share"), name=name)


def _shape(annotation: Any, target: type[Element] | None) -> FieldShape:
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        members = [member for member in inner if member is not types.NoneType]
        if len(members) == 1:
            inner_shape = _shape(members[0], target)
            return replace(inner_shape, optional=inner_shape.optional or len(members) < len(inner))
        return FieldShape("part", len(members) < len(inner), models=tuple(_models(annotation)))
    if origin is tuple:
        return FieldShape("list", item=_shape(inner[0], target))
    if origin is Literal:
        return FieldShape("choice", choices=inner)
    if target is not None:
        return FieldShape("pointer", target=target)
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return FieldShape("part", models=(annotation,))
    return FieldShape(_SCALARS.get(annotation, "text"))


_SCALARS: Mapping[Any, Kind] = {
    bool: "flag", int: "whole", float: "number", Decimal: "number", datetime.date: "date",
}  # fmt: skip


def _models(annotation: Any) -> Iterator[type[Model]]:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)


def model_of(field_shape: FieldShape, value: Mapping[str, Any]) -> type[Model]:
    """Return the class of a part's data."""
    return next((m for m in field_shape.models if tag(m) == value.get("kind")), field_shape.models[0])
