"""Capacity units of one table: of each write and read over the months and the hours of a week, and what is metered."""

import dataclasses
import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from designer.document.access import Read, Write
from designer.document.activity import PeakDay, Profile
from designer.document.durations import DAY_SECONDS
from estimator.engines.capacity_units import Units
from estimator.kernels.population.profile import busy_week, stack_weeks, week_parts
from estimator.kernels.population.rates import MonthlyRates
from estimator.kernels.traffic.tablestore import PARTITION_UNITS
from estimator.results import ReadCourse
from estimator.results.arrays import Floats

from .per_second_usage import expected_metered_units

Side = Literal["read", "write"]
SIDES: tuple[Side, ...] = ("read", "write")


@dataclass(frozen=True)
class UnitFlow:
    """One write or read with a rate."""

    access: Write | Read
    per_second: Floats
    """(months + 1,) mean over the week: rows written, or requests."""
    units: Units
    """Of one at the end of the horizon."""
    profile: Profile
    peak_days: tuple[PeakDay, ...] = ()
    burst_size: float = 1.0
    """So many come in one second: the size of a burst."""
    is_steady: bool = False
    """They come at even intervals."""
    bytes_returned: float = 0.0
    bytes_written: float = 0.0
    """Of one row, its key included."""
    course: ReadCourse | None = None
    """Of a read, what one request takes and returns over the horizon; None: the same in all months."""
    rates: MonthlyRates | None = None
    """Of a write."""

    def mean_per_second(self, month: int) -> float:
        """Return the mean rate of a month, with its named peak days and until it ends."""
        if self.rates is not None:
            return float(self.rates.mean[month])
        return float(self.per_second[month] + self.per_second[month + 1]) / 2

    def ends_in(self, month: int) -> bool:
        """Return whether it ends within the month, or just before or after it."""
        if self.rates is None or self.rates.ends_on is None:
            return False
        has_ended = self.rates.at_ends[month + 1] != self.rates.lasting[month + 1]
        return bool(has_ended and (self.rates.running_share[month] > 0 or self.rates.at_ends[month] > 0))

    def share_of(self, month: int) -> float:
        """Return the share of the month in which it goes on."""
        return 1.0 if self.rates is None else float(self.rates.running_share[month])

    def in_parts(self, side: Side, month: int, ends: Sequence[float]) -> "UnitFlow":
        """Return it in parts of a month up to these shares of it, in place of months."""
        rate = self.mean_per_second(month) if self.rates is None else float(self.rates.while_running[month])
        units = getattr(self.units, side)
        if self.course is not None and side == "read":
            units = float(self.course.mean_node_seconds[month]) * PARTITION_UNITS
        rates = np.array([rate if end <= self.share_of(month) else 0.0 for end in ends])
        return dataclasses.replace(self, per_second=rates, units=Units(units, units), course=None, rates=None)

    def mean_bytes_returned(self, month: int) -> float:
        """Return the bytes that one returns in the mean of a month."""
        return self.bytes_returned if self.course is None else float(self.course.mean_bytes_returned[month])

    def units_by_month(self, side: Side) -> Floats:
        """Return the units of one, at the start and after each month: (months + 1,)."""
        if self.course is not None and side == "read":
            return self.course.node_seconds * PARTITION_UNITS
        return np.full(len(self.per_second), getattr(self.units, side))

    def mean_units(self, side: Side) -> Floats:
        """Return the units a second of all together, in the mean of each month: (months,)."""
        rates, units = self.per_second, self.units_by_month(side)
        mean_units = (units[1:] + units[:-1]) / 2
        if self.course is not None and side == "read":
            mean_units = self.course.mean_node_seconds * PARTITION_UNITS
        return np.asarray((rates[1:] + rates[:-1]) / 2 * mean_units)

    def on_day(self, day: datetime.date) -> "UnitFlow":
        """Return it as on a day of a month in which it may end."""
        if self.rates is None or self.rates.ends_on is None:
            return self
        return dataclasses.replace(self, per_second=self.rates.lasting * (day < self.rates.ends_on))

    def of_month(self, month: int) -> "UnitFlow":
        """Return the usage of one month alone, from 0."""
        course = None if self.course is None else self.course.of_month(month)
        rates = None if self.rates is None else self.rates.of_month(month)
        return dataclasses.replace(self, per_second=self.per_second[month : month + 2], course=course, rates=rates)

    @property
    def week(self) -> Floats:
        """(168,) the shape of the week, mean 1; (168 × parts,) where a batch begins or ends within hours."""
        return week_parts(self.profile)


