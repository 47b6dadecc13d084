"""Edits of the design document, as the fixes make them from its parts."""

from collections.abc import Sequence
from typing import Any

from designer.document import Element
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Edit, Insert, Set

__all__ = ["Edit", "all_of", "change", "insert"]


def change(element: Element, name: str, value: Any) -> Set:
    """One field of an element set to another value."""
    return Set(at=element.id, name=name, value=to_plain_data(value), was=to_plain_data(getattr(element, name)))


def insert(parent: Element, name: str, element: Element, *, before: str | None) -> Insert:
    """Build an insertion of an element into a list of another, before a sibling or at the end."""
    return Insert(parent=parent.id, list=name, element=to_plain_data(element), before=before)


def all_of(edits: Sequence[Edit]) -> Edit:
    """All or nothing; one edit stands for itself."""
    return edits[0] if len(edits) == 1 else Batch(edits=tuple(edits))
