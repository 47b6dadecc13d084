"""Spans of time by when in the week they lie: what values that live for some days have of a week's busy hours."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from estimator.results.arrays import Floats

from .course import WEEK_DAYS, week_until
from .events import Events
from .turnover import SHORT_LIFE_DAYS

TURNS, CLASSES = 28, 4
"""Short lives are seen to begin so often in a week, and are told apart in so many classes…"""
NEARLY_EVEN = 0.05
"""…where they differ by more."""
PEAKED, ENDS = 4.0, 4
"""Where the busiest hour is so much above the mean, what ends at so many hours is told apart."""

Between = Callable[[Floats, Floats], Floats]
"""Events from some days to others."""


def busier_lives(events: Sequence[Events], first: Floats, last: Floats, life_days: float) -> Floats:
    """Return how much busier lives are than in the mean, by when in the week they lie: (classes, lives).

    Classes are as frequent; there is one where lives are long or events come evenly.
    """
    even = np.ones((1, len(last)))
    if life_days >= SHORT_LIFE_DAYS:
        return even
    busier = _busier(events, first, last, np.linspace(0.0, WEEK_DAYS, TURNS, endpoint=False))
    if busier is None:
        return even
    busier = np.sort(busier, axis=0).reshape(CLASSES, -1, len(last)).mean(axis=1)
    return busier if np.any(np.abs(busier - 1) > NEARLY_EVEN) else even


def by_end(events: Sequence[Events], between: Between) -> list[Between]:
    """Return what counts events `between` days, for several hours of the week at which these may end."""
    hour = np.arange(WEEK_DAYS * 24) / 24
    shape = _busier(events, hour, hour + 1 / 24, np.zeros(1))
    if shape is None or shape.max() < PEAKED:
        return [between]

    def between_later(first: Floats, last: Floats, days: Floats) -> Floats:
        busier = _busier(events, first, last, days)
        return between(first, last) * (1.0 if busier is None else busier[0])

    return [partial(between_later, days=np.array([(end + 0.5) * WEEK_DAYS / ENDS])) for end in range(ENDS)]


def _busier(events: Sequence[Events], first: Floats, last: Floats, shifts: Floats) -> Floats | None:
    """Return how much busier spans are than their mean, shifted by so many days of a week: (shifts, spans).

    None where some events come evenly.
    """
    shaped = [(kind.clock.week, kind.per_event) for kind in events if kind.clock.week is not None]
    if len(shaped) < len(events) or not shaped:
        return None
    # From any weekday: the shifts go through a whole week.
    until, since = last + shifts[:, None], first + shifts[:, None]
    counts = sum(part * (week_until(week, until) - week_until(week, since)) for week, part in shaped)
    even = sum(part for _, part in shaped) * np.maximum(last - first, 1e-12)
    return np.asarray(np.where(last - first > 1e-9, counts / even, 1.0))