@dataclass(frozen=True)
class MeteredUse:
    """Units a second of one side of one table, means over a week, at the start and after each month."""

    used_units: Floats
    """(months + 1,)"""
    metered_units: Floats
    """(months + 1,) above what is reserved, seconds varying by chance."""
    metered_units_even: Floats
    """(months + 1,) the same if all seconds of an hour were alike: the least."""
    peak_units: Floats
    """(months + 1,) in the busiest hour."""
    month_units: Floats
    """(months,) above what is reserved in the mean of each month, named peak days apart; seconds varying by chance."""
    month_units_even: Floats
    """(months,) the same if all seconds of an hour were alike: the least."""


@lru_cache(maxsize=256)
def distinct_hours(profiles: tuple[Profile, ...]) -> tuple[Floats, Floats]:
    """Hours of the week that differ in any profile: shapes (profiles, hours), and how much of a week each is.

    Where a batch takes only a part of an hour, parts of hours: what is above a reservation is counted by the second.
    """
    shapes = stack_weeks([busy_week(profile) for profile in profiles])
    # Hours with equal shapes have equal usage. A flat profile has one distinct hour instead of 168, and the Poisson
    # sums are the slow part.
    different, counts = np.unique(shapes, axis=1, return_counts=True)
    return different, counts / shapes.shape[1]


@dataclass(frozen=True)
class TableUnits:
    """Capacity units of one table; replaced as a whole where they change, so that what is computed of them is kept."""

    flows: tuple[UnitFlow, ...]
    reserved: Units
    """What can be counted on: nothing on a capacity instance."""
    dates: tuple[datetime.date, ...]

    @cached_property
    def read(self) -> MeteredUse:
        """Read units."""
        return self._compute_metered_use("read")

    @cached_property
    def write(self) -> MeteredUse:
        """Write units."""
        return self._compute_metered_use("write")

    def side(self, side: Side) -> MeteredUse:
        """Read or write units."""
        return self.read if side == "read" else self.write

    def of_month(self, month: int) -> "TableUnits":
        """Return the usage of one month alone, from 0."""
        if month not in self._months:
            flows = tuple(flow.of_month(month) for flow in self.flows)
            self._months[month] = TableUnits(flows, self.reserved, self.dates[month : month + 2])
        return self._months[month]

    @cached_property
    def _months(self) -> "dict[int, TableUnits]":
        return {}

    def _compute_metered_use(self, side: Side) -> MeteredUse:
        flows = [flow for flow in self.flows if getattr(flow.units, side) > 0]
        if not flows:
            nothing = np.zeros(len(self.dates))
            return MeteredUse(nothing, nothing, nothing, nothing, nothing[1:], nothing[1:])
        shapes, weights = distinct_hours(tuple(flow.profile for flow in flows))
        steady, varying, burst_units = _per_second(side, flows, shapes)
        reserved = getattr(self.reserved, side)
        used = steady + varying
        ends = sum((flow.per_second * flow.units_by_month(side) for flow in flows), np.zeros(len(self.dates)))
        means, straight = sum(flow.mean_units(side) for flow in flows), (ends[1:] + ends[:-1]) / 2
        # Shape (months + 1, distinct hours), flattened for one call.
        above = expected_metered_units(steady.ravel(), varying.ravel(), burst_units.ravel(), reserved).reshape(
            used.shape
        )
        metered, even = above @ weights, np.maximum(used - reserved, 0.0) @ weights
        ratio = np.divide(means, straight, out=np.ones_like(straight), where=straight > 0)
        of_months = np.stack([(ends[1:] + ends[:-1]) / 2 * ratio for ends in (metered, even)])
        for month in range(len(ratio)):
            if any(flow.ends_in(month) for flow in flows):
                of_months[:, month] = _metered_in_parts(side, flows, month, reserved)
        return MeteredUse(
            used_units=used @ weights,
            metered_units=metered,
            metered_units_even=even,
            peak_units=used.max(axis=1),
            month_units=of_months[0],
            month_units_even=of_months[1],
        )

    def peak_units(self, side: Side, month: int) -> tuple[float, float]:
        """Units above what is reserved that the named peak days of a month add to its usual days: expected, least."""
        first, last = self.dates[month], self.dates[month + 1]
        days = sorted({p.date for flow in self.flows for p in flow.peak_days if first <= p.date < last})
        using = [flow for flow in self.flows if getattr(flow.units, side) > 0]
        reserved, total, least = getattr(self.reserved, side), 0.0, 0.0
        for day in days if using else ():
            flows = [flow.on_day(day) for flow in using]
            weekdays = np.split(stack_weeks([flow.week for flow in flows]), 7, axis=1)
            usual = weekdays[day.weekday()]
            seconds = DAY_SECONDS / usual.shape[1]
            busy = usual * np.array([_factor(flow, day) for flow in flows])[:, None]
            # The day's usual hours are in the month's mean already, so only the difference is added.
            for sign, shapes in ((1, busy), (-1, usual)):
                steady, varying, burst_units = (part[month + 1] for part in _per_second(side, flows, shapes))
                total += sign * float(expected_metered_units(steady, varying, burst_units, reserved).sum()) * seconds
                least += sign * float(np.maximum(steady + varying - reserved, 0.0).sum()) * seconds
        return total, least


