"""Sensitivity of the bill to uncertain inputs, for either engine."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NamedTuple

from estimator.results import Sensitivity


class Input(NamedTuple):
    """An uncertain input with the last month's total at its low and at its high value."""

    name: str
    at: str
    """The element that it is of."""
    label: str
    params: dict[str, Any]
    low: Decimal | None
    high: Decimal | None


def rank_inputs(inputs: Iterable[Input]) -> tuple[Sensitivity, ...]:
    """Return inputs by their effect on the total, largest first; those without effect, or without a total, are out."""
    sensitivities = []
    for candidate in inputs:
        if candidate.low is None or candidate.high is None:
            continue
        least, most = sorted((candidate.low, candidate.high))
        if least != most:
            sensitivities.append(
                Sensitivity(candidate.name, candidate.at, candidate.label, candidate.params, least, most)
            )
    return tuple(sorted(sensitivities, key=lambda sensitivity: sensitivity.low - sensitivity.high))
