"""Edits of the design document, as the fixes make them."""

from collections.abc import Sequence
from typing import Any

from designer.spec import Element, Model

Edit = Any


def change(element: Element, name: str, value: Any) -> Edit:
    """One field of an element set to another value."""
    return None


def insert(parent: str, list_: str, element: Model, *, before: str | None) -> Edit:
    """An element put into a list of another, before one of its siblings or at the end."""
    return None


def move(at: str, *, before: str | None, followed_by: str | None) -> Edit:
    """An element moved within its list; `followed_by` is what it stands before now."""
    return None


def all_of(edits: Sequence[Edit], label: str) -> Edit:
    """All or nothing; one edit stands for itself."""
    return None
