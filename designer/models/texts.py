"""Texts as they are stored: a message and its parameters, to be said in the reader's language."""

from typing import Any

from designer.document.texts import Text


def stored(text: Text) -> dict[str, Any]:
    """Return a text as plain data; its parameters may be texts themselves."""
    return {"message": text.message, "params": {name: _param(held) for name, held in text.params.items()}}


def _param(held: Any) -> Any:
    if isinstance(held, Text):
        return stored(held)
    if isinstance(held, tuple):
        return [_param(each) for each in held]
    return held if isinstance(held, str | int | float | None) else str(held)


def text_of(data: dict[str, Any]) -> Text:
    """Build the text from its stored data."""
    return Text(data["message"], {name: _held(held) for name, held in data["params"].items()})


def _held(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(_held(each) for each in data)
    return text_of(data) if isinstance(data, dict) and "message" in data else data