def _metered_in_parts(side: Side, flows: Sequence[UnitFlow], month: int, reserved_units: float) -> tuple[float, float]:
    """Units a second above what is reserved in a month in which a load ends, expected and least: before and after."""
    ends = sorted({1.0, *(share for flow in flows if (share := flow.share_of(month)) > 0)})
    shapes, weights = distinct_hours(tuple(flow.profile for flow in flows))
    steady, varying, burst_units = _per_second(side, [flow.in_parts(side, month, ends) for flow in flows], shapes)
    above = expected_metered_units(steady.ravel(), varying.ravel(), burst_units.ravel(), reserved_units)
    even, lengths = np.maximum(steady + varying - reserved_units, 0.0), np.diff(ends, prepend=0.0)
    return float(lengths @ above.reshape(steady.shape) @ weights), float(lengths @ even @ weights)


def _per_second(side: Side, flows: Sequence[UnitFlow], shapes: Floats) -> tuple[Floats, Floats, Floats]:
    """Steady and varying units a second, and units that come at once: (months + 1, hours) each."""
    units = np.array([flow.units_by_month(side) for flow in flows]).T  # (months + 1, flows)
    steadily = np.array([flow.is_steady for flow in flows])
    # Units of a whole burst: 100 rows of 1 unit in one second vary as one request of 100 units does.
    at_once = units * np.array([flow.burst_size for flow in flows])
    rates = np.array([flow.per_second for flow in flows]).T * units
    steady, varying = (rates * steadily) @ shapes, (rates * ~steadily) @ shapes
    weights = rates * ~steadily / max(float(rates.max(initial=0.0)), 1e-300)  # so that absurd rates do not overflow
    total = weights @ shapes
    return steady, varying, np.divide((weights * at_once) @ shapes, total, out=np.ones_like(total), where=total > 0)


def _factor(flow: UnitFlow, day: datetime.date) -> float:
    return max((peak.factor for peak in flow.peak_days if peak.date == day), default=1.0)
