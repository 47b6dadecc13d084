"""Load of each write and read over the hours of a week: clusters serve different reads, at different hours."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from estimator.results import TableTraffic
from estimator.results.arrays import Floats, Ints

from ..population.profile import stack_weeks


@dataclass(frozen=True)
class LoadByHour:
    """Load of one write or read, in busy nodes of all clusters together."""

    read: str | None
    """Its id; None: a write, or reads of which no rate is known."""
    is_write: bool
    usual: Floats
    """(months + 1,) in its busiest hour of a usual week."""
    running: Floats
    """(months + 1,) the same of a load that ends within the month, until it ends."""
    week: Floats
    """(168,) shape of the week, its highest hour 1; (168 × parts,) where batches begin or end within hours."""
    ends_on: datetime.date | None = None
    peak_factors: Mapping[datetime.date, float] = field(default_factory=dict)
    """Multiples of the usual on its named days."""


def access_loads(traffic: TableTraffic, reads: Mapping[str, float]) -> Iterator[LoadByHour]:
    """Yield the loads of a table's writes and reads; where only the table's week is known, it is that of all.

    `reads`: load at the end of the horizon of those that have a rate, by id.
    """
    for hours in traffic.accesses:
        if hours.is_write or hours.access in reads:
            access = None if hours.is_write else hours.access
            yield LoadByHour(
                access, hours.is_write, hours.usual_by_month, hours.running_by_month, hours.week, hours.ends_on,
                hours.peak_factors,
            )  # fmt: skip
    if traffic.accesses:
        return
    peak = float(traffic.week_node_share.max(initial=0.0))
    week = traffic.week_node_share / peak if peak > 0 else np.ones(HOURS_OF_WEEK)
    reading = traffic.read_node_share_by_month
    writing, total = traffic.node_share_by_month - reading, sum(reads.values())
    yield LoadByHour(None, True, writing, writing, week)
    if not reads:
        yield LoadByHour(None, False, reading, reading, week)
    for read, load in reads.items():
        mine = reading * (load / total if load > 0 else 0.0)
        yield LoadByHour(read, False, mine, mine, week)


HOURS_OF_WEEK = 168
USUAL, RUNNING, NAMED = 0, 1, 2
"""Weeks of a month: a usual one, one before a load ends, and from the third on those with named days."""


@dataclass(frozen=True)
class NamedDay:
    """A day on which some accesses have a multiple of their usual load."""

    date: datetime.date
    month: int
    """Place of its month's entry."""
    week: int
    """Place among its month's weeks, from `NAMED`."""
    base: int
    """The week that it is a day of: `USUAL` or `RUNNING`."""
    added: Floats
    """(accesses,) multiples of the usual that it adds; nothing once a load has ended."""


