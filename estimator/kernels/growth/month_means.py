"""Stored bytes in the mean of each month, where that is not the mean of its ends: what storage is billed by."""

from collections.abc import Callable, Collection

import numpy as np

from estimator.results.arrays import Flags, Floats, distinct

from ..population.quadrature import gauss
from .model import StoredTable

FILLING_DAYS = (0.01, 0.1, 1.0, 8.0)
"""An empty table fills ever more slowly: its first month is summed in parts between these days."""

BENT_SHARE = 0.002
"""A month is summed where its ends and a neighbour's are farther from a straight line than this share."""

PASSING_SHARE = 1e-6
"""Where a month's ends hold less than so much of its mean, what it stores comes and goes within it."""

_POINTS, _WEIGHTS = gauss(2)


def month_mean_ratios(
    stored_table: StoredTable, ages_days: Collection[float], ends: Floats, bytes_on: Callable[[Floats], Floats]
) -> tuple[Floats, Floats]:
    """Return the mean over each month ÷ the mean of its two ends, and what passes: (quantities, months) each.

    The ratio is 1 where nothing is stored at the ends; what comes and goes between them is the mean of the second.

    Parameters
    ----------
    stored_table : StoredTable
        Its days are the ends of the months.
    ages_days
        At which cells are collected, or move. [day]
    ends : float64, shape (quantities, months + 1)
        Bytes at the ends of the months.
    bytes_on
        Days, shape (n,), to the bytes on them, shape (quantities, n).
    """
    days, bends = stored_table.days, _bend_days(stored_table, ages_days)
    # Between bends the course is smooth, and the mean of two ends is right; only the other months cost an integral.
    has_bend = np.histogram(bends, days)[0] > 0
    summed = has_bend | _are_bent(ends)
    straight = (ends[:, 1:] + ends[:, :-1]) / 2
    if not summed.any():
        return np.ones_like(straight), np.zeros_like(straight)
    edges = distinct(np.concatenate((days, bends[(bends > days[0]) & (bends < days[-1])])))
    month = np.searchsorted(days, edges[:-1], side="right") - 1
    low, high, month = (values[summed[month]] for values in (edges[:-1], edges[1:], month))
    # Two points of Gauss are exact for cubic courses, which parts between two bends nearly are.
    at = (low + high)[:, None] / 2 + np.outer(high - low, _POINTS / 2)
    parts = bytes_on(at.ravel()).reshape(len(ends), *at.shape) @ (_WEIGHTS / 2) * (high - low)
    means = np.stack([np.bincount(month, part, minlength=len(summed)) for part in parts]) / np.diff(days)
    passing = summed & (straight <= means * PASSING_SHARE)
    ratios = np.divide(means, straight, out=np.ones_like(straight), where=summed & ~passing)
    return ratios, np.where(passing, means, 0.0)


def _bend_days(stored_table: StoredTable, ages_days: Collection[float]) -> Floats:
    """Return the days on which the course of the stored bytes bends."""
    writes = [flow for flows in stored_table.kinds for flow in (*flows.writes, *flows.deletes)]
    begins = {flow.event_curve.begin_day for flow in writes}
    peak_days = {day + more for flow in writes for day in flow.event_curve.course.factors for more in (0.0, 1.0)}
    ends = {flow.event_curve.course.end_day for flow in writes}
    first = begins | peak_days | {day for day in ends if day < np.inf}
    filling = {begin + more for begin in begins if begin >= 0 for more in FILLING_DAYS}
    return np.array([*first, *(day + age for day in first for age in ages_days), *filling])


def _are_bent(ends: Floats) -> Flags:
    """Return which months have ends that are not on a line with those of a neighbour: (months,)."""
    off = np.abs(ends[:, 2:] + ends[:, :-2] - 2 * ends[:, 1:-1]) > 2 * BENT_SHARE * ends[:, 1:-1]
    bent = off.any(axis=0)
    return np.append(bent, False) | np.insert(bent, 0, False)
