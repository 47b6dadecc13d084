"""Every assumed value of a design, in document order: what nobody has entered, with the reason for each."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from .base import Element, Model, below, children
from .design import Engine, Spec
from .engines import DESCRIPTIONS
from .family import Column, Value
from .field import Field
from .guesses import GUESSES, assumed, constant, guess, owner_of
from .key import TimeSegment
from .table import Table


class Assumption(NamedTuple):
    """One unset field: the element that it is on (or inside of), its name, the value assumed and why."""

    at: str
    name: str
    value: Any
    why: str


def assumptions(spec: Spec) -> Iterator[Assumption]:
    """Every unset field for which something is assumed and has a meaning, in document order.

    `at` is the id of the element, `""` for the design and its instance; `name` goes through what the element holds:
    `instance.edition`, `value.kind`.
    """
    found: list[Assumption] = []
    _assumptions(spec, spec, at="", through="", found=found)
    return iter(found)


def _assumptions(spec: Spec, part: Model, *, at: str, through: str, found: list[Assumption]) -> None:
    for name in guessable(type(part)):
        if getattr(part, name) is None and _has_meaning(spec, part, name):
            value, why = guess(spec, part, name)
            if value is not None:
                found.append(Assumption(at, f"{through}{name}", value, why))
    for name, place, child in children(part):
        if type(child) in _nothing_to_guess():
            continue
        if isinstance(child, Element):
            _assumptions(spec, child, at=child.id, through="", found=found)
        else:
            step = name if place is None else f"{name}[{place}]"
            _assumptions(spec, child, at=at, through=f"{through}{step}.", found=found)


@cache
def _nothing_to_guess() -> frozenset[type[Model]]:
    """Models in which, and below which, nothing is ever assumed: most parts of a design are such."""
    return frozenset(model for model in below(Spec) if not any(map(guessable, below(model))))


@cache
def guessable(model: type[Model]) -> tuple[str, ...]:
    """Return the fields that can have an assumed value."""
    names = (name for name in model.model_fields if (model, name) in GUESSES or constant(model, name).value is not None)
    return tuple(names)


@cache
def _meaningless(engine: Engine, model: type[Model]) -> frozenset[str]:
    """Return the fields of a model that have no meaning on this engine."""
    return frozenset(
        name for other, names in DESCRIPTIONS[engine].unassumed_fields if issubclass(model, other) for name in names
    )


def _has_order(spec: Spec, field: Field) -> bool:
    return assumed(spec, field, "kind") not in ("timestamp", "boolean")


ONLY_WHERE: Mapping[tuple[type[Model], str], Callable[[Spec, Any], bool]] = {
    (Field, "fan_out"): lambda spec, field: owner_of(spec, field) is not None,
    (Field, "distinct"): lambda spec, field: assumed(spec, field, "kind") != "timestamp",
    **{(Field, name): _has_order for name in ("values", "assigned", "popularity", "growth_per_day")},
    (TimeSegment, "reverse_from"): lambda spec, segment: segment.reversed,
    (Column, "timestamp_resolution"): lambda spec, column: column.timestamp == "event",
    (Table, "history_months"): lambda spec, table: table.rows_stored is None and table.gib_stored is None,
    (Value, "max_bytes"): lambda spec, value: value.kind != "empty",
}
"""Fields that have a meaning only beside what else is set."""


def _has_meaning(spec: Spec, part: Model, name: str) -> bool:
    """Return whether the field says anything on this engine and beside what else is set."""
    if name in _meaningless(spec.engine, type(part)):
        return False
    only_where = ONLY_WHERE.get((type(part), name))
    return only_where is None or only_where(spec, part)
