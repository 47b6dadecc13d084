"""Parts of the document that have an editor of their own: what its buttons do and how its inputs are read.

A part is told by one of the classes that it can be; the others are shown field by field. Knows no Django.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from designer.document.activity import Profile, Week
from designer.document.base import Model
from designer.document.family import Gc, MaxAge
from designer.document.instance import PriceOverride

from . import gc, profile

Inputs = Mapping[str, Sequence[str]]

_EDITORS: Mapping[type[Model], str] = {MaxAge: "gc", PriceOverride: "prices", Week: "profile"}


def _entered_prices_only(value: Sequence[dict[str, Any]], previous: Any, inputs: Inputs) -> list[dict[str, Any]]:
    """Return the prices that have an amount: each line of the bill has an input, and those left empty are no prices."""
    return [price for price in value if price.get("usd") is not None or price.get("amount") is not None]


_SETTLED: Mapping[str, Callable[[Any, Any, Inputs], Any]] = {
    "gc": gc.read_value,
    "prices": _entered_prices_only,
    "profile": profile.read_value,
}
"""What was meant, from what the inputs say as they stand, what was there before, and all inputs."""

STEADY = frozenset({"prices", "profile"})
"""Editors whose inputs stay where they are: what else changes there is brought in parts."""

_ASKED: Mapping[str, tuple[str, Callable[[Any, str], Any]]] = {
    "rule": ("gc", gc.apply_action),
    "shape": ("profile", profile.apply_action),
}

_PARTS: Mapping[str, TypeAdapter[Any]] = {
    "gc": TypeAdapter(Gc | None),
    "prices": TypeAdapter(Any),
    "profile": TypeAdapter(Profile | None),
}


def editor_of(models: Collection[type[Model]]) -> str:
    """Return the name of the editor for a part of one of these classes, or "" if it has no special one."""
    return next((name for model, name in _EDITORS.items() if model in models), "")


def read_value(editor: str, value: Any, previous: Any, inputs: Inputs) -> Any:
    """Return the value of the inputs of a part's editor; a previous value that is no such part is none."""
    meant = _SETTLED.get(editor)
    return meant(value, previous if _is_part(editor, previous) else None, inputs) if meant else value


def apply_action(value: Any, action: str) -> Any:
    """Return the value after a button's action; `action` begins with the name of its editor.

    A value that is no part of that editor stays as it is.
    """
    word, _, rest = action.partition(" ")
    editor, apply = _ASKED.get(word, ("", None))
    return apply(value, rest) if apply is not None and _is_part(editor, value) else value


def _is_part(editor: str, value: Any) -> bool:
    try:
        _PARTS[editor].validate_python(value)
    except ValidationError:
        return False
    return True


def is_editor_action(action: str) -> bool:
    """Return whether the action belongs to a button of a special editor."""
    return action.partition(" ")[0] in _ASKED
