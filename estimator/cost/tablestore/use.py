"""What the tables of an instance use: capacity units of each write and read over months and weeks, and bytes stored.

Cheap to scale, so that "what if" asks nothing of keys, traffic or growth again.
"""

import dataclasses
import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from designer.spec import Spec, assumed
from designer.spec.access import Read, Write
from designer.spec.activity import Bursts, Every, Flat, PeakDay, Profile
from designer.spec.table import RowKind, Table

from ...engines import tablestore
from ...engines.operations import Units, read_units, write_units
from ...growth.cells import cell, written_columns
from ...growth.tablestore import as_stored, primary_key_bytes
from ...growth.timeline import month_dates
from ...results import Floats, TablePart
from ...traffic.profile import activity_rate, profile_week, read_rate
from .seconds import expected_metered

Side = Literal["read", "write"]
SIZES = (1.0, 0.5, 2.0)
"""As the rows are, and if they were half and twice as large."""
SIDES: tuple[Side, ...] = ("read", "write")


@dataclass(frozen=True)
class UnitFlow:
    """One write or read with a rate."""

    access: Write | Read
    per_second: Floats
    """(months + 1,) mean over the week: rows written, or requests."""
    units: Units
    resized: tuple[Units, Units]
    """The same if all rows were half, and twice as large."""
    profile: Profile
    peak_days: tuple[PeakDay, ...] = ()
    together: float = 1.0
    """So many come in one second: the size of a burst."""
    steady: bool = False
    """They come at even intervals."""
    bytes_returned: float = 0.0

    @property
    def week(self) -> Floats:
        """(168,) the shape of the week, mean 1."""
        return profile_week(self.profile)


@dataclass(frozen=True)
class Metered:
    """Units a second of one side of one table, means over a week, at the start and after each month."""

    used: Floats
    """(months + 1,)"""
    above: Floats
    """(months + 1,) above what is reserved, seconds varying by chance."""
    above_alike: Floats
    """(months + 1,) the same if all seconds of an hour were alike: the least."""
    peak: Floats
    """(months + 1,) in the busiest hour."""


MOST_PER_SECOND = 1e150
"""Absurd growth, doubled, stays a number."""


@lru_cache(maxsize=256)
def hours_alike(profiles: tuple[Profile, ...]) -> tuple[Floats, Floats]:
    """Hours of the week that differ in any profile: shapes (profiles, hours), and how much of a week each is."""
    shapes = np.array([profile_week(profile) for profile in profiles]).reshape(len(profiles), 168)
    different, counts = np.unique(shapes, axis=1, return_counts=True)
    return different, counts / 168


