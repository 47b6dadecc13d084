"""Figures beside each other: values of a comparison."""

import datetime
from dataclasses import dataclass

from designer.document.texts import Text

from .designed import DesignedBand
from .key_ranges import HotTabletRange, StoredSpread
from .measurements import Observation

SAME = 0.005
"""Rounds to 0 %: neither more nor less than designed."""
EVIDENT = 1.02
"""Below this ratio the bounds of a designed figure are one figure."""


@dataclass(frozen=True)
class ComparedFigure:
    """One figure: what was designed for the day, and what was measured."""

    name: str
    """A stable word for programs."""
    title: Text
    unit: str
    """As the suffix of a name: `bytes`, `rows`, `share` …"""
    designed: DesignedBand | None
    measured: float | None
    cause: Text | None = None

    @property
    def difference(self) -> float | None:
        """Measured ÷ designed - 1; 0 within the designed bounds; None where one of them is not known."""
        if self.designed is None or self.measured is None:
            return None
        bound = min(max(self.measured, self.designed.low), self.designed.high)
        return self.measured / bound - 1 if bound > 0 else None

    @property
    def is_beyond_zero(self) -> bool:
        """True if something was measured of which the design has nothing: no share says by how much."""
        return bool(self.designed and self.designed.high <= 0 and self.measured and self.measured > 0)


@dataclass(frozen=True)
class ComparedTable:
    """All figures of one table."""

    table: str
    """Its id in the design; empty for one that the design does not have."""
    name: str
    figures: tuple[ComparedFigure, ...]
    hot_ranges: tuple[HotTabletRange, ...] = ()
    spread: StoredSpread | None = None


@dataclass(frozen=True)
class ComparedCluster:
    """All figures of one cluster."""

    cluster: str
    name: str
    figures: tuple[ComparedFigure, ...]


@dataclass(frozen=True)
class ComparedRead:
    """Measurements of one read, beside the plan of the design's read."""

    read: str
    """Its id; empty where it is not known which it was."""
    figures: tuple[ComparedFigure, ...]


@dataclass(frozen=True)
class ComparedDesign:
    """A design beside what runs."""

    observation: Observation
    tables: tuple[ComparedTable, ...]
    clusters: tuple[ComparedCluster, ...]
    reads: tuple[ComparedRead, ...]
    unknown_tables: tuple[str, ...]
    """Measured, but not in the design."""
    unused_metrics: tuple[str, ...]
    """Recognised, and compared with nothing."""
    unused_reasons: tuple[Text, ...] = ()
    """Sentences about measurements that are comparable in general, and were compared with nothing."""
    later_start: datetime.date | None = None
    """Start that the design states, where that is after the measurement and something is compared."""

    @property
    def has_comparison(self) -> bool:
        """True if anything that was read stands beside the design."""
        figures = (
            figure
            for part in (self.tables, self.clusters, self.reads)
            for comparison in part
            for figure in comparison.figures
        )
        return any(figures) or any(table.hot_ranges or table.spread for table in self.tables)


def build_figure(
    name: str, title: str, unit: str, designed: DesignedBand | float | None, measured: float | None,
    cause: Text | None = None, **params: str,
) -> ComparedFigure:  # fmt: skip
    """Build a figure; `params` are of its title."""
    band = DesignedBand.of(designed) if isinstance(designed, int | float) else designed
    return ComparedFigure(name, Text(title, params), unit, band, measured, cause)
