"""Values that a design does not specify, as pages, reports and the API show them."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from designer.document import Element, Spec
from designer.document.assumptions import assumptions
from designer.document.base import walk
from designer.document.dump import to_plain_data
from designer.document.key import FieldSegment
from designer.document.table import Table
from designer.document.texts import Text
from designer.editing import forms
from designer.wording import describe_value, element_label, element_locations, field_title
from designer.wording.formatting import english


@dataclass(frozen=True)
class AssumedValue:
    """One assumption as a page shows it."""

    at: str
    """The element that it is on; empty for the design and its instance."""
    name: str
    place: tuple[str, ...]
    title: str
    unit: str
    value: Any
    why: str | Text

    @property
    def editor_target(self) -> str:
        """Element to open in the editor to correct the value; the instance has a separate page."""
        return forms.INSTANCE if not self.at and self.name.startswith("instance.") else self.at


def assumed_values(spec: Spec) -> tuple[AssumedValue, ...]:
    """Return the assumed values of a design, in document order."""
    rows, at = [], element_locations(spec)
    for assumption in assumptions(spec):
        title, unit = field_title(spec, assumption.at, assumption.name)
        value = element_label(spec, assumption.value) if assumption.name == "belongs_to" else assumption.value
        place = at.get(assumption.at, ())
        rows.append(AssumedValue(assumption.at, assumption.name, place, title, unit, value, assumption.why))
    return tuple(rows)


def is_about_money(name: str) -> bool:
    """Return whether an assumption is about prices or a commitment."""
    return name.startswith(("instance.price", "instance.commitment"))


def assumed_beside_log(spec: Spec, tables: Collection[str]) -> tuple[AssumedValue, ...]:
    """Return the assumed values of these tables, their fields and activities, and the instance."""
    ids = {"", *(id_ for table in spec.tables if table.id in tables for id_ in _ids_of_table(table))}
    return tuple(assumed_value for assumed_value in assumed_values(spec) if assumed_value.at in ids)


def _ids_of_table(table: Table) -> Iterator[str]:
    yield from (element.id for element in walk(table) if isinstance(element, Element))
    for kind in table.row_kinds:
        yield from (segment.field for segment in kind.key if isinstance(segment, FieldSegment))
        yield from (write.activity for write in kind.writes if write.activity)


def assumed_lines(values: Collection[AssumedValue]) -> Iterator[str]:
    """Yield a line for each element with what is assumed of it, in English."""
    for place, group in groupby(values, lambda value: value.place):
        text = "; ".join(f"{english(value.title, {})}: {_value_text(value)}" for value in group)
        yield f"  {' › '.join(place) or 'the design'}: {text}"


def _value_text(value: AssumedValue) -> str:
    text = describe_value(value.value, value.unit)
    return english(text.message, text.params)


def assumed_data(values: Collection[AssumedValue], *, translate: Callable[[str | Text], str]) -> list[dict[str, Any]]:
    """Return assumed values as plain data, their reasons by `translate`."""
    return [
        {"at": value.at, "field": value.name, "value": to_plain_data(value.value), "why": translate(value.why)}
        for value in values
    ]
