"""What the tables of an instance use: capacity units of each write and read over months and weeks, and bytes stored.

Cheap to scale, so that "what if" asks nothing of keys, traffic or growth again.
"""

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
SIDES: tuple[Side, ...] = ("read", "write")


@dataclass(frozen=True)
class UnitFlow:
    """One write or read with a rate."""

    access: Write | Read
    per_second: Floats
    """(months + 1,) mean over the week: rows written, or requests."""
    units: Units
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


@dataclass(frozen=True)
class TableUse:
    """One table; arrays have shape (months + 1,)."""

    table: Table
    flows: tuple[UnitFlow, ...]
    reserved: Units
    """What can be counted on: nothing on a capacity instance."""
    stored: Floats
    stored_low: Floats
    stored_high: Floats
    known: bool
    """Its size is known."""
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

    def _metered(self, side: Side) -> Metered:
        steady, varying, each = self._hours(side, np.ones(len(self.flows)))
        reserved = getattr(self.reserved, side)
        shape = steady.shape
        above = expected_metered(steady.ravel(), varying.ravel(), each.ravel(), reserved).reshape(shape)
        used = steady + varying
        return Metered(
            used=used.mean(axis=1),
            above=above.mean(axis=1),
            above_alike=np.maximum(used - reserved, 0.0).mean(axis=1),
            peak=used.max(axis=1),
        )

    def _hours(self, side: Side, factors: Floats) -> tuple[Floats, Floats, Floats]:
        """Steady and varying units a second, and units that come at once: (months + 1, 168) each."""
        zero = np.zeros((len(self.dates), 168))
        steady, varying, squares = zero.copy(), zero.copy(), zero.copy()
        for flow, factor in zip(self.flows, factors, strict=True):
            units = getattr(flow.units, side)
            if units <= 0:
                continue
            rate = flow.per_second[:, None] * flow.week * (units * factor)
            if flow.steady:
                steady += rate
            else:
                varying += rate
                squares += rate * (units * flow.together)
        return steady, varying, np.divide(squares, varying, out=np.ones_like(zero), where=varying > 0)

    def peak_units(self, side: Side, month: int) -> tuple[float, float]:
        """Units above what is reserved that the named peak days of a month add to its usual days: expected, least."""
        first, last = self.dates[month], self.dates[month + 1]
        days = sorted({p.date for flow in self.flows for p in flow.peak_days if first <= p.date < last})
        reserved, total, least = getattr(self.reserved, side), 0.0, 0.0
        for day in days:
            hours = slice(day.weekday() * 24, day.weekday() * 24 + 24)
            usual, busy = np.ones(len(self.flows)), np.array([_factor(flow, day) for flow in self.flows])
            for sign, factors in ((1, busy), (-1, usual)):
                steady, varying, each = (part[month + 1, hours] for part in self._hours(side, factors))
                total += sign * float(expected_metered(steady, varying, each, reserved).sum()) * 3_600
                least += sign * float(np.maximum(steady + varying - reserved, 0.0).sum()) * 3_600
        return total, least


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
        return self if self.months <= 1 else _cut(self, slice(-2, None))


def _cut(use: Use, months: slice) -> Use:
    tables = tuple(
        dataclasses.replace(
            t, stored=t.stored[months], stored_low=t.stored_low[months], stored_high=t.stored_high[months],
            dates=t.dates[months],
            flows=tuple(dataclasses.replace(f, per_second=f.per_second[months]) for f in t.flows),
        )
        for t in use.tables
    )  # fmt: skip
    return dataclasses.replace(use, tables=tables, dates=use.dates[months])


def use_of(spec: Spec, parts: Mapping[str, TablePart]) -> Use:
    """What the tables that have a part use. What a table does not know counts as nothing, and `known` says so."""
    dates = month_dates(spec)
    tables = tuple(_table(spec, table, parts[table.id], dates) for table in spec.tables if table.id in parts)
    return Use(tables, tablestore.region(spec), instance_kind(spec), dates)


def instance_kind(spec: Spec) -> Literal["high_performance", "capacity"]:
    """The type of the instance; where it is not said, capacity in regions that were seen with no other."""
    if spec.instance.tablestore_type is None and tablestore.region(spec) in tablestore.CAPACITY_ONLY:
        return "capacity"
    kind: Literal["high_performance", "capacity"] = assumed(spec, spec.instance, "tablestore_type")
    return kind


def _table(spec: Spec, table: Table, part: TablePart, dates: Sequence[datetime.date]) -> TableUse:
    zero, growth, kept = np.zeros(len(dates)), part.growth, table.tablestore
    reserved = Units(0.0, 0.0)
    if kept is not None and tablestore.can_reserve(spec):
        reserved = Units(float(kept.reserved_read_cu or 0), float(kept.reserved_write_cu or 0))
    return TableUse(
        table=table,
        flows=(*_writes(spec, table, len(dates)), *_reads(spec, table, part, len(dates))),
        reserved=reserved,
        stored=growth.physical_bytes if growth else zero,
        stored_low=growth.physical_bytes_low if growth else zero,
        stored_high=growth.physical_bytes_high if growth else zero,
        known=growth is not None,
        dates=tuple(dates),
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
            burst = float(activity.arrival.size) if isinstance(activity.arrival, Bursts) else 1.0
            found.append(
                UnitFlow(
                    write,
                    np.array([activity_rate(spec, activity, month) * rows for month in range(months)]),
                    write_units(write.mode, key, written_bytes(spec, kept, kind, write)),
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
        found.append(
            UnitFlow(
                read,
                np.array([read_rate(spec, read, month) or 0.0 for month in range(months)]),
                Units(read_units(plan), 0.0),
                assumed(spec, read, "profile") or Flat(),
                bytes_returned=plan.bytes_returned,
            )
        )
    return found
