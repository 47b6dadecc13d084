"""Texts as they are stored: a message and its parameters, to be said in the reader's language."""

from typing import Any

from designer.document.texts import Text


def to_data(text: Text) -> dict[str, Any]:
    """Return a text as plain data; its parameters may be texts themselves."""
    return {"message": text.message, "params": {name: _param_to_data(param) for name, param in text.params.items()}}


def _param_to_data(value: Any) -> Any:
    if isinstance(value, Text):
        return to_data(value)
    if isinstance(value, tuple):
        return [_param_to_data(inner) for inner in value]
    # JSON has no dates and decimals; as texts they are shown as they were, though in no reader's own form.
    return value if isinstance(value, str | int | float | None) else str(value)


def from_data(data: dict[str, Any]) -> Text:
    """Build the text from its stored data."""
    return Text(data["message"], {name: _param_from_data(param) for name, param in data["params"].items()})


def _param_from_data(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(_param_from_data(inner) for inner in data)
    return from_data(data) if isinstance(data, dict) and "message" in data else data