@dataclass(frozen=True)
class AccessLoads:
    """Loads of all writes and reads of an instance, stacked."""

    accesses: tuple[LoadByHour, ...]
    usual: Floats
    running: Floats
    """(accesses, months + 1) each"""
    week: Floats
    """(accesses, pieces): the hours of the week, cut where the load of any access changes."""
    piece_hours: Floats
    """(pieces,) how long each of them is. [hour]"""
    hour_starts: Ints
    """(168,) the first piece of each hour."""
    ending_days: Floats
    """(months + 1,) days of each month until the last load that ends in it does."""
    named_days: tuple[NamedDay, ...]
    """By date."""

    @classmethod
    def of(cls, accesses: Sequence[LoadByHour], dates: Sequence[datetime.date]) -> "AccessLoads":
        """Stack the loads at these dates: the start, and the end of each month."""
        usual, running = (
            np.array([getattr(access, name) for access in accesses]).reshape(len(accesses), len(dates))
            for name in ("usual", "running")
        )
        week, piece_hours, hour_starts = _cut_week(stack_weeks([access.week for access in accesses]))
        ends = {access.ends_on for access in accesses if access.ends_on is not None}
        ending = [
            max(((end - first).days for end in ends if first < end <= last), default=0)
            for first, last in pairwise(dates)
        ]
        named = tuple(_named_days(accesses, dates, [0, *ending]))
        ending_days = np.array([0, *ending], dtype=np.float64)
        return cls(tuple(accesses), usual, running, week, piece_hours, hour_starts, ending_days, named)

    def pieces_of(self, day: NamedDay) -> slice:
        """Return the pieces of the week that are a named day's."""
        starts = [*self.hour_starts, len(self.piece_hours)]
        first = day.date.weekday() * 24
        return slice(int(starts[first]), int(starts[first + 24]))

    def weeks(self, served_share: Floats) -> Floats:
        """Return the load on a cluster that serves these shares of all accesses: (months + 1, weeks, pieces).

        Weeks are as many as the month with most of them has; where a month has fewer, the others are usual ones.
        """
        usual = self._by_hour(self.usual, served_share, running=False)
        running = self._by_hour(self.running, served_share, running=True) if self.ending_days.any() else usual
        named = 1 + max((day.week for day in self.named_days), default=RUNNING) - NAMED
        weeks = np.stack([usual, running, *[usual] * named], axis=1)
        begun: set[tuple[int, int]] = set()
        for day in self.named_days:
            place = day.month, day.week
            if place not in begun:
                begun.add(place)
                weeks[place] = weeks[day.month, day.base]
            pieces = self.pieces_of(day)
            added = (self.running[:, day.month] * day.added * served_share) @ self.week[:, pieces]
            weeks[*place, pieces] = np.maximum(weeks[*place, pieces] + added, 0.0)
        return np.asarray(weeks)

    def highest(self, served_share: Floats) -> Floats:
        """Return the load on such a cluster in the busiest hour of each month: (months + 1,)."""
        return np.asarray(self.weeks(served_share).max(axis=(1, 2)))

    def week_shares(self, hours: Floats) -> Floats:
        """Return the share of each month's hours that are of each of `weeks`: (months + 1, weeks).

        A week with named days stands in for a whole week of what is there without them. Where a month has more of such
        weeks than it is long, the share of the other is negative, and each named day counts in full all the same.
        """
        ending = np.minimum(self.ending_days * 24 / hours, 1.0)
        weeks = {(day.month, day.week): day.base for day in reversed(self.named_days)}
        shares = np.zeros((len(hours), 1 + max((week for _, week in weeks), default=RUNNING)))
        shares[:, USUAL], shares[:, RUNNING] = 1 - ending, ending
        for (month, week), base in weeks.items():
            shares[month, week] = HOURS_OF_WEEK / hours[month]
            shares[month, base] -= shares[month, week]
        return shares

    def _by_hour(self, loads: Floats, served_share: Floats, *, running: bool) -> Floats:
        """Return loads over the week, those of the month's beginning where they are higher: (months + 1, pieces).

        `running`: what ends within the month is there.
        """
        # (months + 1, accesses) @ (accesses, pieces): the busiest hour of each times its shape of the week.
        hourly = np.asarray((loads * served_share[:, None]).T @ self.week)
        before, after = self.usual[:, :-1], self.usual[:, 1:]
        if np.any(after < before):
            begin = before if running else np.where(after > 0, before, 0.0)
            hourly[1:] = np.maximum(hourly[1:], (begin * served_share[:, None]).T @ self.week)
        return hourly

    def usual_at_ends(self, served_share: Floats) -> Floats:
        """Return that of a usual week at the start and after each month: (months + 1, pieces)."""
        return np.asarray((self.usual * served_share[:, None]).T @ self.week)

    def times(self, factor: float) -> "AccessLoads":
        """Return loads that are so many times as high."""
        return replace(self, usual=self.usual * factor, running=self.running * factor)

    def of_month(self, month: int) -> "AccessLoads":
        """Return the loads of one month alone, from 0, at its beginning and its end."""
        ends = slice(month, month + 2)
        return replace(
            self, usual=self.usual[:, ends], running=self.running[:, ends], ending_days=self.ending_days[ends],
            named_days=tuple(replace(day, month=1) for day in self.named_days if day.month == month + 1),
        )  # fmt: skip


def _cut_week(week: Floats) -> tuple[Floats, Floats, Ints]:
    """Return loads by pieces of a week, how many hours each lasts, and the first of each hour.

    Pieces are hours, or those parts of them that differ.

    `week`: (accesses, equal parts of hours).
    """
    parts = week.shape[1] // HOURS_OF_WEEK
    begins = np.ones(week.shape[1], dtype=np.bool_)
    begins[1:] = (week[:, 1:] != week[:, :-1]).any(axis=0)
    begins[::parts] = True
    starts = np.flatnonzero(begins)
    hours = np.arange(0, week.shape[1], parts)
    return week[:, starts], np.diff(starts, append=week.shape[1]) / parts, np.searchsorted(starts, hours)


def _named_days(
    accesses: Sequence[LoadByHour], dates: Sequence[datetime.date], ending_days: Sequence[int]
) -> Iterator[NamedDay]:
    """Yield the named days of the months that end at these dates; those of one week of the calendar together."""
    named = sorted({date for access in accesses for date in access.peak_factors})
    for month, (first, last) in enumerate(pairwise(dates), 1):
        weeks: dict[datetime.date, tuple[int, int]] = {}
        for date in (date for date in named if first <= date < last):
            monday = date - datetime.timedelta(days=date.weekday())
            is_before_end = (date - first).days < ending_days[month]
            week, base = weeks.setdefault(monday, (NAMED + len(weeks), RUNNING if is_before_end else USUAL))
            added = [
                0.0 if access.ends_on is not None and date >= access.ends_on else access.peak_factors.get(date, 1.0) - 1
                for access in accesses
            ]
            yield NamedDay(date, month, week, base, np.array(added))
