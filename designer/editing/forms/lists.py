"""Lists of elements that an element holds: they are added, removed and moved one by one."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document import Element, Model, Spec, groups
from designer.document.base import slots

from .controls import INSTANCE

MOST_SHOWN = 30
"""Elements of a list that are shown at first."""


@dataclass(frozen=True)
class ElementList:
    """A list of elements that an element holds: they are added, removed and moved one by one."""

    field: str
    title: str
    help: str
    elements: tuple[Element, ...]

    def visible_elements(self, whole: str = "") -> tuple[Element, ...]:
        """Return the elements that are shown: the first ones, or all if `whole` names this list."""
        return self.elements if self.field == whole else self.elements[:MOST_SHOWN]


def lists(spec: Spec, at: str) -> tuple[ElementList, ...]:
    """Return the lists of elements of one element."""
    if at == INSTANCE:
        return tuple(_lists(spec, spec.instance, "instance."))
    return tuple(_lists(spec, spec.by_id[at] if at else spec, ""))


def _lists(spec: Spec, owner: Model, prefix: str) -> Iterator[ElementList]:
    for field, slot in slots(type(owner)).items():
        info = type(owner).model_fields[field]
        if slot.many and slot.has_elements and groups.has_meaning(spec, owner, field):
            title = groups.title(spec, type(owner), field)
            yield ElementList(f"{prefix}{field}", title, info.description or "", getattr(owner, field))
