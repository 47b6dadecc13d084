"""What breaks first in a bigger world: limits with the room that is left below them, of either engine."""

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
    """The limit with the least room, if the factor passes it."""
    least = min(found, key=lambda b: b.room, default=None)
    return least if least is not None and least.room < factor else None


def outlook(
    name: Literal["traffic_x10", "entity_x10", "year_more"], total: Decimal | None, first: Break | None
) -> Outlook:
    """The last month's total in that world, and what breaks first."""
    if first is None:
        return Outlook(name, total, None, {}, "")
    return Outlook(name, total, first.message, {**first.params, "room_factor": first.room}, first.at)