@dataclass(frozen=True)
class TableUnits:
    """Capacity units of one table; replaced as a whole where they change, so that what is computed of them is kept."""

    flows: tuple[UnitFlow, ...]
    reserved: Units
    """What can be counted on: nothing on a capacity instance."""
    dates: tuple[datetime.date, ...]

    @cached_property
    def read(self) -> Metered:
        """Read units."""
        return self._metered("read")

    @cached_property
    def write(self) -> Metered:
        """Write units."""
        return self._metered("write")

    def side(self, side: Side) -> Metered:
        """Read or write units."""
        return self.read if side == "read" else self.write

    @cached_property
    def last(self) -> "TableUnits":
        """The last month alone."""
        flows = tuple(dataclasses.replace(flow, per_second=flow.per_second[-2:]) for flow in self.flows)
        return TableUnits(flows, self.reserved, self.dates[-2:])

    def rated(self, change: Callable[[UnitFlow], Floats]) -> "TableUnits":
        """With other rates."""
        flows = tuple(
            dataclasses.replace(flow, per_second=np.minimum(change(flow), MOST_PER_SECOND)) for flow in self.flows
        )
        return TableUnits(flows, self.reserved, self.dates)

    def _metered(self, side: Side) -> Metered:
        flows = [flow for flow in self.flows if getattr(flow.units, side) > 0]
        if not flows:
            nothing = np.zeros(len(self.dates))
            return Metered(nothing, nothing, nothing, nothing)
        shapes, weights = hours_alike(tuple(flow.profile for flow in flows))
        steady, varying, each = _per_second(side, flows, shapes)
        reserved = getattr(self.reserved, side)
        used = steady + varying
        above = expected_metered(steady.ravel(), varying.ravel(), each.ravel(), reserved).reshape(used.shape)
        return Metered(
            used=used @ weights,
            above=above @ weights,
            above_alike=np.maximum(used - reserved, 0.0) @ weights,
            peak=used.max(axis=1),
        )

    def peak_units(self, side: Side, month: int) -> tuple[float, float]:
        """Units above what is reserved that the named peak days of a month add to its usual days: expected, least."""
        first, last = self.dates[month], self.dates[month + 1]
        days = sorted({p.date for flow in self.flows for p in flow.peak_days if first <= p.date < last})
        flows = [flow for flow in self.flows if getattr(flow.units, side) > 0]
        reserved, total, least = getattr(self.reserved, side), 0.0, 0.0
        for day in days if flows else ():
            hours = slice(day.weekday() * 24, day.weekday() * 24 + 24)
            usual = np.array([flow.week[hours] for flow in flows])
            busy = usual * np.array([_factor(flow, day) for flow in flows])[:, None]
            for sign, shapes in ((1, busy), (-1, usual)):
                steady, varying, each = (part[month + 1] for part in _per_second(side, flows, shapes))
                total += sign * float(expected_metered(steady, varying, each, reserved).sum()) * 3_600
                least += sign * float(np.maximum(steady + varying - reserved, 0.0).sum()) * 3_600
        return total, least


def _per_second(side: Side, flows: Sequence[UnitFlow], shapes: Floats) -> tuple[Floats, Floats, Floats]:
    """Steady and varying units a second, and units that come at once: (months + 1, hours) each."""
    units = np.array([getattr(flow.units, side) for flow in flows])
    steadily = np.array([flow.steady for flow in flows])
    at_once = units * np.array([flow.together for flow in flows])
    rates = np.array([flow.per_second for flow in flows]).T * units
    steady, varying = (rates * steadily) @ shapes, (rates * ~steadily) @ shapes
    weights = rates * ~steadily / max(float(rates.max(initial=0.0)), 1e-300)  # so that absurd rates do not overflow
    total = weights @ shapes
    return steady, varying, np.divide((weights * at_once) @ shapes, total, out=np.ones_like(total), where=total > 0)


@dataclass(frozen=True)
class TableUse:
    """One table; arrays have shape (months + 1,)."""

    table: Table
    units: TableUnits
    stored: Floats
    stored_low: Floats
    stored_high: Floats
    known: bool
    """Its size is known."""

    @property
    def flows(self) -> tuple[UnitFlow, ...]:
        """Its writes and reads that have a rate."""
        return self.units.flows

    @property
    def reserved(self) -> Units:
        """Reserved throughput that can be counted on."""
        return self.units.reserved

    def side(self, side: Side) -> Metered:
        """Read or write units."""
        return self.units.side(side)


def _factor(flow: UnitFlow, day: datetime.date) -> float:
    return max((peak.factor for peak in flow.peak_days if peak.date == day), default=1.0)


@dataclass(frozen=True)
class Use:
    """All tables of an instance."""

    tables: tuple[TableUse, ...]
    region: str
    kind: Literal["high_performance", "capacity"]
    dates: tuple[datetime.date, ...]

    @property
    def months(self) -> int:
        """Months of the horizon."""
        return len(self.dates) - 1

    def last(self) -> "Use":
        """The last month alone."""
        if self.months <= 1:
            return self
        tables = tuple(
            dataclasses.replace(
                t,
                units=t.units.last,
                stored=t.stored[-2:],
                stored_low=t.stored_low[-2:],
                stored_high=t.stored_high[-2:],
            )
            for t in self.tables
        )
        return dataclasses.replace(self, tables=tables, dates=self.dates[-2:])


