"""A field: a thing that keys, qualifiers and values are made from."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field as _Field

from .base import WHOLE, Count, Days, Flag, Flaw, Id, Long, Model, Number, Rate, SharedPart, optional_field
from .known_shares import flaws_of_shares
from .popularity import Popularity, Uniform, Weights, Zipf
from .texts import N_, build_text

NOTHING = "-"
"""In place of an owner: the values belong to nothing, and none is assumed."""

FieldKind = Literal["string", "integer", "timestamp", "uuid", "domain", "bytes", "boolean", "float"]


class Item(Model):
    """One value of an enumeration and its weight."""

    value: str = _Field(title="Value")
    weight: Rate = _Field(default=1.0, title="Weight")


class Enumeration(Model):
    """Exactly these values; their weights are the field's popularity unless that is set."""

    kind: Literal["enumeration"] = "enumeration"
    items: tuple[Item, ...] = _Field(min_length=1, title="Values")

    def flaws(self) -> Iterator[Flaw]:
        counts = Counter(item.value for item in self.items)
        for value in (value for value, times in counts.items() if times > 1):
            yield Flaw(("items",), build_text(N_('the value "{value}" is listed more than once'), value=value))
        if not any(item.weight for item in self.items):
            yield Flaw(("items",), build_text(N_("all weights are 0, so no value can be selected")))


class Pattern(Model):
    """A text with a counter, as in `user{n:06}`: value number i is the text with `start + i` in its place.

    Exactly one counter, `{n}` (no padding) or `{n:0W}` (zero-padded to W digits). A domain's pattern counts too:
    `app{n}.example.com`.
    """

    kind: Literal["pattern"] = "pattern"
    text: str = _Field(title="Text with a counter", max_length=1_000)
    start: Annotated[int, _Field(ge=0, le=10**18), WHOLE] = _Field(default=0, title="First number")

    def flaws(self) -> Iterator[Flaw]:
        counters = len(COUNTER.findall(self.text))
        # Any other brace is a counter that was meant and mistyped, such as {m} or {n:6}.
        if counters != 1 or set("{}") & set(COUNTER.sub("", self.text)):
            message = N_('"{text}" needs exactly one counter, {{n}} or zero-padded {{n:06}}, and no other braces')
            yield Flaw(("text",), build_text(message, text=self.text))

    def split(self) -> tuple[str, int, str]:
        """Return the text before the counter, the number of padded digits (0 for none) and the text after it."""
        match = COUNTER.search(self.text)
        assert match is not None
        return self.text[: match.start()], int(match[1] or 0), self.text[match.end() :]

    @property
    def has_only_digits(self) -> bool:
        """True if every value can be read as a number."""
        before, _, after = self.split()
        return re.fullmatch(r"[0-9]*", before + after) is not None


COUNTER = re.compile(r"\{n(?::0([1-9]\d?))?\}")


class Random(Model):
    """Random text: a length between `min` and `max` (typical = mean), characters from `alphabet`.

    `alphabet` is a list of characters, with ranges: `a-z0-9`. For kind bytes it is ignored.
    """

    kind: Literal["random"] = "random"
    min: Annotated[int, _Field(ge=0, le=65_536), WHOLE] = _Field(title="Minimum length")
    typical: Annotated[Number, _Field(ge=0)] | None = _Field(default=None, title="Typical length")
    max: Annotated[int, _Field(ge=0, le=65_536), WHOLE] = _Field(title="Maximum length")
    alphabet: str = _Field(title="Characters", default="a-z0-9", max_length=1_000)

    def flaws(self) -> Iterator[Flaw]:
        if self.min > self.max:
            yield Flaw(
                ("min",), build_text(N_("{min} is greater than max, which is {max}"), min=self.min, max=self.max)
            )
        elif self.typical is not None and not self.min <= self.typical <= self.max:
            message = N_("{typical} is not between min ({min}) and max ({max})")
            yield Flaw(("typical",), build_text(message, typical=self.typical, min=self.min, max=self.max))
        for first, last in (match.group(1, 2) for match in SPAN.finditer(self.alphabet) if match[1] > match[2]):
            message = N_('"{first}-{last}" is in reverse order; did you mean "{last}-{first}"?')
            yield Flaw(("alphabet",), build_text(message, first=first, last=last))
        if not self.alphabet:
            yield Flaw(("alphabet",), build_text(N_("contains no characters")))

    @property
    def letters(self) -> str:
        """The characters of the alphabet, each once, in the order in which they are written."""
        return alphabet(self.alphabet)

    @property
    def has_only_digits(self) -> bool:
        """True if every value can be read as a number."""
        return all(ord("0") <= span.start and span.stop <= ord("9") + 1 for span in _spans(self.alphabet))


