"""What elements of a design are called, where they stand, and the titles of their fields."""

import re
from collections.abc import Mapping
from typing import Any

from designer.document import Element, Engine, Model, Spec
from designer.document.base import children
from designer.document.engines import DESCRIPTIONS
from designer.document.family import Column
from designer.document.groups import title
from designer.document.key import (
    AnySegment,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    TimeSegment,
)
from designer.document.keytext import render_key
from designer.document.table import RowKind, Table
from designer.document.texts import N_


def name_of(spec: Spec, id: str) -> str:  # noqa: A002
    """What a person calls the element: its name, else what it shows, else its id."""
    element = spec.by_id.get(id)
    if element is None:
        return id
    shown = getattr(element, "name", "") or getattr(element, "qualifier", "") or getattr(element, "region", "")
    shown = (
        shown or getattr(element, "rule", "") or (shown_by(spec, element) if isinstance(element, AnySegment) else "")
    )
    if not shown and isinstance(element, Column) and element.qualifier_from and _MADE.fullmatch(id):
        return render_key(spec, element.qualifier_from)
    return shown or id


def what_is(element: Element, engine: Engine = "bigtable") -> str:
    """What kind of thing it is, in a word to be translated."""
    usual = N_("Segment") if isinstance(element, AnySegment) else ""
    return DESCRIPTIONS[engine].term(_WHAT.get(type(element).__name__, usual))


_WHAT: Mapping[str, str] = {
    "Field": N_("Field"), "Activity": N_("Activity"), "Table": N_("Table"), "RowKind": N_("Row kind"),
    "Family": N_("Column family"), "Column": N_("Column"), "Write": N_("Write"), "Read": N_("Read"),
    "Backup": N_("Backup"), "Cluster": N_("Cluster"), "AppProfile": N_("App profile"), "Ignore": N_("Accepted risk"),
}  # fmt: skip
_MADE = re.compile(r"[0-9a-f]{10}")


def is_named(element: Element, name: str) -> bool:
    """Whether what `name_of` says was given by a person: an id that was made says nothing."""
    return name != element.id or _MADE.fullmatch(name) is None


def shown_by(spec: Spec, segment: Any) -> str:
    """What a key segment is made from: names of fields, or the literal's text."""
    match segment:
        case LiteralSegment():
            return segment.text
        case FieldSegment() | DerivedSegment():
            return name_of(spec, segment.field)
        case TimeSegment():
            return name_of(spec, segment.field) if segment.field else "time"
        case HashSegment() | SaltSegment():
            return ", ".join(name_of(spec, field) for field in segment.fields)
    return ""


def places(spec: Spec) -> Mapping[str, tuple[str, ...]]:
    """Of each element the names from the table (or other outermost element) down to it.

    A table's only row kind is left out on the way to what is in it.
    """
    found: dict[str, tuple[str, ...]] = {}

    def below(part: Model, trail: tuple[str, ...]) -> None:
        for _, _, child in children(part):
            if not isinstance(child, Element):
                below(child, trail)
                continue
            found[child.id] = (*trail, name_of(spec, child.id))
            alone = isinstance(child, RowKind) and isinstance(part, Table) and len(part.row_kinds) == 1
            below(child, trail if alone else found[child.id])

    below(spec, ())
    return found


def described(spec: Spec, at: str, name: str) -> tuple[str, str]:
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