def use_of(spec: Spec, parts: Mapping[str, TablePart]) -> Use:
    """What the tables that have a part use. What a table does not know counts as nothing, and `known` says so."""
    dates = month_dates(spec)
    tables = tuple(_table(spec, table, parts[table.id], dates) for table in spec.tables if table.id in parts)
    return Use(tables, tablestore.region(spec), instance_kind(spec), dates)


def instance_kind(spec: Spec) -> Literal["high_performance", "capacity"]:
    """The type of the instance; where it is not said, capacity in regions that were seen with no other."""
    kind: Literal["high_performance", "capacity"] = assumed(spec, spec.instance, "tablestore_type")
    return kind


def _table(spec: Spec, table: Table, part: TablePart, dates: Sequence[datetime.date]) -> TableUse:
    zero, growth, kept = np.zeros(len(dates)), part.growth, table.tablestore
    reserved = Units(0.0, 0.0)
    if kept is not None and tablestore.can_reserve(spec):
        reserved = Units(float(kept.reserved_read_cu or 0), float(kept.reserved_write_cu or 0))
    return TableUse(
        table=table,
        units=TableUnits(
            (*_writes(spec, table, len(dates)), *_reads(spec, table, part, len(dates))), reserved, tuple(dates)
        ),
        stored=growth.physical_bytes if growth else zero,
        stored_low=growth.physical_bytes_low if growth else zero,
        stored_high=growth.physical_bytes_high if growth else zero,
        known=growth is not None,
    )


def _writes(spec: Spec, table: Table, months: int) -> list[UnitFlow]:
    kept, found = as_stored(table), []
    for kind in kept.row_kinds:
        key = primary_key_bytes(spec, kind)
        for write in kind.writes:
            activity = None if write.activity is None else spec.find(write.activity)
            if activity is None or assumed(spec, activity, "rate_per_second") is None:
                continue
            rows = float(assumed(spec, write, "rows_per_event"))
            written = written_bytes(spec, kept, kind, write)
            units, smaller, larger = (write_units(write.mode, key * size, written * size) for size in SIZES)
            burst = float(activity.arrival.size) if isinstance(activity.arrival, Bursts) else 1.0
            found.append(
                UnitFlow(
                    write,
                    np.array([activity_rate(spec, activity, month) * rows for month in range(months)]),
                    units,
                    (smaller, larger),
                    assumed(spec, activity, "profile"),
                    activity.peak_days,
                    together=max(burst * rows, 1.0),
                    steady=isinstance(activity.arrival, Every) and rows <= 1,
                )
            )
    return found


def written_bytes(spec: Spec, table: Table, kind: RowKind, write: Write) -> float:
    """Names and mean values of the attributes that one write sends; of a deleted column its name. [bytes]"""
    total = 0.0
    for family, column in written_columns(table, kind, write):
        size = cell(spec, family, column, 0.0)
        value = 0.0 if write.mode in ("delete_cell", "delete_family") else size.value
        total += float(assumed(spec, column, "presence")) * (size.qualifier + value)
    return total


def _reads(spec: Spec, table: Table, part: TablePart, months: int) -> list[UnitFlow]:
    plans = {plan.read: plan for plan in part.reads}
    found = []
    for read in (read for kind in table.row_kinds for read in kind.reads):
        plan = plans.get(read.id)
        if plan is None or read.rate_per_second is None:
            continue
        units, smaller, larger = (Units(read_units(plan, size_factor=size), 0.0) for size in SIZES)
        found.append(
            UnitFlow(
                read,
                np.array([read_rate(spec, read, month) or 0.0 for month in range(months)]),
                units,
                (smaller, larger),
                assumed(spec, read, "profile") or Flat(),
                bytes_returned=plan.bytes_returned,
            )
        )
    return found
