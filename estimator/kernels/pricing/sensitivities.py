"""Sensitivity of the bill to uncertain inputs, for either engine."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any, TypeVar

from estimator.results import Sensitivity

SWINGS = {"rate": (0.5, 2.0), "size": (0.5, 2.0), "growth": (0.5, 2.0)}
"""How far a guessed input may be off: half to double. Compression and throughput have their own bands."""

TABLES_RANKED = 3
"""So many of the largest tables are ranked by themselves too."""

Asked = TypeVar("Asked")
Input = tuple[str, str, str, dict[str, Any], Asked, Asked]
"""An uncertain input: its name, the element it is of, its label with parameters, and what is asked for at its low and
at its high value."""


def ranked(inputs: Iterable[Input[Asked]], total: Callable[[Asked], Decimal | None]) -> tuple[Sensitivity, ...]:
    """Return inputs by their effect on a total, largest first; those without effect are left out."""
    found = []
    for name, at, label, params, low, high in inputs:
        least, most = sorted(total(each) or Decimal(0) for each in (low, high))
        if least != most:
            found.append(Sensitivity(name, at, label, params, least, most))
    return tuple(sorted(found, key=lambda one: one.low - one.high))
