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
    found = []
    for one in inputs:
        if one.low is None or one.high is None:
            continue
        least, most = sorted((one.low, one.high))
        if least != most:
            found.append(Sensitivity(one.name, one.at, one.label, one.params, least, most))
    return tuple(sorted(found, key=lambda one: one.low - one.high))
