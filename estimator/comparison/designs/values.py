"""Values of a design in words, old and new: readable, and never the same words for two different values."""

import json
from typing import Any

from designer.document import Element, Model, Spec, write_mode
from designer.document.access import Read, Write
from designer.document.activity import Activity
from designer.document.design import Ignore
from designer.document.dump import to_plain_data
from designer.document.engines import description_of
from designer.document.family import Column, Family, Intersection, MaxAge, MaxVersions, Never, Union
from designer.document.field import Field, Range
from designer.document.guesses import guess
from designer.document.instance import Cluster, FixedNodes
from designer.document.key import AnySegment
from designer.document.keytext import render_key
from designer.document.references import POINTERS
from designer.document.table import KnownSize, RowKind, Table
from designer.document.texts import N_, Text
from designer.wording import (
    MODES,
    describe_read,
    describe_value,
    element_label,
    field_title,
    gc_sentence,
    key_of,
    key_text,
    known_size_text,
    shorten,
)

LONGEST = 120
"""Texts are cut to so many characters."""
SAID_WHOLLY = (Range, FixedNodes, MaxVersions, MaxAge, Never, Union, Intersection)
"""Parts whose words hold every figure of them."""
SHOWN = 8
"""So many parts of a list are named."""


def value_words(spec: Spec, at: str, name: str, *, plainly: bool = False) -> Text:
    """Return the words for a field's value, set or assumed; if `plainly`, every figure of a part by title."""
    owner: Any = spec.by_id[at] if at else spec
    *through, last = name.split(".")
    for step in through:
        owner = getattr(owner, step)
    value = getattr(owner, last)
    unit = field_title(spec, at, name)[1]
    if value is None or value in ((), ""):
        assumed = guess(spec, owner, last)
        if value is None and assumed.value is not None:
            return Text(N_("not specified (assumed: {value})"), {"value": _words(spec, assumed.value, unit)})
        return Text(N_("not set"))
    if (type(owner), last) in POINTERS or (last == "at" and isinstance(owner, Ignore)):
        return _names(spec, value)
    if isinstance(value, str) and not _is_choice(type(owner), last):
        return Text("{text}", {"text": shorten(value, LONGEST)})  # a column that is called `s` holds no seconds
    return _words(spec, value, unit, plainly=plainly)


def _is_choice(part: type[Model], name: str) -> bool:
    """Return whether a text field has one of a few values, which have words."""
    return "Literal" in str(part.model_fields[name].annotation)


def _names(spec: Spec, value: Any) -> Text:
    ids = value if isinstance(value, tuple) else (value,)
    return _join_texts([shorten(element_label(spec, id_), LONGEST) for id_ in ids])


def _words(spec: Spec, value: Any, unit: str, *, plainly: bool = False) -> Text:
    if isinstance(value, tuple):
        return _join_texts([_words(spec, entry, unit, plainly=plainly) for entry in value])
    if isinstance(value, Model):
        return _part(spec, value, plainly=plainly)
    if isinstance(value, str):
        description = describe_value(value)
        return Text("{text}", {"text": shorten(value, LONGEST)}) if description.message == "{text}" else description
    return (
        with_exact_value(value, describe_value(value, unit))
        if plainly and _is_rounded(value)
        else describe_value(value, unit)
    )


def with_exact_value(value: Any, text: Text) -> Text:
    """Return the words, with the exact value if they round it."""
    exact = shorten(json.dumps(value, ensure_ascii=False), LONGEST)
    if isinstance(value, int | float):
        exact = f"{value:,}" if isinstance(value, int) else f"{value:,.15g}"
    return Text(N_("{value} (exactly {exact})"), {"value": text, "exact": exact})


def _is_rounded(value: Any) -> bool:
    """Return whether a whole number is written in millions with fewer digits than it has."""
    whole = isinstance(value, int | float) and value == round(value)
    digits = len(str(round(value))) if whole else 0
    return digits > 6 and value % 10 ** (3 * ((digits - 1) // 3) - 2) != 0


def _part(spec: Spec, part: Model, *, plainly: bool) -> Text:
    description = describe_value(part)
    if isinstance(part, SAID_WHOLLY) or (description.message != N_("as specified") and not plainly):
        return description
    texts = []
    for name, raw in to_plain_data(part).items():
        info = type(part).model_fields[name]
        if name == "kind" or (type(part), name) in POINTERS:
            if name != "kind":
                texts.append(_names(spec, getattr(part, name)))
            else:
                texts.append(description if description.message != N_("as specified") else _words(spec, raw, ""))
            continue
        value = getattr(part, name)
        unit = info.json_schema_extra.get("unit", "") if isinstance(info.json_schema_extra, dict) else ""
        params = {"title": Text(info.title or name), "value": _words(spec, value, str(unit)) if raw != "" else ""}
        texts.append(Text(N_("{title}: {value}"), params))
    return _join_texts(texts, maximum=24)


def _join_texts(parts: list[Any], maximum: int = SHOWN) -> Text:
    if len(parts) == 1:
        return parts[0] if isinstance(parts[0], Text) else Text("{text}", {"text": parts[0]})
    return Text("{parts}", {"parts": (*parts[:maximum], *("…",) * (len(parts) > maximum))})


def excerpts_where_different(before: str, after: str) -> tuple[str, str]:
    """Two long texts, each from a little before where they begin to differ."""
    first, other = (" ".join(text.split()) for text in (before, after))
    same = next((n for n, (a, b) in enumerate(zip(first, other, strict=False)) if a != b), min(len(first), len(other)))
    start = max(0, first.rfind(" ", 0, max(0, same - 20)) + 1)
    return tuple(shorten(("…" if start else "") + text[start:], LONGEST) for text in (first, other))  # type: ignore[return-value]


def summary(spec: Spec, element: Element) -> Text:
    """Return an element as one line (key, rate, collection rule); empty where its name is enough."""
    match element:
        case Table():
            return _join_texts([key_of(spec, kind) for kind in element.row_kinds]) if element.row_kinds else Text("")
        case RowKind():
            return Text("{key}", {"key": key_of(spec, element)})
        case Family():
            return gc_sentence(element.gc) if description_of(spec).has_families else Text("")
        case Column() if element.qualifier_from:
            return Text("{key}", {"key": key_text(spec, element.qualifier_from)})
        case Field() if element.kind:
            return describe_value(element.kind)
        case Activity() if element.rate_per_second is not None:
            return describe_value(element.rate_per_second, "events per second")
        case Cluster():
            return Text("{region}", {"region": element.region})
        case Read():
            return _join_texts(list(describe_read(spec, element)))
        case KnownSize() if element.size is not None:
            return known_size_text(spec, element)
        case Write():
            return Text(MODES[write_mode(spec, element)])
        case Ignore():
            return Text("{reason}", {"reason": shorten(element.reason, LONGEST)})
    if isinstance(element, AnySegment):
        return Text("{key}", {"key": render_key(spec, (element,))})  # type: ignore[arg-type]
    return Text("")
