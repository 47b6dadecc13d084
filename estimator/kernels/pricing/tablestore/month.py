"""One month of a Tablestore bill: what its lines are computed from."""

import datetime
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from designer.document import Spec, assumed
from estimator.engines.tablestore import GB_BYTES
from estimator.kernels.capacity.amounts import SECONDS_PER_HOUR, quantity
from estimator.kernels.capacity.tablestore.instance_usage import TableUse, Use
from estimator.kernels.capacity.tablestore.units import Side
from estimator.price_books.prices import Prices
from estimator.results.arrays import Floats


@dataclass(frozen=True)
class UseMonth:
    """It lies between columns `index` and `index + 1` of the monthly arrays."""

    spec: Spec
    use: Use
    prices: Prices
    index: int
    first_day: datetime.date
    totals_only: bool = False
    """Lines without a price are not asked for."""

    def unasked(self, skus: tuple[str, ...], where: str) -> bool:
        """Whether a line may be left out: it has no price, and only totals are asked for."""
        return self.totals_only and not self.prices.tiers(skus, where)

    @cached_property
    def hours(self) -> int:
        """Hours that a month is billed with."""
        return int(assumed(self.spec, self.spec.instance, "month_hours"))

    @property
    def at(self) -> str:
        """The element that stands for the instance: the one that names its region, if any."""
        return next((cluster.id for cluster in self.spec.instance.clusters if cluster.region), "")

    def mean(self, monthly: Floats) -> float:
        """Average over the month of something known at its beginning and end."""
        return float(monthly[self.index] + monthly[self.index + 1]) / 2

    def gb_hours(self, stored: Floats) -> Decimal:
        """Stored bytes through the month, as its formula is redone on paper: from whole thousandths. [GB-hour]"""
        return quantity(self.stored_gb(stored) * self.hours)

    def stored_gb(self, stored: Floats) -> Decimal:
        """Stored bytes, the month's mean. [GB]"""
        return quantity(self.mean(stored) / GB_BYTES)

    def metered(self, table: TableUse, side: Side) -> tuple[float, float]:
        """Units above what is reserved in the month, named peak days included: expected, and the least. [CU]"""
        used, seconds = table.side(side), self.hours * SECONDS_PER_HOUR
        peak, peak_least = table.units.peak_units(side, self.index)
        return (
            max(self.mean(used.above) * seconds + peak, 0.0),
            max(self.mean(used.above_alike) * seconds + peak_least, 0.0),
        )
