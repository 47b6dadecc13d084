"""Heatmaps of one table in two designs, on one scale: what is as bright carries as much."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from estimator.presentation.charts.heatmap import Against, Of, heatmap
from estimator.presentation.charts.types import HeatMap
from estimator.presentation.charts.utilisation import node_load
from estimator.presentation.segments import key_reader

from .effects import DesignWithEstimate, changed_label

MOST_TABLES = 6
"""So many tables are drawn; the changes say which others differ."""


@dataclass(frozen=True)
class HeatPair:
    """A table's heatmaps; None where it has no traffic, or is not there."""

    table: str
    name: str
    before: HeatMap | None
    after: HeatMap | None


def heat_pairs(
    before: DesignWithEstimate, after: DesignWithEstimate, *, of: Of = "writes", against: Against = "absolute"
) -> tuple[HeatPair, ...]:
    """Return the heat of both sides for each table in which something differs."""
    return tuple(_pairs(before, after, of, against))[:MOST_TABLES]


def _pairs(before: DesignWithEstimate, after: DesignWithEstimate, of: Of, against: Against) -> Iterator[HeatPair]:
    was, now = before.estimate.tables, after.estimate.tables
    for id_ in {**now, **was}:
        if was.get(id_) is now.get(id_):
            continue
        pair = heat_pair(before, after, id_, of=of, against=against)
        if pair and not (pair.before and pair.after and _same_heat(pair.before, pair.after)):
            yield pair


def heat_pair(
    before: DesignWithEstimate,
    after: DesignWithEstimate,
    table: str,
    *,
    of: Of = "writes",
    against: Against = "absolute",
) -> HeatPair | None:
    """Draw one table in both designs; None where neither has traffic on it."""
    maps = [_heat_of(side, table, of, against) for side in (before, after)]
    tops = [heat_map.top for heat_map in maps if heat_map is not None]
    if not tops:
        return None
    # With a scale of its own each, a table of ten times the load would look the same.
    first, other = (heat_map and replace(heat_map, top=max(tops)) for heat_map in maps)
    return HeatPair(table, changed_label(before.spec, after.spec, table), first, other)


def _heat_of(side: DesignWithEstimate, table: str, of: Of, against: Against) -> HeatMap | None:
    part = side.estimate.tables.get(table)
    if part is None or part.traffic is None:
        return None
    nodes = node_load(side.spec, side.estimate)
    return heatmap(part.traffic, of=of, against=against, read_key=key_reader(side.spec, part), nodes=nodes)


def _same_heat(first: HeatMap, other: HeatMap) -> bool:
    return first.bounds == other.bounds and np.array_equal(first.values, other.values)
