"""Time buckets of one length within a period, in classes of about equal events."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from estimator.results.arrays import Floats, distinct

from .course import WEEK_DAYS, Course, events_of_week, week_until
from .profile import DAY_MINUTES

LEVELS = 96
"""Buckets are told apart by so many numbers of events at most, the most of them exact."""

TRENDS = 24
"""Days are told apart by so many mean rates at most."""

RANGE = 1e-9
"""What has less than this share of the most events is counted as fewer with more."""


@dataclass(frozen=True, eq=False)
class Buckets:
    """Buckets that get any event, by how many: from them follows whatever is asked of rows that a time bucket ends.

    Fractions of a bucket count: a period cuts buckets, and lies at a random moment of the week.
    """

    events: Floats
    """(classes,) ascending, in one whole bucket. [events]"""
    counts: Floats
    """(periods, classes) buckets of each class in each period."""
    active_days: Floats
    """(classes,) from the first to the last moment of a bucket at which events come. [day]"""

    @property
    def largest(self) -> Floats:
        """Return the events of the fullest bucket of each period: (periods,); 0 where nothing comes."""
        return np.asarray(np.max(np.where(self.counts > 0, self.events, 0.0), axis=1, initial=0.0))


@dataclass(frozen=True, eq=False)
class Template:
    """Buckets that begin on each weekday, Monday first; all float64 (7, buckets that are told apart)."""

    shape: Floats
    """Mean rate within the bucket, relative to that of the week. [1]"""
    per_day: Floats
    """So many such buckets on that weekday."""
    active_days: Floats


def buckets_of(
    course: Course, length_days: float, first: Floats, last: Floats, *,
    begin_day: float = -math.inf, early: Floats | None = None,
) -> Buckets:  # fmt: skip
    """Return the buckets of a length in periods from `first` to `last` day, (periods,) each.

    Parameters
    ----------
    begin_day
        A moment that is known to the minute. [day]
    early : float64, shape (periods,)
        How many more of that day's buckets there are. [day]
    """
    if length_days not in course.result_cache:
        course.result_cache[length_days] = _classes(course, length_days)
    classes: _Classes = course.result_cache[length_days]
    first = np.minimum(first, last)
    columns = [classes.days_until(last) - classes.days_until(first)]
    if early is not None:
        columns[0] = columns[0] + early[:, None] * classes.of_day(begin_day)
    replaced = np.clip((last - first) / max(length_days, WEEK_DAYS), 0.0, 1.0)
    for day in classes.named:
        hits = course.met_by_any_hour(day, last, begin_day) - course.met_by_any_hour(day, first, begin_day)
        columns.append(np.stack((hits, hits * replaced), axis=1))
    counts = np.maximum(np.concatenate(columns, axis=1) @ classes.each, 0.0)
    return Buckets(classes.events, counts, classes.active_days)


def template(shape_minutes: Floats, length_days: float) -> Template:
    """Return the buckets of a length over a week.

    Buckets that divide a day begin with it; others begin anywhere.

    Parameters
    ----------
    shape_minutes : float64, shape (10080,)
        Rate in each minute of a week, mean 1.
    length_days
        [day]
    """
    minutes = length_days * DAY_MINUTES
    week = shape_minutes.reshape(7, DAY_MINUTES)
    if minutes < 1:
        return Template(week, np.full_like(week, 1 / minutes), np.full_like(week, length_days))
    whole, bucket_count = round(minutes), round(DAY_MINUTES / minutes)
    if abs(whole - minutes) < 1e-9 and whole * bucket_count == DAY_MINUTES:
        parts = week.reshape(7, bucket_count, whole)
        busy = parts > 0
        span = whole - busy.argmax(axis=2) - busy[:, :, ::-1].argmax(axis=2)
        active = np.where(busy.any(axis=2), span, 0) / DAY_MINUTES
        return Template(parts.mean(axis=2), np.ones((7, bucket_count)), active)
    of_day = np.zeros(1) if length_days > 1 else np.arange(DAY_MINUTES) / DAY_MINUTES
    starts = np.arange(7.0)[:, None] * (length_days != WEEK_DAYS) + of_day  # a week begins on Monday
    events = events_of_week(shape_minutes)
    shape = (week_until(events, starts + length_days) - week_until(events, starts)) / length_days
    per_day = np.full_like(shape, 1 / length_days / len(of_day))
    return Template(shape, per_day, _active(shape_minutes, starts, length_days))


def _active(shape_minutes: Floats, starts: Floats, length_days: float) -> Floats:
    """Return the days from the first to the last moment with events in buckets from `starts` on, in its shape."""
    busy = np.flatnonzero(shape_minutes) / DAY_MINUTES
    if not len(busy):
        return np.zeros_like(starts)
    since, until = np.concatenate((busy, busy[:1] + WEEK_DAYS)), np.concatenate((busy[-1:] - WEEK_DAYS, busy))
    begin, end = starts % WEEK_DAYS, (starts + length_days) % WEEK_DAYS
    wait = since[np.searchsorted(since, begin - 1e-9)] - begin
    rest = end - until[np.searchsorted(until, end - 1e-9) - 1] - 1 / DAY_MINUTES
    return np.clip(length_days - wait - rest, 1 / DAY_MINUTES, length_days)


def named_groups(course: Course, length_days: float) -> list[list[int]]:
    """Return the named days that lie in one bucket together; weeks begin on Monday."""
    if length_days <= 1:
        return [[day] for day in sorted(course.factors)]
    since = course.first_day + (3 if length_days == WEEK_DAYS else 0)  # weeks: 1970 began on a Thursday
    groups: dict[int, list[int]] = {}
    for day in sorted(course.factors):
        groups.setdefault(int((since + day) // length_days), []).append(day)
    return list(groups.values())


# --- classes ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Classes:
    """Buckets of a length, in classes, on each kind of day: what no period changes."""

    course: Course
    events: Floats
    """(classes,)"""
    active_days: Floats
    """(classes,)"""
    each: Floats
    """(kinds, classes) buckets that a day of a kind has: days of a mean rate, then two kinds for each of `named`."""
    named: tuple[int, ...]
    """First day of each bucket with named days."""
    weights: Floats
    """(1 + days, kinds of a mean rate): a day before the start, then each day after it."""

    def days_until(self, days: Floats) -> Floats:
        """Return the days of each mean rate until some days: (days, kinds), below 0 before the start."""
        place = self.course.place(days)
        after = self._upto[place] + (days - place)[:, None] * self.weights[1 + place]
        return np.where(days[:, None] < 0, days[:, None] * self.weights[0], after)

    def of_day(self, day: float) -> Floats:
        """Return the parts of a day's mean rate: (kinds,)."""
        return np.asarray(self.weights[0 if day < 0 else 1 + int(self.course.place(np.array(day)))])

    @cached_property
    def _upto(self) -> Floats:
        return np.concatenate((np.zeros((1, self.weights.shape[1])), np.cumsum(self.weights[1:], axis=0)))


