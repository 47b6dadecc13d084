"""A rule's remark about a design."""

from dataclasses import dataclass
from typing import Any, Literal

from .unknown import Params

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """One rule's remark about one element, with its measured effect; `under` are consequences of the same cause."""

    rule: str
    severity: Severity
    at: str
    """Id of the element that it is about."""
    field: str
    """Name of that element's field, or empty."""
    message: str
    params: Params
    effect: float | None
    """One number that measures it (more is worse), for accepted risks to be compared with."""
    fix: Any | None
    """An edit, as data, that silences it; None where there is none or it is uncertain."""
    fix_safe: bool
    fix_label: str
    under: tuple["Finding", ...] = ()
    ignored: Any | None = None
    """The `Ignore` that accepts it."""

    def __str__(self) -> str:
        return self.message.format(**self.params)
