"""Limits that growth exceeds first, with the room left below them, on either engine."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from estimator.results import Outlook


@dataclass(frozen=True)
class Break:
    """A limit and how many times as large the world may be before it breaks."""

    room: float
    message: str
    params: dict[str, Any]
    at: str


def first_broken(found: Iterable[Break], factor: float) -> Break | None:
    """Return the limit with the least room, if the factor exceeds it."""
    least = min(found, key=lambda b: b.room, default=None)
    return least if least is not None and least.room < factor else None


def outlook(
    name: Literal["traffic_x10", "entity_x10", "year_more"], total: Decimal | None, first: Break | None
) -> Outlook:
    """Return the outlook of a larger workload: the last month's total, and the first limit exceeded."""
    if first is None:
        return Outlook(name, total, None, {}, "")
    return Outlook(name, total, first.message, {**first.params, "room_factor": first.room}, first.at)
