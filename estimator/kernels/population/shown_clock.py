"""Clock of the times that rows of a backfill show in their keys: they are written now, and happened before."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from estimator.results.arrays import Floats, distinct

from .buckets import Buckets
from .events import EventClock

STEP_DAYS = 0.25
"""Events until a day are straight between so many days; named days begin and end by half of them."""
PARTS, HALVINGS = 32, 16
"""The shown time is told apart by how full its buckets are: in so many even parts, halved so often toward both ends."""


@dataclass(frozen=True, eq=False)
class ShownClock:
    """Events of a backfill that have come until a day, by the times that they are of.

    The time of an event lies anywhere in the days of history before its write.
    """

    written: EventClock
    history_days: float
    """Age of the oldest time that an event writes. [day]"""
    end_day: float
    """Until when they have come. [day]"""
    named_days: tuple[int, ...] = ()
    week: None = None
    day_over: None = None

    @property
    def begin_day(self) -> float:
        """The oldest time that any of them is of. [day]"""
        return min(self.written.begin_day, self.end_day) - self.history_days

    @property
    def to_the_hour(self) -> "ShownClock":
        """The same: nothing is a matter of hours."""
        return self

    @cached_property
    def parts(self) -> Floats:
        """Days between which times are about as even."""
        halves = 0.5 ** np.arange(math.log2(PARTS), HALVINGS)
        shares = distinct(np.concatenate((np.linspace(0, 1, PARTS + 1), halves, 1 - halves)))
        return np.asarray(self.begin_day + shares * (self.end_day - self.begin_day))

    @cached_property
    def _sums(self) -> tuple[Floats, Floats, Floats]:
        """Days, the events that have come until each, and the integral of these over the days before."""
        first = min(self.written.begin_day, self.end_day)
        steps = max(int(np.ceil((self.end_day - first) / STEP_DAYS)), 1)
        days = np.linspace(first, self.end_day, steps + 1)
        come = self.written.between(np.full(len(days), first), days)
        areas = (come[1:] + come[:-1]) / 2 * np.diff(days)
        return days, come, np.concatenate(([0.0], np.cumsum(areas)))

    def _area(self, days: Floats) -> Floats:
        """Return the integral of the events that have come, until some days."""
        at, come, areas = self._sums
        place = np.clip(np.searchsorted(at, days, side="right") - 1, 0, len(at) - 2)
        part = np.clip(days, at[0], at[-1]) - at[place]
        slope = (come[place + 1] - come[place]) / np.maximum(at[place + 1] - at[place], 1e-300)
        within = areas[place] + come[place] * part + slope * part**2 / 2
        return np.asarray(within + come[-1] * np.maximum(days - at[-1], 0.0))

    def _until(self, days: Floats) -> Floats:
        """Return the events of times before some days: the mean of what comes from each to a history later."""
        return (self._area(days + self.history_days) - self._area(days)) / self.history_days

    def between(self, first: Floats, last: Floats) -> Floats:
        """Return the events of times from one day to another."""
        first, last = (np.clip(day, self.begin_day, self.end_day) for day in (first, last))
        return np.asarray(np.maximum(self._until(last) - self._until(first), 0.0))

    def buckets(self, length_days: float, first: Floats, last: Floats) -> Buckets:
        """Return the time buckets of a length in periods."""
        edges = self.parts
        events = self.between(edges[:-1], edges[1:]) * (length_days / np.diff(edges))
        order = np.argsort(events, kind="stable")
        inside = np.minimum(last[:, None], edges[1:]) - np.maximum(first[:, None], edges[:-1])
        counts = np.maximum(inside, 0.0) / length_days
        return Buckets(events[order], counts[:, order], np.full(len(events), length_days))
