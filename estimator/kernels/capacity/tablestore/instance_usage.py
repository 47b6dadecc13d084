"""Usage of an instance's tables: capacity units by month and week, and bytes stored.

Capacity units are those of each write and read. Cheap to scale, so a what-if does not recompute keys, traffic
or growth.
"""

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from designer.document import Spec, effective_value, write_mode
from designer.document.access import Write
from designer.document.activity import Bursts, Every, Flat
from designer.document.table import RowKind, Table
from estimator.engines import tablestore
from estimator.engines.capacity_units import Units, read_units, write_units
from estimator.kernels.growth.cells import cell, row_overhead_bytes, written_bytes_above, written_columns
from estimator.kernels.population.rates import monthly_rates, read_rates
from estimator.kernels.population.timeline import month_dates
from estimator.results import TablePart
from estimator.results.arrays import Floats

from .index_reads import index_read_units, indexes_of
from .units import MeteredUse, Side, TableUnits, UnitFlow


@dataclass(frozen=True)
class TableUsage:
    """One table; arrays have shape (months + 1,)."""

    table: Table
    units: TableUnits
    stored: Floats
    stored_low: Floats
    stored_high: Floats
    mean_ratio: Floats
    """(months,) mean of the stored bytes over each month ÷ mean of its two ends. [1]"""
    passing: Floats
    """(months,) mean bytes of each month that come and go within it."""
    is_known: bool
    """Its size is known."""

    @property
    def flows(self) -> tuple[UnitFlow, ...]:
        """Its writes and reads that have a rate."""
        return self.units.flows

    @property
    def reserved_units(self) -> Units:
        """Reserved throughput that can be counted on."""
        return self.units.reserved

    def side(self, side: Side) -> MeteredUse:
        """Read or write units."""
        return self.units.side(side)


@dataclass(frozen=True)
class InstanceUsage:
    """All tables of an instance."""

    tables: tuple[TableUsage, ...]
    region: str
    kind: Literal["high_performance", "capacity"]
    dates: tuple[datetime.date, ...]

    @property
    def months(self) -> int:
        """Months of the horizon."""
        return len(self.dates) - 1

    def last(self) -> "InstanceUsage":
        """Return the usage of the last month alone."""
        return self if self.months <= 1 else self.of_month(self.months - 1)

    def of_month(self, month: int) -> "InstanceUsage":
        """Return the usage of one month alone, from 0."""
        ends = slice(month, month + 2)
        tables = tuple(
            dataclasses.replace(
                t,
                units=t.units.of_month(month),
                stored=t.stored[ends],
                stored_low=t.stored_low[ends],
                stored_high=t.stored_high[ends],
                mean_ratio=t.mean_ratio[month : month + 1],
                passing=t.passing[month : month + 1],
            )
            for t in self.tables
        )
        return dataclasses.replace(self, tables=tables, dates=self.dates[ends])


def usage_of(spec: Spec, parts: Mapping[str, TablePart]) -> InstanceUsage:
    """Return the usage of the tables that have a part; unknown values count as zero, as `known` records."""
    dates = month_dates(spec)
    tables = tuple(_table(spec, table, parts[table.id], dates) for table in spec.tables if table.id in parts)
    return InstanceUsage(tables, tablestore.region(spec), instance_kind(spec), dates)


def instance_kind(spec: Spec) -> Literal["high_performance", "capacity"]:
    """Return the instance type; by default capacity in regions where no other type has been seen."""
    kind: Literal["high_performance", "capacity"] = effective_value(spec, spec.instance, "tablestore_type")
    return kind


def _table(spec: Spec, table: Table, part: TablePart, dates: Sequence[datetime.date]) -> TableUsage:
    zero, growth, settings = np.zeros(len(dates)), part.growth, table.tablestore
    reserved = Units(0.0, 0.0)
    if settings is not None and tablestore.can_reserve(spec):
        reserved = Units(float(settings.reserved_read_cu or 0), float(settings.reserved_write_cu or 0))
    return TableUsage(
        table=table,
        units=TableUnits((*_writes(spec, table), *_reads(spec, table, part, len(dates))), reserved, tuple(dates)),
        stored=growth.physical_bytes if growth else zero,
        stored_low=growth.physical_bytes_low if growth else zero,
        stored_high=growth.physical_bytes_high if growth else zero,
        mean_ratio=np.broadcast_to(growth.mean_ratio if growth else 1.0, len(dates) - 1),
        passing=np.broadcast_to(growth.passing_bytes if growth else 0.0, len(dates) - 1),
        is_known=growth is not None,
    )


def _writes(spec: Spec, table: Table) -> list[UnitFlow]:
    stored_table, flows = tablestore.as_stored(table), []
    indexes = indexes_of(spec, table)
    for kind in stored_table.row_kinds:
        key = row_overhead_bytes(spec, kind)
        for write in kind.writes:
            activity = None if write.activity is None else spec.find(write.activity)
            if activity is None or effective_value(spec, activity, "rate_per_second") is None:
                continue
            rows = float(effective_value(spec, write, "rows_per_event"))
            cell_bytes = written_bytes(spec, stored_table, kind, write)
            units = write_units(
                write_mode(spec, write), key, cell_bytes, written_bytes_above(spec, stored_table, kind, write)
            )
            if indexes:
                units = units._replace(
                    read=units.read + index_read_units(spec, stored_table, kind, write, indexes=indexes)
                )
            burst = float(activity.arrival.size) if isinstance(activity.arrival, Bursts) else 1.0
            rates = monthly_rates(spec, activity).times(rows)
            flows.append(
                UnitFlow(
                    write,
                    rates.at_ends,
                    units,
                    effective_value(spec, activity, "profile"),
                    activity.peak_days,
                    # All rows of a burst's events arrive in one second, and reserved throughput is measured by the
                    # second.
                    burst_size=max(burst * rows, 1.0),
                    # Events at even intervals that write several rows each still come in small bursts.
                    is_steady=isinstance(activity.arrival, Every) and rows <= 1,
                    bytes_written=key + cell_bytes,
                    rates=rates,
                )
            )
    return flows


def written_bytes(spec: Spec, table: Table, kind: RowKind, write: Write) -> float:
    """Return the mean bytes of names and values that one write sends; of a deleted column only its name."""
    total = 0.0
    for family, column in written_columns(table, kind, write):
        size = cell(spec, family, column, 0.0)
        value = 0.0 if write.mode in ("delete_cell", "delete_family") else size.value
        total += float(effective_value(spec, column, "presence")) * (size.qualifier + value)
    return total


def _reads(spec: Spec, table: Table, part: TablePart, months: int) -> list[UnitFlow]:
    plans = {plan.read: plan for plan in part.reads}
    flows = []
    for read in (read for kind in table.row_kinds for read in kind.reads):
        plan, rates = plans.get(read.id), read_rates(spec, read, np.arange(months, dtype=np.float64))
        if plan is None or rates is None:
            continue
        units = Units(read_units(plan), 0.0)
        flows.append(
            UnitFlow(
                read,
                rates,
                units,
                effective_value(spec, read, "profile") or Flat(),
                bytes_returned=plan.bytes_returned,
                course=plan.course,
            )
        )
    return flows
