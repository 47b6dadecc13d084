"""What is assumed where a field is not set: constants and why are on the field itself, the rest is a function here.

`assumed(spec, element, name)` is the one way in which everything computed reads an optional field.
"""

import datetime
import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, cast

from .access import Read
from .activity import Activity, Every, Flat, Poisson
from .base import Element, Model, below, children
from .design import Engine, Spec
from .engines import DESCRIPTIONS
from .family import Column, Value
from .field import Enumeration, FanOut, Field, Pattern, Random, Range
from .field import alphabet as alphabet
from .instance import TABLESTORE_CAPACITY_ONLY, Instance
from .key import TimeSegment
from .popularity import Uniform, Weights, Zipf
from .table import Table
from .texts import N_


class Guess(NamedTuple):
    """An assumed value and why; the text is a message."""

    value: Any
    why: str


class Assumption(NamedTuple):
    """One unset field: the element that it is on (or inside of), its name, the value assumed and why."""

    at: str
    name: str
    value: Any
    why: str


_NAMED_KINDS: tuple[tuple[str, str], ...] = (
    (r"(^|_)(time|timestamp|date|at|day|ts)$", "timestamp"),
    (r"(uuid|guid)", "uuid"),
    (r"(domain|host|hostname|site)$", "domain"),
    (r"^(is|has)_", "boolean"),
    (r"(count|amount|number|num|size|score|price|age|seq|quantity)$", "integer"),
    (r"(^|_)id$", "string"),
)

_NAMED_DISTINCT: tuple[tuple[str, int], ...] = (
    (r"(region|continent|zone|country)", 50),
    (r"(status|state|type|kind|category|level|platform)", 10),
    (r"(tenant|customer|org|account|company|seller|shop|merchant)", 1_000),
    (r"(metric|measure)", 20),
    (r"(city|location|site|domain|host)", 5_000),
    (r"(device|sensor|machine|vehicle|phone|balloon|card)", 100_000),
    (r"(user|member|person|visitor|session)", 1_000_000),
    (r"(order|event|transaction|request|message|trip)", 10_000_000),
)


def _kind(spec: Spec, field: Field) -> Guess:
    if isinstance(field.values, Range):
        return Guess("integer", N_("the values are a range of numbers"))
    if isinstance(field.values, Enumeration | Pattern | Random):
        return Guess("string", N_("the values are texts"))
    for pattern, kind in _NAMED_KINDS:
        if kind == "boolean" and (field.distinct or 0) > 2:
            continue
        if re.search(pattern, field.name.lower()):
            return Guess(kind, N_("from the field's name"))
    return Guess("string", N_("default value"))


def capacity(spec: Spec, field: Field) -> int | None:
    """Return the number of different values that the field can render.

    None means that there is no relevant limit.
    """
    if field.capacity is None and field.values is None and assumed(spec, field, "kind") == "boolean":
        return 2
    return field.capacity


def _distinct(spec: Spec, field: Field) -> Guess:
    most = capacity(spec, field)
    if most is not None and not isinstance(field.values, Random):
        return Guess(most, N_("the number of possible values"))
    for pattern, distinct in _NAMED_DISTINCT:
        if re.search(pattern, field.name.lower()):
            return Guess(min(distinct, most or distinct), N_("from the field's name"))
    return Guess(min(10_000, most or 10_000), N_("default value"))


def _values(spec: Spec, field: Field) -> Guess:
    kind, digits = assumed(spec, field, "kind"), len(str(assumed(spec, field, "distinct")))
    stem = re.sub(r"_?id$|[{}]", "", field.name.lower())[:100] or "v"  # braces would be counters
    if kind == "integer":
        return Guess(Range(min=1, max=assumed(spec, field, "distinct")), N_("numbered from 1"))
    if kind == "domain":
        return Guess(Pattern(text=f"app{{n:0{digits}}}.example.com"), N_("domains with a counter"))
    if kind == "bytes":
        return Guess(Random(min=16, max=16), N_("16 random bytes"))
    if kind == "boolean":
        return Guess(None, N_("true and false"))
    return Guess(Pattern(text=f"{stem}{{n:0{digits}}}"), N_("the field's name and a counter"))


def _assigned(spec: Spec, field: Field) -> Guess:
    if isinstance(field.values, Pattern) or assumed(spec, field, "kind") == "integer":
        return Guess("sequential", N_("the values are counted"))
    return Guess("arbitrary", N_("the values have no order of arrival"))


