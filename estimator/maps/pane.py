"""A map as a page shows it: with its address, its picture and its hottest ranges where no script runs."""

from dataclasses import dataclass
from functools import cached_property

from designer.formats import Text
from estimator.charts.kinds import HeatMap

from .hot import HotRange, hot_ranges
from .kinds import KeyMap, Metric
from .still import finding, still


@dataclass(frozen=True)
class Pane:
    """One map on a page."""

    map: KeyMap
    address: str
    title: str

    @cached_property
    def metric(self) -> Metric:
        """The one that is shown first: writes, or of a table that is only read its reads."""
        every = self.map.metrics.values()
        return next((metric for metric in every if metric.load().any()), next(iter(every)))

    @cached_property
    def finding(self) -> Text:
        """What it shows, as a sentence."""
        return finding(self.metric.load(), self.metric)

    @property
    def still(self) -> HeatMap:
        """Its picture."""
        return still(self.map, self.metric, self.map.whole)

    @property
    def hot(self) -> tuple[HotRange, ...]:
        """Its hottest ranges."""
        return hot_ranges(self.map, self.metric, self.map.whole)
