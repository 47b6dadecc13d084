"""Unknown parts of an estimate, and the reasons."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Params = Mapping[str, Any]


@dataclass(frozen=True)
class UnknownReason:
    """Reason why a part of the estimate is unknown: a message, its parameters and the element to look at."""

    message: str
    at: str = ""
    params: Params = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message.format(**self.params)


@dataclass(frozen=True)
class Refusal(UnknownReason):
    """Reason why the engine cannot serve a part: it asks for more than can exist. Nothing is missing."""


class NotComputableError(Exception):
    """A part of the estimate cannot be made while an input lacks. Nobody's error: something is still to be said."""

    def __init__(self, because: UnknownReason) -> None:
        super().__init__(str(because))
        self.because = because


class NoKeyError(NotComputableError):
    """Rows have no key that can be computed with: whoever compiled the keys knows why."""
