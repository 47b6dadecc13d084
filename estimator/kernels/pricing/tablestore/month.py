"""One month of a Tablestore bill: what its lines are computed from."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from estimator.engines.tablestore import GB_BYTES
from estimator.kernels.capacity.amounts import SECONDS_PER_HOUR, PricedMonth, round_quantity
from estimator.kernels.capacity.tablestore.instance_usage import InstanceUsage, TableUsage
from estimator.kernels.capacity.tablestore.units import Side
from estimator.results.arrays import Floats

Stored = Literal["stored", "stored_low", "stored_high"]


@dataclass(frozen=True)
class UsageMonth(PricedMonth):
    """One month of a Tablestore bill."""

    usage: InstanceUsage

    @property
    def instance_element_id(self) -> str:
        """The element that stands for the instance: the one that names its region, if any."""
        return next((cluster.id for cluster in self.spec.instance.clusters if cluster.region), "")

    def mean(self, monthly: Floats) -> float:
        """Average over the month of something known at its beginning and end."""
        return float(monthly[self.index] + monthly[self.index + 1]) / 2

    def gb_hours(self, which: Stored, gb_bytes: int = GB_BYTES) -> Decimal:
        """Return the month's stored bytes in GB-hours, from whole thousandths, to be recomputed by hand."""
        return round_quantity(self.stored_gb(which, gb_bytes) * self.hours)

    def stored_gb(self, which: Stored, gb_bytes: int = GB_BYTES) -> Decimal:
        """Return the month's mean of all tables' stored bytes, in GB."""
        means = (
            self.mean(getattr(table, which)) * float(table.mean_ratio[self.index]) + float(table.passing[self.index])
            for table in self.usage.tables
        )
        return round_quantity(sum(means) / gb_bytes)

    def metered_units(self, table: TableUsage, side: Side) -> tuple[float, float]:
        """Return the month's CU above the reservation, named peak days included: expected, and the least."""
        used = table.side(side)
        seconds = self.hours * SECONDS_PER_HOUR
        peak, peak_least = table.units.peak_units(side, self.index)
        return (
            # The difference of peak and usual days is negative for a multiple below 1, and can exceed a small mean.
            max(float(used.month_units[self.index]) * seconds + peak, 0.0),
            max(float(used.month_units_even[self.index]) * seconds + peak_least, 0.0),
        )