Levels = tuple[Floats, Floats, Floats]
"""Of the buckets of a day: how many events each has, how many there are, how long they are active."""


def _classes(course: Course, length_days: float) -> _Classes:
    rates = np.concatenate(([course.before], _trend(course, length_days)))
    if rates.max() <= 0:
        return _Classes(course, np.ones(1), np.ones(1), np.zeros((1, 1)), (), np.ones((len(rates), 1)))
    trends = steps(rates[rates > 0], TRENDS)
    week, (shape, per_day, active) = _week_of(course.shape_minutes.tobytes(), length_days)
    kinds: list[Levels] = [(rate * length_days * shape, per_day, active) for rate in trends]
    weights, groups = split_on_grid(rates, trends), named_groups(course, length_days)
    for days in groups:
        usual = weights[1 + int(course.place(np.array(days[0]))) if days[0] >= 0 else 0]
        kinds += _named_day_levels(course, week, length_days, days, (trends, usual))
    events = np.concatenate([kind[0] for kind in kinds])
    grid = steps(events[events > 0], LEVELS)
    bucket_counts, weight, long = np.zeros((len(kinds), len(grid))), np.zeros(len(grid)), np.zeros(len(grid))
    for row, (events, per_day, active) in enumerate(kinds):
        parts = split_on_grid(events, grid)
        bucket_counts[row] = per_day @ parts
        weight += np.abs(per_day) @ parts
        long += (np.abs(per_day) * active) @ parts
    return _Classes(
        course, grid, long / np.maximum(weight, 1e-300), bucket_counts, tuple(days[0] for days in groups), weights
    )


