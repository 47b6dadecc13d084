"""A field: a thing that keys, qualifiers and values are made from."""

from typing import Annotated, Literal

from pydantic import Field as _Field

from .base import Count, Days, Element, Id, Model, Rate, described
from .popularity import Popularity, Uniform, Weights, Zipf

FieldKind = Literal["string", "integer", "timestamp", "uuid", "domain", "bytes", "boolean", "float"]


class Item(Model):
    """One value of an enumeration and its weight."""

    value: str
    weight: Annotated[float, _Field(ge=0)] = 1.0


class Enumeration(Model):
    """Exactly these values; their weights are the field's popularity unless that is set."""

    kind: Literal["enumeration"] = "enumeration"
    items: tuple[Item, ...] = _Field(min_length=1, title="Values")


class Pattern(Model):
    """A text with a counter, as in `user{n:06}`: value number i is the text with `start + i` in its place.

    Exactly one counter, `{n}` (no padding) or `{n:0W}` (zero-padded to W digits). A domain's pattern counts too:
    `app{n}.example.com`.
    """

    kind: Literal["pattern"] = "pattern"
    text: str = _Field(title="Text with a counter")
    start: Annotated[int, _Field(ge=0)] = 0


class Random(Model):
    """Random text: a length between `min` and `max` (typical = mean), characters from `alphabet`.

    `alphabet` is a list of characters, with ranges: `a-z0-9`. For kind bytes it is ignored.
    """

    kind: Literal["random"] = "random"
    min: Annotated[int, _Field(ge=0)]
    typical: Annotated[float, _Field(ge=0)] | None = None
    max: Annotated[int, _Field(ge=0, le=65_536)]
    alphabet: str = "a-z0-9"


class Range(Model):
    """Integers from `min` to `max`, both included; negative ones allowed."""

    kind: Literal["range"] = "range"
    min: int
    max: int


Values = Annotated[Enumeration | Pattern | Random | Range, _Field(discriminator="kind")]


class FanOut(Model):
    """How many values each value of the owner has: even, skewed over owners, or in proportion to weights.

    Weights are for the owner's first values, as in a popularity (one tenant has 40 % of the users).
    """

    law: Annotated[Uniform | Zipf | Weights, _Field(discriminator="kind")] = Uniform()


class Field(Element):
    """A field. While only a name is given, everything else is guessed from it."""

    name: str = ""
    kind: FieldKind | None = described("Kind", help="What the values are.")
    values: Values | None = described("Values", help="How the values look: listed, counted, random, or a range.")
    distinct: Count | None = described("Distinct values", unit="values", help="Values in use on the start date.")
    growth_per_day: Rate | None = described("New values per day", unit="values per day", guess=0)
    lifetime_days: Days | None = described(
        "Lifetime of a value", unit="days", help="How long a value stays in use; unset is for ever."
    )
    assigned: Literal["sequential", "arbitrary"] | None = described(
        "Order of assignment", help="Sequential: a new value sorts after all earlier ones when read as a number."
    )
    popularity: Popularity | None = described("Popularity", help="How traffic spreads over the values in use.")
    belongs_to: Id | None = described(
        "Belongs to", help="The field that each value has exactly one value of, as a device has one seller."
    )
    fan_out: FanOut | None = described("Fan-out", help="How values spread over the owners.")
    unique_within: Id | None = described(
        "Unique within", help="A value names something only together with this field, as a line number within an order."
    )
    personal: bool | None = described("Personal data", guess=False)