def _popularity(spec: Spec, field: Field) -> Guess:
    if isinstance(field.values, Enumeration):
        return Guess(Weights(weights=tuple(i.weight for i in field.values.items)), N_("the weights of the values"))
    distinct = assumed(spec, field, "distinct")
    if distinct >= 1_000 and field.unique_within is None and field.belongs_to is None:
        return Guess(Zipf(theta=0.9), N_("commonly, 20 % of the values receive about 80 % of the traffic"))
    return Guess(Uniform(), N_("default value"))


def _rate(spec: Spec, activity: Activity) -> Guess:
    if isinstance(activity.arrival, Every):
        field = spec.find(activity.arrival.field)
        return Guess(
            assumed(spec, field, "distinct") / activity.arrival.seconds, N_("each value has one event per interval")
        )
    return Guess(None, N_("no rate is specified"))


def _tablestore_type(spec: Spec, instance: Instance) -> Guess:
    if any(cluster.region in TABLESTORE_CAPACITY_ONLY for cluster in instance.clusters):
        return Guess("capacity", N_("the only type available in this region in November 2020"))
    return Guess("high_performance", N_("the type for low latency"))


_VALUE_BYTES = {
    "random": 32.0, "text": 30.0, "json": 250.0, "protobuf": 120.0, "small_integers": 2.0, "integer": 8.0,
    "float": 8.0, "enumeration": 8.0, "empty": 0.0,
}  # fmt: skip
"""Mean size of a value of each kind where none is given: orders of magnitude, to be corrected."""


GUESSES: dict[tuple[type[Model], str], Callable[[Spec, Any], Guess]] = {
    (Field, "kind"): _kind,
    (Field, "values"): _values,
    (Field, "distinct"): _distinct,
    (Field, "assigned"): _assigned,
    (Field, "popularity"): _popularity,
    (Field, "fan_out"): lambda spec, field: Guess(FanOut(), N_("even distribution over the owners")),
    (Value, "typical_bytes"): lambda spec, value: Guess(
        _VALUE_BYTES[assumed(spec, value, "kind")], N_("typical size of this kind of value")
    ),
    (Value, "max_bytes"): lambda spec, value: Guess(
        math.ceil(assumed(spec, value, "typical_bytes")), N_("the typical size")
    ),
    (Activity, "rate_per_second"): _rate,
    (Activity, "profile"): lambda spec, activity: Guess(Flat(), N_("the same at every hour")),
    (Activity, "arrival"): lambda spec, activity: Guess(Poisson(), N_("events are independent")),
    (Read, "profile"): lambda spec, read: Guess(Flat(), N_("the same at every hour")),
    (Instance, "tablestore_type"): _tablestore_type,
    (Spec, "start"): lambda spec, _: Guess(
        datetime.date(2026, 1, 1), N_("a fixed date, so that results are reproducible")
    ),
}
"""Guesses that depend on the rest of the document, by model and field."""

DEFAULT = N_("typical value")


def assumed(spec: Spec, part: Model, name: str) -> Any:
    """Return the value of an optional field: the set value, else the assumed value, else None."""
    value = getattr(part, name)
    return value if value is not None else guess(spec, part, name).value


def guess(spec: Spec, part: Model, name: str) -> Guess:
    """Return the assumed value of a field while it is not set, and the reason for it.

    The value None means "unknown". It is computed once per document.
    """
    function = GUESSES.get((type(part), name))
    if function is None:
        return _constant(type(part), name)
    key = ("guess", id(part), name)
    held = spec.remembered.get(key)
    if held is None or held[0] is not part:  # the part is kept too, so that no other can get its id
        held = spec.remembered[key] = (part, function(spec, part))
    return cast(Guess, held[1])


@cache
def _constant(model: type[Model], name: str) -> Guess:
    extra = model.model_fields[name].json_schema_extra
    known: Mapping[str, Any] = extra if isinstance(extra, dict) else {}
    return Guess(known.get("guess"), known.get("why", DEFAULT))


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
    names = (
        name for name in model.model_fields if (model, name) in GUESSES or _constant(model, name).value is not None
    )
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
    (Field, "fan_out"): lambda spec, field: field.belongs_to is not None,
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