@lru_cache(maxsize=64)
def _week_of(shape_minutes: bytes, length_days: float) -> tuple[Template, Levels]:
    """Return the buckets of a week, and those of about equal events as one: activities have few shapes between them."""
    week = template(np.frombuffer(shape_minutes), length_days)
    return week, _merge_buckets((week.shape, week.per_day / 7, week.active_days))


def _trend(course: Course, length_days: float) -> Floats:
    """Return the mean rate of the bucket around each day: (days,); at the end of the last whole one."""
    if length_days <= 1:
        return course.trend
    days = len(course.trend)
    middle = np.minimum(np.arange(days) + 0.5, max(days - length_days / 2, 0.5))
    upto = np.concatenate(([0.0], np.cumsum(course.trend)))
    first, last = middle - length_days / 2, np.minimum(middle + length_days / 2, days)
    since = np.where(first < 0, first * course.before, np.interp(first, np.arange(days + 1), upto))
    return np.asarray((np.interp(last, np.arange(days + 1), upto) - since) / (last - first))


def _named_day_levels(
    course: Course, week: Template, length_days: float, days: Sequence[int], usual: tuple[Floats, Floats]
) -> tuple[Levels, Levels]:
    """Return the buckets of named days, and, as a negative number, the usual ones that they replace.

    Parameters
    ----------
    days : sequence of int
        Those of one bucket.
    usual : two of float64, shape (rates,)
        Mean rates that the first of them is told by, and the part of it that each stands for.
    """
    if length_days <= 1:
        weekday, factor = course.weekday(days[0]), course.factors[days[0]]
        shape, per_day, active = _merge_buckets((week.shape[weekday], week.per_day[weekday], week.active_days[weekday]))
        day_levels = (course.mean(days[0]) * factor * length_days * shape, per_day, active)
    else:
        shape, per_day, active = np.ones(1), np.ones(1), np.array([length_days])
        excess = sum((course.factors[d] - 1) * course.mean(d) * course.day_shares[course.weekday(d)] for d in days)
        day_levels = (np.maximum(float(usual[0] @ usual[1]) * length_days * shape + excess, 0.0), per_day, active)
    replaced = (
        np.outer(usual[0] * length_days, shape),
        np.outer(-usual[1], per_day),
        np.tile(active, (len(usual[0]), 1)),
    )
    return day_levels, (replaced[0].ravel(), replaced[1].ravel(), replaced[2].ravel())


def _merge_buckets(levels: Levels) -> Levels:
    """Return buckets with any event, those of about equal events as one."""
    shape, per_day, active = (level.ravel() for level in levels)
    shape, per_day, active = (level[shape > 0] for level in (shape, per_day, active))
    if not len(shape):
        return shape, per_day, active
    grid = steps(shape, LEVELS)
    parts = split_on_grid(shape, grid)
    number = per_day @ parts
    return grid, number, (per_day * active) @ parts / np.maximum(number, 1e-300)


def steps(values: Floats, most: int) -> Floats:
    """Return at most so many values that others are told by, ascending, the largest among them."""
    top = float(values.max())
    unique = distinct(np.maximum(values, top * RANGE))
    levels = unique[np.concatenate((np.diff(unique) > 1e-9 * unique[1:], [True]))]
    return levels if len(levels) <= most else np.concatenate((np.geomspace(levels[0], top, most)[:-1], [top]))


def split_on_grid(values: Floats, grid: Floats) -> Floats:
    """Split values between their neighbours on a grid, so that their number and their sum stay.

    Returns
    -------
    float64, shape (values, grid)
        Parts of each value; they sum to 1, but below the first step only the sum of values stays.
    """
    low = np.clip(np.searchsorted(grid, values, side="right") - 1, 0, max(len(grid) - 2, 0))
    high = np.minimum(low + 1, len(grid) - 1)
    width = np.where(high > low, grid[high] - grid[low], 1.0)
    upper = np.where(high > low, np.clip((values - grid[low]) / width, 0.0, 1.0), 0.0)
    parts = np.zeros((len(values), len(grid)))
    rows = np.arange(len(values))
    parts[rows, low] += np.where(values < grid[0], values / grid[0], 1.0 - upper)
    parts[rows, high] += np.where(values < grid[0], 0.0, upper)
    return parts
