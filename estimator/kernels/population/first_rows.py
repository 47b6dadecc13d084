"""First rows in the order in which a read meets them: how many a limit takes, and their cells."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from estimator.results.arrays import Floats

from .poisson import capped_rows

STEPS_MOST = 16.0
"""Where values have fewer rows than the limit ÷ this, they are counted in blocks of about as many rows."""


@dataclass(frozen=True)
class First:
    """The rows that come first in the order in which a read meets them."""

    most: float
    """[rows]"""
    newest: bool
    """Of one value the newest come first, else the oldest."""
    by_value: bool = False
    """All rows of one value come before those of the next, the busiest first; else by their time."""
    is_last: bool = False
    """The last value comes first."""
    ranges: float = 1.0
    """Ranges that are read one after the other."""


def first_in_time(rows: Floats, cells: Floats, chance: Floats, first: First) -> Floats:
    """Return the first rows of values in the order of time, and their cells: (2, values).

    Parameters
    ----------
    rows, cells : float64, shape (ages, values)
        No older than each age. What is older comes before where the oldest are met first.
    chance : float64, shape (ages, values)
        That a key of the rows has been written, in their mean. [1]
    """
    upto, sums, chances = _in_order(rows, cells, chance, first)
    row_counts = _steps_of(capped_rows(upto, chances, first.most))
    parts = _part_of_each(row_counts, upto)
    return np.stack((row_counts.sum(axis=0), (parts * _steps_of(sums)).sum(axis=0)))


def _steps_of(upto: Floats) -> Floats:
    """Return by how much amounts grow from age to age, from nothing: (ages, …)."""
    return np.diff(upto, axis=0, prepend=np.zeros((1, *upto.shape[1:])))


def _part_of_each(taken: Floats, upto: Floats) -> Floats:
    """Return which part of the rows of each age is taken: (ages, …)."""
    rows = _steps_of(upto)
    return np.clip(np.divide(taken, rows, out=np.zeros_like(rows), where=rows > 0), 0.0, 1.0)


def _in_order(rows: Floats, cells: Floats, chance: Floats, first: First) -> tuple[Floats, Floats, Floats]:
    """Return how many rows and cells a read has met up to each age, and the chance of a key."""
    rows, cells = np.maximum.accumulate(rows), np.maximum.accumulate(cells)  # means over ever longer times may fall
    if first.newest:
        return rows, cells, chance
    # The oldest first: what is older than the last age but one, and so on, up to all.
    upto, sums = (np.concatenate((totals[-1] - totals[-2::-1], totals[-1:])) for totals in (rows, cells))
    return upto, sums, np.broadcast_to(chance[-1], chance.shape)


def first_of_values(rows: Floats, cells: Floats, count: Floats, chance: Floats, first: First) -> Floats:
    """Return the first rows of values in their order, and their cells: (2,).

    Each has so many rows by chance: what one leaves of the limit is taken of the next.

    Parameters
    ----------
    rows, cells, chance : float64, shape (ages, values)
        Of one value of each kind, no older than each age; the chance that a key of it has been written.
    count : float64, shape (values,)
        How many values of each kind there are, in all ranges together.
    """
    end = first.most + 6 * math.sqrt(first.most) + 6  # by six deviations of a Poisson number it is full
    totals, both = np.zeros(2), 0.0
    result, rows_before = np.zeros(2), 0.0
    for each_rows, each_cells, each_chance in _steps(rows, cells, count, chance, first):
        upto = totals[0] + each_rows
        squares = both + each_rows * each_chance  # the chance in the mean of all rows so far
        row_counts = np.diff(
            capped_rows(upto, squares / np.maximum(upto, 1e-300), first.most), prepend=rows_before
        )  # fmt: skip
        result += np.array([row_counts.sum(), _part_of_each(row_counts, each_rows) @ np.diff(each_cells, prepend=0.0)])
        rows_before += float(row_counts.sum())
        totals += np.array([each_rows[-1], each_cells[-1]])
        both = float(squares[-1])
        if totals[0] > end:
            break
    return result


def _steps(
    rows: Floats, cells: Floats, count: Floats, chance: Floats, first: First
) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Yield values, or blocks of those with few rows, in order: rows and cells met in each, and the chance of a key."""
    ranges = max(round(first.ranges), 1)
    for _ in range(ranges):
        for kind, many in enumerate((count / ranges).tolist()):
            upto, sums, chances = _in_order(rows[:, kind], cells[:, kind], chance[:, kind], first)
            if upto[-1] <= 0:
                continue
            block = max(math.floor(first.most / STEPS_MOST / upto[-1]), 1)
            while many > 1e-9:  # what rounding leaves is none
                values = min(block, many)
                if block > 1:
                    # One step: within it nobody sees the order of ages.
                    yield upto[-1:] * values, sums[-1:] * values, chances[-1:]
                else:
                    yield upto * values, sums * values, chances
                many -= values
