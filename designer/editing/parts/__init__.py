"""Parts of the document that have an editor of their own: what its buttons do and how its inputs are read.

A part is told by one of the classes that it can be; the others are shown field by field. Knows no Django.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from designer.document.activity import Week
from designer.document.base import Model
from designer.document.family import MaxAge
from designer.document.instance import PriceOverride

from . import gc, prices, profile

Inputs = Mapping[str, Sequence[str]]

_EDITORS: Mapping[type[Model], str] = {MaxAge: "gc", PriceOverride: "prices", Week: "profile"}

_SETTLED: Mapping[str, Callable[[Any, Any, Inputs], Any]] = {
    "gc": gc.read_value,
    "prices": prices.read_value,
    "profile": profile.read_value,
}
"""What was meant, from what the inputs say as they stand, what was there before, and all inputs."""

STEADY = frozenset({"prices", "profile"})
"""Editors whose inputs stay where they are: what else changes there is brought in parts."""

_ASKED: Mapping[str, Callable[[Any, str], Any]] = {"rule": gc.apply_action, "shape": profile.apply_action}


def editor_of(models: Collection[type[Model]]) -> str:
    """Return the name of the editor for a part of one of these classes, or "" if it has no special one."""
    return next((name for model, name in _EDITORS.items() if model in models), "")


def read_value(editor: str, value: Any, previous: Any, inputs: Inputs) -> Any:
    """Return the value of the inputs of a part's editor."""
    meant = _SETTLED.get(editor)
    return meant(value, previous, inputs) if meant else value


def apply_action(value: Any, action: str) -> Any:
    """Return the value after a button's action; `action` begins with the name of its editor."""
    word, _, rest = action.partition(" ")
    return _ASKED[word](value, rest) if word in _ASKED else value


def is_editor_action(action: str) -> bool:
    """Return whether the action belongs to a button of a special editor."""
    return action.partition(" ")[0] in _ASKED
