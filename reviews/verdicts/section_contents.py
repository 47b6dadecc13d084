"""Everything that is set in one section of a design, element by element: what a verdict on it is about, in words.

The figures that a page computes show what comes of a design; these are what somebody approves.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from designer.document import Element, Model, Spec
from designer.document.dump import to_plain_data
from designer.document.instance import Instance
from designer.document.table import RowKind, Table
from designer.wording import element_locations, field_title
from designer.wording.formatting import Text
from estimator.comparison.designs.values import value_words

from .sections import KEYS_OF_TABLES, LOAD_OF_TABLES, OF_KINDS, OF_LOAD, PRICES, Section, section_of

UNSAID = frozenset({"id", "format", "kind", "description"})
OF_DESIGN: Mapping[str, Section] = {"engine": "keys", "horizon_months": "workload", "start": "workload"}


@dataclass(frozen=True)
class Setting:
    """One value that is set."""

    at: str
    name: str
    place: tuple[str, ...]
    """Names down to the element; empty for the design and its instance."""
    title: str
    """A message."""
    value: Text


def settings(spec: Spec, section: Section) -> tuple[Setting, ...]:
    """Return the set values of a section, in document order.

    Assumed values are not included, nor are names that are displayed next to the section's values.
    """
    return tuple(_settings(spec, section))


def _settings(spec: Spec, section: Section) -> Iterator[Setting]:
    where = element_locations(spec)
    for name, belongs in OF_DESIGN.items():
        if belongs == section and name in to_plain_data(spec):
            yield _setting(spec, "", name, ())
    for name in _set_fields(spec.instance):
        if _instance_section(name) == section:
            yield _setting(spec, "", f"instance.{name}", ())
    for element in spec.elements():
        for name in _set_fields(element):
            if _section(spec, element, name) == section:
                yield _setting(spec, element.id, name, where.get(element.id, ()))


def _setting(spec: Spec, at: str, name: str, place: tuple[str, ...]) -> Setting:
    return Setting(at, name, place, field_title(spec, at, name)[0], value_words(spec, at, name, plainly=True))


def _set_fields(part: Model) -> Iterator[str]:
    """Names of the fields of a part that are set, but for those that hold elements."""
    for name in to_plain_data(part):
        value = getattr(part, name)
        within = isinstance(value, tuple) and value and isinstance(value[0], Element)
        if not within and not isinstance(value, Instance) and (name not in UNSAID or _is_informative(part, name)):
            yield name


def _is_informative(part: Model, name: str) -> bool:
    """Return whether an element's `kind` is a choice, and not a marker of its type."""
    return name == "kind" and type(part).__name__ in ("Field", "Family", "Backup")


def section_of_field(spec: Spec, at: str, name: str) -> Section:
    """Return the section of one field of an element.

    It may also be a field of the design itself or, as `instance.…`, of its instance.
    """
    if not at:
        return OF_DESIGN.get(name) or _instance_section(name.removeprefix("instance."))
    element = spec.by_id.get(at)
    return _section(spec, element, name) if isinstance(element, Element) and name else section_of(spec, at)


def _instance_section(name: str) -> Section:
    return "cost" if name in PRICES else "instance"


def _section(spec: Spec, element: Element, name: str) -> Section:
    """Return the section of one field; the fields of tables and row kinds are in several sections."""
    if isinstance(element, Table):
        return "keys" if name in KEYS_OF_TABLES else "workload" if name in LOAD_OF_TABLES else "families"
    if isinstance(element, RowKind):
        return "keys" if name in OF_KINDS else "workload" if name in OF_LOAD else "families"
    if type(element).__name__ == "Ignore":
        return section_of(spec, getattr(element, "at", ""))
    return section_of(spec, element.id)


__all__ = ["Setting", "section_of_field", "settings"]
