"""Limits that a larger workload exceeds first, on either engine."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from estimator.results import Outlook


@dataclass(frozen=True)
class Limit:
    """A limit of an element, and how much of it is used."""

    at: str
    message: str
    used: float
    most: float
    params: dict[str, Any]


@dataclass(frozen=True)
class LimitHeadroom:
    """A limit that a larger workload exceeds, and how many times as large the workload may be before it does."""

    headroom: float
    limit: Limit


def first_exceeded_limit(now: Iterable[Limit], then: Iterable[Limit], factor: float) -> LimitHeadroom | None:
    """Return the limit that is exceeded first on the way to a workload `factor` times as large; None: none is.

    Parameters
    ----------
    now, then : Limits
        Of the workload as it is, and of the larger one.
    factor
        1: a later time and no multiple; the limit that is exceeded most is the first.
    """
    before = {(limit.at, limit.message): limit.used for limit in now}
    headrooms = [
        LimitHeadroom(_room(before.get((limit.at, limit.message), 0.0), limit, factor), limit)
        for limit in then
        if limit.used > limit.most > 0
    ]
    return min(headrooms, key=lambda room: room.headroom, default=None)


def _room(used: float, limit: Limit, factor: float) -> float:
    """Return the multiple at which a limit is reached, if what is used grows by one power of it."""
    # A time and no multiple, or nothing that grows towards it.
    if factor <= 1 or used <= 0 or used >= limit.most or limit.used <= used:
        return limit.most / max(used if factor > 1 and used > limit.most else limit.used, 1e-300)
    # used · f^p with p = ln(then / now) / ln(factor) meets `most` at f = factor^(ln(most / now) / ln(then / now)).
    return float(factor ** (math.log(limit.most / used) / math.log(limit.used / used)))


def outlook(
    name: Literal["traffic_x10", "entity_x10", "year_more"], total: Decimal | None, first: LimitHeadroom | None
) -> Outlook:
    """Return the outlook of a larger workload: the last month's total, and the first limit exceeded."""
    if first is None:
        return Outlook(name, total, None, {}, "")
    params = {**first.limit.params, "room_factor": first.headroom}
    return Outlook(name, total, first.limit.message, params, first.limit.at)
