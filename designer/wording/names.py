"""Names and locations of a design's elements, and the titles of their fields."""

import re
from collections.abc import Mapping
from typing import Any

from designer.document import Element, Engine, Model, Spec
from designer.document.access import Read, Write
from designer.document.base import children
from designer.document.engines import DESCRIPTIONS
from designer.document.family import Column, Family
from designer.document.groups import title
from designer.document.instance import Cluster
from designer.document.key import (
    AnySegment,
    AutoIncrement,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    TimeSegment,
)
from designer.document.keytext import render_key
from designer.document.table import KnownSize, RowKind, Table
from designer.document.texts import N_, Text


def element_label(spec: Spec, id: str) -> str:  # noqa: A002
    """Return the text that names an element for people: its name, else what it consists of, else its id."""
    element = spec.by_id.get(id)
    if element is None:
        return id
    if isinstance(element, AnySegment):
        return segment_source(spec, element) or id
    if isinstance(element, Column) and not element.qualifier and element.qualifier_from and element.has_generated_id:
        return render_key(spec, element.qualifier_from)
    if isinstance(element, Write) and not element.name and element.activity and element.has_generated_id:
        return element_label(spec, element.activity)
    if isinstance(element, RowKind) and not element.name and element.has_generated_id:
        return next(table.label for table in spec.tables if element in table.row_kinds)
    return element.label


def speaking_label(spec: Spec, label: object) -> object:
    """Return a name for people in place of an id that means nothing to them; other values as they are."""
    element = spec.by_id.get(label) if isinstance(label, str) else None
    if not isinstance(element, Element) or not element.has_generated_id:
        return label
    if not isinstance(element, Read):
        return element_label(spec, element.id)
    parts: list[str | Text] = [element_label(spec, bind.field) for bind in element.binds]
    parts += [Text(N_("time"))] if element.time is not None or element.exact_time else []
    return Text(N_("Read by {fields}"), {"fields": tuple(parts)}) if parts else Text(N_("Read of all rows"))


def known_size_text(spec: Spec, size: KnownSize) -> Text:
    """Return a known size in words."""
    if size.largest_row_mib is not None:
        return Text(N_("largest row {row_bytes}"), {"row_bytes": size.size})
    params = {"rows": size.prefix_rows or 0.0, "field": element_label(spec, size.prefix or "")}
    return Text(N_("{rows} rows below one {field}"), params)


def element_type(element: Element, engine: Engine = "bigtable") -> str:
    """Return the type of an element as a translatable word."""
    usual = N_("Segment") if isinstance(element, AnySegment) else ""
    if isinstance(element, Family | Cluster):
        return DESCRIPTIONS[engine].terms["family" if isinstance(element, Family) else "cluster"]
    return _WHAT.get(type(element).__name__, usual)


_WHAT: Mapping[str, str] = {
    "Field": N_("Field"), "Activity": N_("Activity"), "Table": N_("Table"), "RowKind": N_("Row kind"),
    "Column": N_("Column"), "Write": N_("Write"), "Read": N_("Read"),
    "Backup": N_("Backup"), "KnownSize": N_("Known size"),
    "AppProfile": N_("App profile"), "Ignore": N_("Accepted risk"),
}  # fmt: skip


def is_named(element: Element, name: str) -> bool:
    """Return whether a label has a meaning for people; a generated id has none."""
    return name != element.id or not element.has_generated_id


def segment_source(spec: Spec, segment: Any) -> str:
    """Return the source of a key segment: names of fields, or the literal's text."""
    match segment:
        case LiteralSegment():
            return segment.text
        case FieldSegment() | DerivedSegment():
            return element_label(spec, segment.field)
        case TimeSegment():
            return element_label(spec, segment.field) if segment.field else "time"
        case HashSegment(fields=()):
            return "time"
        case HashSegment() | SaltSegment():
            return ", ".join(element_label(spec, field) for field in segment.fields)
    return ""


def segment_label(spec: Spec, segment: AnySegment) -> str | Text:
    """Return the text that names a key segment in a sentence: `device`, `hash(device)`, `the random salt`."""
    match segment:
        case SaltSegment(fields=()):
            return Text(N_("the random salt"))
        case HashSegment(fields=()):
            return "hash(time)"
        case TimeSegment(hash=str()):
            usual = {"after": "", "hash": "md5", "hash_form": "hex", "hash_digits": 4}
            return render_key(spec, (segment.model_copy(update=usual),))[1:-1]
        case HashSegment() | SaltSegment():
            return f"{segment.kind}({segment_source(spec, segment)})"
        case AutoIncrement():
            return element_label(spec, segment.id)
        case TimeSegment(field=None):
            return Text(N_("time"))
        case LiteralSegment():
            return shorten(segment.text)
    return segment_source(spec, segment)


def shorten(text: str, max_length: int = 40) -> str:
    """Return the text, or its beginning with an ellipsis where it has more characters than messages quote."""
    return text if len(text) <= max_length else f"{text[: max_length - 1].rstrip()}…"


def element_locations(spec: Spec) -> Mapping[str, tuple[str, ...]]:
    """Return the names from the table (or other outermost element) down to each element, by its id.

    A table's only row kind is left out on the way to what is in it.
    """
    cached: Mapping[str, tuple[str, ...]] | None = spec.result_cache.get("places")
    if cached is not None:
        return cached
    locations: dict[str, tuple[str, ...]] = {}

    def below(part: Model, trail: tuple[str, ...]) -> None:
        for _, _, child in children(part):
            if not isinstance(child, Element):
                below(child, trail)
                continue
            locations[child.id] = (*trail, element_label(spec, child.id))
            alone = isinstance(child, RowKind) and isinstance(part, Table) and len(part.row_kinds) == 1
            below(child, trail if alone else locations[child.id])

    below(spec, ())
    spec.result_cache["places"] = locations
    return locations


def field_title(spec: Spec, at: str, name: str) -> tuple[str, str]:
    """Title (a message) and unit of the field `name` on the element `at`, or on a part inside it."""
    holder: Any = spec.by_id[at] if at else spec
    *through, name = re.findall(r"[^.\[\]]+", name)
    for step in through:
        holder = holder[int(step)] if step.isdigit() else getattr(holder, step)
    info = type(holder).model_fields.get(name)
    if info is None:
        return name, ""
    extra = info.json_schema_extra
    return title(spec, type(holder), name), str(extra.get("unit", "")) if isinstance(extra, dict) else ""
