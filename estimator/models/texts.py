"""Texts in rows: a message and its parameters, said in each reader's language."""

from typing import Any

from designer.spec.texts import Text


def stored(text: Text) -> dict[str, Any]:
    """A text as JSON; parameters that are no plain values become words."""
    return {"message": text.message, "params": {name: _param(held) for name, held in text.params.items()}}


def _param(held: Any) -> Any:
    if isinstance(held, Text):
        return stored(held)
    return held if isinstance(held, str | int | float | None) else str(held)


def read(data: dict[str, Any] | None) -> Text | None:
    """A stored text."""
    if data is None:
        return None
    params = {
        name: read(held) if isinstance(held, dict) and "message" in held else held
        for name, held in data["params"].items()
    }
    return Text(data["message"], params)
