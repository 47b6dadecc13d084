"""Texts for people: templates marked for translation. The web layer translates and formats; `str()` is the English."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


def N_(text: str) -> str:  # noqa: N802  (the name that message extractors look for)
    """The text itself, marked as a message."""
    return text


@dataclass(frozen=True)
class Message:
    """A template with its named parameters, which may be messages themselves."""

    template: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format_map(self.params)


def said(template: str, **params: Any) -> Message:
    """A message with its parameters."""
    return Message(template, params)
