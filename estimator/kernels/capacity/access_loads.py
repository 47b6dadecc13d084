"""Load of each write and read over the hours of a week: clusters serve different reads, at different hours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from estimator.results import TableTraffic
from estimator.results.arrays import Floats


@dataclass(frozen=True)
class LoadByHour:
    """Load of one write or read, in busy nodes of all clusters together."""

    read: str | None
    """Its id; None: a write, or reads of which no rate is known."""
    is_write: bool
    usual: Floats
    """(months + 1,) in its busiest hour of a usual week."""
    busiest: Floats
    """(months + 1,) the same in the week of the table's busiest hour of the month."""
    week: Floats
    """(168,) shape of the week, its highest hour 1."""


def access_loads(traffic: TableTraffic, reads: Mapping[str, float]) -> Iterator[LoadByHour]:
    """Yield the loads of a table's writes and reads; where only the table's week is known, it is that of all.

    `reads`: load at the end of the horizon of those that have a rate, by id.
    """
    for hours in traffic.accesses:
        if hours.is_write or hours.access in reads:
            access = None if hours.is_write else hours.access
            yield LoadByHour(access, hours.is_write, hours.usual_by_month, hours.busiest_by_month, hours.week)
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


@dataclass(frozen=True)
class AccessLoads:
    """Loads of all writes and reads of an instance, stacked."""

    accesses: tuple[LoadByHour, ...]
    usual: Floats
    busiest: Floats
    """(accesses, months + 1) each"""
    week: Floats
    """(accesses, 168)"""

    @classmethod
    def of(cls, accesses: Sequence[LoadByHour], months: int) -> "AccessLoads":
        """Stack the loads, at the start and after each month: `months` of them."""
        usual, busiest = (
            np.array([getattr(access, name) for access in accesses]).reshape(len(accesses), months)
            for name in ("usual", "busiest")
        )
        week = np.array([access.week for access in accesses]).reshape(len(accesses), HOURS_OF_WEEK)
        return cls(tuple(accesses), usual, busiest, week)

    def by_hour(self, served_share: Floats, *, usual: bool = False) -> Floats:
        """Return the load on a cluster that serves these shares of all accesses: (months + 1, 168).

        That of the month's beginning where it is higher; of a usual week without what ends within the month.
        """
        # (months + 1, accesses) @ (accesses, 168): the busiest hour of each times its shape of the week.
        hourly = np.asarray(((self.usual if usual else self.busiest) * served_share[:, None]).T @ self.week)
        before, after = self.usual[:, :-1], self.usual[:, 1:]
        if np.any(after < before):
            begin = np.where(after > 0, before, 0.0) if usual else before
            hourly[1:] = np.maximum(hourly[1:], (begin * served_share[:, None]).T @ self.week)
        return hourly

    def usual_at_ends(self, served_share: Floats) -> Floats:
        """Return that of a usual week at the start and after each month: (months + 1, 168)."""
        return np.asarray((self.usual * served_share[:, None]).T @ self.week)

    def of_month(self, month: int) -> "AccessLoads":
        """Return the loads of one month alone, from 0, at its beginning and its end."""
        ends = slice(month, month + 2)
        return replace(self, usual=self.usual[:, ends], busiest=self.busiest[:, ends])

    def times(self, factor: float) -> "AccessLoads":
        """Return loads that are so many times as high."""
        return replace(self, usual=self.usual * factor, busiest=self.busiest * factor)
