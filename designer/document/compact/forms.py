"""The compact form of each part of a document: short names, the first value of a line, the name that heads it."""

import datetime
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, get_args, get_origin

from ..access import Bind, Read, TimeRange, Write
from ..activity import Activity, Draw, Week
from ..base import Element, Model, slots, tag
from ..design import Ignore, Spec
from ..family import Column, Value
from ..field import FanOut, Field, Item
from ..instance import Cluster, FixedNodes, Instance
from ..key import AnySegment, KeyColumn
from ..table import Backup, RowKind, Table

SHORT_NAMES: Mapping[str, str] = {
    "rate_per_second": "rate",
    "reads_per_second": "reads",
    "writes_per_second": "writes",
    "growth_per_day": "growth",
    "growth_per_month": "growth",
    "lifetime_days": "lifetime",
    "age_days": "age",
    "kept_days": "kept",
    "kept_tables": "kept",
    "change_stream_days": "change_stream",
    "infrequent_access_days": "infrequent_access",
    "every_hours": "every",
    "lateness_seconds": "lateness",
    "timestamp_ahead_days": "timestamp_ahead",
    "row_age_days": "row_age",
    "ttl_seconds": "ttl",
    "horizon_months": "horizon",
    "history_months": "history",
    "typical_bytes": "typical",
    "max_bytes": "max",
    "largest_row_mib": "largest_row",
}
"""Names without the unit that the value has with it."""

FIRST: Mapping[type[Model], tuple[str, ...]] = {
    Activity: ("rate_per_second",),
    Backup: ("kind",),
    Bind: ("field",),
    Cluster: ("region", "zone"),
    Column: ("value",),
    Draw: ("field", "popularity"),
    FanOut: ("law",),
    Field: ("kind",),
    Ignore: ("rule", "at"),
    Item: ("value", "weight"),
    Read: ("rate_per_second",),
    TimeRange: ("days",),
    Value: ("typical_bytes", "max_bytes"),
    Write: ("activity",),
}
"""What a line says without its name, where that is not simply what is required."""

TYPE_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("string", "varchar", "str"), "text"), **dict.fromkeys(("bytes", "blob", "binary"), "random"),
    **dict.fromkeys(("int", "long", "bigint", "int64"), "integer"), **dict.fromkeys(("double", "float64"), "float"),
    **dict.fromkeys(("proto", "protobuf"), "protobuf"),
}  # fmt: skip
"""Kinds of values by the names of types in other systems."""

ALONE: Mapping[type[Model], str] = {FixedNodes: "count"}
"""Kinds for which a number alone stands, with the field that it is for: `nodes=3`."""

BLOCKS: frozenset[type[Model]] = frozenset((Spec, Instance, Table, RowKind))
"""Parts that stand on lines of their own."""

KEYS: Mapping[tuple[type[Model], str], str] = {
    (RowKind, "key"): "key_ids",
    (RowKind, "key_columns"): "key_ids",
    (Column, "qualifier_from"): "qualifier_ids",
    (KeyColumn, "segments"): "segment_ids",
}
"""Lists that are written as key text, and the name under which their ids stand where these are not the usual ones."""

CYCLES: Mapping[tuple[type[Model], str], tuple[int, int]] = {(Week, "hours"): (24, 7)}
"""Lists that may be written as so many values that are repeated so often: the hours of each day of a week."""

OF_ROW_KIND: Mapping[str, str] = {"name": "row_kind", "id": "row_kind_id"}
"""What a table's only row kind says stands in the table; these are the names there of what a table has itself."""

IDS = "ids"
"""What stands at the end of a text: lines of `made id=id`, for ids other than those that reading makes."""


@cache
def short_name(model: type[Model], name: str) -> str:
    """Return the name of a model's field in the compact form."""
    short = SHORT_NAMES.get(name, name)
    # Where the short name is a field of its own, both must stay apart.
    return name if short in model.model_fields else short


@cache
def full_names(model: type[Model]) -> Mapping[str, str]:
    """Return the fields of a model by every name that the compact form has for them."""
    return {short_name(model, name): name for name in model.model_fields} | {name: name for name in model.model_fields}


@cache
def first_fields(model: type[Model]) -> tuple[str, ...]:
    """Return the fields that a line gives without their names, in this order."""
    if model in FIRST:
        return FIRST[model]
    return tuple(
        name for name, field in model.model_fields.items() if field.is_required() and name not in ("id", "kind")
    )


@cache
def takes_items(model: type[Model]) -> bool:
    """Return whether `kind(a, b, …)` gives the items of the model's only required field."""
    first = first_fields(model)
    return tag(model) is not None and len(first) == 1 and is_list(model, first[0])


@cache
def name_field(model: type[Model]) -> str | None:
    """Return the field whose text is an element's key in a mapping of named elements; None for other parts."""
    if issubclass(model, Column):
        return "qualifier"
    is_named = issubclass(model, Element) and not issubclass(model, AnySegment) and "name" in model.model_fields
    return "name" if is_named else None


def one_cycle(model: type[Model], name: str, values: Sequence[Any]) -> Sequence[Any]:
    """Return the values of a list once, where they are the same in each of its cycles; else all of them."""
    length, times = CYCLES.get((model, name), (len(values), 1))
    return values[:length] if list(values) == list(values[:length]) * times else values


def all_cycles(model: type[Model], name: str, values: list[Any]) -> list[Any]:
    """Return all values of a list that may be written as one of its cycles."""
    length, times = CYCLES.get((model, name), (0, 1))
    return values * times if len(values) == length else values


@cache
def is_list(model: type[Model], name: str) -> bool:
    """Return whether a field holds several values."""
    slot = slots(model).get(name)
    return slot.many if slot else any(get_origin(layer) is tuple for layer in _layers(model, name))


ScalarKind = Literal["text", "number", "flag", "date"]


@cache
def scalar_kind(model: type[Model], name: str) -> ScalarKind:
    """Return what a field without parts holds: numbers may have units, text is taken as it stands."""
    layers = _layers(model, name)
    choices = [value for layer in layers if get_origin(layer) is Literal for value in get_args(layer)]
    if bool in layers:
        return "flag"
    if int in layers or float in layers or any(isinstance(value, int) for value in choices):
        return "number"
    return "date" if datetime.date in layers else "text"


@cache
def choices_of(model: type[Model], name: str) -> tuple[str, ...]:
    """Return the texts that a field may be, if these are few."""
    literals = (layer for layer in reversed(_layers(model, name)) if get_origin(layer) is Literal)
    return tuple(dict.fromkeys(str(value) for layer in literals for value in get_args(layer)))


@cache
def _layers(model: type[Model], name: str) -> tuple[Any, ...]:
    layers, remaining = [], [model.model_fields[name].annotation]
    while remaining:
        layer = remaining.pop()
        layers.append(layer)
        if get_origin(layer) is not Literal:
            remaining += get_args(layer)
    return tuple(layers)
