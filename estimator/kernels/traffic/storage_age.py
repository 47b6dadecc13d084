"""Since when the rows are there that a table holds at the end of the horizon: what garbage collection has left."""

import datetime
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from designer.document import Spec, effective_value
from designer.document.activity import Activity
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.table import RowKind, Table
from estimator.engines import ENGINES
from estimator.results import NotComputableError
from estimator.results.arrays import Floats, distinct

from ..growth.collection import policy
from ..population.clock import EventCurve, event_curve, with_unit_rate
from ..population.profile import DAY_MINUTES
from ..population.rates import activity_rate, activity_rates, last_update_days
from ..population.rotation import kept_days
from ..population.timeline import month_dates

WEEK_DAYS, WEEK_HOURS = 7, 168

PIECES_MOST = 10_000
"""Pieces of stored time that follow the shape of the week: the newest; those before them are even over a month."""


@dataclass(frozen=True)
class StoredTime:
    """Times at which the stored rows of a kind were written, piecewise even."""

    edges_s: Floats
    """(pieces + 1,) seconds since 1970 UTC, ascending."""
    weight: Floats
    """(pieces,) share of the rows, sum 1."""
    writes: tuple[tuple[EventCurve, float], ...] = ()
    """Clock of each write, to the minute, and the rows that one of its events makes; in proportion to each other."""
    kept_days: float = math.inf

    @cached_property
    def _known(self) -> dict[tuple[float, bool], tuple[Floats, Floats]]:
        """Results of `until` by its arguments: the division into ranges and each read ask for the same."""
        return {}

    @property
    def span_days(self) -> float:
        """From the oldest to the newest. [day]"""
        return float(self.edges_s[-1] - self.edges_s[0]) / DAY_SECONDS

    def share(self, age_days: float, days: float, *, more_days: float = 0.0) -> float:
        """Return the share [1] of rows written in a span of `days` that ended `age_days` before the end.

        `more_days`: how much longer the buckets that the span meets are together than the span. What is stored meets
        buckets in the same way.
        """
        upto = np.concatenate(([0.0], np.cumsum(self.weight)))
        end = self.edges_s[-1] - age_days * DAY_SECONDS
        last, first = np.interp([end, end - days * DAY_SECONDS], self.edges_s, upto)
        if more_days <= 0:
            return float(last - first)
        there = min(days, max(self.span_days - age_days, 0.0))
        density = float(last - first) / there if there > 0 else 0.0
        # Whole buckets at both ends add rows at the density of the span. The stored time is lengthened alike, so that
        # a span of all of it stays at 1.
        return (float(last - first) + more_days * density) / (1 + more_days / self.span_days)

    def until(self, end_s: float, *, to_the_minute: bool) -> tuple[Floats, Floats]:
        """Return when the rows were written that are there at a moment: edges [s] and weight of even pieces, sum 1.

        `to_the_minute`: pieces follow the shape of the week.
        """
        key = (end_s, to_the_minute)
        if key not in self._known:
            self._known[key] = self._until(end_s, to_the_minute=to_the_minute)
        return self._known[key]

    def _until(self, end_s: float, *, to_the_minute: bool) -> tuple[Floats, Floats]:
        start_s = date_seconds(self.writes[0][0].course.start) if self.writes else 0.0
        last = (end_s - start_s) / DAY_SECONDS
        # What began before the retention has been collected since.
        first = max(min((clock.begin_day for clock, _ in self.writes), default=last), last - self.kept_days)
        if first < last:
            days = self._edges(first, last, (self.edges_s - start_s) / DAY_SECONDS, to_the_minute=to_the_minute)
            rows = sum((clock.between(days[:-1], days[1:]) * weight for clock, weight in self.writes), np.zeros(1))
            if rows.sum() > 0:
                return days * DAY_SECONDS + start_s, rows / rows.sum()
        return self.edges_s + (end_s - self.edges_s[-1]), self.weight

    def _edges(self, first: float, last: float, months: Floats, *, to_the_minute: bool) -> Floats:
        """Return the days between which rates are even, or nearly so."""
        courses = [clock.course for clock, _ in self.writes]
        peak_days = [day + more for course in courses for day in course.factors for more in (0.0, 1.0)]
        turns = distinct(np.concatenate([_turns(course.shape_minutes) for course in courses]))
        weeks = np.zeros(0)
        if to_the_minute and len(turns):
            monday = -courses[0].start.weekday()
            newest = math.ceil((last - monday) / WEEK_DAYS)
            # Only the newest weeks follow the hours: 168 turns a week are 10,000 pieces after 59 weeks, and older
            # hours matter little to where rows lie.
            oldest = max(math.floor((first - monday) / WEEK_DAYS), newest - PIECES_MOST // len(turns))
            weeks = (np.arange(oldest, newest)[:, None] * WEEK_DAYS + monday + turns).ravel()
        days = np.concatenate((months, peak_days, weeks))
        return distinct(np.concatenate(([first], days[(days > first) & (days < last)], [last])))


def _turns(shape_minutes: Floats) -> Floats:
    """Return when a week's rate changes, in days after Monday's midnight: each hour where it does so all the time."""
    turns = np.flatnonzero(shape_minutes != np.roll(shape_minutes, 1)) / DAY_MINUTES
    return turns if len(turns) <= WEEK_HOURS else np.arange(WEEK_HOURS) / 24


def date_seconds(date: datetime.date) -> float:
    """Midnight UTC of a day, in seconds since 1970."""
    return (date - datetime.date(1970, 1, 1)).days * DAY_SECONDS


def row_kept_days(spec: Spec, table: Table, kind: RowKind) -> float:
    """Return the days that a row stays after its last write, while any family keeps a cell; may be infinite."""
    families = [f for f in table.families if not kind.columns or any(c.id in kind.columns for c in f.columns)]
    longest = max((policy(family.gc).age_bound_days for family in families), default=math.inf)
    if kind.updating_writes and longest < math.inf:
        # An update writes new cells, so a row lives from its last update on, not from its creation.
        longest += last_update_days(
            _updates_per_row(spec, kind), max(w.row_age_days or 0.0 for w in kind.updating_writes)
        )
    collected = max(longest + kind.ahead_days, 0.0) + ENGINES[spec.engine].ASSUMPTIONS["uncollected_days"].value
    return min(collected, kept_days(table))


def _updates_per_row(spec: Spec, kind: RowKind) -> float:
    """Return the updates that a row gets in the mean, at the rates of the end; 0 while they are not known."""
    try:
        creations, again = (
            sum(
                activity_rate(spec, spec.find(write.activity), float(effective_value(spec, spec, "horizon_months")))
                * float(effective_value(spec, write, "rows_per_event"))
                for write in writes
                if write.activity is not None and not write.deletes
            )
            for writes in (kind.creating_writes, kind.updating_writes)
        )
    except NotComputableError:
        return 0.0
    return again / creations if creations > 0 else 0.0


def stored_time(spec: Spec, table: Table, kind: RowKind) -> StoredTime:
    """Return the times at which a kind's rows present at the end of the horizon were written.

    History is at the start's rates, then each month at its own, cut to what garbage collection keeps. If no writes
    are known, times are even over the horizon.

    Raises
    ------
    NotComputableError
        If an activity that writes these rows has no rate.
    """
    dates = month_dates(spec)
    months = len(dates) - 1
    history_days = float(effective_value(spec, table, "history_months") or 0) * MONTH_DAYS
    monthly = np.array([date_seconds(date) for date in dates])
    writes, events_per_second = _creating_writes(spec, kind)
    rates = _rates(spec, writes, months)
    if not rates.any():
        rates, events_per_second = np.ones(months), 1.0
    # Rows that are there at the start without a stated history are taken to have come at the start's rate.
    if history_days == 0 and table.rows_stored:
        history_days = table.rows_stored / max(rates[0] * events_per_second * DAY_SECONDS, 1e-9)
    edges, weight = monthly, rates * np.diff(monthly)
    if history_days > 0:
        edges = np.concatenate(([monthly[0] - history_days * DAY_SECONDS], edges))
        weight = np.concatenate(([rates[0] * history_days * DAY_SECONDS], weight))
    retention_days = row_kept_days(spec, table, kind)
    if retention_days * DAY_SECONDS < edges[-1] - edges[0]:
        edges, weight = _clip_from(edges, weight, edges[-1] - retention_days * DAY_SECONDS)
    if not weight.any():
        # A load that ended so long ago has left no row: keys are those that rows of these times would have.
        weight = np.diff(edges)
    return StoredTime(edges, weight / weight.sum(), _clocks(spec, writes, history_days), retention_days)


def even_stored_time(spec: Spec) -> StoredTime:
    """Evenly over the horizon: what is taken while no rate is known."""
    dates = month_dates(spec)
    return StoredTime(np.array([date_seconds(dates[0]), date_seconds(dates[-1])]), np.ones(1))


def _creating_writes(spec: Spec, kind: RowKind) -> tuple[tuple[tuple[Activity, float], ...], float]:
    """Return the activity of each write that makes rows with its rows an event, and the events a second of one unit.

    Where all have rates, they are told in units of the first one's: when rows were written is then the same to the last
    bit whatever that rate is, and what was computed of it holds after an edit of the rate.
    """
    writes = tuple(
        (spec.find(write.activity), float(effective_value(spec, write, "rows_per_event")))
        for write in kind.creating_writes
        if write.activity is not None and not write.deletes
    )
    # An edit of a rate then leaves the times bit for bit as they are, and with them all cached shares of ranges.
    unit = float(writes[0][0].rate_per_second or 0) if writes else 0.0
    if not unit or not all(activity.rate_per_second for activity, _ in writes):
        return writes, 1.0
    relative = ((with_unit_rate(spec, activity), rows * (activity.rate_per_second / unit)) for activity, rows in writes)
    return tuple(relative), unit


def _rates(spec: Spec, writes: Iterable[tuple[Activity, float]], months: int) -> Floats:
    """Rows a second in the middle of each month: float64, shape (months,)."""
    rates = np.zeros(months)
    for activity, rows_per_event in writes:
        rates += activity_rates(spec, activity, np.arange(months, dtype=np.float64) + 0.5) * rows_per_event
    return rates


def _clocks(
    spec: Spec, writes: Iterable[tuple[Activity, float]], history_days: float
) -> tuple[tuple[EventCurve, float], ...]:
    """Return the clock of each write, and the rows that one of its events makes."""
    return tuple((event_curve(spec, activity, history_days, shaped=True), rows) for activity, rows in writes)


def _clip_from(edges: Floats, weight: Floats, begin: float) -> tuple[Floats, Floats]:
    """Return the part of a piecewise even distribution from `begin` on."""
    first = int(np.searchsorted(edges, begin, side="right")) - 1
    share = (edges[first + 1] - begin) / (edges[first + 1] - edges[first])
    return (
        np.concatenate(([begin], edges[first + 1 :])),
        np.concatenate(([weight[first] * share], weight[first + 1 :])),
    )