SPAN = re.compile(r"(.)-(.)", re.DOTALL)
_SPANS = re.compile(r"(.)-(.)|(.)", re.DOTALL)
SURROGATES = range(0xD800, 0xE000)
"""Halves of characters, which no text can hold."""


def _spans(text: str) -> Iterator[range]:
    """Yield the code point ranges of text such as `a-z0-9` in the written order; they may overlap."""
    for match in _SPANS.finditer(text):
        first, last = ord(match[1] or match[3]), ord(match[2] or match[3])
        yield from _uncovered_parts(range(first, last + 1), [SURROGATES])


def _uncovered_parts(span: range, covered: list[range]) -> list[range]:
    """Return the parts of a span that none of the other spans contains."""
    rest = [span]
    for other in covered:
        halves = ((range(r.start, min(r.stop, other.start)), range(max(r.start, other.stop), r.stop)) for r in rest)
        rest = [half for pair in halves for half in pair if half]
    return rest


@lru_cache(maxsize=256)
def alphabet(text: str) -> str:
    """Return the characters of text such as `a-z0-9`, each once, in order of first appearance."""
    characters, ranges = dict[str, None](), list[range]()
    for span in _spans(text):
        if len(span) == 1:
            characters[chr(span.start)] = None
        else:
            characters |= dict.fromkeys(chr(code) for part in _uncovered_parts(span, ranges) for code in part)
            ranges.append(span)
    return "".join(characters)


@lru_cache(maxsize=256)
def alphabet_size(text: str) -> int:
    """Return the number of characters of `alphabet`, without building them."""
    total = end = 0
    for span in sorted(_spans(text), key=lambda span: span.start):
        total += len(range(max(span.start, end), span.stop))
        end = max(end, span.stop)
    return total


class Range(Model):
    """Integers from `min` to `max`, both included; negative ones allowed.

    Of fewer distinct values, those in use are the first: `min`, `min` + 1 and so on. Numbers that lie anywhere
    are random text of digits.
    """

    kind: Literal["range"] = "range"
    min: Long = _Field(title="Smallest")
    max: Long = _Field(title="Largest")

    def flaws(self) -> Iterator[Flaw]:
        if self.min > self.max:
            yield Flaw(
                ("min",), build_text(N_("{min} is greater than max, which is {max}"), min=self.min, max=self.max)
            )


Values = Annotated[Enumeration | Pattern | Random | Range, _Field(discriminator="kind")]


class FanOut(Model):
    """Number of values for each value of the owner: even, skewed over owners, or proportional to weights.

    Weights are for the owner's first values, as in a popularity (for example, one tenant has 40 % of the
    users).
    """

    law: Annotated[Uniform | Zipf | Weights, _Field(discriminator="kind")] = _Field(
        default=Uniform(), title="Distribution"
    )


