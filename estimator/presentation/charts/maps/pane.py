"""A map as a page shows it: with its address, its picture and its hottest ranges where no script runs."""

from dataclasses import dataclass
from functools import cached_property

from designer.wording.formatting import Text
from estimator.presentation.charts.types import HeatMap

from .hot import HotRange, hot_ranges
from .still import Against, active_area, map_observation, still_heatmap
from .types import KeyMap, Metric

NEAR_LIMIT_SHARE = 0.15
"""Ranges that take less are all pale beside the limit: their map opens with the busiest as the brightest."""
NODE_TIME = "node_time"
"""The metric that adds up reads and writes."""


@dataclass(frozen=True)
class Pane:
    """One map on a page."""

    map: KeyMap
    address: str
    title: str
    of: str = ""
    """The metric that is asked for; without one the load of nodes, as in every other picture, where both read and
    write; else the first that has anything."""

    @cached_property
    def metric(self) -> Metric:
        """The one that is shown first."""
        every = self.map.metrics
        if self.of in every:
            return every[self.of]
        used = [metric for metric in every.values() if metric.load().any()]
        if NODE_TIME in every and {"writes", "reads"} <= {metric.name for metric in used}:
            return every[NODE_TIME]
        return next(iter((*used, *every.values())))

    @cached_property
    def finding(self) -> Text:
        """Main observation about the pane's part, as a sentence."""
        return map_observation(self.metric.load(), self.metric)

    @cached_property
    def is_near_limit(self) -> bool:
        """True if a range takes so much of the limit that the map opens with the scale of the limit."""
        limit = self.metric.limit
        return limit is not None and float(self.metric.load().max(initial=0.0)) >= NEAR_LIMIT_SHARE * limit

    @property
    def preview_heatmap(self) -> HeatMap:
        """Its picture."""
        against: Against = "absolute" if self.is_near_limit else "relative"
        return still_heatmap(self.map, self.metric, active_area(self.map, self.metric), against=against)

    @property
    def hottest_ranges(self) -> tuple[HotRange, ...]:
        """Its hottest ranges."""
        return hot_ranges(self.map, self.metric, self.map.full_area)
