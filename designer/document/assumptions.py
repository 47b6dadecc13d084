"""Every assumed value of a design, in document order: what nobody has entered, with the reason for each."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from .base import Element, Model, children, reachable_classes
from .design import Engine, Spec
from .engines import DESCRIPTIONS
from .family import Column, Value
from .field import Field
from .guesses import GUESSES, constant, effective_value, guess, owner_of
from .key import TimeSegment
from .table import Table
from .texts import Text


class AssumedField(NamedTuple):
    """One unset field: the element that it is on (or inside of), its name, the value assumed and why."""

    at: str
    name: str
    value: Any
    why: str | Text


def assumptions(spec: Spec) -> Iterator[AssumedField]:
    """Every unset field for which something is assumed and has a meaning, in document order.

    `at` is the id of the element, `""` for the design and its instance; `name` goes through what the element holds:
    `instance.edition`, `value.kind`.
    """
    fields: list[AssumedField] = []
    _assumptions(spec, spec, at="", prefix="", fields=fields)
    return iter(fields)


def _assumptions(spec: Spec, part: Model, *, at: str, prefix: str, fields: list[AssumedField]) -> None:
    for name in guessable_fields(type(part)):
        if getattr(part, name) is None and _has_meaning(spec, part, name):
            value, why = guess(spec, part, name)
            if value is not None:
                fields.append(AssumedField(at, f"{prefix}{name}", value, why))
    for name, place, child in children(part):
        if type(child) in _classes_without_guesses():
            continue
        if isinstance(child, Element):
            _assumptions(spec, child, at=child.id, prefix="", fields=fields)
        else:
            step = name if place is None else f"{name}[{place}]"
            _assumptions(spec, child, at=at, prefix=f"{prefix}{step}.", fields=fields)


@cache
def _classes_without_guesses() -> frozenset[type[Model]]:
    """Models in which, and below which, nothing is ever assumed: most parts of a design are such."""
    return frozenset(
        model for model in reachable_classes(Spec) if not any(map(guessable_fields, reachable_classes(model)))
    )


@cache
def guessable_fields(model: type[Model]) -> tuple[str, ...]:
    """Return the fields that can have an assumed value."""
    names = (name for name in model.model_fields if (model, name) in GUESSES or constant(model, name).value is not None)
    return tuple(names)


@cache
def _meaningless_fields(engine: Engine, model: type[Model]) -> frozenset[str]:
    """Return the fields of a model that have no meaning on this engine."""
    return frozenset(
        name for other, names in DESCRIPTIONS[engine].unassumed_fields if issubclass(model, other) for name in names
    )


def _has_order(spec: Spec, field: Field) -> bool:
    return effective_value(spec, field, "kind") not in ("timestamp", "boolean")


ONLY_WHERE: Mapping[tuple[type[Model], str], Callable[[Spec, Any], bool]] = {
    (Field, "fan_out"): lambda spec, field: owner_of(spec, field) is not None,
    (Field, "distinct"): lambda spec, field: effective_value(spec, field, "kind") != "timestamp",
    **{(Field, name): _has_order for name in ("values", "assigned", "popularity", "growth_per_day")},
    (TimeSegment, "reverse_from"): lambda spec, segment: segment.reversed and not segment.pattern,
    (Column, "timestamp_resolution"): lambda spec, column: column.timestamp == "event",
    (Table, "history_months"): lambda spec, table: table.rows_stored is None and table.gib_stored is None,
    (Value, "max_bytes"): lambda spec, value: value.kind != "empty",
}
"""Fields that have a meaning only beside what else is set."""


def _has_meaning(spec: Spec, part: Model, name: str) -> bool:
    """Return whether the field says anything on this engine and beside what else is set."""
    if name in _meaningless_fields(spec.engine, type(part)):
        return False
    only_where = ONLY_WHERE.get((type(part), name))
    return only_where is None or only_where(spec, part)