class Field(SharedPart, defer_build=False):
    """A field. While only a name is given, everything else is guessed from it."""

    name: str = _Field(default="", title="Name")
    kind: FieldKind | None = optional_field("Kind", help="Type of the values.")
    values: Values | None = optional_field("Values", help="Form of the values: listed, counted, random, or a range.")
    distinct: Count | None = optional_field("Distinct values", unit="values", help="Values in use on the start date.")
    growth_per_day: Rate | None = optional_field(
        "New values per day",
        unit="values per day",
        help="Default: one per event if new rows use this field as their id.",
    )
    lifetime_days: Days | None = optional_field(
        "Lifetime of a value", unit="days", help="Time for which a value stays in use; default: unlimited."
    )
    assigned: Literal["sequential", "arbitrary"] | None = optional_field(
        "Order of assignment", help="In sequence: each new value is larger than all earlier values."
    )
    popularity: Popularity | None = optional_field(
        "Access distribution", help="Distribution of the traffic over the values in use."
    )
    busiest_share: Annotated[Number, _Field(gt=0, le=1)] | None = optional_field(
        "Share of the busiest value",
        unit="share",
        help="Known share of the traffic on the start date. An access distribution that is not set is fitted to it.",
    )
    belongs_to: Id | None = optional_field(
        "Belongs to",
        help="Each value belongs to exactly one value of this field, such as a device to a seller.",
    )
    fan_out: FanOut | None = optional_field("Fan-out", help="Distribution of the values over the owners.")
    unique_within: Id | None = optional_field(
        "Unique within",
        help="The values are unique only within a value of this field, such as line numbers within an order.",
    )
    personal: Flag | None = optional_field("Personal data", guess=False, why=N_("not specified as personal data"))

    def flaws(self) -> Iterator[Flaw]:
        most = self.capacity
        if self.distinct is not None and most is not None and self.distinct > most:
            message = N_("{distinct} distinct values exceed the {most} possible values")
            yield Flaw(("distinct",), build_text(message, distinct=self.distinct, most=most))
        for flaw in flaws_of_shares(self.popularity, self.stated_values):
            yield Flaw(("popularity", *flaw.at), flaw.text)
        if self.kind in ("integer", "float") and isinstance(self.values, Enumeration):
            number = int if self.kind == "integer" else float
            for place, item in enumerate(self.values.items):
                if not _is_text_of(number, item.value):
                    message = N_("{value!r} is not a number, but the kind {kind} requires one")
                    at = ("values", "items", place, "value")
                    yield Flaw(at, build_text(message, value=item.value, kind=self.kind))
        if self.kind == "integer" and isinstance(self.values, Pattern | Random) and not self.values.has_only_digits:
            name = "text" if isinstance(self.values, Pattern) else "alphabet"
            yield Flaw(("values", name), build_text(N_("the field's kind is integer: only digits are allowed here")))

    @property
    def has_known_skew(self) -> bool:
        """True if the access distribution is set, or the share of the busiest value, to which it is fitted."""
        return self.popularity is not None or self.busiest_share is not None

    @property
    def stated_values(self) -> int | None:
        """Number of values at the start, as somebody has said it, or as many as there can be; None: it is guessed."""
        return self.distinct or (None if isinstance(self.values, Random) else self.capacity)

    @property
    def capacity(self) -> int | None:
        """Number of different values of the field, as far as its kind and values are set.

        None means that there is no relevant limit.
        """
        match self.values:
            case Enumeration(items=items):
                return len(items)
            case Range(min=least, max=most):
                return most - least + 1
            case Random(min=shortest, max=longest) as random:
                # Counted and not built: an alphabet can name all of Unicode.
                letters = 256 if self.kind == "bytes" else alphabet_size(random.alphabet)
                if letters == 1:
                    return longest - shortest + 1
                # Beyond 64 characters no design runs out of values, and the exact number would have thousands of
                # digits.
                return _sum_of_powers(letters, shortest, longest) if letters and longest <= 64 else None
        # Only a stated kind: a document must not become invalid because of a guess.
        return 2 if self.kind == "boolean" else None


def _sum_of_powers(base: int, first: int, last: int) -> int:
    """base^first + … + base^last, for a base above 1."""
    return int((base ** (last + 1) - base**first) // (base - 1))


def _is_text_of(number: type[int] | type[float], text: str) -> bool:
    try:
        return math.isfinite(number(text))
    except ValueError:
        return False
