"""What is assumed where a field is not set: constants stand on the field itself, the rest is a function here.

`assumed(spec, element, name)` is the one way in which everything computed reads an optional field.
"""

import datetime
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .access import Read
from .activity import Activity, Every, Flat, Poisson
from .base import Element, Model, walk
from .design import Spec
from .family import Value
from .field import Enumeration, FanOut, Field, Pattern, Random, Range
from .popularity import Uniform, Weights, Zipf
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
        return Guess("integer", N_("its values are a range of numbers"))
    if isinstance(field.values, Enumeration | Pattern | Random):
        return Guess("string", N_("its values are texts"))
    for pattern, kind in _NAMED_KINDS:
        if re.search(pattern, field.name.lower()):
            return Guess(kind, N_("from the field's name"))
    return Guess("string", N_("nothing says otherwise"))


def capacity(spec: Spec, field: Field) -> int | None:
    """How many different values the field's values can render; None is no limit that matters."""
    values = field.values
    if isinstance(values, Enumeration):
        return len(values.items)
    if isinstance(values, Range):
        return values.max - values.min + 1
    if isinstance(values, Random) and assumed(spec, field, "kind") != "bytes":
        letters = len(alphabet(values.alphabet))
        return sum(letters**n for n in range(values.min, values.max + 1)) if values.max <= 64 else None
    return 2 if assumed(spec, field, "kind") == "boolean" else None


def alphabet(text: str) -> str:
    """The characters of `a-z0-9`-like text, each once, in order of first appearance."""
    spans = re.sub(r"(.)-(.)", lambda m: "".join(map(chr, range(ord(m[1]), ord(m[2]) + 1))), text)
    return "".join(dict.fromkeys(spans))


def _distinct(spec: Spec, field: Field) -> Guess:
    most = capacity(spec, field)
    if most is not None and not isinstance(field.values, Random):
        return Guess(most, N_("as many as its values can be"))
    for pattern, distinct in _NAMED_DISTINCT:
        if re.search(pattern, field.name.lower()):
            return Guess(min(distinct, most or distinct), N_("from the field's name"))
    return Guess(min(10_000, most or 10_000), N_("nothing says otherwise"))


def _values(spec: Spec, field: Field) -> Guess:
    kind, digits = assumed(spec, field, "kind"), len(str(assumed(spec, field, "distinct")))
    stem = re.sub(r"_?id$", "", field.name.lower()) or "v"
    if kind == "integer":
        return Guess(Range(min=1, max=assumed(spec, field, "distinct")), N_("counted from 1"))
    if kind == "domain":
        return Guess(Pattern(text=f"app{{n:0{digits}}}.example.com"), N_("domains with a counter"))
    if kind == "bytes":
        return Guess(Random(min=16, max=16), N_("16 random bytes"))
    if kind == "boolean":
        return Guess(None, N_("true and false"))
    return Guess(Pattern(text=f"{stem}{{n:0{digits}}}"), N_("the field's name and a counter"))


def _assigned(spec: Spec, field: Field) -> Guess:
    if isinstance(field.values, Pattern) or assumed(spec, field, "kind") == "integer":
        return Guess("sequential", N_("its values are counted"))
    return Guess("arbitrary", N_("its values have no order of arrival"))


def _popularity(spec: Spec, field: Field) -> Guess:
    if isinstance(field.values, Enumeration):
        return Guess(Weights(weights=tuple(i.weight for i in field.values.items)), N_("the weights of its values"))
    distinct = assumed(spec, field, "distinct")
    if distinct >= 1_000 and field.unique_within is None and field.belongs_to is None:
        return Guess(Zipf(theta=0.9), N_("of many things, 20 % take about 80 % of the traffic"))
    return Guess(Uniform(), N_("nothing says otherwise"))


def _rate(spec: Spec, activity: Activity) -> Guess:
    if isinstance(activity.arrival, Every):
        field = spec.find(activity.arrival.field)
        return Guess(
            assumed(spec, field, "distinct") / activity.arrival.seconds, N_("each value acts once per interval")
        )
    return Guess(None, N_("no rate is given"))


_VALUE_BYTES = {
    "random": 32.0, "text": 30.0, "json": 250.0, "protobuf": 120.0, "small_integers": 2.0, "integer": 8.0,
    "enumeration": 8.0, "empty": 0.0,
}  # fmt: skip
"""Mean size of a value of each kind where none is given: orders of magnitude, to be corrected."""


GUESSES: dict[tuple[type[Model], str], Callable[[Spec, Any], Guess]] = {
    (Field, "kind"): _kind,
    (Field, "values"): _values,
    (Field, "distinct"): _distinct,
    (Field, "assigned"): _assigned,
    (Field, "popularity"): _popularity,
    (Field, "fan_out"): lambda spec, field: Guess(FanOut(), N_("spread evenly over the owners")),
    (Value, "typical_bytes"): lambda spec, value: Guess(
        _VALUE_BYTES[assumed(spec, value, "kind")], N_("a usual size of a value of this kind")
    ),
    (Value, "max_bytes"): lambda spec, value: Guess(
        math.ceil(assumed(spec, value, "typical_bytes")), N_("the typical size")
    ),
    (Activity, "rate_per_second"): _rate,
    (Activity, "profile"): lambda spec, activity: Guess(Flat(), N_("the same at every hour")),
    (Activity, "arrival"): lambda spec, activity: Guess(Poisson(), N_("events come independently")),
    (Read, "profile"): lambda spec, read: Guess(Flat(), N_("the same at every hour")),
    (Spec, "start"): lambda spec, _: Guess(
        datetime.date(2026, 1, 1), N_("a fixed day, so that the same document gives the same result")
    ),
}
"""Guesses that depend on the rest of the document, by model and field."""

DEFAULT = N_("a usual value")


def assumed(spec: Spec, part: Model, name: str) -> Any:
    """The value of an optional field: as set, else as guessed, else None."""
    value = getattr(part, name)
    return value if value is not None else guess(spec, part, name).value


def guess(spec: Spec, part: Model, name: str) -> Guess:
    """What is assumed while the field is not set, and why; the value None is "unknown"."""
    function = GUESSES.get((type(part), name))
    if function:
        return function(spec, part)
    extra = type(part).model_fields[name].json_schema_extra
    constant = extra.get("guess") if isinstance(extra, dict) else None
    return Guess(constant, DEFAULT)


def assumptions(spec: Spec) -> Iterator[Assumption]:
    """Every unset field for which something is assumed, in document order; the design itself is `""`."""
    holder = ""
    for part in walk(spec):
        holder = part.id if isinstance(part, Element) else holder
        for name in type(part).model_fields:
            if getattr(part, name) is None:
                value, why = guess(spec, part, name)
                if value is not None and not (isinstance(value, float) and math.isnan(value)):
                    yield Assumption(holder, name, value, why)
