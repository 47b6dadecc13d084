"""Rows of entities in time buckets: how many there are with how many events, as the clock has it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from estimator.results.arrays import Floats, Ints

from .buckets import Buckets, steps
from .clock import Clock

CLASSES = 400
"""Rows are told apart by so many numbers of events at most, the most of them exact."""

OfRow = Callable[[Floats], Floats]
"""What a row holds when so many events are expected of it, element by element."""


@dataclass(frozen=True, eq=False)
class BucketRows:
    """Rows of entities, one for each time bucket in which the entity was written."""

    clock: Clock
    length_days: float
    """Of a bucket. [day]"""
    events: Floats
    """(classes,) expected events of a whole row."""
    rows: Floats
    """(classes of buckets, classes) rows in one bucket of a class."""

    def possible(self, first: Floats, last: Floats) -> Floats:
        """Return how many rows of each class begin in periods: (periods, classes), fractions of a bucket included."""
        return np.asarray(self._buckets(first, last).counts @ self.rows)

    def there(self, first: Floats, last: Floats) -> Floats:
        """Return how many rows of each class get any event in periods if each bucket does: (periods, classes)."""
        buckets = self._buckets(first, last)
        number = buckets.counts.sum(axis=1)
        active_days = buckets.counts @ buckets.active_days / np.maximum(number, 1e-300)
        return self.possible(np.maximum(first - active_days, self.clock.begin_day), last)

    def filling(self, first: Floats, last: Floats, scale: Floats, of_row: OfRow) -> Floats:
        """Return the sum over all rows if buckets begin with each period, and the last of them is cut by its end.

        Parameters
        ----------
        first, last, scale : float64, shape (periods,)
            Days, and the factor on each row's events.
        of_row

        Returns
        -------
        float64, shape (periods,)
        """
        whole = np.floor((last - first) / self.length_days * (1 + 1e-12)) * self.length_days
        rest = np.maximum((last - first - whole) / self.length_days, 0.0)
        events = self.events * scale[:, None]
        cut = self.possible(first + whole, last) / np.maximum(rest, 1e-12)[:, None]
        full = (self.possible(first, first + whole) * of_row(events)).sum(axis=1)
        return np.asarray(full + (cut * of_row(events * rest[:, None])).sum(axis=1) * (rest > 1e-9))

    def gliding(self, first: Floats, last: Floats, scale: Floats, of_row: OfRow, on_average: OfRow) -> Floats:
        """Return the sum over all rows if periods lie anywhere: two buckets are cut by their ends.

        Parameters
        ----------
        first, last, scale : float64, shape (periods,)
            As in `filling`.
        of_row
        on_average
            The mean of `of_row` over the parts of a row that are cut off anywhere.

        Returns
        -------
        float64, shape (periods,)
        """
        half = np.minimum(self.length_days, last - first) / 2
        events = self.events * scale[:, None]
        at_first, at_last = self._buckets(first - half, first + half), self._buckets(last - half, last + half)
        cut, part = at_first.counts + at_last.counts, at_first.active_days / self.length_days
        whole = self._buckets(first + half, last - half).counts + cut * (1 - part) / 2
        found = (whole @ self.rows) * of_row(events) + ((cut * part) @ self.rows) * on_average(events)
        short = last - first < self.length_days
        if np.any(short):
            found = np.where(short[:, None], self._cut_twice(first, last, scale, of_row, on_average), found)
        return np.asarray(found.sum(axis=1))

    def _cut_twice(self, first: Floats, last: Floats, scale: Floats, of_row: OfRow, on_average: OfRow) -> Floats:
        """As `gliding`, by class, for periods shorter than a bucket."""
        buckets, window = self._buckets(first, last), np.maximum(last - first, 1e-12)[:, None]
        met = np.minimum(buckets.active_days, window)
        events = self.events * (scale[:, None] * np.minimum(window / buckets.active_days.max(), 1.0))
        whole = (buckets.counts * np.abs(window - buckets.active_days) / window) @ self.rows
        cut = (buckets.counts * 2 * met / window) @ self.rows
        return np.asarray(whole * of_row(events) + cut * on_average(events))

    def _buckets(self, first: Floats, last: Floats) -> Buckets:
        return self.clock.buckets(self.length_days, first, last)


def bucket_rows(clock: Clock, length_days: float, shares: Floats, counts: Floats) -> BucketRows:
    """Return the rows of entities in time buckets.

    Parameters
    ----------
    clock
        Of the events of all entities together.
    length_days
        How long one row receives. [day]
    shares, counts : float64, shape (entities,)
        Rows written per event on one entity of a class, and entities in the class.
    """
    key = (length_days, id(shares), id(counts))
    held = clock.course.remembered.get(key)
    if held is None:
        there = clock.buckets(length_days, np.zeros(1), np.ones(1)).events
        held = clock.course.remembered[key] = (shares, counts, *_mixed(there, shares, counts))
    return BucketRows(clock, length_days, held[2], held[3])


def _mixed(events: Floats, shares: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Return classes of rows by their events, and the rows of each in one bucket of each class."""
    if len(events) == 1:
        return events[0] * shares, counts[None, :]
    product = np.outer(events, shares)
    grid = steps(product[product > 0], CLASSES) if np.any(product > 0) else np.ones(1)
    low: Ints = np.clip(np.searchsorted(grid, product, side="right") - 1, 0, max(len(grid) - 2, 0))
    high = np.minimum(low + 1, len(grid) - 1)
    upper = np.where(high > low, (product - grid[low]) / np.where(high > low, grid[high] - grid[low], 1.0), 0.0)
    below = product < grid[0]
    lower = np.where(below, product / grid[0], 1.0 - upper)
    offset = np.arange(len(events))[:, None] * len(grid)
    size, many = len(events) * len(grid), np.broadcast_to(counts, product.shape)
    rows = np.bincount((low + offset).ravel(), (many * lower).ravel(), size)
    rows = rows + np.bincount((high + offset).ravel(), (many * np.where(below, 0.0, upper)).ravel(), size)
    return grid, np.asarray(rows.reshape(len(events), len(grid)), dtype=np.float64)
