"""Lines of the compact form as regular expressions, for its JSON Schema: names, units and choices, as deep as these go.

What stands in parentheses is looked at once; deeper only its balance is. What a name refers to, only reading knows.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Literal, get_args, get_origin

from ..activity import Activity
from ..base import Model, slots, tag
from ..design import Spec
from ..family import Value
from ..schema import schema as document_schema
from .forms import (
    ALONE,
    BLOCKS,
    TYPE_NAMES,
    choices_of,
    first_fields,
    full_names,
    is_list,
    scalar_kind,
    short_name,
    takes_items,
)
from .quantities import unit_of, unit_pattern

_QUOTED = r""""(?:[^"\\]|\\.)*"|'[^']*'"""
_SIGN = r"""[^\s,()\[\]="'&{}<>|*?!@#$^~\\]"""
_WORD = rf"""{_SIGN}(?:[^,()\[\]="&{{}}<>|*?!@#$^~\\\n]*{_SIGN})?"""
_SPACE = r"\s*"


def _nest(depth: int) -> str:
    """Return the pattern of what stands in parentheses or brackets, so deep; which closes which, only reading knows."""
    more = f"|{_nest(depth - 1)}" if depth else ""
    return rf"""[(\[](?:[^()\[\]"]|{_QUOTED}{more})*[)\]]"""


ANY = rf"(?:{_QUOTED}|(?:{_WORD})?{_SPACE}{_nest(3)}|{_WORD})"
"""Any value: a word, a text in quotes, a list, or a kind with what stands in its parentheses."""
TEXT = rf"(?:{_QUOTED}|{_WORD})"
"""A word or a text in quotes."""
NULL = "null"


@cache
def quantity(model: type[Model], name: str) -> str:
    """Return the pattern of a number with its unit, in every way that people write it."""
    alone = rf"{_NUMBER}(?:\.0+)?(?:[eE]\+?[0-9]+)?" if is_whole(model, name) else _FRACTION
    return rf"{_bound(model, name)}(?:{alone}|{_FRACTION} *(?:{unit_pattern(unit_of(name))}))"


def _bound(model: type[Model], name: str) -> str:
    """Return what keeps out numbers below zero, or zero itself, where a field has none."""
    schema = properties_of(model)[name]
    if schema.get("exclusiveMinimum", -1) >= 0 or schema.get("minimum", -1) > 0:
        # A schema's pattern cannot compare numbers: a lookahead keeps out the sign, and every way to write zero.
        return r"(?!-|\+?0+(?:\.0+)?(?:[^0-9.]|$))"
    return "(?!-)" if schema.get("minimum", -1) >= 0 else ""


@cache
def properties_of(model: type[Model]) -> dict[str, dict[str, Any]]:
    """Return the schemas of a part's fields in the document."""
    whole = _whole_schema()
    part = whole if model is Spec else whole["$defs"][model.__name__]
    properties: dict[str, dict[str, Any]] = part["properties"]
    return properties


@cache
def _whole_schema() -> dict[str, Any]:
    return document_schema()


_NUMBER = r"[+-]?[0-9]+"
_FRACTION = rf"{_NUMBER}(?:\.[0-9]+)?(?:[eE]{_NUMBER})?"


def is_whole(model: type[Model], name: str) -> bool:
    """Return whether a field takes whole numbers alone."""
    remaining, layers = [model.model_fields[name].annotation], set[object]()
    while remaining:
        layer = remaining.pop()
        layers.add(layer)
        remaining += [] if get_origin(layer) is Literal else get_args(layer)
    return int in layers and float not in layers


@lru_cache(maxsize=1024)
def value(model: type[Model], name: str, depth: int = 1) -> str:
    """Return the pattern of one value of a field in a line."""
    slot = slots(model).get(name)
    if slot is not None:
        return ANY if slot.many else part(slot.classes, depth=depth)
    if is_list(model, name):
        return ANY
    kind = scalar_kind(model, name)
    if kind == "number":
        return _either(quantity(model, name), NULL)
    if kind == "flag":
        return _either("true", "false", NULL)
    if kind == "date":
        return _either(DATE, NULL)
    if name == "id":
        return "[a-z0-9_-]{1,40}"
    words = choices_of(model, name)
    return _either(*map(re.escape, words), NULL) if words else TEXT


DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"


def _either(*patterns: str) -> str:
    return f"(?:{'|'.join(patterns)})"


def part(classes: Iterable[type[Model]], *, depth: int) -> str:
    """Return the pattern of a part: its kind with its values, or these alone."""
    patterns = []
    for model in classes:
        kind = tag(model)
        # Patterns grow with each level by a factor; deeper, editors would take too long.
        if model in BLOCKS or depth == 0:
            return ANY
        if model is Value:
            inside = arguments(model, depth=depth - 1)
            kinds = (*choices_of(Value, "kind"), *TYPE_NAMES)
            # JSON Schema has no flag for patterns without regard to case, while reading takes any.
            words = sorted({case for kind in kinds for case in (kind, kind.upper(), kind.title())})
            patterns += [rf"{_either(*words)}(?:{_SPACE}\({_SPACE}(?:{inside})?{_SPACE}\))?"]
        inside = arguments(model, depth=depth - 1)
        if kind is None:
            first = first_fields(model)[:1]
            patterns += [value(model, name, depth - 1) for name in first] + [rf"\({_SPACE}(?:{inside})?{_SPACE}\)"]
            continue
        if model in ALONE:
            patterns.append(quantity(model, ALONE[model]))
        patterns.append(rf"{re.escape(kind)}(?:{_SPACE}\({_SPACE}(?:{inside})?{_SPACE}\))?")
    return _either(*patterns, NULL)


@cache
def arguments(model: type[Model], *, depth: int = 1) -> str:
    """Return the pattern of the values of a part, named or not, with commas between."""
    names = [
        rf"{_either(*dict.fromkeys((short_name(model, name), name)))}{_SPACE}={_SPACE}{value(model, name, depth)}"
        for name in model.model_fields
    ]
    first = [value(model, full_names(model).get(name, name), depth) for name in first_fields(model)]
    if takes_items(model):
        slot = slots(model).get(first_fields(model)[0])
        first = [ANY if slot is None else part(slot.classes, depth=depth)]
    loose = first
    if model is Activity:
        loose += [r"(?:each|every)\b[^,=]*", rf"(?:each|every){_SPACE}{_nest(2)}"]
    bound = _either(TEXT, _nest(2))
    by = rf"by\s+{bound}(?:{_SPACE}&{_SPACE}{bound})*"
    has_binds = "binds" in model.model_fields
    argument = _either(*names, *([f"{_either(*loose)}(?:{_SPACE}{by})?", by] if has_binds else loose))
    return rf"{argument}(?:{_SPACE},{_SPACE}{argument})*(?:{_SPACE},)?"


@lru_cache(maxsize=64)
def line(classes: tuple[type[Model], ...]) -> str:
    """Return the pattern of a line that stands for a part of one of these classes."""
    if len(classes) == 1 and tag(classes[0]) is None and classes[0] is not Value:
        return rf"^{_SPACE}{arguments(classes[0])}{_SPACE}$"
    return rf"^{_SPACE}{part(classes, depth=2)}{_SPACE}$"
