"""Tables of a rotating set: since when the oldest of them is there."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from designer.document.table import Table

from .quadrature import gauss

HALF = 0.5
"""At a random moment half of the period of the newest table is over, in the mean."""

_POINTS, _WEIGHTS = gauss(3)


@dataclass(frozen=True)
class TablesKept:
    """So many tables of a period, the newest of which is being written."""

    tables: int
    period_days: float
    overs: tuple[float, ...] = tuple(((_POINTS + 1) / 2).tolist())  # from -1…1 to 0…1
    """Shares of the newest one's period that are over… [1]"""
    weights: tuple[float, ...] = tuple((_WEIGHTS / 2).tolist())
    """…and what each of them stands for in the mean. [1]"""

    def age_days(self, over: float = HALF) -> float:
        """Return the age of the oldest table when such a share of the newest one's period is over. [day]"""
        return (self.tables - 1 + over) * self.period_days

    def oldest_days(self, day: float) -> Iterator[tuple[float, float]]:
        """Yield the day on which the oldest table began that is there on a day, and the chance that it is so."""
        for over, weight in zip(self.overs, self.weights, strict=True):
            yield day - self.age_days(over), weight

    @property
    def at_most(self) -> "TablesKept":
        """The same at the end of a period, when as much is there as ever."""
        return replace(self, overs=(1.0,), weights=(1.0,))


def kept_tables(table: Table) -> TablesKept | None:
    """Return the tables that are kept of a rotating set; None where none is dropped."""
    rotation = table.rotation
    if rotation is None or rotation.kept_tables is None:
        return None
    return TablesKept(rotation.kept_tables, rotation.period_days)


def kept_days(table: Table, over: float = HALF) -> float:
    """Return the age of the oldest table when a share of the newest one's period is over; infinity: none is dropped."""
    rotation = kept_tables(table)
    return math.inf if rotation is None else rotation.age_days(over)
