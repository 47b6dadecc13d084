"""Heatmaps of one table in two designs, on one scale: what is as bright carries as much."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from designer.wording import element_label
from estimator.presentation.charts.heatmap import Against, Of, heatmap
from estimator.presentation.charts.types import HeatMap

from .effects import Side

MOST_TABLES = 6
"""So many tables are drawn; the changes say which others differ."""


@dataclass(frozen=True)
class HeatPair:
    """A table's heatmaps; None where it has no traffic, or is not there."""

    table: str
    name: str
    before: HeatMap | None
    after: HeatMap | None


def heat_pairs(before: Side, after: Side, *, of: Of = "writes", against: Against = "relative") -> tuple[HeatPair, ...]:
    """Of the tables in which something is otherwise."""
    return tuple(_pairs(before, after, of, against))[:MOST_TABLES]


def _pairs(before: Side, after: Side, of: Of, against: Against) -> Iterator[HeatPair]:
    was, now = before.estimate.tables, after.estimate.tables
    for id_ in {**now, **was}:
        parts = (was.get(id_), now.get(id_))
        if parts[0] is parts[1]:
            continue
        maps = [heatmap(part.traffic, of=of, against=against) if part and part.traffic else None for part in parts]
        if maps[0] and maps[1] and _alike(maps[0], maps[1]):
            continue
        tops = [drawn.top for drawn in maps if drawn is not None]
        if tops:
            one, other = (drawn and replace(drawn, top=max(tops)) for drawn in maps)
            yield HeatPair(id_, element_label(after.spec if parts[1] else before.spec, id_), one, other)


def _alike(one: HeatMap, other: HeatMap) -> bool:
    return one.bounds == other.bounds and np.array_equal(one.values, other.values)
