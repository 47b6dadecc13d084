"""Texts as they are stored: a message and its parameters, to be said in the reader's language."""

from typing import Any

from designer.spec.texts import Text


def stored(text: Text) -> dict[str, Any]:
    """A text as plain data; parameters may be texts themselves."""
    return {"message": text.message, "params": {name: _param(held) for name, held in text.params.items()}}


def _param(held: Any) -> Any:
    if isinstance(held, Text):
        return stored(held)
    return held if isinstance(held, str | int | float | None) else str(held)


def text_of(data: dict[str, Any]) -> Text:
    """The text that was stored."""
    params = {
        name: text_of(held) if isinstance(held, dict) and "message" in held else held
        for name, held in data["params"].items()
    }
    return Text(data["message"], params)
